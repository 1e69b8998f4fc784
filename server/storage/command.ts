/** `store verify|compact|backup|restore|examine|export|import`: what an operator does to a store beside serving it. */
import { backup, examine, restore } from "./archive.ts";
import type { Backend } from "./backend.ts";
import { verifyDenoKv } from "./denokv/verify.ts";
import { DenoKvBackend } from "./denokv/open.ts";
import { chunks, intoFile } from "./files.ts";
import { exportTo, importFrom } from "./objects/command.ts";
import type { Options } from "../options/mod.ts";

/** What a command works on. */
export interface StoreContext {
  /** Opens the store that the options name. */
  readonly open: () => Promise<Backend>;
  /** The file or URL of the store on Deno KV; undefined for other backends. */
  readonly path: string | undefined;
  /** The archive's file. */
  readonly file: string | undefined;
  /** The server's: how objects are written (dialect, prefix, encoding, encryption). */
  readonly options: Options;
  readonly print: (line: string) => void;
}

/** Facts about a store that go with its objects. */
const FACTS = ["dialect"];

interface Command {
  readonly help: string;
  /** @returns the exit code */
  run(context: StoreContext): Promise<number>;
}

/** All commands, by name. */
export const STORE_COMMANDS: Readonly<Record<string, Command>> = {
  verify: {
    help: "read every byte of the store on Deno KV and say what is damaged; the store may be in use",
    async run({ path, print }) {
      if (path === undefined) return usage(print, "verify: only stores on Deno KV can be verified");
      const { problems, logs, records, bytes } = await verifyDenoKv(path);
      for (const problem of problems) print(problem);
      print(`${records} records in ${logs} log values, ${bytes} bytes: ${problems.length} problems`);
      return problems.length > 0 ? 1 : 0;
    },
  },
  compact: {
    help: "forget history and give space back",
    run: (context) =>
      using(context, async (backend, print) => {
        const revision = await backend.revision();
        const before = await backend.size();
        await backend.compact(revision);
        if (backend instanceof DenoKvBackend) await backend.settled();
        print(`compacted to revision ${revision}; ${before} bytes before, ${await backend.size()} now`);
      }),
  },
  backup: {
    help: "write all that stands to a file, of one revision; the store may be in use",
    async run(context) {
      const { file, print } = context;
      if (file === undefined) return usage(print, "backup: name the file to be written");
      return await using(context, async (backend) => {
        const { objects, revision } = await intoFile(file, (write) => backup(backend, FACTS, write));
        print(`${objects} objects of revision ${revision} are in ${file}`);
      });
    },
  },
  restore: {
    help: "put a backup into an empty store of any backend",
    async run(context) {
      const { file, print } = context;
      if (file === undefined) return usage(print, "restore: name the file to be read");
      return await using(context, async (backend) => {
        const { objects } = await restore(backend, () => chunks(file));
        print(`${objects} objects are in the store`);
      });
    },
  },
  examine: {
    help: "read a backup through and say whether it is whole",
    async run({ file, print }) {
      if (file === undefined) return usage(print, "examine: name the file to be read");
      const { objects, revision } = await examine(chunks(file));
      print(`${objects} objects of revision ${revision}, all whole`);
      return 0;
    },
  },
  export: {
    help: "write all objects to a file of JSON lines, decrypted, of one revision; the store may be in use",
    async run(context) {
      const { file, print, options } = context;
      if (file === undefined) return usage(print, "export: name the file to be written");
      return await using(context, async (backend) => {
        const { objects, keys, revision } = await exportTo(file, backend, options);
        print(`${objects} objects and ${keys} other keys of revision ${revision} are in ${file}`);
      });
    },
  },
  import: {
    help: "put such a file, or all objects of the running server that a kubeconfig names, into an empty store",
    async run(context) {
      const { file, print, options } = context;
      if (file === undefined) return usage(print, "import: name the file of objects, or a kubeconfig");
      return await using(context, (backend) => importFrom(file, backend, options, print));
    },
  },
};

function usage(print: StoreContext["print"], text: string): number {
  print(text);
  return 2;
}

async function using(
  { open, print }: StoreContext,
  work: (backend: Backend, print: StoreContext["print"]) => Promise<void>,
): Promise<number> {
  const backend = await open();
  try {
    await work(backend, print);
    return 0;
  } finally {
    await backend.close();
  }
}
