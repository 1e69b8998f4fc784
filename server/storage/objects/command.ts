/** `store export` and `store import` on files. */
import { hostname } from "node:os";
import { parse } from "yaml";
import type { MediaKind } from "../../../schema/codec/mod.ts";
import { readConnectionFile } from "../../options/connection_file.ts";
import type { Options } from "../../options/mod.ts";
import { openEncryption } from "../encryption/mod.ts";
import { type Aside, aside, chunks, intoFile } from "../files.ts";
import { mustBeEmpty } from "../filling.ts";
import type { Whole } from "../whole.ts";
import { exportObjects, type ExportReport } from "./export.ts";
import { importObjects, type ImportReport } from "./import.ts";
import { Places } from "./places.ts";
import { readRemote } from "./remote.ts";

type Print = (line: string) => void;

/** Writes the store's objects, decrypted as the options say, to a file. @throws Error */
export async function exportTo(file: string, whole: Whole, options: Options): Promise<ExportReport> {
  return await plainly(whole, options, (plain) => {
    const places = new Places(options.product, options.storePrefix);
    return intoFile(file, (write) => exportObjects(plain, places, write));
  });
}

/** Fills the store from a file of objects, or from the server that a kubeconfig names. @throws Error */
export async function importFrom(file: string, whole: Whole, options: Options, print: Print): Promise<void> {
  if (!(await isKubeconfig(file))) return told(await put(() => chunks(file), whole, options), print);
  // Before a long reading that would be for nothing.
  await mustBeEmpty(whole, "import");
  // Secrets in the clear: nothing of it is left where the command is broken off.
  await aside(async ({ write, read }) => {
    await fetchTo(write, file, options, print);
    told(await put(read, whole, options), print);
  });
}

function told({ objects, keys, revision }: ImportReport, print: Print): void {
  print(`${objects} objects and ${keys} other keys of revision ${revision} are in the store`);
}

async function fetchTo(write: Aside["write"], kubeconfig: string, options: Options, print: Print): Promise<void> {
  const connection = readConnectionFile("import", kubeconfig);
  const places = new Places(options.product, options.storePrefix);
  const { objects, revision, later, leftOut } = await readRemote(connection, places, write);
  print(`${objects} objects of version ${revision} were read from ${connection.server}`);
  for (const path of later) print(`${path} could not be read as of version ${revision}: its objects are newer`);
  for (const name of leftOut) print(`${name} is not known here: its objects were left out`);
}

async function put(read: Aside["read"], whole: Whole, options: Options): Promise<ImportReport> {
  return await plainly(whole, options, (plain) =>
    importObjects(plain, read, {
      places: new Places(options.product, options.storePrefix),
      atRest: mediaOf(options.storageMediaType),
      eventTtl: options.eventTtl,
      now: Date.now,
      random: (bytes) => crypto.getRandomValues(new Uint8Array(bytes)),
    }));
}

/** The store through the encryption that the options name. */
async function plainly<T>(whole: Whole, options: Options, work: (plain: Whole) => Promise<T>): Promise<T> {
  const encryption = await openEncryption(options, { serverId: hostname(), now: Date.now, log: () => {} });
  try {
    return await work(encryption ? whole.over((backend) => encryption.over(backend)) : whole);
  } finally {
    encryption?.close();
  }
}

const mediaOf = (type: string): MediaKind =>
  type.endsWith("json") ? "json" : type.endsWith("yaml") ? "yaml" : "protobuf";

/** Longest kubeconfig, bytes. */
const SMALL = 1 << 20;

async function isKubeconfig(file: string): Promise<boolean> {
  if ((await Deno.stat(file)).size > SMALL) return false;
  try {
    const { kind } = parse(await Deno.readTextFile(file)) as { kind?: unknown };
    return kind === "Config";
  } catch {
    return false;
  }
}
