/** Resource versions: decimal integers of any size, compared as text (specification, "Resource version rules"). */

/** Whether a version can be ordered: digits, the first not 0. */
export function isOrderedVersion(version: string): boolean {
  return /^[1-9][0-9]*$/.test(version);
}

/**
 * Order of two versions of one resource type: -1, 0 or 1. `undefined` when they differ and either is not a decimal number:
 * such can be told equal, not ordered.
 */
export function compareResourceVersions(a: string, b: string): -1 | 0 | 1 | undefined {
  if (a === b) return 0;
  if (!isOrderedVersion(a) || !isOrderedVersion(b)) return undefined;
  if (a.length !== b.length) return a.length < b.length ? -1 : 1;
  return a < b ? -1 : 1;
}
