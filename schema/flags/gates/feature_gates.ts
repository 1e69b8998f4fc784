/** Which features are on (specification, "Versioning", 6). */
import { unmetNeeds } from "./gate_needs.ts";
import { gatesOf, type GateState, newerGates } from "./gate_table.ts";

/** Names that the API's fields carry for gates that are called otherwise. */
const SAME_AS: Readonly<Record<string, string>> = { PodCertificateProjection: "PodCertificateRequest" };

/** `--feature-gates`, put on top of the defaults of a version. Immutable. */
export class FeatureGates {
  readonly #table: ReadonlyMap<string, GateState>;
  readonly #values: ReadonlyMap<string, boolean>;

  /** @throws nothing: values that do not apply are found by {@linkcode parseGates} */
  constructor(set: ReadonlyMap<string, boolean>, minor = 37) {
    this.#table = gatesOf(minor);
    this.#values = resolve(this.#table, set, newerGates(minor));
  }

  /** Whether the gate is on. Unknown names are off. */
  enabled(name: string): boolean {
    return this.#values.get(name) ?? this.#values.get(SAME_AS[name] ?? "") ?? false;
  }

  /** Whether there is such a gate. */
  knows(name: string): boolean {
    return this.#values.has(SAME_AS[name] ?? name);
  }

  /** All gates with their stage and value, by name. */
  *entries(): Generator<{ name: string; stage: string; enabled: boolean; locked: boolean }> {
    for (const name of [...this.#table.keys()].sort()) {
      const { stage, locked } = this.#table.get(name)!;
      yield { name, stage, enabled: this.enabled(name), locked };
    }
  }
}

function resolve(
  table: ReadonlyMap<string, GateState>,
  set: ReadonlyMap<string, boolean>,
  newer: ReadonlySet<string>,
): ReadonlyMap<string, boolean> {
  const out = new Map<string, boolean>();
  for (const [name, { stage, on }] of table) {
    const all = stage === "ALPHA" ? set.get("AllAlpha") : stage === "BETA" ? set.get("AllBeta") : undefined;
    out.set(name, newer.has(name) ? false : set.get(name) ?? all ?? on);
  }
  return out;
}

/** What `--feature-gates` says. */
export interface ParsedGates {
  readonly set: ReadonlyMap<string, boolean>;
  readonly errors: readonly string[];
  /** For gates that are deprecated, or stable and set to what they are. */
  readonly warnings: readonly string[];
}

const BOOLEANS: Readonly<Record<string, boolean>> = {
  true: true,
  t: true,
  "1": true,
  false: false,
  f: false,
  "0": false,
};

/** Reads `component:Name=bool` items (the component may be left out). Every fault is reported. */
export function parseGates(texts: readonly string[], components: readonly string[], minor = 37): ParsedGates {
  const table = gatesOf(minor), newer = newerGates(minor);
  const set = new Map<string, boolean>(), errors: string[] = [], warnings: string[] = [];
  for (const item of texts.flatMap((t) => t.split(",")).map((t) => t.trim()).filter((t) => t !== "")) {
    const m = /^(?:([^:=]*?)\s*:\s*)?([^=]+?)\s*=\s*(.*)$/.exec(item);
    if (!m) errors.push(`--feature-gates: ${JSON.stringify(item)} should be [component:]name=bool`);
    else if (m[1] !== undefined && !components.includes(m[1])) {
      errors.push(`--feature-gates: component ${JSON.stringify(m[1])} is not registered; known is ${components[0]}`);
    } else {
      const value = BOOLEANS[m[3]!.toLowerCase()];
      const fault = value === undefined
        ? `invalid value of ${m[2]}: ${JSON.stringify(m[3])} should be true or false`
        : refused(m[2]!, value, table, newer, minor);
      if (fault) errors.push(`--feature-gates: ${fault}`);
      else {
        set.set(m[2]!, value!);
        const { stage } = table.get(m[2]!)!;
        if (stage === "GA" || stage === "DEPRECATED") {
          warnings.push(`feature gate ${m[2]} is ${stage === "GA" ? "stable" : "deprecated"} and will be removed`);
        }
      }
    }
  }
  if (errors.length === 0) {
    const values = resolve(table, set, newer);
    // No error: whole stages are turned on before all that their gates need is of that stage.
    warnings.push(...unmetNeeds((name) => values.get(name) === true).map((text) => `feature gate ${text}`));
  }
  return { set, errors, warnings };
}

function refused(
  name: string,
  value: boolean,
  table: ReadonlyMap<string, GateState>,
  newer: ReadonlySet<string>,
  minor: number,
): string | undefined {
  const gate = table.get(name);
  if (!gate) return `unrecognized feature gate: ${name}`;
  if (newer.has(name) && value) return `cannot set feature gate ${name} to true: it is newer than 1.${minor}`;
  if (gate.locked && !newer.has(name) && value !== gate.on) {
    return `cannot set feature gate ${name} to ${value}: it is locked to ${gate.on}`;
  }
  return undefined;
}
