/** `--allow-metric-labels` and its manifest: the values that labels of metrics may take. */
import { parse } from "yaml";
import { type AllowedLabels, allowedLabels } from "../metrics/allowed_labels.ts";
import { optionalText } from "./files.ts";
import type { OptionValues } from "./table.ts";

const MANIFEST = "allow-metric-labels-manifest";

/** Reads them. @throws Error that names the option */
export function metricLabels(o: Pick<OptionValues, "allowMetricLabels" | "allowMetricLabelsManifest">): AllowedLabels {
  const text = optionalText(MANIFEST, o.allowMetricLabelsManifest);
  if (text === undefined) return allowedLabels(o.allowMetricLabels);
  try {
    return allowedLabels(mappingOf(text));
  } catch (e) {
    throw new Error(`--${MANIFEST}: ${(e as Error).message}`, { cause: e });
  }
}

/** A map of texts; other scalars are taken by their texts. @throws Error for anything else */
function mappingOf(text: string): Record<string, string> {
  const tree: unknown = parse(text, { schema: "failsafe", version: "1.1", prettyErrors: false });
  if (tree === null || tree === undefined || tree === "") return {};
  if (typeof tree !== "object" || Array.isArray(tree)) throw new Error("should be a map from metric,label to values");
  for (const [key, value] of Object.entries(tree)) {
    if (typeof value !== "string") throw new Error(`the values of ${JSON.stringify(key)} should be one text`);
  }
  return tree as Record<string, string>;
}
