/** What the plugins that call webhooks are given by a server. */
import type { RuleContext } from "../schema/rules/types.ts";
import type { Scheme } from "../schema/scheme.ts";
import { sharing } from "./admission/resources_of.ts";
import type { HookDeps } from "./admission/webhooks/deps.ts";
import type { HookTransport } from "./admission/webhooks/transport.ts";
import type { HookMetrics } from "./admission/webhooks/metrics.ts";
import type { Catalog } from "./catalog/catalog.ts";
import type { Outside } from "./security.ts";

/** Parts of a server. Connections end when `stop` aborts. */
export interface HookParts {
  readonly scheme: Scheme;
  readonly rules: RuleContext;
  readonly metrics: HookMetrics;
  readonly catalog: Catalog;
  readonly outside: Outside;
  /** `--proxy-client-cert-file`, `--proxy-client-key-file`. */
  readonly certFile: string;
  readonly keyFile: string;
  readonly stop: AbortSignal;
}

/** See the top of the file. */
export function hookDeps(parts: HookParts): HookDeps {
  const { scheme, rules, metrics, catalog, outside, stop, certFile, keyFile } = parts;
  return {
    scheme,
    rules,
    metrics,
    sharing: (resource) => sharing(catalog, resource),
    transport(connectionFile) {
      const transport = outside.hooks({ connectionFile, certFile, keyFile });
      stop.addEventListener("abort", () => transport.close(), { once: true });
      return transport;
    },
    post: (file) => outside.post("admission-control-config-file", file),
  };
}

/** Connections of webhooks that convert, with no credentials: opened at the first use, the same for all definitions. */
export function conversionTransport(deps: HookDeps): () => HookTransport {
  let opened: HookTransport | undefined;
  return () => opened ??= deps.transport("");
}
