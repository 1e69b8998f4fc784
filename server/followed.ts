/** Configurations that may be replaced while the server runs: what becomes of another one is counted and told. */
import type { LogLine } from "../schema/log/log.ts";
import { ReloadMetrics, rowsTogether } from "./metrics/reloads.ts";
import type { ServerMetrics } from "./metrics/registry.ts";
import type { Reloading } from "./reloaded.ts";

/** What looks after configurations, every second: another one comes into use though nobody asks for it. */
export type Looks = (() => void)[];

/** A text that is followed. `what`: what the log calls one that is taken into use. */
export const followed = (
  what: string,
  text: () => string,
  counted: ReloadMetrics,
  { log, looks }: { readonly log: LogLine; readonly looks: Looks },
): Reloading => ({
  text,
  looks: (look) => void looks.push(look),
  told(given, error) {
    counted.told(given, error);
    if (error) log("error", `${error.message}: the configuration from before stays`);
    else log("info", `${what} is in use`);
  },
});

/** What a server is given of them, and who is told. */
export interface ManifestInputs {
  /** By plugin, as they are at the time. */
  readonly manifests?: ReadonlyMap<string, () => string>;
  readonly hostname: string;
  readonly log: LogLine;
  /** ms since the epoch */
  now(): number;
}

/** The manifests of plugins. */
export function followedManifests(
  { manifests = new Map(), hostname, log, now }: ManifestInputs,
  metrics: ServerMetrics,
  looks: Looks,
): ReadonlyMap<string, Reloading> {
  const all = [...manifests].map(([plugin, text]) => {
    const counted = new ReloadMetrics("manifest_admission", hostname, undefined, now, { plugin });
    return {
      plugin,
      counted,
      reloading: followed(`a folder of manifests of ${plugin}`, text, counted, { log, looks }),
    };
  });
  metrics.derived(rowsTogether(all.map(({ counted }) => counted)));
  return new Map(all.map(({ plugin, reloading }) => [plugin, reloading]));
}
