/** Pulls images: with the credentials that fit, at the pace that is allowed. */
import { aggregateText } from "../../schema/values/aggregate_text.ts";
import type { AuthConfig, ImageSpec, PodSandboxConfig, Runtime } from "../runtime/types.ts";
import { Turns } from "../pods/within.ts";
import type { Clock } from "../types.ts";
import { pullFaultText } from "./fault_text.ts";
import type { Credential } from "./keyring.ts";
import type { PullOptions } from "./options.ts";
import { Bucket } from "./pull_limits.ts";

/** An image that was pulled. */
export interface Pulled {
  readonly ref: string;
  /** Bytes; 0: not known. */
  readonly size: number;
  /** ms, without the wait for its turn. */
  readonly took: number;
  /** What opened it; undefined: nothing was needed. */
  readonly credential: Credential | undefined;
}

/** See the top of the file. */
export class Puller {
  readonly #lanes: Turns;
  readonly #bucket: Bucket;

  constructor(
    readonly runtime: Pick<Runtime, "pullImage" | "imageStatus">,
    { serializeImagePulls, maxParallelImagePulls, registryQps, registryBurst }: PullOptions,
    readonly clock: Clock,
    readonly signal: AbortSignal,
  ) {
    this.#lanes = new Turns(serializeImagePulls ? 1 : maxParallelImagePulls || Infinity);
    this.#bucket = new Bucket(registryQps, registryBurst, clock.ticks());
  }

  /** Tries the credentials one after the other. @throws Error with what each came to */
  pull(image: ImageSpec, credentials: readonly Credential[], sandbox: PodSandboxConfig): Promise<Pulled> {
    return this.#lanes.take(async () => {
      const started = this.clock.ticks();
      if (!this.#bucket.take(started)) throw new Error("pull QPS exceeded");
      const { ref, credential } = await this.#first(image, credentials, sandbox);
      const size = (await this.runtime.imageStatus(image).catch(() => undefined))?.size ?? 0;
      return { ref, credential, size, took: this.clock.ticks() - started };
    });
  }

  async #first(image: ImageSpec, credentials: readonly Credential[], sandbox: PodSandboxConfig) {
    const faults: string[] = [];
    for (const credential of credentials.length > 0 ? credentials : [undefined]) {
      try {
        const ref = await this.runtime.pullImage(image, authOf(credential), sandbox, this.signal);
        return { ref, credential };
      } catch (e) {
        faults.push(pullFaultText(e));
      }
    }
    throw new Error(aggregateText(faults));
  }
}

const authOf = (credential: Credential | undefined): AuthConfig | undefined =>
  credential && { username: credential.username, password: credential.password };
