/** Reads all keys under a prefix, as of one revision: in one pass over the store where it can, else page by page. */
import type { Backend, Stored } from "../storage/backend.ts";

/**
 * Calls `take` for each key once, in no order to count on; resolves to the revision of all of them: `from`, or the newest.
 * @throws RevisionError when the store was compacted past it meanwhile: start again. StorageError
 */
export async function readAll(
  backend: Backend,
  prefix: string,
  pageSize: number,
  take: (stored: Stored) => void,
  from?: number,
): Promise<number> {
  if (backend.scan) return await backend.scan(prefix, (items) => items.forEach(take), from);
  let page = await backend.range(prefix, from === undefined ? { limit: pageSize } : { limit: pageSize, at: from });
  const at = page.revision;
  for (;;) {
    for (const stored of page.items) take(stored);
    const last = page.items.at(-1);
    if (!page.more || last === undefined) return at;
    page = await backend.range(prefix, { limit: pageSize, at, after: last.key });
  }
}
