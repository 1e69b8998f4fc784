/** The store on a Deno KV at a URL: on the runtime's own server for that, where one is installed (crate `denokv`). */
import { openDenoKv } from "../../server/storage/denokv/mod.ts";
import { freePort } from "../fixture/free_port.ts";
import { suite } from "./suite.ts";
import type { Site } from "./tools.ts";

const TOKEN = "a-token-of-tests";

if (await installed()) {
  Deno.env.set("DENO_KV_ACCESS_TOKEN", TOKEN);
  suite({ name: "denokv at a URL", dense: true, create });
} else Deno.test({ name: "denokv at a URL (no denokv binary on this machine)", ignore: true, fn() {} });

async function installed(): Promise<boolean> {
  try {
    return (await new Deno.Command("denokv", { args: ["--help"], stdout: "null", stderr: "null" }).output()).success;
  } catch {
    return false;
  }
}

/** A store on a server of its own. */
async function create(): Promise<Site> {
  const dir = await Deno.makeTempDir({ prefix: "denokv-" }), url = `http://127.0.0.1:${freePort()}`;
  const child = new Deno.Command("denokv", {
    args: [`--sqlite-path=${dir}/remote.db`, "serve", `--access-token=${TOKEN}`, `--addr=${new URL(url).host}`],
    stdout: "null",
    stderr: "null",
  }).spawn();
  await listening(url);
  let backend = await openDenoKv(url);
  return {
    get backend() {
      return backend;
    },
    async reopen() {
      await backend.close();
      return backend = await openDenoKv(url);
    },
    second: () => openDenoKv(url),
    async [Symbol.asyncDispose]() {
      await backend.close();
      child.kill("SIGKILL");
      await child.status;
      await Deno.remove(dir, { recursive: true });
    },
  };
}

async function listening(url: string): Promise<void> {
  for (let i = 0;; i++) {
    try {
      return await (await fetch(url)).body?.cancel();
    } catch (error) {
      if (i > 5_000) throw error;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }
}
