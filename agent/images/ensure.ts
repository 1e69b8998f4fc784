/** Sees to it that a container's image is there. */
import type { ImageVolumeSource, Pod, Secret } from "../../schema/api/core_v1.ts";
import type { Product } from "../../schema/product.ts";
import { nanosToDuration } from "../../schema/values/duration.ts";
import { fieldPathOf } from "../pods/spec.ts";
import { faultText } from "../runtime/fault_text.ts";
import type { ImageSpec, PodSandboxConfig, Runtime } from "../runtime/types.ts";
import {
  type AnyContainer,
  type Clock,
  type Events,
  ImageFault,
  type ImageFaultReason,
  type Images,
} from "../types.ts";
import { PullBackOff } from "./back_off.ts";
import { pullFault } from "./fault_text.ts";
import type { Credential, Keyring } from "./keyring.ts";
import type { Found, ImageMetrics } from "./metrics.ts";
import { parseImageName, withTag } from "./name.ts";
import type { Puller } from "./pull.ts";
import { keyringOf } from "./pull_secrets.ts";
import type { PulledImages } from "./pulled.ts";

/** What images need of the agent. */
export interface EnsureParts {
  readonly runtime: Pick<Runtime, "imageStatus">;
  readonly puller: Puller;
  readonly pulled: PulledImages;
  readonly metrics: ImageMetrics;
  readonly events: Events;
  readonly clock: Clock;
  readonly product: Product;
  /** @throws when there is none */
  readonly secrets: (namespace: string, name: string) => Promise<Secret>;
  /** Credentials that the node and its plugins have for a repository, besides the pod's. Never throws. */
  readonly others: (repository: string, pod: Pod) => Promise<readonly Keyring[]>;
}

/** One wish for an image, and how it is told of. */
interface Wish {
  readonly pod: Pod;
  /** As the pod names it. */
  readonly image: string;
  readonly spec: ImageSpec;
  readonly sandbox: PodSandboxConfig;
  tell(type: "Normal" | "Warning", reason: string, message: string): void;
  credentials(): Promise<readonly Credential[]>;
  /** What was found of it so far. */
  readonly found: Found;
}

/** See the top of the file. */
export class EnsureImages implements Images {
  readonly #backOff = new PullBackOff();

  constructor(readonly parts: EnsureParts) {}

  ensure(pod: Pod, container: AnyContainer, sandbox: PodSandboxConfig): Promise<string> {
    const { image = "", imagePullPolicy } = container;
    return this.#ensure(pod, image, imagePullPolicy, sandbox, fieldPathOf(pod, container));
  }

  ensureVolume(
    pod: Pod,
    { reference = "", pullPolicy }: ImageVolumeSource,
    sandbox: PodSandboxConfig,
  ): Promise<string> {
    return this.#ensure(pod, reference, pullPolicy, sandbox);
  }

  async #ensure(
    pod: Pod,
    image: string,
    policy: string | undefined,
    sandbox: PodSandboxConfig,
    at?: string,
  ): Promise<string> {
    const tell: Wish["tell"] = (type, reason, message) => this.parts.events.pod(pod, type, reason, message, at);
    const spec = { image: taggedName(image, tell), annotations: pod.metadata?.annotations ?? {} };
    let credentials: Promise<readonly Credential[]> | undefined;
    const lookUp = () => credentials ??= this.#credentials(pod, spec.image);
    const wish: Wish = { pod, image, spec, sandbox, tell, credentials: lookUp, found: {} };
    const known = policyOf(image, policy);
    return await this.#ref(known, wish).finally(() => this.parts.metrics.wanted(known, wish.found));
  }

  async #ref(policy: string, wish: Wish): Promise<string> {
    if (policy === "Always") return await this.#pull(wish);
    const { image, tell, spec, found } = wish;
    const ref = await this.#found(spec, tell);
    found.present = ref !== undefined;
    if (ref !== undefined && !await this.parts.pulled.mustPull(spec.image, ref, wish.credentials)) {
      found.pull = false;
      const text = `Container image ${quoted(image)} already present on machine and can be accessed by the pod`;
      tell("Normal", "Pulled", text);
      return ref;
    }
    if (policy !== "Never") return await this.#pull(wish);
    // One that the pod may not use is as one that is not there: nobody learns what other pods have.
    const message = `Container image ${quoted(image)} is not present with pull policy of Never`;
    tell("Warning", "ErrImageNeverPull", message);
    throw new ImageFault("ErrImageNeverPull", message);
  }

  async #found(spec: ImageSpec, tell: Wish["tell"]): Promise<string | undefined> {
    try {
      return (await this.parts.runtime.imageStatus(spec))?.id;
    } catch (e) {
      throw told(tell, "InspectFailed", "ImageInspectError", `Failed to inspect image "": ${faultText(e)}`);
    }
  }

  async #pull(wish: Wish): Promise<string> {
    const { pod, image, spec, sandbox, tell } = wish;
    const { clock, puller, pulled, metrics } = this.parts;
    wish.found.pull = true;
    const key = `${pod.metadata?.uid ?? ""}_${image}`, started = clock.ticks();
    const before = this.#backOff.pausing(key, started);
    if (before !== undefined) {
      const message = `Back-off pulling image ${quoted(image)}`;
      tell("Normal", "BackOff", message);
      throw new ImageFault("ImagePullBackOff", `${message}: ${before}`);
    }
    const credentials = await wish.credentials();
    tell("Normal", "Pulling", `Pulling image ${quoted(image)}`);
    await pulled.begin(spec.image);
    try {
      const { ref, size, took, credential } = await puller.pull(spec, credentials, sandbox);
      await pulled.end(spec.image, ref, credential);
      const whole = clock.ticks() - started, times = `${duration(took)} (${duration(whole)} including waiting)`;
      metrics.pulled(size, whole);
      tell("Normal", "Pulled", `Successfully pulled image ${quoted(image)} in ${times}. Image size: ${size} bytes.`);
      return ref;
    } catch (e) {
      await pulled.end(spec.image, undefined, undefined);
      const text = faultText(e), { reason, message } = pullFault(image, text);
      tell("Warning", "Failed", `Failed to pull image ${quoted(image)}: ${text}`);
      this.#backOff.failed(key, `${reason}: ${message}`, clock.ticks());
      throw new ImageFault(reason, message);
    }
  }

  /** The pod's own first. @throws ImageFault for a secret that cannot be read */
  async #credentials(pod: Pod, image: string): Promise<readonly Credential[]> {
    const { repository } = parseImageName(image);
    try {
      const keyrings = [await this.#ofSecrets(pod), ...await this.parts.others(repository, pod)];
      return keyrings.flatMap((keyring) => keyring.lookup(repository));
    } catch (e) {
      throw new ImageFault("ErrImagePull", faultText(e));
    }
  }

  async #ofSecrets(pod: Pod): Promise<Keyring> {
    const { events, product, secrets } = this.parts;
    const names = (pod.spec?.imagePullSecrets ?? []).flatMap(({ name }) => name ? [name] : []);
    const found: Secret[] = [], missing: string[] = [];
    for (const name of names) {
      await secrets(pod.metadata?.namespace ?? "", name).then((s) => found.push(s), () => missing.push(name));
    }
    if (missing.length > 0) {
      const which = `Unable to retrieve some image pull secrets (${missing.join(", ")})`;
      const message = `${which}; attempting to pull the image may not succeed.`;
      events.pod(pod, "Warning", "FailedToRetrieveImagePullSecret", message);
    }
    return keyringOf(found, product);
  }
}

const quoted = (text: string): string => JSON.stringify(text);
const duration = (ms: number): string => nanosToDuration(BigInt(Math.trunc(ms)) * 1_000_000n);

function told(tell: Wish["tell"], event: string, reason: ImageFaultReason, message: string): ImageFault {
  tell("Warning", event, message);
  return new ImageFault(reason, message);
}

function taggedName(image: string, tell: Wish["tell"]): string {
  try {
    return withTag(image);
  } catch (e) {
    const message = `Failed to apply default image tag ${quoted(image)}: ${faultText(e)}`;
    throw told(tell, "InspectFailed", "InvalidImageName", message);
  }
}

/** What the pod says; otherwise by its tag, as the API server has it. The name is well-formed. */
function policyOf(image: string, policy: string | undefined): string {
  return policy ?? (parseImageName(image).tag === "latest" ? "Always" : "IfNotPresent");
}
