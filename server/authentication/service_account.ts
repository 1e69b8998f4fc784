/** Service account tokens: JWTs that this cluster signed, checked against what they are bound to. */
import { timingSafeEqual } from "node:crypto";
import { compactVerify, decodeJwt, decodeProtectedHeader, type JWTPayload } from "jose";
import type { Obj } from "../../schema/model/types.ts";
import type { Product } from "../../schema/product.ts";
import type { User } from "../request.ts";
import type { KeySource } from "./key_source.ts";
import { commonAudiences, type TokenAuthenticator, TokenError } from "./token.ts";
import type { Authenticated } from "./types.ts";

const WEBHOOKS = ["validatingwebhookconfiguration", "mutatingwebhookconfiguration"] as const;
const ATTESTED = "admissionReviewAPIGroups";

/** Public ids of resources that tokens are bound to. */
export type BoundResource =
  | "serviceaccounts"
  | "secrets"
  | "pods"
  | "nodes"
  | `${typeof WEBHOOKS[number]}s.admissionregistration.k8s.io`;

/** Look-ups of the objects that tokens are bound to; consistent where that can be had. */
export interface BoundObjects {
  get(resourceId: BoundResource, namespace: string, name: string):
    | Obj
    | undefined
    | Promise<Obj | undefined>;
}

/** Gives a secret a label, if it is still this one. Does not reject: the token is good all the same. */
export type LabelSecret = (secret: Obj, label: string, value: string) => Promise<void>;

/** What the method needs. */
export interface ServiceAccountOptions {
  readonly product: Product;
  /** `--service-account-issuer`; the first signs, all are accepted. */
  readonly issuers: readonly string[];
  /** The keys of an id; all of them without one. */
  readonly keys: KeySource["keys"];
  /** `--api-audiences`, or the first issuer. */
  readonly apiAudiences: readonly string[];
  /** `--service-account-lookup`. */
  readonly lookup: boolean;
  readonly objects: BoundObjects;
  readonly now: () => number;
  /** Tokens may be bound to configurations of webhooks. */
  readonly webhookBound?: boolean;
  /** Labels a secret whose token was used. */
  readonly label?: LabelSecret | undefined;
  /** A token was used after the time when it should have been refreshed; seconds since. */
  readonly onStale?: (user: string, seconds: number) => void;
}

interface Ref {
  readonly name: string;
  readonly uid: string;
}
interface Private {
  readonly namespace?: string;
  readonly serviceaccount?: Ref;
  readonly pod?: Ref;
  readonly secret?: Ref;
  readonly node?: Ref;
  readonly validatingwebhookconfiguration?: Ref;
  readonly mutatingwebhookconfiguration?: Ref;
  readonly attestations?: Readonly<Record<string, readonly string[]>>;
  readonly warnafter?: number;
}

/** Clocks of servers may differ by that much. */
const LEEWAY = 60_000;
const DAY = 86_400_000;

/** User name of a service account. */
export const accountUser = (namespace: string, name: string): string => `system:serviceaccount:${namespace}:${name}`;
/** Groups of a service account. */
export const accountGroups = (namespace: string): string[] => [
  "system:serviceaccounts",
  `system:serviceaccounts:${namespace}`,
];

/** A service account as the user that it is once authenticated. */
export const serviceAccountUser = (namespace: string, name: string): User => ({
  name: accountUser(namespace, name),
  groups: [...accountGroups(namespace), "system:authenticated"],
});

/** Namespace and name of a service account's user name; undefined for other users. */
export function splitAccount(user: string): { namespace: string; name: string } | undefined {
  const m = /^system:serviceaccount:([a-z0-9](?:[-a-z0-9]{0,61}[a-z0-9])?):([a-z0-9][-a-z0-9.]{0,252})$/.exec(user);
  return m ? { namespace: m[1]!, name: m[2]! } : undefined;
}

class Verifier {
  readonly #o: ServiceAccountOptions;
  readonly #claim: string;
  readonly #legacyIssuer: string;
  readonly #extra: (name: string) => string;
  readonly #attestation: string;

  constructor(options: ServiceAccountOptions) {
    const { local } = options.product;
    this.#o = options;
    this.#claim = local("kubernetes.io");
    this.#legacyIssuer = local("kubernetes") + "/serviceaccount";
    this.#attestation = local(`attestation.authentication.kubernetes.io/${ATTESTED}`);
    this.#extra = (name) => local(`authentication.kubernetes.io/${name}`);
  }

  async check(token: string, wanted: readonly string[]): Promise<Authenticated | undefined> {
    const issuer = issuerOf(token);
    const legacy = issuer === this.#legacyIssuer;
    if (issuer === undefined || !(legacy || this.#o.issuers.includes(issuer))) return undefined;
    const claims = await this.#verified(token);
    // A token that names no audience is for this server.
    const told = listOf(claims.aud), audiences = told.length > 0 ? told : this.#o.apiAudiences;
    const common = wanted.length ? commonAudiences(wanted, audiences) : audiences;
    if (wanted.length && common.length === 0) {
      throw new TokenError(
        `token audiences ${JSON.stringify(audiences)} is invalid for the target audiences ${JSON.stringify(wanted)}`,
      );
    }
    const user = legacy ? await this.#legacy(token, claims) : await this.#bound(claims);
    return { user, ...(wanted.length ? { audiences: common } : {}) };
  }

  async #verified(token: string): Promise<JWTPayload> {
    const { kid, alg } = decodeProtectedHeader(token);
    for (const { key, algorithms } of await this.#o.keys(kid)) {
      if (alg === undefined || !algorithms.includes(alg)) continue;
      try {
        const { payload } = await compactVerify(token, key, { algorithms: [...algorithms] });
        return JSON.parse(new TextDecoder().decode(payload));
      } catch {
        // another key may have signed it
      }
    }
    throw new TokenError("no key verifies the service account token");
  }

  #times(claims: JWTPayload): void {
    const now = this.#o.now();
    if (claims.exp !== undefined && now - LEEWAY > claims.exp * 1000) {
      throw new TokenError("service account token has expired");
    }
    if (claims.nbf !== undefined && now + LEEWAY < claims.nbf * 1000) {
      throw new TokenError("service account token is not valid yet");
    }
    if (claims.iat !== undefined && now + LEEWAY < claims.iat * 1000) {
      throw new TokenError("service account token is issued in the future");
    }
  }

  /** The object, when it is there, not long deleted, and the one that the token is about. */
  async #exists(resource: BoundResource, namespace: string, ref: Ref): Promise<Obj> {
    const obj = await this.#o.objects.get(resource, namespace, ref.name);
    const deleted = obj?.metadata.deletionTimestamp;
    if (!obj || (deleted && Date.parse(deleted) < this.#o.now() - LEEWAY) || obj.metadata.uid !== ref.uid) {
      throw new TokenError(`the token's ${resource} "${ref.name}" is gone`);
    }
    return obj;
  }

  async #bound(claims: JWTPayload): Promise<User> {
    this.#times(claims);
    const own = claims[this.#claim] as Private | undefined;
    const { namespace, serviceaccount: account } = own ?? {};
    if (!namespace || !account?.name || !account.uid) throw new TokenError("the token names no service account");
    const name = accountUser(namespace, account.name);
    if (claims.sub !== name) throw new TokenError("the token's subject is not its service account");
    if (this.#o.lookup) await this.#exists("serviceaccounts", namespace, account);
    const { secret, pod, node } = own!;
    if (secret) await this.#exists("secrets", namespace, secret);
    if (pod) await this.#exists("pods", namespace, pod);
    // Of a pod's token the node is told for information; a token bound to a node falls with it.
    if (node && !pod && !secret) await this.#exists("nodes", "", node);
    await this.#webhooks(own!);
    const now = this.#o.now();
    if (own!.warnafter && now > own!.warnafter * 1000) this.#o.onStale?.(name, Math.floor(now / 1000) - own!.warnafter);
    return { name, uid: account.uid, groups: accountGroups(namespace), extra: this.#extraOf(own!, claims.jti) };
  }

  async #webhooks(own: Private): Promise<void> {
    for (const kind of WEBHOOKS) {
      const ref = own[kind];
      if (!ref) continue;
      if (!this.#o.webhookBound) throw new TokenError("tokens that are bound to webhooks are turned off");
      if (!own.attestations?.[ATTESTED]?.length) throw new TokenError("the token, bound to webhooks, attests nothing");
      await this.#exists(`${kind}s.admissionregistration.k8s.io`, "", ref);
    }
  }

  #extraOf({ pod, node, attestations, ...own }: Private, jti: string | undefined): Record<string, string[]> {
    const extra: Record<string, string[]> = {};
    if (jti) extra[this.#extra("credential-id")] = [`JTI=${jti}`];
    if (pod) Object.assign(extra, { [this.#extra("pod-name")]: [pod.name], [this.#extra("pod-uid")]: [pod.uid] });
    if (node) {
      extra[this.#extra("node-name")] = [node.name];
      if (node.uid) extra[this.#extra("node-uid")] = [node.uid];
    }
    for (const kind of WEBHOOKS) {
      const ref = own[kind];
      if (!ref) continue;
      extra[this.#extra(`${kind}-name`)] = [ref.name];
      extra[this.#extra(`${kind}-uid`)] = [ref.uid];
      extra[this.#attestation] = [...attestations![ATTESTED]!];
    }
    return extra;
  }

  /** Tokens kept in secrets: they end when the secret does. */
  async #legacy(token: string, claims: JWTPayload): Promise<User> {
    this.#times(claims);
    const claim = (name: string) => String(claims[`${this.#claim}/serviceaccount/${name}`] ?? "");
    const namespace = claim("namespace"), name = claim("service-account.name"), uid = claim("service-account.uid");
    const secretName = claim("secret.name");
    if (!namespace || !name || !uid || !secretName) throw new TokenError("claims of the token are missing");
    if (claims.sub !== accountUser(namespace, name)) {
      throw new TokenError("the token's subject is not its service account");
    }
    if (this.#o.lookup) {
      const secret = await this.#o.objects.get("secrets", namespace, secretName);
      const held = (secret?.data as Record<string, string> | undefined)?.token;
      if (!secret || secret.metadata.deletionTimestamp || !held || !holds(held, token)) {
        throw new TokenError("the token's secret does not hold it any more");
      }
      await this.#exists("serviceaccounts", namespace, { name, uid });
      await this.#used(secret);
      if (secret.metadata.labels?.[this.#claim + "/legacy-token-invalid-since"]) {
        throw new TokenError("the token has been marked as invalid");
      }
    }
    return { name: accountUser(namespace, name), uid, groups: accountGroups(namespace) };
  }

  /** The day of the last use stands on the secret: one write a day. Another server's clock may have written tomorrow's. */
  async #used(secret: Obj): Promise<void> {
    const label = this.#claim + "/legacy-token-last-used", now = this.#o.now();
    const [today, tomorrow] = [now, now + DAY].map((t) => new Date(t).toISOString().slice(0, 10));
    const told = secret.metadata.labels?.[label];
    if (told !== today && told !== tomorrow) await this.#o.label?.(secret, label, today!);
  }
}

const listOf = (v: string | string[] | undefined) => (v === undefined ? [] : Array.isArray(v) ? v : [v]);

function holds(base64: string, token: string): boolean {
  const held = Uint8Array.fromBase64(base64), given = new TextEncoder().encode(token);
  return held.length === given.length && timingSafeEqual(held, given);
}

function issuerOf(token: string): string | undefined {
  try {
    return decodeJwt(token).iss;
  } catch {
    return undefined;
  }
}

/** The kind of token. Tokens of other issuers are none of its own. */
export function serviceAccountTokens(options: ServiceAccountOptions): TokenAuthenticator {
  const verifier = new Verifier(options);
  return {
    name: "service account token",
    authenticateToken: (token, wanted) => verifier.check(token, wanted),
  };
}
