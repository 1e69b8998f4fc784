/** `store verify|compact|backup|restore|examine|export|import`: what an operator does to a store beside serving it. */
import { backup, examine, restore } from "./archive.ts";
import { DenoKvBackend } from "./denokv/open.ts";
import { chunks, intoFile, mustNotBeOf } from "./files.ts";
import { exportTo, importFrom } from "./objects/command.ts";
import { Places } from "./objects/places.ts";
import { DIALECT, dialectFact } from "./facts.ts";
import { openAll, type Purpose, type StorePlan } from "./open.ts";
import type { Options } from "../options/mod.ts";
import { nodePortPrefix } from "../registry/core/service_holdings.ts";
import { verifyStore } from "./verify.ts";
import { type Part, Whole } from "./whole.ts";

/** What a command works on. */
export interface StoreContext {
  /** Every store that the options name, the main one first. */
  readonly stores: readonly StorePlan[];
  /** The archive's file. */
  readonly file: string | undefined;
  /** The server's: how objects are written (dialect, prefix, encoding, encryption). */
  readonly options: Options;
  readonly print: (line: string) => void;
}

/** The command line is wrong. */
export class WrongUsage extends Error {}

const GONE = "a store in memory is gone with its server";

interface Command {
  readonly help: string;
  /** It takes no file. */
  readonly fileless?: true;
  /** @returns the exit code */
  run(context: StoreContext): Promise<number>;
}

/** All commands, by name. */
export const STORE_COMMANDS: Readonly<Record<string, Command>> = {
  verify: {
    help: "read everything in the stores and say what is broken (every byte on Deno KV); they may be in use",
    fileless: true,
    async run({ stores, options, print }) {
      if (options.backend === "memory") throw new WrongUsage(GONE);
      let broken = false;
      for (const plan of stores) {
        const { problems, read } = await verifyStore(plan, options).catch((e) => ({
          problems: [e instanceof Error ? e.message : String(e)],
          read: "nothing",
        }));
        broken ||= problems.length > 0;
        for (const problem of problems) print(`${plan.name}: ${problem}`);
        print(`${plan.name}: ${read}: ${problems.length} problem${problems.length === 1 ? "" : "s"}`);
      }
      return broken ? 1 : 0;
    },
  },
  compact: {
    help: "forget history and give space back",
    fileless: true,
    run: (context) =>
      usingWhatIs("compact", context, async (whole, print) => {
        for (const { name, backend } of whole.parts) {
          const revision = await backend.revision();
          const before = await backend.size();
          await backend.compact(revision);
          if (backend instanceof DenoKvBackend) await backend.settled();
          print(`${name}: compacted to revision ${revision}; ${before} bytes before, ${await backend.size()} now`);
        }
      }),
  },
  backup: {
    help: "write all that stands to one file, each store of one revision; they may be in use",
    async run(context) {
      const { file, print, options } = context;
      if (file === undefined) throw new WrongUsage("backup: name the file to be written");
      return await saving("backup", file, context, async (whole) => {
        const facts = new Map([[DIALECT, dialectFact(options.product)]]);
        const { objects, revision, strays } = await intoFile(file, (write) => backup(whole, facts, write));
        print(`${objects} objects of revision ${revision} are in ${file}`);
        tellStrays(strays, print);
      });
    },
  },
  restore: {
    help: "put a backup into empty stores of any backend",
    async run(context) {
      const { file, print, options } = context;
      if (file === undefined) throw new WrongUsage("restore: name the file to be read");
      return await filling(context, async (whole) => {
        const { objects } = await restore(whole, () => chunks(file), options.storePrefix);
        print(`${objects} objects are in ${whole.parts.length > 1 ? `${whole.parts.length} stores` : "the store"}`);
      });
    },
  },
  examine: {
    help: "read a backup through and say whether it is whole",
    async run({ file, print }) {
      if (file === undefined) throw new WrongUsage("examine: name the file to be read");
      const { objects, revision } = await examine(chunks(file));
      print(`${objects} objects of revision ${revision}, all whole`);
      return 0;
    },
  },
  export: {
    help: "write all objects to a file of JSON lines, decrypted, each store of one revision; they may be in use",
    async run(context) {
      const { file, print, options } = context;
      if (file === undefined) throw new WrongUsage("export: name the file to be written");
      return await saving("export", file, context, async (whole) => {
        const { objects, keys, revision, strays } = await exportTo(file, whole, options);
        print(`${objects} objects and ${keys} other keys of revision ${revision} are in ${file}`);
        tellStrays(strays, print);
      });
    },
  },
  import: {
    help: "put such a file, or all objects of the running server that a kubeconfig names, into empty stores",
    async run(context) {
      const { file, print, options } = context;
      if (file === undefined) throw new WrongUsage("import: name the file of objects, or a kubeconfig");
      return await filling(context, (whole) => importFrom(file, whole, options, print));
    },
  },
};

function tellStrays(strays: ReadonlyMap<Part, number>, print: StoreContext["print"]): void {
  for (const [{ name }, keys] of strays) {
    print(`${name}: ${keys} keys of resources that are served from another store were left out`);
  }
}

type Work = (whole: Whole, print: StoreContext["print"]) => Promise<void>;

/** Of stores that are there: one that would be made for a path or prefix that is mistyped is an empty backup. */
const usingWhatIs = (doing: string, context: StoreContext, work: Work): Promise<number> =>
  using({ kind: "look", doing }, context, work);

/** {@linkcode usingWhatIs}, for what is written to a file. */
async function saving(doing: string, file: string, context: StoreContext, work: Work): Promise<number> {
  for (const { path } of context.stores) if (path !== undefined) await mustNotBeOf(path, file);
  return await usingWhatIs(doing, context, work);
}

const filling = (context: StoreContext, work: Work): Promise<number> => using({ kind: "fill" }, context, work);

async function using(purpose: Purpose, { stores, options, print }: StoreContext, work: Work): Promise<number> {
  if (options.backend === "memory") throw new WrongUsage(GONE);
  const whole = await wholeOf(stores, options, purpose);
  try {
    await work(whole, print);
    return 0;
  } finally {
    await whole.close();
  }
}

async function wholeOf(
  stores: readonly StorePlan[],
  { product, storePrefix }: Options,
  purpose: Purpose,
): Promise<Whole> {
  const backends = await openAll(stores, purpose);
  if (backends.length === 1) return Whole.of(backends[0]!);
  const { catalog } = new Places(product, storePrefix);
  const services = catalog.resource("services")!.prefix;
  const prefixes = stores.map(({ resources }) =>
    resources.map((id) => catalog.resource(id)!.prefix).flatMap((p) => p === services ? [p, nodePortPrefix(p)] : [p])
  );
  const within = (i: number) => (key: string) => prefixes[i]!.some((prefix) => key.startsWith(prefix));
  const others = stores.map((_, i) => within(i)).slice(1);
  return new Whole(stores.map(({ name }, i) => ({
    name,
    backend: backends[i]!,
    owns: i === 0 ? (key) => !others.some((has) => has(key)) : within(i),
  })));
}
