/** Figures in the Prometheus text format, for those with times of their own. */

/** One figure. */
export interface Sample {
  readonly labels?: Readonly<Record<string, string>>;
  readonly value: number;
  /** ms since 1970 */
  readonly at?: number;
}

/** Figures of one name. */
export interface Family {
  readonly name: string;
  readonly help: string;
  readonly type: "counter" | "gauge";
  readonly samples: readonly Sample[];
}

/** Media type of {@linkcode metricsText}. */
export const METRICS_TYPE = "text/plain; version=0.0.4; charset=utf-8; escaping=underscores";

/** The text; families without figures are left out. */
export function metricsText(families: readonly Family[]): string {
  return families.filter(({ samples }) => samples.length > 0).map(familyText).join("");
}

const familyText = ({ name, help, type, samples }: Family): string =>
  `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n${samples.map((s) => sampleText(name, s)).join("")}`;

function sampleText(name: string, { labels = {}, value, at }: Sample): string {
  const pairs = Object.entries(labels).map(([k, v]) => `${k}="${escaped(v)}"`).join(",");
  return `${name}${pairs ? `{${pairs}}` : ""} ${value}${at === undefined ? "" : ` ${Math.trunc(at)}`}\n`;
}

const ESCAPES: Readonly<Record<string, string>> = { "\\": "\\\\", '"': '\\"', "\n": "\\n" };
const escaped = (text: string): string => text.replace(/[\\"\n]/g, (c) => ESCAPES[c]!);
