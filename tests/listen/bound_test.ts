/** A real server that listens on one address: its connection file names it. */
import assert from "node:assert/strict";
import { serverOf } from "../../server/listen/kubeconfig.ts";
import { Printed } from "../e2e/_process.ts";
import { freePort } from "../fixture/free_port.ts";

const MAIN = new URL("../../main.ts", import.meta.url).pathname;

Deno.test("the connection file names the address that a server is bound to, and its certificate holds there", async () => {
  const dir = await Deno.makeTempDir({ prefix: "orch-bound-" });
  const own = [
    `--data-dir=${dir}`,
    "--storage-backend=memory",
    "--bind-address=127.0.0.2",
    "--authorization-mode=RBAC",
  ];
  const args = ["run", "-A", "--no-check", "--unstable-kv", MAIN, `--secure-port=${freePort()}`, ...own];
  const process = new Printed(
    new Deno.Command(Deno.execPath(), { args, stdin: "null", stdout: "piped", stderr: "piped" }).spawn(),
    "the server",
  );
  try {
    await process.until("listens on");
    const server = serverOf(await Deno.readTextFile(`${dir}/admin.conf`))!;
    assert.equal(new URL(server).hostname, "127.0.0.2");
    using client = Deno.createHttpClient({ caCerts: [await Deno.readTextFile(`${dir}/ca.crt`)] });
    assert.equal(await (await fetch(`${server}/livez`, { client })).text(), "ok");
  } finally {
    await process.stop("SIGTERM");
    await Deno.remove(dir, { recursive: true });
  }
});
