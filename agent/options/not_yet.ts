/** Options and fields whose effect is not built: they are refused when they are given, so that none is passed over in silence. */

/** Names of flags, and of fields of the configuration file that have none. What is built is taken out. */
export const NOT_YET: ReadonlySet<string> = new Set([
  "tracing",
]);
