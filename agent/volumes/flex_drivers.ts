/** Drivers of volumes that are programs of the host (FlexVolume): `<directory>/<vendor>~<driver>/<driver>`. */
import { stat } from "node:fs/promises";
import { join } from "node:path";
import { orAbsent } from "../files.ts";
import { type CommandError, run } from "./command.ts";
import { entryName } from "./paths.ts";

/** What a driver says that it can do. */
export interface FlexCapabilities {
  /** Its volumes are attached to the node before they are mounted. */
  readonly attach: boolean;
  /** Its files may be given to a group. */
  readonly fsGroup: boolean;
}

type Answer = Readonly<Record<string, unknown>>;

const ABLE: FlexCapabilities = { attach: true, fsGroup: true };
const SUCCESS = "Success", NOT_SUPPORTED = "Not supported";

/** Name of a driver's directory, below that of drivers and below a pod's volumes. @throws Error: it might lead elsewhere */
export function flexDirectory(driver: string): string {
  return driver.split("/").map(entryName).join("~");
}

/** A driver that was asked what it can do. */
class FlexDriver {
  constructor(readonly program: string, readonly can: FlexCapabilities) {}

  /** Whether the driver did it; it may not know the command. @throws Error in the public agent's words */
  async call(command: string, ...args: readonly string[]): Promise<boolean> {
    return await ask(this.program, command, args) !== undefined;
  }
}

/** See the top of the file. Each is looked for again whenever it is used, so that it may come and change at any time. */
export class FlexDrivers {
  constructor(readonly directory: string) {}

  /** Whether there is a program for it. @throws Error */
  async has(directory: string): Promise<boolean> {
    return await orAbsent(stat(this.#program(directory))) !== undefined;
  }

  /** @param directory see {@linkcode flexDirectory} @returns undefined: there is none @throws Error: it does not begin */
  async find(directory: string): Promise<FlexDriver | undefined> {
    const program = this.#program(directory);
    if (!await this.has(directory)) return undefined;
    try {
      const answer = await ask(program, "init", []);
      if (!answer) throw new Error(NOT_SUPPORTED);
      return new FlexDriver(program, { ...ABLE, ...members(answer["capabilities"]) });
    } catch (e) {
      throw new Error(
        `error creating Flexvolume plugin from directory ${directory}, skipping. Error: ${(e as Error).message}`,
      );
    }
  }

  #program(directory: string): string {
    return join(this.directory, directory, directory.slice(directory.lastIndexOf("~") + 1));
  }
}

/** Undefined: it does not know the command. */
async function ask(program: string, command: string, args: readonly string[]): Promise<Answer | undefined> {
  let fault: string | undefined;
  const output = await run(program, [command, ...args]).catch((e: CommandError) => {
    fault = e.message;
    if (e.status === undefined) throw new Error(fault);
    return e.output;
  });
  const answer = read(output), { status = "", message = "" } = answer;
  if (status === NOT_SUPPORTED) return undefined;
  if (status !== SUCCESS) throw new Error(`${command} command failed, status: ${status}, reason: ${message}`);
  if (fault !== undefined) throw new Error(fault);
  return answer;
}

function read(output: string): Answer {
  if (output.trim() === "") throw new Error("unexpected end of JSON input");
  try {
    return members(JSON.parse(output));
  } catch {
    throw new Error("the driver's output is no JSON");
  }
}

/** Members of an object, by the lower case of their names where that is how they are known. */
function members(value: unknown): Answer {
  const known = new Map(Object.keys(ABLE).map((name) => [name.toLowerCase(), name]));
  return Object.fromEntries(
    Object.entries(value ?? {}).map(([name, member]) => {
      const lower = name.toLowerCase();
      return [known.get(lower) ?? lower, member];
    }),
  );
}
