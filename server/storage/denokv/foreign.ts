/** Whether a file is somebody else's database: opening it as a store would make tables in it. */
import { pathToFileURL } from "node:url";
import { StorageError } from "../backend.ts";
import { FAR } from "./kv.ts";

/** A table that is in every database of Deno KV. */
const OURS = "migration_state";

/** Looks, and leaves nothing behind. @throws StorageError `format` for a file of SQLite that Deno KV has not made */
export async function refuseForeign(path: string): Promise<void> {
  if (path === ":memory:" || FAR.test(path)) return;
  const tables = await tablesOf(path);
  if (tables.length === 0 || tables.includes(OURS)) return;
  throw new StorageError("format", `${path} is a database of something else: it holds the table ${tables[0]}`);
}

/** None of a file that is not there, is empty or is no database: what comes next tells that. */
async function tablesOf(path: string): Promise<string[]> {
  const size = await Deno.stat(path).then((info) => info.size, () => 0);
  if (size === 0) return [];
  const { DatabaseSync } = await import("node:sqlite");
  const url = pathToFileURL(path);
  // Without locks, and without files beside it: what is in use is looked at as it lies there.
  url.search = "?immutable=1";
  try {
    const database = new DatabaseSync(url, { readOnly: true });
    try {
      const rows = database.prepare("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name").all();
      return rows.map(({ name }) => String(name));
    } finally {
      database.close();
    }
  } catch {
    return [];
  }
}
