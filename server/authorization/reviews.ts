/**
 * Reviews: virtual resources that answer who may do what, and who somebody is (specification, "Terminology"). Bodies come decoded;
 * each function returns the object to answer with status 201.
 */
import type { JsonMap, Obj } from "../../schema/model/types.ts";
import { aggregate, badRequest, StatusError } from "../../schema/status.ts";
import { selectorRequirement } from "../../schema/rules/checks/selectors.ts";
import { Path } from "../../schema/rules/path.ts";
import { ErrorList } from "../../schema/rules/errors.ts";
import { withAuthenticated } from "../authentication/chain.ts";
import type { TokenAuthenticator } from "../authentication/token.ts";
import type { User } from "../request.ts";
import { attributesOf } from "./review_attributes.ts";
import type { Authorizer } from "./types.ts";
import { nowTime } from "../../schema/values/time.ts";

type Spec = JsonMap & { readonly resourceAttributes?: JsonMap; readonly nonResourceAttributes?: JsonMap };

const SPEC = Path.of("spec");

/** 422 of a kind that has no name: only the group is told. */
function refuse(group: string, errors: ErrorList): void {
  if (errors.empty) return;
  const message = `.${group} "" is invalid: ${aggregate(errors.causes)}`;
  throw new StatusError(422, "Invalid", message, { group, causes: errors.causes });
}

/** A selector of fields, or of labels. Operators that are not known pass: newer servers may know them. */
function checkSelector(path: Path, value: JsonMap | undefined, errors: ErrorList, labels = false): void {
  if (!value) return;
  const requirements = (value.requirements ?? []) as JsonMap[];
  if (value.rawSelector && requirements.length) {
    errors.invalid(path.child("rawSelector"), value.rawSelector, "may not be given together with requirements");
  }
  if (!value.rawSelector && requirements.length === 0) {
    errors.required(path.child("requirements"), `requirements or rawSelector is needed in ${path}`);
  }
  requirements.forEach((r, i) => {
    const at = path.child("requirements").index(i), values = (r.values ?? []) as string[];
    if (labels) return selectorRequirement(r, at, errors, { allowUnknownOperator: true });
    if (!r.key) errors.required(at.child("key"), "must be given");
    const many = r.operator === "In" || r.operator === "NotIn",
      none = r.operator === "Exists" || r.operator === "DoesNotExist";
    if (many && values.length === 0) {
      errors.required(at.child("values"), "must be given when the operator is In or NotIn");
    }
    if (none && values.length) {
      errors.forbidden(at.child("values"), "may not be given when the operator is Exists or DoesNotExist");
    }
  });
}

function checkAttributes(spec: Spec, errors: ErrorList): void {
  const { resourceAttributes: r, nonResourceAttributes: n } = spec;
  if (r && n) {
    errors.invalid(SPEC.child("nonResourceAttributes"), n, "cannot be given together with resourceAttributes");
  }
  if (!r && !n) {
    errors.invalid(
      SPEC.child("resourceAttributes"),
      null,
      "exactly one of nonResourceAttributes and resourceAttributes is needed",
    );
  }
  const at = SPEC.child("resourceAttributes");
  checkSelector(at.child("fieldSelector"), r?.fieldSelector as JsonMap | undefined, errors);
  checkSelector(at.child("labelSelector"), r?.labelSelector as JsonMap | undefined, errors, true);
}

/** Reviews are not kept: they carry no metadata, but for managed fields, and the namespace of a local one. */
function checkMetadata(review: Obj, errors: ErrorList, allowed: readonly string[] = []): void {
  const given = Object.entries(review.metadata ?? {}).filter(([key, value]) =>
    key !== "managedFields" && !allowed.includes(key) && value !== undefined && value !== null && value !== "" &&
    !(typeof value === "object" && Object.keys(value).length === 0)
  );
  if (given.length) errors.invalid("metadata", Object.fromEntries(given), "must be empty");
}

function checkSubject(spec: Spec, errors: ErrorList): void {
  const groups = spec.groups as string[] | undefined;
  if (!spec.user && !groups?.length) {
    errors.invalid(SPEC.child("user"), spec.user ?? "", "at least one of user and group is needed");
  }
}

function subjectOf(spec: Spec): User {
  return {
    name: (spec.user ?? "") as string,
    groups: (spec.groups ?? []) as string[],
    ...(spec.uid ? { uid: spec.uid as string } : {}),
    ...(spec.extra ? { extra: spec.extra as Record<string, string[]> } : {}),
  };
}

async function answered(review: Obj, user: User, authorizer: Authorizer): Promise<Obj> {
  const { attributes, faults } = attributesOf(user, review.spec as Spec);
  const { decision, reason, error } = await authorizer.authorize(attributes);
  const evaluationError = [...(error ? [error] : []), ...faults].join("; ");
  const status: JsonMap = { allowed: decision === "allow" };
  if (decision === "deny") status.denied = true;
  if (reason) status.reason = reason;
  if (evaluationError) status.evaluationError = evaluationError;
  return { ...review, status };
}

const specOf = (review: Obj): Spec => (review.spec ?? {}) as Spec;

/** SubjectAccessReview. `group` is the served name of its group. @throws StatusError 422 */
export async function subjectAccessReview(review: Obj, authorizer: Authorizer, group: string): Promise<Obj> {
  const errors = new ErrorList(), spec = specOf(review);
  checkAttributes(spec, errors);
  checkSubject(spec, errors);
  checkMetadata(review, errors);
  refuse(group, errors);
  return await answered(review, subjectOf(spec), authorizer);
}

/** SelfSubjectAccessReview: about the caller. @throws StatusError 422 */
export async function selfSubjectAccessReview(
  review: Obj,
  user: User,
  authorizer: Authorizer,
  group: string,
): Promise<Obj> {
  const errors = new ErrorList();
  checkAttributes(specOf(review), errors);
  checkMetadata(review, errors);
  refuse(group, errors);
  return await answered(review, user, authorizer);
}

/** LocalSubjectAccessReview: in the namespace of its path. @throws StatusError 422, 400 */
export async function localSubjectAccessReview(
  review: Obj,
  namespace: string,
  authorizer: Authorizer,
  group: string,
): Promise<Obj> {
  const own = review.metadata?.namespace ?? "";
  if (own !== "" && own !== namespace) {
    throw badRequest("the namespace of the provided object does not match the namespace sent on the request");
  }
  const errors = new ErrorList(), spec = specOf(review);
  checkAttributes(spec, errors);
  checkSubject(spec, errors);
  checkMetadata(review, errors, ["namespace"]);
  const asked = spec.resourceAttributes?.namespace ?? "";
  if (spec.resourceAttributes && asked !== namespace) {
    errors.invalid(SPEC.child("resourceAttributes", "namespace"), asked, "must match metadata.namespace");
  }
  if (spec.nonResourceAttributes) {
    errors.invalid(SPEC.child("nonResourceAttributes"), spec.nonResourceAttributes, "not for this kind of request");
  }
  refuse(group, errors);
  return await answered({ ...review, metadata: { ...review.metadata, namespace } }, subjectOf(spec), authorizer);
}

/** SelfSubjectRulesReview: what the caller may do in a namespace. @throws StatusError 400 */
export async function selfSubjectRulesReview(review: Obj, user: User, authorizer: Authorizer): Promise<Obj> {
  const namespace = specOf(review).namespace as string | undefined;
  if (!namespace) throw badRequest("no namespace on request");
  const answer = await authorizer.rulesFor?.(user, namespace) ??
    { resourceRules: [], nonResourceRules: [], incomplete: true, error: "rules of users cannot be listed" };
  const { resourceRules, nonResourceRules, incomplete, error } = answer;
  return {
    ...review,
    metadata: {},
    spec: {},
    status: { resourceRules, nonResourceRules, incomplete, ...(error ? { evaluationError: error } : {}) },
  };
}

/** A user as reviews write one. Empty parts are left out. */
function userInfo({ name, uid, groups, extra }: User): JsonMap {
  return {
    ...(name ? { username: name } : {}),
    ...(uid ? { uid } : {}),
    ...(groups.length ? { groups: [...groups] } : {}),
    ...(extra && Object.keys(extra).length ? { extra: extra as JsonMap } : {}),
  };
}

/** A review of a token that is nobody's: of the status that was sent, who and for whom stay. */
function refused(review: Obj, error?: string): Obj {
  const { user = {}, audiences, error: sent } = (review["status"] ?? {}) as JsonMap;
  const told = error ?? sent;
  return {
    ...review,
    status: { user, ...(audiences ? { audiences } : {}), ...(told ? { error: told } : {}) },
  };
}

const UNKNOWN_TOKEN = "invalid bearer token";

/**
 * TokenReview: whose token it is. Without `tokens` nobody's is known. `apiAudiences` stand in where the review names none.
 * @throws StatusError 400
 */
export async function tokenReview(
  review: Obj,
  tokens: TokenAuthenticator | undefined,
  apiAudiences: readonly string[],
): Promise<Obj> {
  const spec = specOf(review);
  if (!spec.token) throw badRequest("token is required for TokenReview in authentication");
  const asked = (spec.audiences ?? []) as string[];
  // What a request's header would be read as: no space at the end, and nothing behind one.
  const [token] = (spec.token as string).trimEnd().split(" ");
  try {
    const known = token ? await tokens?.authenticateToken(token, asked.length ? asked : apiAudiences) : undefined;
    if (!known) return refused(review, tokens ? UNKNOWN_TOKEN : undefined);
    const audiences = known.audiences ?? [];
    if (asked.length && !audiences.some((a) => asked.includes(a))) {
      return refused(review, "the token's audiences are not those of the review");
    }
    const status: JsonMap = { authenticated: true, user: userInfo(withAuthenticated(known.user)) };
    if (audiences.length) status.audiences = [...audiences];
    const sent = (review["status"] as JsonMap | undefined)?.["error"];
    if (sent) status.error = sent;
    return { ...review, status };
  } catch (e) {
    // The server's own token is another kind, which does not know it either.
    return refused(review, `[${UNKNOWN_TOKEN}, ${(e as Error).message}]`);
  }
}

/** SelfSubjectReview: who the caller is. `now` in ms since the epoch. */
export function selfSubjectReview(review: Obj, user: User, now: number): Obj {
  const creationTimestamp = nowTime(now);
  return { ...review, metadata: { creationTimestamp }, status: { userInfo: userInfo(user) } };
}
