/** What is made of a configuration that may be replaced while the server runs. */

/** A configuration's text, and who hears what became of another one. */
export interface Reloading {
  /** As it is when asked for, or was a little before. */
  text(): string;
  /** Another text was taken into use, or, with an error, refused. */
  told?(text: string, error?: Error): void;
}

/**
 * What is made of the text as it is now; made again where it is another. One that nothing can be made of is told once, and what was
 * there before stays.
 * @throws Error when nothing can be made of the first text
 */
export function reloaded<T>(source: Reloading, make: (text: string) => T): () => T {
  let seen = source.text(), made = make(seen);
  return () => {
    const text = source.text();
    if (text === seen) return made;
    seen = text;
    try {
      made = make(text);
      source.told?.(text);
    } catch (e) {
      source.told?.(text, e instanceof Error ? e : new Error(String(e)));
    }
    return made;
  };
}
