/** Which resources are read past the watch cache (`--watch-cache`, `--watch-cache-sizes`). */

interface Named {
  /** Public name: `deployments.apps`. */
  readonly id: string;
  readonly group: string;
  readonly name: string;
}

/** A test of resources; rows are `resource[.group]#size`, the group in its public or served name. */
export function uncachedReads(cached: boolean, sizes: readonly string[]): (resource: Named) => boolean {
  const off = new Set(sizes.filter((row) => Number(row.split("#")[1]) === 0).map((row) => row.split("#")[0]!));
  return ({ id, group, name }) => !cached || off.has(id) || off.has(group === "" ? name : `${name}.${group}`);
}

/** What is wrong with a row; undefined when it can be read. */
export function sizeFault(row: string): string | undefined {
  return /^[a-z0-9-]+(\.[a-z0-9.-]+)?#\d+$/.test(row)
    ? undefined
    : `${JSON.stringify(row)} should be resource[.group]#size`;
}
