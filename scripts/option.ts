/** Options of scripts, as `--name=value`. */

/** The text of an option, or what holds without it. */
export function textOption(name: string, otherwise: string): string {
  return Deno.args.find((arg) => arg.startsWith(`--${name}=`))?.slice(name.length + 3) ?? otherwise;
}

/** The number of an option, or what holds without it. @throws Error for a text that is no number */
export function numberOption(name: string, otherwise: number): number {
  const text = textOption(name, String(otherwise)), number = Number(text);
  if (Number.isNaN(number)) throw new Error(`--${name}: ${JSON.stringify(text)} is no number`);
  return number;
}
