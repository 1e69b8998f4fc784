/** Tokens by which a server shows itself to one of a configuration's webhooks (gate APIServerWebhookAuthenticationToken). */
import type { Obj } from "../../../schema/model/types.ts";
import { items, type Tree } from "../../../schema/rules/tree.ts";
import { badRequest, StatusError } from "../../../schema/status.ts";
import { accountGroups, accountUser } from "../../authentication/service_account.ts";
import { forbiddenError } from "../../authorization/forbidden.ts";
import type { AuthorizationAttributes } from "../../authorization/types.ts";
import type { Call } from "../../endpoints/api.ts";

const GATE = "APIServerWebhookAuthenticationToken";
const GROUPS = "admissionReviewAPIGroups";
/** Such a token lives no longer, seconds. */
export const WEBHOOK_TOKEN_SECONDS = 600;

/** Kinds of configurations, and their resources. */
const RESOURCES: Readonly<Record<string, string>> = {
  ValidatingWebhookConfiguration: "validatingwebhookconfigurations.admissionregistration.k8s.io",
  MutatingWebhookConfiguration: "mutatingwebhookconfigurations.admissionregistration.k8s.io",
};

/** Whether a reference names a configuration of webhooks. */
export function namesWebhooks(call: Call, ref: { readonly kind?: string; readonly apiVersion?: string }): boolean {
  const group = call.api.scheme.product.local("admissionregistration.k8s.io");
  return Object.hasOwn(RESOURCES, ref.kind ?? "") && ref.apiVersion === `${group}/v1`;
}

/**
 * The configuration that a token is to be bound to: one whose webhook has the token's audience and rules for the group that
 * it attests, which its account must be allowed to attest. `spec` has been validated.
 * @throws StatusError 400, 403
 */
export async function webhooksOf(
  call: Call,
  spec: Tree,
  account: Obj,
  apiAudiences: readonly string[],
): Promise<Obj> {
  const { kind, apiVersion, name } = spec["boundObjectRef"] as Record<string, string>;
  if (!call.api.rules.gate(GATE)) {
    throw badRequest(`cannot bind token to object of type ${apiVersion} ${kind} (feature gate ${GATE} is disabled)`);
  }
  const audience: string = spec["audiences"][0], group: string = spec["attestations"][GROUPS][0];
  if (apiAudiences.includes(audience)) throw badRequest("audiences of the API server are not for tokens for webhooks");
  await mayAttest(call, account, group);
  const store = call.api.store(call.api.catalog.resource(RESOURCES[kind!]!)!);
  await store.fresh(call.caller);
  const configuration = name ? store.cache.get("", name)?.peek() : undefined;
  const deleted = Date.parse(configuration?.metadata.deletionTimestamp ?? "") < call.api.rules.now();
  const fits = (hook: Tree) => hasRulesFor(hook, group) && audienceOf(hook["clientConfig"] ?? {}) === audience;
  if (!configuration || deleted || (group !== "*" && !items<Tree>(configuration["webhooks"]).some(fits))) {
    const [resource, who] = ["serviceaccounts/token", account.metadata.name!];
    throw new StatusError(403, "Forbidden", `${resource} "${who}" is forbidden: token request denied`, {
      name: who,
      kind: resource,
    });
  }
  return configuration;
}

/** @throws StatusError 403 */
async function mayAttest(call: Call, { metadata }: Obj, group: string): Promise<void> {
  const { namespace, name, uid } = metadata;
  const attributes: AuthorizationAttributes = {
    user: { name: accountUser(namespace!, name!), uid: uid!, groups: accountGroups(namespace!) },
    verb: "attest",
    isResource: true,
    group: call.api.scheme.product.local("authentication.k8s.io"),
    version: "*",
    resource: GROUPS,
    subresource: "",
    namespace: "",
    name: group,
    path: "",
  };
  const { decision, reason } = await call.api.authorizer.authorize(attributes, call.caller);
  if (decision !== "allow") throw forbiddenError(attributes, reason);
}

const hasRulesFor = (hook: Tree, group: string): boolean =>
  items<Tree>(hook["rules"]).some((r) => items<string>(r["apiGroups"]).some((g) => g === "*" || g === group));

/** Whom a token for a webhook is for: its URL as it stands, or that of its service. */
function audienceOf({ url, service }: Tree): string | undefined {
  if (url) return url;
  if (!service) return undefined;
  const path: string = service.path ?? "/";
  return `https://${service.name}.${service.namespace}.svc:${service.port ?? 443}${
    path.startsWith("/") ? "" : "/"
  }${path}`;
}
