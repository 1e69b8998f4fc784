/** Faults that name the option they come from. */

/** What a reader gives; what is wrong is told with the option in front, in one line. @throws Error that names the option */
export function named<T>(option: string, read: () => T): T {
  try {
    return read();
  } catch (e) {
    const why = (e instanceof Error ? e.message : String(e)).split("\n\n")[0]!.trimEnd().replace(/:$/, "");
    throw why.startsWith("--") ? e : new Error(`--${option}: ${why}`, { cause: e });
  }
}
