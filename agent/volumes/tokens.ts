/** Tokens of service accounts for pods, kept until they have to be renewed. */
import type { TokenRequest } from "../../schema/api/authentication.k8s.io_v1.ts";
import type { Product } from "../../schema/product.ts";
import { timeToSeconds } from "../../schema/values/time.ts";
import type { Api, Clock, PodRef } from "../types.ts";

/** A token is renewed after so much of its life, and at the latest after so long, ms; both earlier by up to the last. */
const LIFE = 0.8, LONGEST = 24 * 3_600_000, JITTER = 10_000;

/** What is asked for. */
export interface TokenWish {
  readonly serviceAccount: string;
  /** Empty: the server's own. */
  readonly audience: string;
  /** s; undefined: what the server gives. */
  readonly seconds: number | undefined;
}

/** A token as the API server gave it. */
export interface TokenStatus {
  readonly token: string;
  /** As the API writes times. */
  readonly expirationTimestamp: string;
}

interface Held {
  readonly status: TokenStatus;
  /** ms */
  readonly expires: number;
  /** ms; undefined: never before it expires */
  readonly life: number | undefined;
}

/** See the top of the file. */
export class Tokens {
  /** By pod, then by wish. */
  readonly #held = new Map<string, Map<string, Held>>();

  /** @param api undefined: the agent has no server @param random in [0, 1) */
  constructor(
    readonly api: Api | undefined,
    readonly clock: Clock,
    readonly product: Product,
    readonly random: () => number,
  ) {}

  /** A token that is good for a while. @throws Error: there is none and none is given */
  async of(pod: PodRef, wish: TokenWish): Promise<string> {
    return (await this.status(pod, wish)).token;
  }

  /** The same with the time until which it is good. @throws Error: there is none and none is given */
  async status(pod: PodRef, wish: TokenWish): Promise<TokenStatus> {
    const key = JSON.stringify([wish.serviceAccount, wish.audience, wish.seconds ?? 0]);
    const held = this.#held.get(pod.uid)?.get(key);
    if (held && !this.#old(held)) return held.status;
    try {
      const fresh = await this.#request(pod, wish);
      let ofPod = this.#held.get(pod.uid);
      if (!ofPod) this.#held.set(pod.uid, ofPod = new Map());
      ofPod.set(key, fresh);
      return fresh.status;
    } catch (e) {
      const why = (e as Error).message;
      if (!held) throw new Error(`failed to fetch token: ${why}`, { cause: e });
      if (this.clock.now() > held.expires) {
        throw new Error(`token ${key} expired and refresh failed: ${why}`, { cause: e });
      }
      return held.status;
    }
  }

  /** The pod is no more. */
  release(uid: string): void {
    this.#held.delete(uid);
  }

  #old({ expires, life }: Held): boolean {
    if (life === undefined) return false;
    const age = this.clock.now() - (expires - life);
    return age > Math.min(LONGEST, life * LIFE) - this.random() * JITTER;
  }

  async #request(pod: PodRef, { serviceAccount, audience, seconds }: TokenWish): Promise<Held> {
    if (!this.api) throw new Error("cannot use TokenManager when kubelet is in standalone mode");
    const path = `/api/v1/namespaces/${encodeURIComponent(pod.namespace)}/serviceaccounts/${
      encodeURIComponent(serviceAccount)
    }/token`;
    const body: TokenRequest = {
      apiVersion: this.product.local("authentication.k8s.io/v1"),
      kind: "TokenRequest",
      spec: {
        audiences: audience ? [audience] : [],
        ...(seconds === undefined ? {} : { expirationSeconds: seconds }),
        boundObjectRef: { apiVersion: "v1", kind: "Pod", name: pod.name, uid: pod.uid },
      },
    };
    const { spec, status } = await this.api.request<TokenRequest>("POST", path, { body });
    if (!status?.token || !status.expirationTimestamp) throw new Error("the server gave no token");
    const { token, expirationTimestamp } = status;
    const life = spec?.expirationSeconds;
    return {
      status: { token, expirationTimestamp },
      expires: timeToSeconds(expirationTimestamp).seconds * 1000,
      life: life === undefined || life === null ? undefined : Number(life) * 1000,
    };
  }
}
