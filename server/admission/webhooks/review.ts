/** AdmissionReviews: what a webhook is asked, and what its answer must be. */
import { decodeObject } from "../../../schema/codec/mod.ts";
import { parseJson, stringifyJson } from "../../../schema/codec/json.ts";
import type { Json, JsonMap, Kind, Obj } from "../../../schema/model/types.ts";
import type { Scheme } from "../../../schema/scheme.ts";
import { ValueError } from "../../../schema/values/error.ts";
import { optionsOf, type Target, toldOf } from "../target.ts";
import type { Attributes } from "../types.ts";
import type { Verdict } from "./failure.ts";
import type { Hook } from "./hook.ts";

/** What a webhook is asked about. */
export interface Question {
  readonly uid: string;
  readonly target: Target;
  /** Objects as kinds of the target. */
  readonly object: Obj | undefined;
  readonly oldObject: Obj | undefined;
}

/** A webhook's answer, checked. */
export interface Response {
  readonly allowed: boolean;
  readonly status: Verdict;
  /** The text of a patch; empty without. */
  readonly patch: string;
  readonly patchType: string;
  readonly warnings: readonly string[];
  readonly auditAnnotations: Readonly<Record<string, string>>;
}

/** An answer that is none. The message says why. */
export class BadAnswer extends Error {}

const GROUP = "admission.k8s.io";
const KIND = "AdmissionReview";
const given = (member: string, text: string | undefined): JsonMap => text ? { [member]: text } : {};

/** The kind of reviews in a version. */
function reviewKind(scheme: Scheme, version: string): Kind {
  return scheme.kind(`${scheme.product.local(GROUP)}/${version}`, KIND)!;
}

/** The text of a review. */
export function reviewText(scheme: Scheme, hook: Hook, a: Attributes, q: Question): string {
  const kind = reviewKind(scheme, hook.version!), { user } = a;
  const request: JsonMap = {
    uid: q.uid,
    ...toldOf(a, q.target),
    userInfo: {
      ...given("username", user.name),
      ...given("uid", user.uid),
      ...(user.groups.length ? { groups: [...user.groups] } : {}),
      ...(user.extra && Object.keys(user.extra).length ? { extra: user.extra as JsonMap } : {}),
    },
    object: (q.object ?? null) as Json,
    oldObject: (q.oldObject ?? null) as Json,
    dryRun: a.dryRun,
    options: optionsOf(a, scheme.product),
  };
  return stringifyJson({ kind: kind.kind, apiVersion: kind.apiVersion, request });
}

interface Answered {
  readonly uid?: string;
  readonly allowed?: boolean;
  readonly status?: Verdict;
  readonly patch?: string;
  readonly patchType?: string;
  readonly warnings?: readonly string[];
  readonly auditAnnotations?: Readonly<Record<string, string>>;
}

/** Reads an answer. @throws BadAnswer */
export function readResponse(scheme: Scheme, hook: Hook, uid: string, text: string): Response {
  const kind = reviewKind(scheme, hook.version!), tree = treeOf(text), { response } = tree;
  const fits = (said: Json | undefined, wanted: string) =>
    // Whoever asks in the old version takes answers without a type, or with a part of it.
    said === wanted || (hook.version === "v1beta1" && (said ?? "") === "");
  if (!fits(tree["apiVersion"], kind.apiVersion) || !fits(tree["kind"], kind.kind)) {
    const found = `${tree["apiVersion"] ?? "/"}, Kind=${tree["kind"] ?? ""}`;
    throw new BadAnswer(`expected webhook response of ${kind.apiVersion}, Kind=${kind.kind}, got ${found}`);
  }
  if (response === undefined || response === null) throw new BadAnswer("there is no response");
  const r = typed(kind, response);
  if (hook.version === "v1" && r.uid !== uid) {
    throw new BadAnswer(`expected response.uid=${JSON.stringify(uid)}, got ${JSON.stringify(r.uid ?? "")}`);
  }
  const { allowed = false, status = {}, warnings = [], auditAnnotations = {} } = r;
  return { allowed, status, warnings, auditAnnotations, ...patchOf(hook, r, response as JsonMap) };
}

function treeOf(text: string): JsonMap {
  let tree: Json;
  try {
    tree = parseJson(text).tree;
  } catch (e) {
    if (e instanceof ValueError) throw new BadAnswer(`the answer is no JSON: ${e.message}`);
    throw e;
  }
  if (tree === null) throw new BadAnswer("there is no response");
  if (typeof tree !== "object" || Array.isArray(tree)) throw new BadAnswer("the answer should be an object");
  return tree;
}

function typed(kind: Kind, response: Json): Answered {
  try {
    const { object } = decodeObject(kind, { response }, { strict: false });
    return (object["response"] ?? {}) as Answered;
  } catch (e) {
    if (e instanceof ValueError) throw new BadAnswer(e.message);
    throw e;
  }
}

/** A patch and its type go together; only who mutates may send one. The old version tells no type. */
function patchOf(hook: Hook, { patch = "" }: Answered, raw: JsonMap): Pick<Response, "patch" | "patchType"> {
  const text = new TextDecoder().decode(Uint8Array.fromBase64(patch)), type = raw["patchType"] ?? undefined;
  if (hook.version === "v1beta1") {
    return hook.kind === "mutating" && text ? { patch: text, patchType: "JSONPatch" } : { patch: "", patchType: "" };
  }
  if (hook.kind === "validating") {
    if (text) throw new BadAnswer("a validating webhook must not send response.patch");
    if (type !== undefined) throw new BadAnswer("a validating webhook must not send response.patchType");
  } else if (text && type === undefined) {
    throw new BadAnswer("response.patch needs response.patchType");
  } else if (!text && type !== undefined) {
    throw new BadAnswer("response.patchType needs response.patch");
  } else if (type === "") throw new BadAnswer("response.patchType is empty");
  return { patch: text, patchType: (type ?? "") as string };
}
