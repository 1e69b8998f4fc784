/** The text of a file that may be replaced while the server runs. */
import { currentSoon } from "./current.ts";
import { optionalText } from "./files.ts";

/** The text of a file that is named, if it can be read as what it should be. @throws Error that names the option and the file */
export function soundText(option: string, path: string, read: (text: string) => unknown): string | undefined {
  const text = optionalText(option, path);
  try {
    if (text !== undefined) read(text);
    return text;
  } catch (cause) {
    throw new Error(`--${option}: cannot use "${path}": ${cause instanceof Error ? cause.message : cause}`, { cause });
  }
}

/**
 * The text in a file that is named, as it is when asked for, or up to a second before. What cannot be read as what it should be changes
 * nothing, and `failed` hears of it once. `now` in ms.
 * @throws Error that names the option and the file, which cannot be used at first
 */
export function currentText(
  option: string,
  path: string,
  read: (text: string) => unknown,
  now: () => number,
  failed?: (error: unknown) => void,
): (() => string) | undefined {
  const first = soundText(option, path, read);
  if (first === undefined) return undefined;
  return currentSoon(first, (text) => soundText(option, path, (other) => other === text || read(other))!, now, failed);
}
