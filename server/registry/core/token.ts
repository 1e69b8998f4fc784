/** Token requests of service accounts: `serviceaccounts/token`. */
import type { Obj } from "../../../schema/model/types.ts";
import { attestations } from "../../../schema/rules/authentication/attestations.ts";
import { ErrorList } from "../../../schema/rules/errors.ts";
import { badRequest, conflict, invalid, notFound, StatusError } from "../../../schema/status.ts";
import { nowTime } from "../../../schema/values/time.ts";
import { accountUser } from "../../authentication/service_account.ts";
import type { TokenClaims, TokenSigner } from "../../authentication/token_issuer.ts";
import type { Cancellable } from "../../request.ts";
import type { Tree } from "../../../schema/rules/tree.ts";
import { namesWebhooks, WEBHOOK_TOKEN_SECONDS, webhooksOf } from "./webhook_tokens.ts";
import type { Call, SubresourceHandler } from "../../endpoints/api.ts";

const SHORTEST = 600;
const LONGEST = 2 ** 32;
const USUAL = 3600;

/** What tokens are made with. */
export interface TokenOptions {
  /** Undefined without a signing key: requests are answered as where there is none. */
  readonly issuer: TokenSigner | undefined;
  readonly audiences: readonly string[];
  /** `--service-account-max-token-expiration` in seconds; 0: no bound. */
  readonly maxSeconds: number;
  /** `--service-account-extend-token-expiration`. */
  readonly extend?: boolean;
  /** How long extended tokens live, seconds. */
  readonly extendedSeconds?: number;
  newId(): string;
}

/** Pods whose token was put there by admission ask for so many seconds; old clients do not read it again in time. */
const BY_ADMISSION = 3607;
const YEAR = 365 * 24 * 3600;

interface Bound {
  readonly kind: string;
  readonly name: string;
  readonly uid: string;
  readonly node?: { readonly name: string; readonly uid?: string };
  /** What a token that is bound to webhooks attests. */
  readonly attested?: unknown;
}

/** Kinds that a token can be bound to. */
const BOUND: ReadonlyMap<string, string> = new Map([["Pod", "pods"], ["Secret", "secrets"], ["Node", "nodes"]]);

/** The handler of POSTs. */
export function tokenRequests(options: TokenOptions): SubresourceHandler {
  return { create: (call, body) => request(options, call, body) };
}

/** A request that names an account names the one of its path. @throws StatusError 422 */
function checkNames(call: Call, { metadata }: Obj): void {
  const errors = new ErrorList(), { name, namespace } = metadata, { group } = call.subresource!.kind;
  if (name && name !== call.name) errors.invalid("metadata.name", name, "must match the service account name");
  else if (namespace && namespace !== call.namespace) {
    errors.invalid("metadata.namespace", namespace, "must match the service account namespace");
  }
  if (!errors.empty) throw invalid(group, "TokenRequest", call.name, errors.causes);
}

/** @throws StatusError 409 for the uid of another account */
function checkUid(call: Call, body: Obj, account: Obj): void {
  const { uid } = body.metadata;
  if (!uid || uid === account.metadata.uid) return;
  const why = `the UID in the token request (${uid}) does not match the UID of the service account ` +
    `(${account.metadata.uid})`;
  if (!call.api.rules.gate("TokenRequestServiceAccountUIDValidation")) call.caller.warn(why);
  else throw conflict({ group: call.subresource!.kind.group, resource: "TokenRequest" }, call.name, why);
}

const nameOf = (call: Call) => ({ name: call.name, namespace: call.namespace });

async function request(options: TokenOptions, call: Call, body: Obj) {
  const { caller, api } = call;
  const accounts = call.api.store(call.served.resource);
  const asked = () => accounts.attributes("CREATE", body, undefined, caller, "token", call.name);
  await api.admission.admit(asked());
  checkNames(call, body);
  const account = (await accounts.current(call.namespace, call.name)).peek();
  if (!options.issuer) throw notFound(accounts.gr, call.name);
  checkUid(call, body, account);
  const spec = check(call, body, options);
  const now = Math.floor(api.rules.now() / 1000);
  const own = { uid: account.metadata.uid!, creationTimestamp: nowTime(api.rules.now()) };
  body.metadata = { ...body.metadata, ...nameOf(call), ...own };
  body["spec"] = { ...body["spec"], audiences: [...spec.audiences], expirationSeconds: spec.seconds };
  await api.admission.validate(asked());
  const bound = await boundTo(call, body["spec"], account, options.audiences);
  const seconds = bound?.attested ? Math.min(spec.seconds, WEBHOOK_TOKEN_SECONDS) : spec.seconds;
  body["spec"].expirationSeconds = seconds;
  const expiresAt = now + seconds;
  const extended = options.extend === true && bound?.kind === "Pod" && spec.seconds === BY_ADMISSION &&
    spec.audiences.every((audience) => options.audiences.includes(audience));
  const lasts = extended ? options.extendedSeconds ?? YEAR : seconds;
  const claims = privateClaims(call, account, bound);
  const id = options.newId();
  const token = await signed(options.issuer, caller, {
    subject: accountUser(call.namespace, call.name),
    audiences: spec.audiences,
    issuedAt: now,
    expiresAt: now + lasts,
    id,
    private: {
      [api.scheme.product.local("kubernetes.io")]: extended ? { ...claims, warnafter: expiresAt } : claims,
    },
  });
  caller.annotate(api.scheme.product.local("authentication.kubernetes.io/issued-credential-id"), `JTI=${id}`);
  const object: Obj = {
    ...body,
    spec: { ...body["spec"], boundObjectRef: body["spec"].boundObjectRef ?? null },
    status: { token, expirationTimestamp: nowTime(expiresAt * 1000) },
  };
  return { object, kind: call.subresource!.kind, code: 201 };
}

/** @throws StatusError 500 */
async function signed(issuer: TokenSigner, caller: Cancellable, claims: TokenClaims): Promise<string> {
  try {
    return await issuer.sign(claims, caller);
  } catch (cause) {
    const why = `failed to generate token: ${(cause as Error).message}`;
    const details = { causes: [{ message: why }] };
    throw new StatusError(500, "InternalError", `Internal error occurred: ${why}`, details, { cause });
  }
}

function check(call: Call, body: Obj, options: TokenOptions): { audiences: readonly string[]; seconds: number } {
  const errors = new ErrorList();
  const seconds: number = body["spec"]?.expirationSeconds ?? USUAL;
  if (seconds < SHORTEST) {
    errors.invalid("spec.expirationSeconds", seconds, "may not specify a duration less than 10 minutes");
  }
  if (seconds > LONGEST) errors.invalid("spec.expirationSeconds", seconds, "may not be more than 2^32 seconds");
  attestations(body["spec"] ?? {}, call.api.scheme.product.local("admissionregistration.k8s.io"), errors);
  if (!errors.empty) throw invalid(call.subresource!.kind.group, "TokenRequest", "", errors.causes);
  const capped = options.maxSeconds > 0 ? Math.min(seconds, options.maxSeconds) : seconds;
  if (capped < seconds) call.caller.warn(`requested expiration of ${seconds} seconds shortened to ${capped} seconds`);
  const asked: string[] = body["spec"]?.audiences ?? [];
  return { audiences: asked.length > 0 ? asked : options.audiences, seconds: capped };
}

interface Ref {
  readonly kind?: string;
  readonly apiVersion?: string;
  readonly name?: string;
  readonly uid?: string;
}

async function boundTo(
  call: Call,
  spec: Tree,
  account: Obj,
  apiAudiences: readonly string[],
): Promise<Bound | undefined> {
  const ref = spec["boundObjectRef"] as Ref | null | undefined;
  if (!ref) return undefined;
  if (namesWebhooks(call, ref)) {
    const { metadata } = await webhooksOf(call, spec, account, apiAudiences);
    mustBe(ref, metadata.uid!, ref.apiVersion!.split("/")[0]!);
    return { kind: ref.kind!, name: metadata.name!, uid: metadata.uid!, attested: spec["attestations"] };
  }
  const id = BOUND.get(ref.kind ?? "");
  if (!id || (ref.apiVersion ?? "").includes("/")) {
    throw badRequest(`cannot bind token for object of type ${ref.apiVersion ?? ""} ${ref.kind ?? ""}`);
  }
  const store = call.api.store(call.api.catalog.resource(id)!);
  if (!ref.name) throw badRequest("Name parameter required.");
  const obj = (await store.current(id === "nodes" ? "" : call.namespace, ref.name)).peek();
  if (id === "pods" && (obj["spec"]?.serviceAccountName ?? "") !== account.metadata.name) {
    const own = `pod service account name (${obj["spec"]?.serviceAccountName ?? ""})`;
    throw badRequest(
      `cannot bind token for serviceaccount "${account.metadata.name}" to pod running with different ${own}`,
    );
  }
  mustBe(ref, obj.metadata.uid!, "");
  return { kind: ref.kind!, name: ref.name, uid: obj.metadata.uid!, ...nodeOf(call, obj) };
}

/** @throws StatusError 409 for another object of the name */
function mustBe(ref: Ref, uid: string, group: string): void {
  if (!ref.uid || ref.uid === uid) return;
  const why = `the UID in the bound object reference (${ref.uid}) does not match the UID in record. ` +
    "The object might have been deleted and then recreated";
  throw conflict({ group, resource: ref.kind! }, ref.name!, why);
}

function nodeOf(call: Call, obj: Obj): { node?: { name: string; uid?: string } } {
  const name = obj.kind === "Pod" ? obj["spec"]?.nodeName as string | undefined : undefined;
  if (!name) return {};
  const uid = call.api.store(call.api.catalog.resource("nodes")!).cache.get("", name)?.uid;
  return { node: { name, ...(uid ? { uid } : {}) } };
}

function privateClaims(call: Call, account: Obj, bound: Bound | undefined): Record<string, unknown> {
  const ref = bound && { name: bound.name, uid: bound.uid };
  return {
    namespace: call.namespace,
    serviceaccount: { name: call.name, uid: account.metadata.uid! },
    ...(bound ? { [bound.kind.toLowerCase()]: ref } : {}),
    ...(bound?.node ? { node: bound.node } : {}),
    ...(bound?.attested ? { attestations: bound.attested } : {}),
  };
}
