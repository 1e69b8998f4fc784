/** Images of an agent over a containerd, with what it tells. */
import type { Container, Pod, Secret, ServiceAccount } from "../../../schema/api/core_v1.ts";
import { productOf } from "../../../schema/product.ts";
import { type AgentImages, type Disk, type ImageParts, openImages } from "../../../agent/images/mod.ts";
import type { PodSandboxConfig, Runtime } from "../../../agent/runtime/types.ts";
import type { Clock, Events } from "../../../agent/types.ts";

/** A clock that a test turns. Waits end with their signal alone. */
export class TestClock implements Clock {
  at = 1_700_000_000_000;
  now(): number {
    return this.at;
  }
  ticks(): number {
    return this.at;
  }
  wait(_ms: number, signal?: AbortSignal): Promise<void> {
    if (!signal || signal.aborted) return Promise.resolve();
    return new Promise((resolve) => signal.addEventListener("abort", () => resolve(), { once: true }));
  }
}

export const OPTIONS: Omit<ImageParts["options"], "rootDir"> = {
  serializeImagePulls: true,
  maxParallelImagePulls: 0,
  registryQps: 0,
  registryBurst: 0,
  imageCredentialProviderConfig: "",
  imageCredentialProviderBinDir: "",
  imagePullCredentialsVerificationPolicy: "NeverVerifyPreloadedImages",
  preloadedImagesVerificationAllowlist: [],
  imageGcHighThreshold: 85,
  imageGcLowThreshold: 80,
  minimumImageTtlDuration: 120_000,
  imageMaximumGCAge: 0,
};

/** An agent's images, and what a test may ask of it. */
export interface Opened extends AgentImages {
  readonly clock: TestClock;
  /** `Type Reason message`, of a node with `node` in front. */
  readonly events: string[];
  readonly secrets: Map<string, Secret>;
  readonly accounts: Map<string, ServiceAccount>;
  disk: Disk;
  /** What is said of the events since the last call. */
  told(): string[];
  end(): void;
}

/** Opens them. @param rootDir where it keeps its notes */
export async function open(
  runtime: Runtime,
  rootDir: string,
  options: Partial<ImageParts["options"]> = {},
): Promise<Opened> {
  const clock = new TestClock(), lines: string[] = [], life = new AbortController();
  const secrets = new Map<string, Secret>(), accounts = new Map<string, ServiceAccount>();
  const events: Events = {
    pod: (_pod, type, reason, message, at) => void lines.push(`${type} ${reason} ${message}${at ? ` at ${at}` : ""}`),
    node: (type, reason, message) => void lines.push(`node ${type} ${reason} ${message}`),
  };
  const found = <T>(map: Map<string, T>) => async (namespace: string, name: string) => {
    const one = map.get(`${namespace}/${name}`);
    if (!one) throw new Error(`${name} not found`);
    return one;
  };
  const extra = {
    clock,
    events: lines,
    secrets,
    accounts,
    disk: { capacity: 1000, available: 1000 },
    told: () => lines.splice(0),
    end: () => life.abort(),
  };
  const opened = await openImages({
    runtime,
    options: { ...OPTIONS, rootDir, ...options },
    events,
    clock,
    log: () => {},
    product: productOf("kubernetes"),
    secrets: found(secrets),
    accounts: {
      find: found(accounts),
      token: async (account, audience, pod) => `token of ${account.name} for ${audience} in ${pod.name}`,
    },
    disk: async () => extra.disk,
    signal: life.signal,
  });
  return Object.assign(extra, opened);
}

/** A pod of one container. */
export function podOf(name: string, image: string, more: Partial<Container> & { secrets?: string[] } = {}): Pod {
  const { secrets = [], ...container } = more;
  return {
    metadata: { name, namespace: "shop", uid: `uid-${name}` },
    spec: {
      containers: [{ name: "main", image, ...container }],
      imagePullSecrets: secrets.map((name) => ({ name })),
    },
  };
}

/** The image of the pod's container. */
export function ensure({ images }: AgentImages, pod: Pod): Promise<string> {
  const sandbox: PodSandboxConfig = { metadata: { name: pod.metadata!.name!, namespace: "shop", uid: "u" } };
  return images.ensure(pod, pod.spec!.containers![0]!, sandbox);
}

/** Reason and message of the fault. */
export async function faultOf(images: AgentImages, pod: Pod): Promise<[reason: string, message: string]> {
  try {
    await ensure(images, pod);
  } catch (e) {
    return [(e as { reason: string }).reason, (e as Error).message];
  }
  throw new Error("the image is there");
}

/** A secret of the newer or older form, for a registry. */
export function secretOf(name: string, registry: string, user: string, password: string, modern: boolean): Secret {
  const logins = { [registry]: { username: user, password, auth: btoa(`${user}:${password}`) } };
  const data = btoa(JSON.stringify(modern ? { auths: logins } : logins));
  return {
    metadata: { name, namespace: "shop", uid: `uid-${name}` },
    type: modern ? "kubernetes.io/dockerconfigjson" : "kubernetes.io/dockercfg",
    data: { [modern ? ".dockerconfigjson" : ".dockercfg"]: data },
  };
}
