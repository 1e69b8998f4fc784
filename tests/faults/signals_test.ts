/** A real server that is told to end twice, as `deno task` does with a terminal's signal, while its store does not answer. */
import assert from "node:assert/strict";
import { pause } from "../../server/pause.ts";
import { openEtcd } from "../../server/storage/etcd/mod.ts";
import { Printed } from "../e2e/_process.ts";
import { freePort } from "../fixture/free_port.ts";
import { noEtcd, startEtcd } from "../storage/etcd_server.ts";

const MAIN = new URL("../../main.ts", import.meta.url).pathname;
const missing = await noEtcd();

async function endedTwice(): Promise<void> {
  await using cluster = await startEtcd();
  const dir = await Deno.makeTempDir({ prefix: "orch-signals-" });
  const store = `--store-servers=${cluster.endpoints[0]}`;
  const own = [store, `--data-dir=${dir}`, "--bind-address=127.0.0.1", `--secure-port=${freePort()}`];
  const args = ["run", "-A", "--no-check", "--unstable-kv", MAIN, "--authorization-mode=RBAC", ...own];
  const child = new Deno.Command(Deno.execPath(), { args, stdin: "null", stdout: "piped", stderr: "piped" }).spawn();
  const server = new Printed(child, "the server");
  const backend = await openEtcd({ endpoints: cluster.endpoints, prefix: "/registry" });
  const leases = async () => (await backend.range("masterleases/")).items.length;
  try {
    await server.until("listens on");
    while (await leases() === 0) await pause(50);
    cluster.signal(0, "SIGSTOP");
    child.kill("SIGTERM");
    child.kill("SIGINT");
    await pause(500);
    cluster.signal(0, "SIGCONT");
    assert.equal((await child.status).code, 0);
    assert.equal(await leases(), 0, "it took itself out of the endpoints");
  } finally {
    await backend.close();
    await server.stop("SIGKILL");
    await Deno.remove(dir, { recursive: true });
  }
}

Deno.test({
  name: "a second signal does not hurry the end that the first has begun",
  fn: endedTwice,
  ignore: missing !== undefined, // no etcd binary on this machine
});
