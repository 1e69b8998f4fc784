/** The files by which a server and its etcd know each other, as operators name and replace them. */
import assert from "node:assert/strict";
import { parseOptions } from "../../server/options/mod.ts";
import { openStore } from "../../server/storage/open.ts";
import { withDirectory } from "../fixture/directory.ts";
import { certificates } from "./certificates.ts";
import { noEtcd, startEtcd } from "./etcd_server.ts";
import { bytes, put } from "./tools.ts";

const missing = await noEtcd();

/** Pairs of two clients in one directory, and the options of a server with files of it. */
async function withFiles(
  run: (options: (...files: [ca: string, cert: string, key: string]) => string[], dir: string) => Promise<void>,
  pki: Awaited<ReturnType<typeof certificates>>,
): Promise<void> {
  await withDirectory(async (dir) => {
    for (const n of [1, 2] as const) {
      const { cert, key } = pki.client(n);
      await Deno.writeFile(`${dir}/${n}.crt`, cert as Uint8Array);
      await Deno.writeFile(`${dir}/${n}.key`, key as Uint8Array);
    }
    await Deno.writeFile(`${dir}/ca.crt`, pki.ca);
    await Deno.writeTextFile(`${dir}/none.crt`, "none");
    await run((ca, cert, key) => [
      `--store-cafile=${dir}/${ca}`,
      `--store-certfile=${dir}/${cert}`,
      `--store-keyfile=${dir}/${key}`,
    ], dir);
  });
  await pki.remove();
}

async function open(...args: string[]) {
  const parsed = parseOptions(args);
  assert(parsed.kind === "run", JSON.stringify(parsed));
  return await openStore(parsed.options);
}

Deno.test("etcd: files that hold no certificate, or no pair, are refused by the names of their options", async () => {
  await withFiles(async (files) => {
    const nobody = "--store-servers=https://127.0.0.1:1";
    await assert.rejects(
      open(nobody, ...files("none.crt", "1.crt", "1.key")),
      /^Error: --store-cafile: cannot use ".*none.crt": /,
    );
    for (const [cert, key] of [["1.crt", "2.key"], ["none.crt", "1.key"], ["1.key", "1.crt"]] as const) {
      await assert.rejects(
        open(nobody, ...files("ca.crt", cert, key)),
        /^Error: --store-certfile and --store-keyfile: no certificate with its key in PEM$/,
      );
    }
  }, await certificates());
});

Deno.test({
  name: "etcd: a certificate that is replaced before its key leaves the old pair in use",
  ignore: missing !== undefined, // no etcd binary on this machine
  async fn() {
    const pki = await certificates();
    await using cluster = await startEtcd(1, pki.server);
    const { now } = performance;
    let minutes = 0;
    performance.now = () => now.call(performance) + minutes * 60_000;
    try {
      await withFiles(async (files, dir) => {
        // Without a scheme: the files say that it is TLS.
        const servers = `--store-servers=${new URL(cluster.endpoints[0]!).host}`, expect = 0;
        const backend = await open(servers, ...files("ca.crt", "1.crt", "1.key"));
        await put(backend, { key: "/registry/a", value: bytes("1"), expect });
        await Deno.copyFile(`${dir}/2.crt`, `${dir}/1.crt`);
        minutes = 2;
        await put(backend, { key: "/registry/b", value: bytes("1"), expect });
        await Deno.copyFile(`${dir}/2.key`, `${dir}/1.key`);
        minutes = 4;
        await put(backend, { key: "/registry/c", value: bytes("1"), expect });
        await backend.close();
      }, pki);
    } finally {
      performance.now = now;
    }
  },
});
