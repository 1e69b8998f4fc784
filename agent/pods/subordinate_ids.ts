/** Which numbers of the host's users pods may have. */
import { readFile } from "node:fs/promises";
import type { RunCommand } from "../volumes/command.ts";
import type { IdRange } from "./user_ranges.ts";

const ALL = 2 ** 32;
const COMMAND = "getsubids";

/**
 * Those that the host has set apart for the agent's user; all from the first range on where there is no such user, or no command to ask.
 * @param passwd usually /etc/passwd @throws Error: what is set apart cannot be read, or is not the same for groups
 */
export async function subordinateIds(
  user: string,
  idsPerPod: number,
  run: RunCommand,
  passwd = "/etc/passwd",
): Promise<IdRange> {
  const all = { first: idsPerPod, length: ALL - idsPerPod };
  const users = await readFile(passwd, "utf8").catch(() => "");
  if (!users.split("\n").some((line) => line.startsWith(`${user}:`))) return all;
  let uids: string;
  try {
    uids = await run(COMMAND, [user]);
  } catch (e) {
    if ((e as Error).message.includes("ENOENT")) return all;
    throw new Error(`error retrieving additional uids for user "${user}": ${(e as Error).message}`, { cause: e });
  }
  const gids = await run(COMMAND, ["-g", user]).catch((e) => {
    throw new Error(`error retrieving additional gids for user "${user}"`, { cause: e });
  });
  if (uids !== gids) throw new Error(`mismatched subuids and subgids for user "${user}"`);
  return parseRange(uids);
}

/** One line: `0: name 65536 7208960`. */
function parseRange(text: string): IdRange {
  const lines = text.trim().split("\n");
  if (lines.length !== 1) throw new Error(`error parsing line ${JSON.stringify(text)}: it must contain only one line`);
  const words = lines[0]!.trim().split(/\s+/), [first, length] = words.slice(2).map(Number);
  if (words.length !== 4) throw new Error(`invalid line ${JSON.stringify(text)}`);
  const isId = (n: number | undefined): n is number => Number.isInteger(n) && n! >= 0 && n! < ALL;
  if (!isId(first) || !isId(length)) {
    throw new Error(`error parsing line ${JSON.stringify(text)}: numbers are expected`);
  }
  return { first, length };
}
