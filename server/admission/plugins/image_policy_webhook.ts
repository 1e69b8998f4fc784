/** ImagePolicyWebhook: a server that says whether the images of a pod may run. */
import type { JsonMap } from "../../../schema/model/types.ts";
import { items, type Tree } from "../../../schema/rules/tree.ts";
import { callWebhook, RETRY } from "../../authentication/webhook_client.ts";
import { on } from "../handles.ts";
import { refusal } from "../refuse.ts";
import type { Attributes, Plugin, PluginContext } from "../types.ts";

/** Answers kept, each some hundred bytes. */
const MAX_ENTRIES = 1024;
/** Reviews with longer texts are not kept: clients choose them. */
const MAX_KEY = 10_000;
const EPHEMERAL = "ephemeralcontainers";
const ALLOW_S = 300;
const DENY_S = 30;
const BACKOFF_MS = 500;

interface Status {
  readonly allowed?: boolean;
  readonly reason?: string;
  readonly auditAnnotations?: Readonly<Record<string, string>>;
}

/** A number of the configuration: absent or 0 is the default, -1 turns off what it bounds. */
const setting = (value: unknown, usual: number): number => value === -1 ? 0 : (value as number) || usual;

/** See the top of the file. */
export function imagePolicyWebhook(ctx: PluginContext): Plugin {
  const { product, hooks: deps } = ctx;
  const config = (ctx.config?.["imagePolicy"] ?? {}) as JsonMap;
  const file = config["kubeConfigFile"];
  if (typeof file !== "string" || file === "") {
    throw new Error(
      "ImagePolicyWebhook: needs imagePolicy.kubeConfigFile in the file of --admission-control-config-file",
    );
  }
  const post = deps.post(file), kept = new Map<string, { at: number; status: Status }>();
  const seconds = { allow: setting(config["allowTTL"], ALLOW_S), deny: setting(config["denyTTL"], DENY_S) };
  const retry = { ...RETRY, firstWait: setting(config["retryBackoff"], BACKOFF_MS) };
  const own = product.local("image-policy.k8s.io"), prefix = `imagepolicywebhook.${own}/`;
  const typed = { apiVersion: product.local("imagepolicy.k8s.io/v1alpha1"), kind: "ImageReview" } as const;

  const ttlOf = ({ allowed }: Status): number => (allowed ? seconds.allow : seconds.deny) * 1000;
  const keep = (key: string, status: Status): void => {
    if (ttlOf(status) <= 0 || key.length > MAX_KEY) return;
    kept.delete(key);
    kept.set(key, { at: ctx.now(), status });
    if (kept.size > MAX_ENTRIES) kept.delete(kept.keys().next().value!);
  };

  const statusOf = async (spec: JsonMap, a: Attributes): Promise<Status> => {
    const key = JSON.stringify(spec), known = kept.get(key), age = known ? ctx.now() - known.at : -1;
    // A clock that was put back keeps nothing.
    if (known && age >= 0 && age < ttlOf(known.status)) return known.status;
    const review = await callWebhook(post, { ...typed, spec }, retry, a);
    const status = (review["status"] ?? {}) as Status;
    keep(key, status);
    return status;
  };

  return {
    name: "ImagePolicyWebhook",
    handles: on(["CREATE", "UPDATE"], ["pods"], ["", EPHEMERAL]),
    async validate(a) {
      let status: Status;
      try {
        status = await statusOf(specOf(a, `.${own}/`), a);
      } catch (e) {
        if (config["defaultAllow"] !== true) throw refusal(a, (e as Error).message);
        a.annotate(`${prefix}failed-open`, "true");
        const { metadata } = a.object!;
        metadata.annotations = {
          ...metadata.annotations,
          [product.local("alpha.image-policy.k8s.io/failed-open")]: "true",
        };
        return;
      }
      for (const [key, value] of Object.entries(status.auditAnnotations ?? {})) a.annotate(prefix + key, value);
      if (status.allowed) return;
      const why = status.reason;
      throw refusal(
        a,
        why ? `the image policy webhook refused images: ${why}` : "the image policy webhook refused images",
      );
    },
  };
}

/** What is asked: images, and those annotations of the pod that are meant for the webhook. */
function specOf(a: Attributes, mark: string): JsonMap {
  const pod = a.object!, spec: Tree = pod["spec"] ?? {};
  const lists = a.subresource === EPHEMERAL ? ["ephemeralContainers"] : ["containers", "initContainers"];
  const containers = lists.flatMap((l) => items(spec[l])).map((c) => c["image"] ? { image: c["image"] } : {});
  const annotations = Object.entries(pod.metadata.annotations ?? {}).filter(([key]) => key.includes(mark));
  return {
    ...(containers.length ? { containers } : {}),
    ...(annotations.length ? { annotations: Object.fromEntries(annotations) } : {}),
    ...(a.namespace ? { namespace: a.namespace } : {}),
  };
}
