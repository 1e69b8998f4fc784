/** Texts as the public agent writes them. */
import { quote } from "../../schema/values/quote.ts";

/** `key="value"` lines, by key; what cannot be printed is escaped. */
export function mapLines(map: Readonly<Record<string, string>> | undefined): string {
  return Object.keys(map ?? {}).sort().map((key) => `${key}=${quote(map![key]!)}`).join("\n");
}
