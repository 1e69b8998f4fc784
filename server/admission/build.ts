/** The plugins of a server, from its options. */
import type { JsonMap } from "../../schema/model/types.ts";
import type { Product } from "../../schema/product.ts";
import type { Resource } from "../catalog/types.ts";
import type { Authorizer } from "../authorization/types.ts";
import { pause } from "../pause.ts";
import type { AdmissionCounts } from "./counts.ts";
import type { KindTools } from "./kinds.ts";
import { chosenPlugins, type PluginChoice } from "./names.ts";
import { PLUGINS } from "./table.ts";
import type { Reloading } from "../reloaded.ts";
import type { Lister, LiveStore, Plugin, PluginOptions } from "./types.ts";
import type { HookDeps } from "./webhooks/deps.ts";

/** The options that the plugins read. */
export interface AdmissionOptions extends PluginChoice, PluginOptions {
  readonly product: Product;
  readonly gates: { enabled(name: string): boolean };
}

/** What the plugins work with. */
export interface AdmissionDeps {
  readonly lister: Lister;
  readonly live: LiveStore;
  readonly authorizer: Authorizer;
  /** Configurations of plugins, by plugin. */
  readonly configs: ReadonlyMap<string, JsonMap>;
  /** Their manifests, by plugin. */
  readonly manifests?: ReadonlyMap<string, Reloading>;
  /** Resources that serve a kind, by `apiVersion` and kind. */
  resourcesOf(apiVersion: string, kind: string): readonly Resource[];
  readonly kinds: KindTools;
  readonly hooks: HookDeps;
  readonly counts: AdmissionCounts;
  now(): number;
  random(bytes: number): Uint8Array;
}

/** The chosen plugins in their order. @throws Error when a plugin's configuration is wrong */
export function buildAdmission(options: AdmissionOptions, deps: AdmissionDeps): Plugin[] {
  const chosen: readonly string[] = chosenPlugins(options);
  return PLUGINS.filter((row) => chosen.includes(row.name)).map((row) =>
    row.make({
      product: options.product,
      lister: deps.lister,
      live: deps.live,
      authorizer: deps.authorizer,
      gate: (name) => options.gates.enabled(name),
      now: deps.now,
      random: deps.random,
      resourcesOf: deps.resourcesOf,
      kinds: deps.kinds,
      sleep: (ms) => pause(ms),
      hooks: deps.hooks,
      counts: deps.counts,
      config: deps.configs.get(row.name),
      manifests: deps.manifests?.get(row.name),
      options,
    })
  );
}
