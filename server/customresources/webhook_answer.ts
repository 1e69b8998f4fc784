/** What a webhook that converts may answer: the same objects in another version, with nothing else changed that is theirs. */
import { copyTree } from "../../schema/values/copy.ts";
import { parseJson } from "../../schema/codec/json.ts";
import { isMap } from "../../schema/model/members.ts";
import type { Json, JsonMap, Kind, Obj } from "../../schema/model/types.ts";
import { ErrorList } from "../../schema/rules/errors.ts";
import { METADATA, validateAnnotations, validateLabels } from "../../schema/rules/object_meta.ts";
import { aggregate, StatusError } from "../../schema/status.ts";
import { ValueError } from "../../schema/values/error.ts";

/** Versions of reviews. */
export type ReviewVersion = "v1" | "v1beta1";

/** A review that was sent. */
export interface Review {
  readonly apiVersion: string;
  readonly version: ReviewVersion;
  readonly uid: string;
}

/** A 500 without a reason, as the public server tells failures that are not a request's. */
export const plainFailure = (message: string): StatusError => new StatusError(500, "", message);

/** The objects of an answer, not looked at yet. @throws StatusError 500 */
export function convertedTrees(about: string, review: Review, body: string): readonly Json[] {
  const failed = (why: string) => plainFailure(`${about} failed: ${why}`);
  const response = responseOf(review, reviewOf(body, failed), failed);
  const { result, convertedObjects } = response, said = isMap(result) ? result : {};
  if (said["status"] !== "Success") {
    const { message, status = "" } = said;
    throw failed(
      typeof message === "string" && message !== ""
        ? message
        : `response.result.status was '${String(status)}', not 'Success'`,
    );
  }
  if (Array.isArray(convertedObjects)) return convertedObjects;
  if (convertedObjects === undefined || convertedObjects === null) return [];
  throw failed("response.convertedObjects is no list");
}

/** @throws StatusError 500 unless as many came back as were sent */
export function checkCount(about: string, trees: readonly Json[], count: number): void {
  if (trees.length === count) return;
  throw plainFailure(`${about} returned ${trees.length} objects, expected ${count}`);
}

function reviewOf(body: string, failed: (why: string) => StatusError): JsonMap {
  const tree = read(
    () => parseJson(new TextEncoder().encode(body)).tree,
    (why) => failed(`the answer is no JSON: ${why}`),
  );
  if (isMap(tree)) return tree;
  throw failed("the answer is no object");
}

function read<T>(what: () => T, failed: (why: string) => StatusError): T {
  try {
    return what();
  } catch (e) {
    throw e instanceof ValueError ? failed(e.message) : e;
  }
}

/** Answers of the older version need not say what they are, nor whose. */
function responseOf(review: Review, answer: JsonMap, failed: (why: string) => StatusError): JsonMap {
  const { response } = answer, strict = review.version === "v1";
  const { apiVersion = strict ? "" : review.apiVersion, kind = strict ? "" : "ConversionReview" } = answer;
  if (apiVersion !== review.apiVersion || kind !== "ConversionReview") {
    const is = `${String(apiVersion)}, Kind=${String(kind)}`;
    throw failed(`expected webhook response of ${review.apiVersion}, Kind=ConversionReview, got ${is}`);
  }
  if (!isMap(response)) throw failed("no response provided");
  const { uid = "" } = response;
  if (!strict || uid === review.uid) return response;
  throw failed(`expected response.uid=${JSON.stringify(review.uid)}, got ${JSON.stringify(uid)}`);
}

/**
 * One object of an answer as a kind: pruned, its metadata that of the object which was sent but for labels and annotations.
 * It is given no defaults, as with the public server, but loses nulls that may not be.
 * @throws StatusError 500 where the webhook changed more than it may
 */
export function convertedObject(about: string, sent: Obj, tree: Json | undefined, to: Kind, index: number): Obj {
  const wrong = (why: string) => plainFailure(`${about} returned invalid object at index ${index}: ${why}`);
  if (!isMap(tree)) throw wrong("no object");
  if (tree["apiVersion"] !== to.apiVersion) {
    const got = JSON.stringify(tree["apiVersion"] ?? "");
    throw wrong(`invalid groupVersion (expected ${to.apiVersion}, received ${got.slice(1, -1)})`);
  }
  if (tree["kind"] !== sent.kind) {
    throw wrong(`invalid kind (expected ${sent.kind}, received ${String(tree["kind"] ?? "")})`);
  }
  const { metadata } = tree;
  checkSame(about, sent, isMap(metadata) ? metadata : {});
  if (!isMap(metadata)) throw bad(about, metadata === undefined ? "missing metadata" : "metadata is no object");
  const object = read(() => to.custom!.answered({ ...tree, metadata: {} }), wrong);
  object.metadata = keptMetadata(about, sent, metadata);
  return object;
}

const bad = (about: string, why: string) =>
  plainFailure(`${about} returned invalid metadata: ${why} in converted object`);

function checkSame(about: string, sent: Obj, metadata: JsonMap): void {
  for (const [member, shown] of SAME) {
    const was = sent.metadata[member] ?? "", is = metadata[member] ?? "";
    if (was !== is) {
      throw plainFailure(
        `${about} returned invalid object: must have the same ${shown}: ${String(was)} != ${String(is)}`,
      );
    }
  }
}
const SAME = [["name", "name"], ["namespace", "namespace"], ["uid", "UID"]] as const;

/** The metadata that was sent, with the answer's labels and annotations. */
function keptMetadata(about: string, sent: Obj, answered: JsonMap): Obj["metadata"] {
  const metadata = copyTree(sent.metadata);
  for (const member of ["labels", "annotations"] as const) {
    const next = answered[member];
    if (next === undefined || next === null) {
      delete metadata[member];
      continue;
    }
    if (!isMap(next)) throw bad(about, `metadata.${member} is no map`);
    const made = texts(about, member, next, metadata[member] ?? {});
    if (Object.keys(made).length > 0) metadata[member] = made;
    else delete metadata[member];
  }
  return metadata;
}

type Texts = Record<string, string>;

function texts(about: string, member: "labels" | "annotations", next: JsonMap, was: Texts): Texts {
  const wrong = Object.entries(next).find(([, v]) => typeof v !== "string");
  if (wrong) throw bad(about, `metadata.${member}[${wrong[0]}] must be a string`);
  const made = next as Texts, keys = Object.keys(made);
  if (keys.length === Object.keys(was).length && keys.every((k) => was[k] === made[k])) return made;
  const errors = new ErrorList(), check = member === "labels" ? validateLabels : validateAnnotations;
  check(made, METADATA.child(member), errors);
  if (!errors.empty) {
    throw plainFailure(
      `${about} returned invalid metadata: ${aggregate(errors.causes)}`,
    );
  }
  return made;
}
