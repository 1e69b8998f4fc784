/** Issues service account tokens: the subresource `token` of service accounts, and the keys that others verify them by. */
import { createPrivateKey, createPublicKey, type KeyObject } from "node:crypto";
import { SignJWT } from "jose";
import type { JsonMap, Obj } from "../../schema/model/types.ts";
import type { Product } from "../../schema/product.ts";
import { badRequest, type Cause, conflict, invalid, notFound } from "../../schema/status.ts";
import { algorithmsOf, keyId, type VerifyKey } from "./keys.ts";
import { accountUser, type BoundObjects } from "./service_account.ts";

/** Signs claims. */
export interface TokenSigner {
  readonly kid: string;
  readonly algorithm: string;
  sign(claims: Record<string, unknown>): Promise<string>;
}

/** The signer of a private key (PEM). @throws Error when the text is no private key, or one that cannot sign tokens */
export function tokenSigner(pem: string): TokenSigner {
  const key = createPrivateKey(pem);
  const publicKey = createPublicKey(key as unknown as string);
  const algorithm = algorithmsOf(publicKey)[0]!, kid = keyId(publicKey);
  return {
    kid,
    algorithm,
    sign: (claims) => new SignJWT(claims).setProtectedHeader({ alg: algorithm, kid }).sign(key),
  };
}

/** What issuing needs. */
export interface TokenIssuerOptions {
  readonly product: Product;
  /** The first `--service-account-issuer`. */
  readonly issuer: string;
  readonly signer: TokenSigner;
  readonly apiAudiences: readonly string[];
  readonly objects: BoundObjects;
  /** `--service-account-extend-token-expiration`. */
  readonly extendExpiration: boolean;
  /** `--service-account-max-token-expiration`, milliseconds; 0 has no bound. */
  readonly maxExpiration: number;
  readonly now: () => number;
  /** A random UUID. */
  readonly uuid: () => string;
}

/** What is answered, and what the client is warned of. */
export interface IssuedToken {
  readonly object: Obj;
  readonly warnings: readonly string[];
  /** Value of the audit annotation that names the credential. */
  readonly credentialId: string;
}

interface Ref {
  readonly apiVersion?: string;
  readonly kind?: string;
  readonly name?: string;
  readonly uid?: string;
}
type Bound = Partial<Record<"pod" | "secret" | "node", { name: string; uid?: string }>>;

const DEFAULT_SECONDS = 3600;
const MIN_SECONDS = 600;
const MAX_SECONDS = 2 ** 32;
/** What admission asks for in pods: marks the tokens that old clients may go on using for a year. */
const PROJECTED_SECONDS = 3607;
const EXTENDED_SECONDS = 365 * 24 * 3600;
const BINDABLE: Readonly<Record<string, readonly [keyof Bound, "pods" | "secrets" | "nodes"]>> = {
  Pod: ["pod", "pods"],
  Secret: ["secret", "secrets"],
  Node: ["node", "nodes"],
};

const CORE = (resource: string) => ({ group: "", resource });

function checked(request: Obj, namespace: string, name: string, group: string): number {
  const { metadata, spec } = request;
  if (metadata?.namespace && metadata.namespace !== namespace) {
    throw badRequest("the namespace of the provided object does not match the namespace sent on the request");
  }
  const refuse = (field: string, value: unknown, why: string, of: string): never => {
    const cause: Cause = {
      reason: "FieldValueInvalid",
      message: `Invalid value: ${JSON.stringify(value)}: ${why}`,
      field,
    };
    throw invalid(group, "TokenRequest", of, [cause]);
  };
  if (metadata?.name && metadata.name !== name) {
    refuse("metadata.name", metadata.name, "must match the service account's name", name);
  }
  const seconds = Number(spec?.expirationSeconds ?? DEFAULT_SECONDS);
  if (seconds < MIN_SECONDS) {
    refuse("spec.expirationSeconds", seconds, "may not specify a duration less than 10 minutes", "");
  }
  if (seconds > MAX_SECONDS) {
    refuse("spec.expirationSeconds", seconds, "may not specify a duration larger than 2^32 seconds", "");
  }
  return seconds;
}

/** The object that the token is to be bound to, and the node of a pod. */
async function boundOf(
  ref: Ref | undefined | null,
  namespace: string,
  account: string,
  o: TokenIssuerOptions,
): Promise<Bound> {
  if (!ref) return {};
  const kind = !ref.apiVersion || ref.apiVersion === "v1" ? BINDABLE[ref.kind ?? ""] : undefined;
  if (!kind) throw badRequest(`cannot bind token to object of type ${ref.apiVersion ?? ""}, Kind=${ref.kind ?? ""}`);
  const [claim, resource] = kind, name = ref.name ?? "";
  const object = await o.objects.get(resource, resource === "nodes" ? "" : namespace, name);
  if (!object) throw notFound(CORE(resource), name);
  const uid = object.metadata.uid ?? "";
  const runsAs = object.spec?.serviceAccountName as string | undefined;
  if (claim === "pod" && runsAs !== account) {
    throw badRequest(
      `cannot bind token for serviceaccount "${account}" to pod running with serviceaccount "${runsAs ?? ""}"`,
    );
  }
  if (ref.uid && ref.uid !== uid) {
    throw conflict(CORE(ref.kind!), name, `the UID of the reference (${ref.uid}) is not that of the object (${uid})`);
  }
  return { [claim]: { name, uid }, ...(claim === "pod" ? await nodeOf(object, o) : {}) };
}

async function nodeOf(pod: Obj, o: TokenIssuerOptions): Promise<Bound> {
  const name = pod.spec?.nodeName as string | undefined;
  if (!name) return {};
  const uid = (await o.objects.get("nodes", "", name))?.metadata.uid;
  return { node: { name, ...(uid ? { uid } : {}) } };
}

/**
 * Answers a TokenRequest for a service account. Stores nothing; for a dry run the token is made just the same.
 * @throws StatusError 404 without the account or the bound object, 400, 409 or 422 as the request is wrong
 */
export async function issueToken(
  request: Obj,
  namespace: string,
  name: string,
  o: TokenIssuerOptions,
): Promise<IssuedToken> {
  const asked = checked(request, namespace, name, o.product.local("authentication.k8s.io"));
  const account = await o.objects.get("serviceaccounts", namespace, name);
  if (!account) throw notFound(CORE("serviceaccounts"), name);
  const given = request.spec?.audiences as string[] | undefined;
  const audiences = given?.length ? given : [...o.apiAudiences];
  const bound = await boundOf(request.spec?.boundObjectRef as Ref | undefined, namespace, name, o);
  const limit = Math.floor(o.maxExpiration / 1000);
  const seconds = limit > 0 ? Math.min(asked, limit) : asked;
  const warnings = seconds < asked ? [`requested expiration of ${asked} seconds shortened to ${seconds} seconds`] : [];
  const extended = o.extendExpiration && bound.pod !== undefined && seconds === PROJECTED_SECONDS &&
    audiences.every((a) => o.apiAudiences.includes(a));
  const now = o.now(), issued = Math.floor(now / 1000), jti = o.uuid();
  const token = await o.signer.sign({
    aud: audiences,
    exp: issued + (extended ? EXTENDED_SECONDS : seconds),
    iat: issued,
    iss: o.issuer,
    jti,
    [o.product.local("kubernetes.io")]: {
      namespace,
      ...bound,
      serviceaccount: { name, uid: account.metadata.uid },
      ...(extended ? { warnafter: issued + seconds } : {}),
    },
    nbf: issued,
    sub: accountUser(namespace, name),
  });
  const time = (ms: number) => new Date(ms).toISOString().replace(/\.\d+Z$/, "Z");
  const object: Obj = {
    ...request,
    metadata: { ...request.metadata, name, namespace, creationTimestamp: time(now) },
    spec: { audiences, expirationSeconds: seconds, boundObjectRef: request.spec?.boundObjectRef ?? null },
    status: { token, expirationTimestamp: time(now + seconds * 1000) },
  };
  return { object, warnings, credentialId: `JTI=${jti}` };
}

/** The key set served at `/openid/v1/jwks`. */
export function jsonWebKeys(keys: readonly VerifyKey[]): { keys: JsonMap[] } {
  const one = ({ key, kid, algorithms }: VerifyKey): JsonMap => {
    const jwk = (key as KeyObject).export({ format: "jwk" }) as JsonMap;
    const { kty, ...rest } = jwk;
    return { use: "sig", kty: kty!, kid, alg: algorithms[0]!, ...rest };
  };
  return { keys: keys.map(one) };
}

/** The document served at `/.well-known/openid-configuration`. `jwksUri` is where {@linkcode jsonWebKeys} is found. */
export function openIdConfiguration(issuer: string, jwksUri: string, keys: readonly VerifyKey[]): JsonMap {
  return {
    issuer,
    jwks_uri: jwksUri,
    response_types_supported: ["id_token"],
    subject_types_supported: ["public"],
    id_token_signing_alg_values_supported: [...new Set(keys.map((k) => k.algorithms[0]!))].sort(),
  };
}
