/** `store <command> [file] [options]`: the command line beside serving. Options are the server's own; those of the store count. */
import { parseOptions } from "../options/mod.ts";
import { STORE_COMMANDS, WrongUsage } from "./command.ts";
import { storePlans } from "./open.ts";

type Say = (line: string) => void;

/**
 * Runs one command.
 * @param args what follows `store`: the command, a file where the command takes one, then options
 * @param print hears what it is for, `complain` why it was not done
 * @returns the exit code: 0 done, or help that was asked for, 1 failed or damaged, 2 a command line that is wrong
 */
export async function storeCommand(args: readonly string[], print: Say, complain: Say): Promise<number> {
  const [name = "", second] = args;
  if (name === "--help" || name === "-h") return usage(print, 0);
  const command = Object.hasOwn(STORE_COMMANDS, name) ? STORE_COMMANDS[name] : undefined;
  if (!command) {
    if (name !== "") complain(`error: store has no command ${JSON.stringify(name)}`);
    return usage(complain, 2);
  }
  const file = second === undefined || second.startsWith("-") ? undefined : second;
  if (command.fileless && file !== undefined) {
    complain(
      `${name}: ${JSON.stringify(file)} is no option, and it takes no file: the store is named by the server's options`,
    );
    return 2;
  }
  const parsed = parseOptions(args.slice(file === undefined ? 1 : 2));
  if (parsed.kind === "print") return usage(print, 0);
  if (parsed.kind === "errors") {
    for (const e of parsed.errors) complain(`error: ${e}`);
    return 2;
  }
  const { options } = parsed;
  try {
    return await command.run({
      stores: storePlans(options),
      file,
      options,
      print,
    });
  } catch (e) {
    if (e instanceof WrongUsage) {
      complain(e.message);
      return 2;
    }
    complain(`error: ${e instanceof Error ? e.message : String(e)}`);
    return 1;
  }
}

function usage(say: Say, code: number): number {
  say("usage: orch store <command> [file] [options of the server that name its store]");
  for (const [name, { help }] of Object.entries(STORE_COMMANDS)) say(`  ${name.padEnd(8)} ${help}`);
  return code;
}
