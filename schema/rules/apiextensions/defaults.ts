/** Defaults of custom resource definitions. */
import { fill, part } from "../checks/fill.ts";
import type { DefaultsTable } from "../tables.ts";
import { isSet, items, type Tree } from "../tree.ts";

/** Rows of the group. */
export const DEFAULTS: DefaultsTable = {
  "v1/CustomResourceDefinition": (d: Tree) => {
    const spec = part(d, "spec"), names = part(spec, "names");
    if (!names["singular"]) names["singular"] = String(names["kind"] ?? "").toLowerCase();
    if (!names["listKind"] && names["kind"]) names["listKind"] = `${names["kind"]}List`;
    if (!isSet(spec["conversion"])) spec["conversion"] = { strategy: "None" };
    const webhook = spec["conversion"].webhook;
    if (webhook && !webhook.clientConfig && !items(webhook.conversionReviewVersions).length) {
      delete spec["conversion"].webhook;
    }
    const service = webhook?.clientConfig?.service;
    if (service) fill(service, { port: 443 });
    const stored = items(spec["versions"]).filter((v) => v["storage"]).map((v) => v["name"]);
    const status = part(d, "status");
    if (!items(status["storedVersions"]).length && stored.length) status["storedVersions"] = stored;
  },
};
