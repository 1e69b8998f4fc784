/** Connection files that options name: of webhooks, of another server. */
import { type Connection, connectionOf, type FileContext } from "../../schema/connection.ts";
import { readText } from "./files.ts";

/** A connection file by its option and path. */
export const fileContext = (option: string, path: string): FileContext => ({
  path,
  read: (named) => readText(option, named),
  fault: (why) => new Error(`--${option}: ${JSON.stringify(path)}: ${why}`),
});

/**
 * Reads the file that an option names, and the files that it names.
 * @throws Error that names the option and what is wrong
 */
export function readConnectionFile(option: string, path: string): Connection {
  return connectionOf(readText(option, path), fileContext(option, path));
}
