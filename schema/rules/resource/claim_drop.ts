/** What a claim may only have while a feature is on, or where the stored one already uses it. */
import { isSet, items, type Tree } from "../tree.ts";
import type { RuleContext } from "../types.ts";

/** One feature: its gate, and the members it brings, of the parts of a claim. */
interface Feature {
  readonly gate: string;
  /** Of the spec's requests, of their exact form, and of their alternatives. */
  readonly request?: readonly string[];
  readonly exactly?: readonly string[];
  readonly alternative?: readonly string[];
  readonly constraint?: readonly string[];
  /** Of the status: of what was allocated, and of what drivers tell of devices. */
  readonly result?: readonly string[];
  readonly device?: readonly string[];
}

const FEATURES: readonly Feature[] = [
  { gate: "DRADeviceTaints", exactly: ["tolerations"], alternative: ["tolerations"] },
  { gate: "DRAPrioritizedList", request: ["firstAvailable"] },
  { gate: "DRAAdminAccess", exactly: ["adminAccess"], result: ["adminAccess"] },
  {
    gate: "DRAConsumableCapacity",
    exactly: ["capacity"],
    alternative: ["capacity"],
    constraint: ["distinctAttribute"],
    result: ["shareID", "consumedCapacity"],
    device: ["shareID"],
  },
  { gate: "DRADerivedAttributes", exactly: ["derivedAttributes"], alternative: ["derivedAttributes"] },
  { gate: "DRAOptionalNodeOperations", result: ["skipNodeOperations"] },
  { gate: "DRADeviceBindingConditions", result: ["bindingConditions", "bindingFailureConditions"] },
];

type Part = readonly [part: Tree, members: readonly string[] | undefined];

function specParts(spec: Tree | undefined, f: Feature): Part[] {
  const devices: Tree = spec?.["devices"] ?? {};
  return [
    ...items(devices["requests"]).flatMap((r): Part[] => [
      [r, f.request],
      [r["exactly"] ?? {}, f.exactly],
      ...items(r["firstAvailable"]).map((a): Part => [a, f.alternative]),
    ]),
    ...items(devices["constraints"]).map((c): Part => [c, f.constraint]),
  ];
}

const statusParts = (status: Tree | undefined, f: Feature): Part[] => [
  ...items(status?.["allocation"]?.devices?.results).map((r): Part => [r, f.result]),
  ...items(status?.["devices"]).map((d): Part => [d, f.device]),
];

const uses = (parts: readonly Part[]): boolean => parts.some(([p, members]) => members?.some((m) => isSet(p[m])));

function drop(parts: readonly Part[]): void {
  for (const [p, members] of parts) for (const m of members ?? []) delete p[m];
}

/** Drops from a claim's spec what belongs to features that are off, in place. */
export function dropDisabledSpec(spec: Tree | undefined, old: Tree | undefined, ctx: RuleContext): void {
  for (const f of FEATURES) if (!ctx.gate(f.gate) && !uses(specParts(old, f))) drop(specParts(spec, f));
}

/** The same of a claim's status; `old`: the whole stored claim, whose spec counts too. */
export function dropDisabledStatus(status: Tree | undefined, old: Tree, ctx: RuleContext): void {
  for (const f of FEATURES) {
    if (ctx.gate(f.gate) || uses([...specParts(old["spec"], f), ...statusParts(old["status"], f)])) continue;
    drop(statusParts(status, f));
  }
}
