/**
 * The product's name, in one place (specification, "Naming convention"; two dialects of it).
 *
 * Tables and code are written in the field's public names (`rbac.authorization.k8s.io`, `kubernetes.io/hostname`,
 * `kube-system`): the mapping from those to the `orch` dialect is a function, the other way round is not.
 */

/** `orch`: the names of the specification. `kubernetes`: the names that clients in the field expect. */
export type Dialect = "orch" | "kubernetes";

/** All of them. */
export const DIALECTS: readonly Dialect[] = ["orch", "kubernetes"];

/** What a server calls itself and the things it serves. Immutable; made once by {@linkcode productOf}. */
export interface Product {
  readonly dialect: Dialect;
  /** Suffix of API groups: `orch.io` or `k8s.io`. */
  readonly groupSuffix: string;
  /** Media type of Protobuf. */
  readonly protobuf: string;
  /** `orch-system` or `kube-system`, and so on. */
  readonly systemNamespace: string;
  readonly publicNamespace: string;
  readonly nodeLeaseNamespace: string;
  /** Name of the API's own service in namespace `default`, and of the namespace finalizer. */
  readonly service: string;
  /** Component prefix: `orch` or `kube` (`system:orch-scheduler`). */
  readonly component: string;
  /** Prefix of encrypted values at rest: `orch:enc:` or `k8s:enc:`. */
  readonly encryptionPrefix: string;
  /** Translates a public name, or any text that holds public names, to this dialect. Pure; cheap for short strings. */
  local(text: string): string;
  /** {@linkcode local} over every string and key of a JSON-shaped value. Returns a new value. */
  localTree<T>(tree: T): T;
  /** {@linkcode local} over the keys of labels or the like, whose values are others' words. */
  localKeys<T>(map: Readonly<Record<string, T>>): Record<string, T>;
}

/** Order matters: the longer name first. Each pair is public name, name in dialect `orch`. */
const RENAMES: readonly (readonly [RegExp, string])[] = [
  [/\bkubelet\.config\.k8s\.io\b/g, "orchlet.config.orch.io"],
  [/\b(?:k8s|kubernetes)\.io\b/g, "orch.io"],
  [/\bvnd\.kubernetes\.protobuf\b/g, "vnd.orch.protobuf"],
  [/\bkube-(system|public|node-lease)\b/g, "orch-$1"],
  [/\bsystem:kube-/g, "system:orch-"],
  [/\bkube-(root-ca\.crt|apiserver|aggregator|scheduler|controller-manager|proxy)\b/g, "orch-$1"],
  [/\/kubernetes\/kubelet-plugins\//g, "/orch/orchlet-plugins/"],
  [/\bkubernetes\.default\.svc\b/g, "orch.default.svc"],
  [/\bkubernetes-service-cidr-controller\b/g, "orch-service-cidr-controller"],
  [/^kubernetes$/g, "orch"],
  [/^k8s:enc:/g, "orch:enc:"],
];
const MAYBE = /k8s|kube/;

function toOrch(text: string): string {
  if (!MAYBE.test(text)) return text;
  let out = text;
  for (const [from, to] of RENAMES) out = out.replace(from, to);
  return out;
}

function mapTree(tree: unknown, f: (s: string) => string): unknown {
  if (typeof tree === "string") return f(tree);
  if (Array.isArray(tree)) return tree.map((x) => mapTree(x, f));
  if (tree === null || typeof tree !== "object") return tree;
  return Object.fromEntries(Object.entries(tree).map(([k, v]) => [f(k), mapTree(v, f)]));
}

function make(dialect: Dialect, local: (s: string) => string): Product {
  return Object.freeze({
    dialect,
    groupSuffix: local("k8s.io"),
    protobuf: local("application/vnd.kubernetes.protobuf"),
    systemNamespace: local("kube-system"),
    publicNamespace: local("kube-public"),
    nodeLeaseNamespace: local("kube-node-lease"),
    service: local("kubernetes"),
    component: dialect === "orch" ? "orch" : "kube",
    encryptionPrefix: local("k8s:enc:"),
    local,
    localKeys: <T>(map: Readonly<Record<string, T>>) =>
      Object.fromEntries(Object.entries(map).map(([key, value]) => [local(key), value])),
    localTree: <T>(tree: T) => (dialect === "orch" ? mapTree(tree, local) : tree) as T,
  });
}

const PRODUCTS: Record<Dialect, Product> = {
  orch: make("orch", toOrch),
  kubernetes: make("kubernetes", (s) => s),
};

/** The product in a dialect. The same object each time. */
export function productOf(dialect: Dialect): Product {
  return PRODUCTS[dialect];
}
