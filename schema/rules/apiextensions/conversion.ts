/** Rules of how objects of custom resources are converted. Causes stand at the older names of members. */
import { format } from "../checks/basic.ts";
import { dns1035Label } from "../checks/formats.ts";
import { clientConfig } from "../admissionregistration/webhooks.ts";
import type { ErrorList } from "../errors.ts";
import { Path } from "../path.ts";
import { count, items, repeats, type Tree } from "../tree.ts";

const CONVERSION = Path.of("spec", "conversion"), CLIENT = CONVERSION.child("webhookClientConfig");
const VERSIONS = CONVERSION.child("conversionReviewVersions"), STRATEGY = CONVERSION.child("strategy");
const STRATEGIES = ["None", "Webhook"], KNOWN = ["v1", "v1beta1"];

const versionsOf = (c: Tree | undefined): readonly string[] => items<string>(c?.["webhook"]?.conversionReviewVersions);

/** Whether the stored conversion knows none of the versions of reviews: then the new one need not either. */
const isOutdated = (c: Tree | undefined): boolean =>
  versionsOf(c).length > 0 && !versionsOf(c).some((v) => KNOWN.includes(v));

function reviewVersions(list: readonly string[], errors: ErrorList, outdated: boolean): void {
  if (!list.length) return errors.required(VERSIONS);
  const again = repeats(list);
  for (const [i, v] of list.entries()) {
    if (again.has(i)) errors.invalid(VERSIONS.index(i), v, "must not be there twice");
    else format(v, VERSIONS.index(i), errors, dns1035Label);
  }
  if (!outdated && !list.some((v) => KNOWN.includes(v))) {
    errors.invalid(VERSIONS, list, `must have one of ${KNOWN.join(", ")}`);
  }
}

/** Checks a conversion; `old`: the stored one. `isBundle` judges the webhook's authorities, where they matter already. */
export function conversion(
  c: Tree | undefined,
  preserve: boolean,
  old: Tree | undefined,
  errors: ErrorList,
  isBundle?: (base64: string) => boolean,
): void {
  if (!c) return;
  const strategy: string = c["strategy"] ?? "", client = c["webhook"]?.clientConfig;
  if (preserve && strategy !== "None") errors.invalid(STRATEGY, strategy, "must be None with preserveUnknownFields");
  if (!strategy) errors.required(STRATEGY);
  else if (!STRATEGIES.includes(strategy)) errors.notSupported(STRATEGY, strategy, STRATEGIES);
  if (strategy === "Webhook") {
    if (client) clientConfig(client, CLIENT, errors);
    else errors.required(CLIENT, "needed with strategy Webhook");
    const bundle: string = client?.caBundle ?? "";
    if (isBundle?.(bundle) === false) {
      errors.invalid(CLIENT.child("caBundle"), bundle, "must hold a certificate in PEM");
    }
    return reviewVersions(versionsOf(c), errors, isOutdated(old));
  }
  if (client) errors.forbidden(CLIENT, "must not be set unless the strategy is Webhook");
  if (count(versionsOf(c))) errors.forbidden(VERSIONS, "must not be set unless the strategy is Webhook");
}
