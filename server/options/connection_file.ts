/** Connection files that options name: of webhooks, of another server. */
import { fits } from "../../pki/pair.ts";
import { type Connection, connectionOf, type FileContext } from "../../schema/connection.ts";
import { current } from "./current.ts";
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

/**
 * The same, with what is in the files that it names as it is when asked for, or up to a minute before: certificates and tokens are
 * renewed. The file itself is read once. `now` in ms.
 * @throws Error as {@linkcode readConnectionFile}, at first
 */
export function currentConnection(option: string, path: string, now: () => number): () => Connection {
  const text = readText(option, path), at = fileContext(option, path);
  return current(connectionOf(text, at), () => inStep(connectionOf(text, at)), now);
}

/** @throws Error for a certificate that has been replaced while its key has not */
export function inStep<T extends Pick<Connection, "cert" | "key">>(shown: T): T {
  const { cert, key } = shown;
  if (cert && key && !fits({ cert, key })) throw new Error("the key is not that of the certificate");
  return shown;
}
