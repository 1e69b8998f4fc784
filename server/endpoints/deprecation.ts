/** Warnings of what is on its way out. */
import type { Kind } from "../../schema/model/types.ts";
import { minorOf } from "../catalog/emulation.ts";
import type { ServedResource } from "../catalog/types.ts";
import { namesAny } from "../negotiation/accept.ts";
import type { RequestScope } from "../request.ts";
import type { Api } from "./api.ts";
import { namesPatch } from "./patch_types.ts";

interface Deprecation {
  readonly since: string;
  readonly removed?: string | undefined;
  readonly use?: string;
}

/** Kinds that are on their way out without their version being so. */
const DEPRECATED: Readonly<Record<string, Deprecation>> = {
  "componentstatuses": { since: "1.19" },
  "endpoints": { since: "1.33", use: "discovery.k8s.io/v1 EndpointSlice" },
};

/** Adds a warning when what is asked for is on its way out, tells of it in the metrics, and notes it in the audit log. */
export function deprecation(api: Api, scope: RequestScope, served: ServedResource): void {
  const { kind, resource } = served;
  if (kind.custom?.deprecation) {
    scope.warnings.add(kind.custom.deprecation);
    scope.tally?.deprecated(scope, served, "");
    scope.audit?.note(api.scheme.product.local("k8s.io/deprecated"), "true");
  }
  const found = DEPRECATED[resource.id] ?? ofVersion(kind);
  if (!found || minorOf(found.since, 0) > api.catalog.minor) return;
  const { headers, info } = scope;
  if (!namesAny(headers.get("accept"), api.media(resource))) return;
  if (info.verb === "patch" && !namesPatch(api, scope)) return;
  scope.tally?.deprecated(scope, served, found.removed ?? "");
  const { local } = api.scheme.product;
  scope.audit?.note(local("k8s.io/deprecated"), "true");
  if (found.removed) scope.audit?.note(local("k8s.io/removed-release"), found.removed);
  const removed = found.removed ? `, unavailable in v${found.removed}+` : "";
  const use = found.use ? `; use ${local(found.use)}` : "";
  scope.warnings.add(`${kind.apiVersion} ${kind.kind} is deprecated in v${found.since}+${removed}${use}`);
}

function ofVersion(kind: Kind): Deprecation | undefined {
  if (!kind.deprecated) return undefined;
  const { replacement: r } = kind;
  const use = r && `${r.group ? `${r.group}/` : ""}${r.version} ${r.kind}`;
  return { since: kind.deprecated, removed: kind.removed, ...(use ? { use } : {}) };
}
