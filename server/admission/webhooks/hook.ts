/** Admission webhooks, compiled from their configurations. */
import type { Obj } from "../../../schema/model/types.ts";
import { admissionEnvironment } from "../../../schema/rules/checks/cel_environments.ts";
import { items, type Tree } from "../../../schema/rules/tree.ts";
import { ValueError } from "../../../schema/values/error.ts";
import { type Requirement, selectorFromLabelSelector } from "../../../schema/values/labels.ts";
import { type Condition, conditionsOf } from "../policies/conditions.ts";

/** The two kinds of webhooks, as resource names begin. */
export type HookKind = "mutating" | "validating";

/** Where a configuration says that a webhook is. */
export type ClientConfig =
  | { readonly url: URL; readonly ca: string }
  /** What validation let pass and nothing can be made of. */
  | { readonly fault: string }
  | {
    readonly service: { readonly namespace: string; readonly name: string; readonly port: number };
    readonly path: string;
    readonly ca: string;
  };

/** A webhook that is ready. */
export interface Hook {
  readonly kind: HookKind;
  /** Unlike that of any other: configuration, name and place. */
  readonly id: string;
  readonly name: string;
  readonly configuration: string;
  readonly rules: readonly Tree[];
  /** Objects of other versions are converted for it. */
  readonly equivalent: boolean;
  /** Empty selectors select everything; a text is what is wrong with one. */
  readonly namespaces: readonly Requirement[] | string;
  readonly objects: readonly Requirement[] | string;
  readonly conditions: readonly Condition[];
  /** Failures to call it are passed over. */
  readonly ignores: boolean;
  /** It may be called in a dry run. */
  readonly dry: boolean;
  /** Milliseconds. */
  readonly timeout: number;
  /** It wants to see what others changed after it. */
  readonly repeats: boolean;
  /** The first version of reviews that it takes and that there is. */
  readonly version: "v1" | "v1beta1" | undefined;
  readonly client: ClientConfig;
}

/** The bound of a call whose configuration names none, ms. */
const TIMEOUT = 30_000;
const VERSIONS: readonly string[] = ["v1", "v1beta1"];

/** Webhooks of configurations: by the configuration's name, then as each lists them. */
export function compileHooks(kind: HookKind, configurations: readonly Obj[]): readonly Hook[] {
  const name = (c: Obj) => c.metadata.name ?? "";
  return [...configurations].sort((a, b) => name(a) < name(b) ? -1 : 1).flatMap((c) =>
    items(c["webhooks"]).map((w, i) => hook(kind, name(c), w, i))
  );
}

function hook(kind: HookKind, configuration: string, w: Tree, i: number): Hook {
  const effects = w["sideEffects"], name: string = w["name"];
  return {
    kind,
    id: `${configuration}/${name}/${i}`,
    name,
    configuration,
    rules: items(w["rules"]),
    equivalent: w["matchPolicy"] !== "Exact",
    namespaces: selector(w["namespaceSelector"]),
    objects: selector(w["objectSelector"]),
    conditions: conditionsOf(w["matchConditions"], admissionEnvironment({ authorizer: true })),
    ignores: w["failurePolicy"] === "Ignore",
    dry: effects === "None" || effects === "NoneOnDryRun",
    timeout: w["timeoutSeconds"] ? w["timeoutSeconds"] * 1000 : TIMEOUT,
    repeats: w["reinvocationPolicy"] === "IfNeeded",
    version: items<string>(w["admissionReviewVersions"]).find((v) => VERSIONS.includes(v)) as Hook["version"],
    client: clientConfig(w["clientConfig"]),
  };
}

function selector(s: Tree | undefined): readonly Requirement[] | string {
  try {
    return selectorFromLabelSelector(s) ?? [];
  } catch (e) {
    if (e instanceof ValueError) return e.message;
    throw e;
  }
}

/** Where a `clientConfig` says that a webhook is. */
export function clientConfig(c: Tree): ClientConfig {
  const ca = c["caBundle"] ? new TextDecoder().decode(Uint8Array.fromBase64(c["caBundle"])) : "";
  const { service, url } = c;
  if (!service) {
    return URL.canParse(url) ? { url: new URL(url), ca } : { fault: `${JSON.stringify(url)} is no URL` };
  }
  const { namespace, name, port = 443, path = "/" } = service;
  return { service: { namespace, name, port }, path, ca };
}
