/** `store <command> [file] [options]`: the command line beside serving. Options are the server's own; those of the store count. */
import { parseOptions } from "../options/mod.ts";
import { STORE_COMMANDS } from "./command.ts";
import { storePlans } from "./open.ts";

/**
 * Runs one command.
 * @param args what follows `store`: the command, a file where the command takes one, then options
 * @returns the exit code: 0 done, 1 failed or damaged, 2 a command line that is wrong
 */
export async function storeCommand(args: readonly string[], print: (line: string) => void): Promise<number> {
  const [name = "", second] = args;
  const command = Object.hasOwn(STORE_COMMANDS, name) ? STORE_COMMANDS[name] : undefined;
  if (!command) return usage(print);
  const file = second === undefined || second.startsWith("-") ? undefined : second;
  if (command.fileless && file !== undefined) {
    print(
      `${name}: ${JSON.stringify(file)} is no option, and it takes no file: the store is named by the server's options`,
    );
    return 2;
  }
  const parsed = parseOptions(args.slice(file === undefined ? 1 : 2));
  if (parsed.kind === "print") return usage(print);
  if (parsed.kind === "errors") {
    for (const e of parsed.errors) print(`error: ${e}`);
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
    print(`error: ${e instanceof Error ? e.message : String(e)}`);
    return 1;
  }
}

function usage(print: (line: string) => void): number {
  print("usage: orch store <command> [file] [options of the server that name its store]");
  for (const [name, { help }] of Object.entries(STORE_COMMANDS)) print(`  ${name.padEnd(8)} ${help}`);
  return 2;
}
