/**
 * `/statusz` and `/flagz` of server and agent: as text for people, and as objects for programs that name their kind and version
 * (`Accept: application/json;as=Statusz;v=v1beta1;g=config.k8s.io`).
 */
import { encodeCbor } from "./codec/cbor_write.ts";
import { stringifyYaml } from "./codec/yaml.ts";
import type { Json, JsonMap } from "./model/types.ts";
import { nowTime } from "./values/time.ts";

/** How a page is shown. `version`: that of the object; undefined for text. */
export interface ZpageForm {
  readonly type: string;
  readonly version?: string;
}

/** What is shown as an object. */
export interface Zpage {
  readonly kind: "Statusz" | "Flagz";
  /** `config.k8s.io`, in the dialect. */
  readonly group: string;
  /** CBOR is spoken too. */
  readonly cbor?: boolean;
}

const TEXT = "text/plain";
const OBJECTS = ["application/json", "application/yaml"];
const CBOR = "application/cbor";
const VERSIONS = new Set(["v1beta1", "v1alpha1"]);

/** Media types of a page. */
export const zpageTypes = ({ cbor }: Zpage): readonly string[] => [...OBJECTS, TEXT, ...cbor ? [CBOR] : []];

/** What is told whoever accepts none of them. */
export const zpageRefusal = (page: Zpage): string =>
  `only the following media types are accepted: ${zpageTypes(page).join(", ")}`;

/** The form that an `Accept` header asks for, text where it asks for nothing; undefined: there is none such. */
export function zpageForm(page: Zpage, accept: string | null | undefined): ZpageForm | undefined {
  if (!accept?.trim()) return { type: TEXT };
  const ranges = accept.split(",").map(rangeOf).filter((r) => r.q > 0).sort((a, b) => b.q - a.q);
  for (const { type, params } of ranges) {
    const as = params.get("as"), version = params.get("v") ?? "";
    const asked = as === page.kind && params.get("g") === page.group && VERSIONS.has(version);
    for (const offered of zpageTypes(page)) {
      if (!covers(type, offered)) continue;
      if (offered === TEXT ? as === undefined : asked) {
        return offered === TEXT ? { type: TEXT } : { type: offered, version };
      }
    }
  }
  return undefined;
}

interface Range {
  readonly type: string;
  readonly q: number;
  readonly params: ReadonlyMap<string, string>;
}

function rangeOf(text: string): Range {
  const [type = "", ...rest] = text.split(";").map((part) => part.trim());
  const params = new Map(rest.map((pair): [string, string] => {
    const at = pair.indexOf("=");
    return at < 0 ? [pair, ""] : [pair.slice(0, at).trim(), pair.slice(at + 1).trim()];
  }));
  const q = Number(params.get("q") ?? 1);
  return { type: type.toLowerCase(), q: Number.isNaN(q) ? 1 : q, params };
}

function covers(range: string, type: string): boolean {
  return range === type || range === "*/*" || range === "*" || range === `${type.slice(0, type.indexOf("/"))}/*`;
}

/** The object in its form. `name`: of the component. */
export function zpageBody(
  page: Zpage,
  { type, version }: ZpageForm,
  name: string,
  members: JsonMap,
): string | Uint8Array<ArrayBuffer> {
  const object: Json = { kind: page.kind, apiVersion: `${page.group}/${version}`, metadata: { name }, ...members };
  if (type === CBOR) return encodeCbor(object);
  return type === "application/yaml" ? stringifyYaml(object) : `${JSON.stringify(object)}\n`;
}

/** Headers of the object: its type says which object it is; whoever asks for a version that goes is warned. */
export function zpageHeaders({ kind, group }: Zpage, { type, version }: ZpageForm): Record<string, string> {
  const headers = { "content-type": `${type};g=${group};v=${version};as=${kind}` };
  if (version !== "v1alpha1") return headers;
  const text = `This version of the ${kind.toLowerCase()} endpoint is deprecated. Please use a newer version.`;
  return { ...headers, warning: `299 - "${text}"` };
}

/** Facts of a component. Times in ms since the epoch. */
export interface StatuszFacts {
  readonly startedAt: number;
  readonly now: number;
  /** `1.37` */
  readonly version: string;
  /** Absent: it emulates none. */
  readonly emulated?: string;
  readonly paths: readonly string[];
}

/** Members of a `Statusz`. What is run by is no Go. */
export const statuszOf = ({ startedAt, now, version, emulated, paths }: StatuszFacts): JsonMap => ({
  startTime: nowTime(startedAt),
  uptimeSeconds: Math.max(0, Math.floor((now - startedAt) / 1000)),
  goVersion: "",
  binaryVersion: version,
  ...emulated === undefined ? {} : { emulationVersion: emulated },
  paths: [...paths],
});

/** Members of a `Flagz`. */
export const flagzOf = (flags: Iterable<readonly [name: string, value: string]>): JsonMap => ({
  flags: Object.fromEntries([...flags].sort(([a], [b]) => a < b ? -1 : 1)),
});
