/** Versions of the drivers' interface. */

/** Its numbers, the weightiest first. */
export type Version = readonly number[];

const VERSION = /^\s*v?(\d{1,9}(?:\.\d{1,9})+)/;

/** Whether one comes before another. */
export function isBelow(a: Version, b: Version): boolean {
  for (let i = 0; i < Math.max(a.length, b.length); i++) {
    const difference = (a[i] ?? 0) - (b[i] ?? 0);
    if (difference !== 0) return difference < 0;
  }
  return false;
}

/** The highest of those that begin with 1, which all go together; undefined: there is none. */
export function highest(versions: readonly string[]): Version | undefined {
  let found: Version | undefined;
  for (const text of versions) {
    const version = VERSION.exec(text)?.[1]?.split(".").map(Number);
    if (version?.[0] === 1 && (!found || isBelow(found, version))) found = version;
  }
  return found;
}
