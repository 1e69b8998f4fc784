/** A container runtime in memory: it keeps what it is told, and nothing runs. */
import {
  type AuthConfig,
  type ContainerConfig,
  type LinuxContainerResources,
  type PodSandboxConfig,
  type Runtime,
  type RuntimeContainer,
  RuntimeError,
  type Strings,
} from "../../agent/runtime/types.ts";

/** A sandbox that was made. */
export interface MadeSandbox {
  readonly id: string;
  readonly config: PodSandboxConfig;
  state: "READY" | "NOTREADY";
  readonly createdAt: bigint;
}

/** A container that was made. */
export interface MadeContainer {
  readonly id: string;
  readonly sandbox: string;
  readonly config: ContainerConfig;
  state: RuntimeContainer["state"];
  readonly createdAt: bigint;
}

/** See the top of the file. */
export class MemoryRuntime {
  readonly sandboxes: MadeSandbox[] = [];
  readonly containers: MadeContainer[] = [];
  /** Resources that containers were told of later, by id. */
  readonly updates: (readonly [id: string, LinuxContainerResources])[] = [];
  /** What containers were given to end, s, by id. */
  readonly stops: (readonly [id: string, seconds: number])[] = [];
  /** Bytes of images, by name; each other image is there too, but in no list. */
  readonly images = new Map<string, number>();
  /** Images that were pulled, and as whom. */
  readonly pulls: (readonly [image: string, auth: AuthConfig | undefined])[] = [];
  /** Pulls under way end when this does. */
  pulling: () => Promise<void> = () => Promise.resolve();
  /** Ranges of pods' addresses. */
  readonly ranges: string[] = [];
  /** How often the containers were listed. */
  lists = 0;
  /** Where processes are asked for. */
  streams = "";
  #count = 0;

  /** Names of the containers that there are, and by `container` one of them. */
  names(): string[] {
    return this.containers.map(({ config }) => config.metadata.name);
  }

  container(name: string): MadeContainer | undefined {
    return this.containers.find(({ config }) => config.metadata.name === name);
  }

  /** Puts a container beside the others. */
  add({ sandbox, config }: Pick<MadeContainer, "sandbox" | "config">, more: Partial<MadeContainer> = {}): string {
    const id = `c${++this.#count}`;
    this.containers.push({ id, sandbox, config, state: "CREATED", createdAt: BigInt(this.#count), ...more });
    return id;
  }

  /** The whole of it. */
  client(): Runtime {
    const made = (id: string) => this.containers.find((c) => c.id === id) ?? gone(id);
    const box = (id: string) => this.sandboxes.find((s) => s.id === id) ?? gone(id);
    const logOf = ({ sandbox, config }: MadeContainer) => `${box(sandbox).config.logDirectory}/${config.logPath}`;
    const none = () => Promise.reject(new RuntimeError("Unimplemented", "not of this runtime"));
    return {
      version: async () => ({ version: "1", runtimeName: "memory", runtimeVersion: "1", runtimeApiVersion: "v1" }),
      status: async () => ({
        conditions: ["RuntimeReady", "NetworkReady"].map((type) => ({ type, status: true, reason: "", message: "" })),
        handlers: [],
      }),
      runPodSandbox: async (config) => {
        const id = `s${++this.#count}`;
        this.sandboxes.push({ id, config, state: "READY", createdAt: BigInt(this.#count) });
        return id;
      },
      stopPodSandbox: async (id) => {
        for (const container of this.containers) if (container.sandbox === id) container.state = "EXITED";
        box(id).state = "NOTREADY";
      },
      removePodSandbox: async (id) => void this.sandboxes.splice(this.sandboxes.indexOf(box(id)), 1),
      podSandboxStatus: async (id) => ({ ...sandboxOf(box(id)), network: { ip: "192.0.2.99", additionalIps: [] } }),
      sandboxPid: () => Promise.resolve(undefined),
      listPodSandboxes: async (labels) => this.sandboxes.filter(({ config }) => has(config, labels)).map(sandboxOf),
      createContainer: async (sandbox, config) => this.add({ sandbox, config }),
      startContainer: async (id) => void (made(id).state = "RUNNING"),
      stopContainer: async (id, seconds) => {
        this.stops.push([id, seconds]);
        made(id).state = "EXITED";
      },
      removeContainer: async (id) => void this.containers.splice(this.containers.indexOf(made(id)), 1),
      listContainers: async (labels) => {
        this.lists++;
        return this.containers.filter(({ config }) => has(config, labels)).map(containerOf);
      },
      containerStatus: async (id) => {
        const { config, sandbox, ...rest } = made(id);
        return {
          ...containerOf({ config, sandbox, ...rest }),
          startedAt: rest.createdAt,
          finishedAt: rest.state === "EXITED" ? rest.createdAt : 0n,
          // The signal that ends it.
          exitCode: rest.state === "EXITED" ? 143 : 0,
          reason: "",
          message: "",
          mounts: [],
          stopSignal: config.stopSignal ?? "",
          logPath: logOf(made(id)),
        };
      },
      checkpointContainer: none,
      updateContainerResources: async (id, linux) => void this.updates.push([id, linux]),
      reopenContainerLog: (id) => Deno.writeTextFile(logOf(made(id)), "", { append: true }),
      execSync: none,
      exec: async () => this.streams,
      attach: async () => this.streams,
      portForward: async () => this.streams,
      listContainerStats: async () =>
        this.containers.map((container) => {
          const { id, labels, annotations } = containerOf(container);
          return { attributes: { id, labels, annotations } };
        }),
      updateRuntimeConfig: async (range) => void this.ranges.push(range),
      listImages: async () => [...this.images].map(([image, size]) => imageOf(image, size)),
      imageStatus: async ({ image }) => imageOf(image, this.images.get(image) ?? 1),
      pullImage: async ({ image }, auth) => {
        this.pulls.push([image, auth]);
        await this.pulling();
        return image;
      },
      removeImage: async ({ image }) => void this.images.delete(image),
      imageFilesystems: async () => [{ timestamp: 0n, fsId: { mountpoint: "/" } }],
      close: () => {},
    };
  }
}

const gone = (id: string): never => {
  throw new RuntimeError("NotFound", `there is no ${id}`);
};

const has = ({ labels = {} }: { readonly labels?: Strings }, wanted: Strings = {}): boolean =>
  Object.entries(wanted).every(([name, value]) => labels[name] === value);

const imageOf = (image: string, size: number) => ({
  id: image,
  repoTags: [image],
  repoDigests: [],
  size,
  username: "",
  pinned: false,
});

const sandboxOf = ({ id, config, state, createdAt }: MadeSandbox) => ({
  id,
  metadata: { attempt: 0, ...config.metadata },
  state,
  createdAt,
  labels: config.labels ?? {},
  annotations: config.annotations ?? {},
  runtimeHandler: "",
});

const containerOf = ({ id, sandbox, config, state, createdAt }: MadeContainer): RuntimeContainer => ({
  id,
  podSandboxId: sandbox,
  metadata: { attempt: 0, ...config.metadata },
  image: config.image,
  imageRef: config.image.image,
  imageId: config.image.image,
  state,
  createdAt,
  labels: config.labels ?? {},
  annotations: config.annotations ?? {},
});
