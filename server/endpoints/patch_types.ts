/** The ways to patch, by media type: how a patch is read, and what it makes of an object. */
import { type MarkedFloats, markedFloats, parseJson } from "../../schema/codec/json.ts";
import { parseYaml } from "../../schema/codec/yaml.ts";
import { parseCbor } from "../../schema/codec/cbor.ts";
import { fieldReports, jsonTypeOf } from "../../schema/codec/mod.ts";
import { applyJsonPatch, unknownJsonPatchFields } from "../../schema/merge/json_patch.ts";
import { applyMergePatch } from "../../schema/merge/merge_patch.ts";
import { applyStrategicMerge } from "../../schema/merge/strategic.ts";
import type { Json, JsonMap, Kind } from "../../schema/model/types.ts";
import { badRequest } from "../../schema/status.ts";
import { ValueError } from "../../schema/values/error.ts";
import { parseRange } from "../negotiation/media.ts";
import type { RequestScope } from "../request.ts";
import type { Api } from "./api.ts";
import { unsupported } from "./body.ts";

/** A patch as it is read. */
export interface Parsed {
  readonly tree: Json;
  readonly duplicates: string[];
  /** Of operations: fields that stand twice in the object by them. */
  readonly placed?: string[];
  /** The tree with whole numbers told from floats (`2.0`), where there are such; only where that tells. */
  readonly marked?: MarkedFloats | undefined;
}

/** A way to patch: how its body is read, and what it makes of an object. */
export interface PatchType {
  readonly parse: (bytes: Uint8Array, duplicates: boolean) => Parsed;
  /** Words before what a body that cannot be read is refused with. Default: those of a patch. */
  readonly undecoded?: string;
  /** Undefined: apply. */
  readonly patch?: (kind: Kind, current: JsonMap, patch: Json) => Json;
}

/** Whole: what a patch says twice is not put together, the last counts. */
const json = (bytes: Uint8Array, duplicates: boolean): Parsed => parseJson(bytes, { duplicates, whole: true });
/** As {@linkcode json}, for patches that keep the notation of numbers. */
const literal = (bytes: Uint8Array, duplicates: boolean): Parsed & { readonly text: string } => {
  const parsed = parseJson(bytes, { duplicates, whole: true });
  return { ...parsed, marked: markedFloats(parsed.text) };
};

/** A patch that is an object. @throws StatusError 400 for another; `what` stands before the words */
export function objectOf(patch: Json, what = ""): JsonMap {
  if (patch === null || typeof patch !== "object" || Array.isArray(patch)) {
    throw badRequest(
      `${what}json: cannot unmarshal ${jsonTypeOf(patch)} into Go value of type map[string]interface {}`,
    );
  }
  return patch;
}

/** Words before what a body that cannot be read is refused with. */
const UNDECODED = "error decoding patch: ";
/** The same of a configuration that is applied, in whatever it comes. */
const UNDECODED_YAML = "error decoding YAML: ";

/** A configuration that is applied; nothing at all is an empty one. @throws StatusError 400 for what is no object */
export const configurationOf = (body: Json): JsonMap =>
  objectOf(body ?? {}, `${UNDECODED_YAML}error unmarshaling JSON: while decoding JSON: `);

/** By media type. */
const TYPES: Readonly<Record<string, PatchType>> = {
  "application/json-patch+json": {
    parse: (bytes, duplicates) => ofOperations(literal(bytes, duplicates)),
    patch: (_k, current, patch) => applyJsonPatch(current, patch),
  },
  "application/merge-patch+json": {
    parse: literal,
    patch: (_k, current, patch) => applyMergePatch(current, objectOf(patch, UNDECODED)),
  },
  "application/strategic-merge-patch+json": {
    parse: json,
    patch: (kind, current, patch) => {
      const made = applyStrategicMerge(kind.message, current, objectOf(patch ?? {}));
      // Fields are set on an object of the kind: what the patch says it is counts for nothing.
      const text = (v: Json | undefined, own: string) => v === undefined || typeof v === "string" ? own : v;
      return { ...made, apiVersion: text(made["apiVersion"], kind.apiVersion), kind: text(made["kind"], kind.kind) };
    },
  },
  "application/apply-patch+yaml": {
    parse: (bytes, duplicates) => parseYaml(bytes, { duplicates }),
    undecoded: `${UNDECODED_YAML}error converting YAML to JSON: `,
  },
  "application/apply-patch+cbor": {
    parse: (bytes, duplicates) => parseCbor(bytes, { duplicates }),
    undecoded: UNDECODED_YAML,
  },
};
const STRATEGIC = "application/strategic-merge-patch+json";
const CBOR = "application/apply-patch+cbor";

/** Whether fields are set one by one. */
export const isStrategic = (type: PatchType): boolean => type === TYPES[STRATEGIC];
/** Whether it is a merge patch. */
export const isMerge = (type: PatchType): boolean => type === TYPES["application/merge-patch+json"];

/** Strict field validation names operations and members that no operation has as such. */
function ofOperations({ tree, duplicates, marked, text }: Parsed & { readonly text: string }): Parsed {
  const unknown = unknownJsonPatchFields(tree).map((f) => `unknown field ${JSON.stringify(f)}`);
  const all = unknown.length && duplicates.length ? fieldReports(text, unknown) : [...duplicates, ...unknown];
  const placed = duplicates.flatMap((d) => duplicateInObject(tree, d));
  return { tree, duplicates: all.map((report) => `json patch ${report}`), placed, marked };
}

/** A field that stands twice in an operation's value stands so in the object, unless a later operation looks within. */
function duplicateInObject(tree: Json, report: string): string[] {
  const [, at, rest] = /^duplicate field "\[(\d+)\]\.value([.[].*)"$/.exec(report) ?? [];
  const ops = Array.isArray(tree) ? tree as JsonMap[] : [], op = ops[Number(at)], path = op?.["path"];
  if (rest === undefined || typeof path !== "string" || (op!["op"] !== "add" && op!["op"] !== "replace")) return [];
  if (ops.slice(Number(at) + 1).some((o) => String(o["path"]).startsWith(`${path}/`))) return [];
  const steps = path.split("/").slice(1).map((s) => s.replaceAll("~1", "/").replaceAll("~0", "~"));
  const place = steps.map((s) => /^\d+$/.test(s) ? `[${s}]` : `.${s}`).join("").replace(/^\./, "");
  return [`duplicate field ${JSON.stringify(place + rest)}`];
}

/** Reads a patch; `duplicates`: what it says twice is told. @throws StatusError 400 */
export function parsePatch(type: PatchType, bytes: Uint8Array, duplicates: boolean): Parsed {
  try {
    return type.parse(bytes, duplicates);
  } catch (e) {
    if (e instanceof ValueError) throw badRequest((type.undecoded ?? UNDECODED) + e.message);
    throw e;
  }
}

/** The patch type of a request. @throws StatusError 415 */
export function patchTypeOf(api: Api, scope: RequestScope): PatchType {
  const header = scope.headers.get("content-type") ?? "";
  const range = parseRange(header);
  const name = range ? `${range.type}/${range.subtype}` : "";
  const offered = offeredTypes(api, scope);
  if (!offered.includes(name)) throw unsupported(offered, namesPatch(api, scope) ? undefined : {});
  return TYPES[name]!;
}

/** Refuses what is no patch of the resource at all. @throws StatusError 415 */
export function mustBePatch(api: Api, scope: RequestScope): void {
  patchTypeOf(api, scope);
}

function offeredTypes(api: Api, scope: RequestScope): string[] {
  const custom = scope.served!.kind.custom !== undefined;
  return Object.keys(TYPES).filter((t) =>
    (t !== STRATEGIC || !custom) && (t !== CBOR || api.rules.gate("CBORServingAndStorage"))
  );
}

/**
 * Whether a patch's Content-Type is looked at closely: the public server's router refuses what no patch of a built-in kind
 * comes in before all else.
 */
export function namesPatch(api: Api, scope: RequestScope): boolean {
  if (scope.served!.kind.custom !== undefined) return true;
  const offered = offeredTypes(api, scope);
  return (scope.headers.get("content-type") ?? "").split(",").some((t) => offered.includes(t.split(";")[0]!.trim()));
}
