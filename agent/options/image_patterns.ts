/** What must hold of the images that need no credentials. */

const HOST_PART = "[a-zA-Z0-9](?:[a-zA-Z0-9-]*[a-zA-Z0-9])?";
const HOST = `(?:${HOST_PART}(?:\\.${HOST_PART})*|\\[[0-9a-fA-F:]+\\])(?::[0-9]+)?`;
const PART = "[a-z0-9]+(?:(?:\\.|__?|-+)[a-z0-9]+)*";
/** The name of an image without tag and digest. */
const NAME = new RegExp(`^(?:${HOST}/)?${PART}(?:/${PART})*$`);
/** All images below a registry or path. */
const BELOW = /^[^*\s/][^*]*\/\*$/;

/** Faults of the field `preloadedImagesVerificationAllowlist`: names, or what ends in `/*`. */
export const imagePatternFaults = (patterns: readonly string[]): string[] =>
  patterns.filter((p) => !NAME.test(p) && !BELOW.test(p)).map((p) =>
    `preloadedImagesVerificationAllowlist: ${JSON.stringify(p)} should be an image without tag and digest, ` +
    "or a registry or path followed by /*"
  );
