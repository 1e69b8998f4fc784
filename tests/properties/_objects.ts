/** Random small config maps, deployments and services for the properties of patches and of apply. */
import type { Random } from "./_runs.ts";
import type { Loose } from "../fixture/loose.ts";

/** One kind: where it is served, and how one of it is made. The same random numbers make the same object. */
export interface Kind {
  readonly path: string;
  make(random: Random, name: string): Loose;
}

const WORDS = ["a", "b", "c", "d"];

/** Some of a list, in any order. */
export function some<T>(random: Random, list: readonly T[], least = 0): T[] {
  const rest = [...list], out: T[] = [];
  for (let n = least + random.below(list.length + 1 - least); n > 0; n--) {
    out.push(rest.splice(random.below(rest.length), 1)[0]!);
  }
  return out;
}

const words = (random: Random, keys = WORDS): Record<string, string> =>
  Object.fromEntries(some(random, keys).map((k) => [k, random.pick(["1", "2", "3"])]));

const optional = (name: string, value: Record<string, unknown> | unknown[]) =>
  Object.keys(value).length ? { [name]: value } : {};

const meta = (random: Random, name: string) => ({
  name,
  ...optional("labels", words(random)),
  ...optional("annotations", words(random)),
});

// Sources of volumes go by their names: a volume that lost its source gets an `emptyDir` by default, and refuses a second.
const container = (random: Random, name: string) => ({
  name,
  image: `image:${random.below(3)}`,
  ...optional("args", some(random, ["-x", "-y", "-z"])),
  ...optional("env", some(random, ["E1", "E2", "E3"]).map((e) => ({ name: e, value: random.pick(["1", "2"]) }))),
  ...optional(
    "ports",
    some(random, [80, 81, 82]).map((containerPort) => ({ containerPort, protocol: random.pick(["TCP", "UDP"]) })),
  ),
  ...optional(
    "volumeMounts",
    some(random, WORDS).map((w) => ({ name: "v", mountPath: `/${w}`, ...(random.below(2) ? { readOnly: true } : {}) })),
  ),
});

/** Kinds of which the properties take one after the other. */
export const KINDS: Readonly<Record<string, Kind>> = {
  ConfigMap: {
    path: "/api/v1/namespaces/{ns}/configmaps",
    make: (random, name) => ({
      apiVersion: "v1",
      kind: "ConfigMap",
      metadata: meta(random, name),
      ...optional("data", words(random, ["a", "b", "c", "d.e", "f-g"])),
    }),
  },
  Deployment: {
    path: "/apis/apps/v1/namespaces/{ns}/deployments",
    make: (random, name) => ({
      apiVersion: "apps/v1",
      kind: "Deployment",
      metadata: meta(random, name),
      spec: {
        replicas: random.below(5),
        selector: { matchLabels: { app: "x" } },
        template: {
          metadata: { labels: { ...words(random), app: "x" } },
          spec: {
            containers: some(random, ["c1", "c2", "c3"], 1).map((c) => container(random, c)),
            ...optional("initContainers", some(random, ["i1", "i2"]).map((c) => container(random, c))),
            volumes: [
              { name: "v", emptyDir: {} },
              ...some(random, ["w1", "w2"]).map((v) => ({ name: v, configMap: { name: v } })),
            ],
          },
        },
      },
    }),
  },
  Service: {
    path: "/api/v1/namespaces/{ns}/services",
    make: (random, name) => ({
      apiVersion: "v1",
      kind: "Service",
      metadata: meta(random, name),
      spec: {
        clusterIP: "None",
        selector: { app: "x", ...words(random) },
        // Names go with keys: ports of two managers must not clash by name.
        ports: some(random, [80, 81, 82], 1).map((port) => {
          const protocol = random.pick(["TCP", "UDP"]), name = `p${port}-${protocol.toLowerCase()}`;
          return { name, port, protocol, targetPort: random.pick([port, 8080, "named"]) };
        }),
      },
    }),
  },
};
