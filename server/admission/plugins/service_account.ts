/** ServiceAccount: a pod runs as an account of its namespace, and is given the account's token and pull secrets. */
import type { Obj } from "../../../schema/model/types.ts";
import { generateName } from "../../../schema/values/random.ts";
import { items, type Tree } from "../../../schema/rules/tree.ts";
import { held } from "../facts.ts";
import { either, on } from "../handles.ts";
import { refusal } from "../refuse.ts";
import type { Attributes, Plugin, PluginContext } from "../types.ts";
import { podSecrets } from "./_pod_references.ts";

const ACCOUNTS = "serviceaccounts";
const DEFAULT = "default";
/** How often the default account is looked for: a controller makes it shortly after the namespace. */
const TRIES = 10, PAUSE_MS = 100;
/** An hour and seven seconds: a number that tells tokens made here from those that somebody asked for. */
const TOKEN_SECONDS = 3607;
const PROJECTED_MODE = 0o644;

/** See the top of the file. */
export function serviceAccount(ctx: PluginContext): Plugin {
  const { product } = ctx;
  const mirror = product.local("kubernetes.io/config.mirror");
  const enforced = product.local("kubernetes.io/enforce-mountable-secrets");
  const withAccount = accounts(ctx), mount = mounting(ctx);
  const isMirror = (a: Attributes): boolean => a.object!.metadata.annotations?.[mirror] !== undefined;
  const checkSecrets = (a: Attributes, account: Tree) => {
    if (!/^(1|t|true)$/i.test(account["metadata"].annotations?.[enforced] ?? "")) return;
    limitSecrets(a, (a.object as Tree)["spec"], account);
  };
  const check = (a: Attributes): void | Promise<void> => {
    const spec: Tree = (a.object as Tree)["spec"];
    if (a.operation === "CREATE" && isMirror(a)) return checkMirror(a, spec);
    if (spec["serviceAccountName"]) return withAccount(a, (account) => checkSecrets(a, account));
    if (a.operation === "UPDATE") return;
    throw refusal(a, `no service account specified for pod ${a.namespace}/${a.name}`);
  };
  return {
    name: "ServiceAccount",
    handles: either(on(["CREATE"], ["pods"]), on(["UPDATE"], ["pods"], ["ephemeralcontainers"])),
    admit(a) {
      // What this plugin refuses it refuses here already: before the pod itself is found to be invalid.
      if (a.operation !== "CREATE" || isMirror(a)) return check(a);
      const spec: Tree = (a.object as Tree)["spec"];
      spec["serviceAccountName"] ||= DEFAULT;
      spec["serviceAccount"] = spec["serviceAccountName"]; // the name's former place always tells the same
      return withAccount(a, (account) => {
        const automount = spec["automountServiceAccountToken"] ?? account["automountServiceAccountToken"] ?? true;
        if (automount) mount(spec);
        const secrets = items<Tree>(account["imagePullSecrets"]);
        if (items(spec["imagePullSecrets"]).length === 0 && secrets.length > 0) {
          spec["imagePullSecrets"] = secrets.map((s) => ({ ...s }));
        }
        checkSecrets(a, account);
      });
    },
    validate: check,
  };
}

/** Has something be done with the account of a pod. It throws StatusError 403 where there is none. */
function accounts({ lister, live, sleep }: PluginContext) {
  const cached = held(lister, ACCOUNTS);
  const find = async (a: Attributes, name: string): Promise<Obj> => {
    for (let left = name === DEFAULT ? TRIES : 1; left > 0; left--) {
      const found = await live.get(ACCOUNTS, a.namespace, name);
      if (found) return found;
      if (left > 1) await sleep(PAUSE_MS);
    }
    throw refusal(
      a,
      `error looking up service account ${a.namespace}/${name}: serviceaccount "${name}" not found`,
    );
  };
  return (a: Attributes, use: (account: Tree) => void): void | Promise<void> => {
    const name: string = (a.object as Tree)["spec"].serviceAccountName;
    const account = cached(name, a.namespace);
    return account ? use(account) : find(a, name).then(use);
  };
}

/** Gives containers the account's token, where they mount nothing there themselves. */
function mounting({ product, random }: PluginContext) {
  const volumeName = `${product.component}-api-access`;
  const mountPath = product.local("/var/run/secrets/kubernetes.io/serviceaccount");
  const rootCa = product.local("kube-root-ca.crt");
  return (spec: Tree): void => {
    const taken = items<Tree>(spec["volumes"]).find((v) => v["name"].startsWith(`${volumeName}-`));
    const name: string = taken?.["name"] ?? generateName(`${volumeName}-`, random);
    let needed = false;
    for (const c of [...items<Tree>(spec["initContainers"]), ...items<Tree>(spec["containers"])]) {
      const mounts = items<Tree>(c["volumeMounts"]);
      if (mounts.some((m) => m["mountPath"] === mountPath)) continue;
      c["volumeMounts"] = [...mounts, { name, readOnly: true, mountPath }];
      needed = true;
    }
    if (needed && !taken) spec["volumes"] = [...items<Tree>(spec["volumes"]), tokenVolume(name, rootCa)];
  };
}

function checkMirror(a: Attributes, spec: Tree): void {
  if (spec["serviceAccountName"]) throw refusal(a, "a mirror pod may not reference service accounts");
  if (podSecrets(spec).length > 0) throw refusal(a, "a mirror pod may not reference secrets");
  const tokens = items<Tree>(spec["volumes"]).flatMap((v) => items<Tree>(v["projected"]?.sources));
  if (tokens.some((s) => s["serviceAccountToken"])) {
    throw refusal(a, "a mirror pod may not use ServiceAccountToken volume projections");
  }
}

/** The token, the cluster's authority and the namespace, in one directory. */
function tokenVolume(name: string, rootCa: string): Tree {
  return {
    name,
    projected: {
      sources: [
        { serviceAccountToken: { expirationSeconds: TOKEN_SECONDS, path: "token" } },
        { configMap: { name: rootCa, items: [{ key: "ca.crt", path: "ca.crt" }] } },
        {
          downwardAPI: {
            items: [{ path: "namespace", fieldRef: { apiVersion: "v1", fieldPath: "metadata.namespace" } }],
          },
        },
      ],
      defaultMode: PROJECTED_MODE,
    },
  };
}

/** An account may say that its pods mount no other secrets than those it lists. */
function limitSecrets(a: Attributes, spec: Tree, account: Tree): void {
  const names = (list: unknown): string[] => items<Tree>(list as Tree[]).map((s) => s["name"]);
  const allowed = names(account["secrets"]), name = account["metadata"].name;
  const because = `is not allowed because service account ${name} does not reference that`;
  const lists: (readonly [string, string])[] = a.operation === "CREATE"
    ? [["containers", "container"], ["initContainers", "init container"]]
    : [["ephemeralContainers", "ephemeral container"]];
  if (a.operation === "CREATE") {
    for (const v of items<Tree>(spec["volumes"])) {
      const secret: string | undefined = v["secret"]?.secretName;
      if (secret === undefined || allowed.includes(secret)) continue;
      throw refusal(a, `volume with secret.secretName="${secret}" ${because} secret`);
    }
  }
  for (const [list, word] of lists) {
    for (const c of items<Tree>(spec[list])) {
      for (const [what, secret] of secretsInEnv(c)) {
        if (allowed.includes(secret)) continue;
        throw refusal(
          a,
          `${word} ${c["name"]} with ${what} referencing secret.secretName="${secret}" ${because} secret`,
        );
      }
    }
  }
  if (a.operation !== "CREATE") return;
  const pull = names(account["imagePullSecrets"]);
  names(spec["imagePullSecrets"]).forEach((secret, i) => {
    if (pull.includes(secret)) return;
    throw refusal(a, `imagePullSecrets[${i}].name="${secret}" ${because} imagePullSecret`);
  });
}

function secretsInEnv(container: Tree): [string, string][] {
  const one = items<Tree>(container["env"]).map((e) => [`envVar ${e["name"]}`, e["valueFrom"]?.secretKeyRef?.name]);
  const all = items<Tree>(container["envFrom"]).map((e) => ["envFrom", e["secretRef"]?.name]);
  return [...one, ...all].filter((p): p is [string, string] => typeof p[1] === "string");
}
