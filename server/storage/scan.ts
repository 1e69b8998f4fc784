/** Reads all keys under a prefix, as of one revision: in one pass over the store where it can, else page by page. */
import type { Backend, Revision, Stored } from "./backend.ts";

const PAGE = 500;

/**
 * Gives each key once, in no order to count on; resolves to the revision of all of them: `at`, or the newest. It waits for a
 * promise of `take`. @param page keys read at once, where the store has no better way
 * @throws RevisionError when the store was compacted past it meanwhile: start again. StorageError
 */
export async function scanAll(
  backend: Backend,
  prefix: string,
  take: (items: readonly Stored[]) => void | Promise<void>,
  at?: Revision,
  page = PAGE,
): Promise<Revision> {
  if (backend.scan) return await backend.scan(prefix, take, at);
  let read = await backend.range(prefix, { limit: page, ...(at === undefined ? {} : { at }) });
  const { revision } = read;
  for (;;) {
    await take(read.items);
    const last = read.items.at(-1);
    if (!read.more || last === undefined) return revision;
    read = await backend.range(prefix, { limit: page, at: revision, after: last.key });
  }
}
