/** More connections than a process has descriptors for. */
import assert from "node:assert/strict";
import { connectionsFor } from "../../schema/values/descriptors.ts";
import { until } from "./_fixture.ts";

const DESCRIPTORS = 1024;
/** More than there are descriptors for, at three each or at one. */
const CROWD = 1_200;

const LISTENERS = { "": "_few_descriptors.ts", "agent's ": "../agent/http/_few_descriptors.ts" };

for (const [whose, path] of Object.entries(LISTENERS)) {
  Deno.test(`${whose}listener: connections past a share of the descriptors are closed, and it goes on`, async () => {
    const file = new URL(path, import.meta.url).pathname;
    await using child = new Deno.Command("sh", {
      args: ["-c", `ulimit -n ${DESCRIPTORS}; exec "$@"`, "sh", Deno.execPath(), "run", "-A", "--no-check", file],
      stdout: "piped",
    }).spawn();
    const port = Number(new TextDecoder().decode((await child.stdout[Symbol.asyncIterator]().next()).value));
    const answers = async () => {
      using client = Deno.createHttpClient({});
      const signal = AbortSignal.timeout(5_000);
      return await fetch(`http://127.0.0.1:${port}/`, { client, signal }).then((r) => r.text(), () => "") === "ok";
    };
    await until("it answers", answers);
    const crowd: Deno.Conn[] = [];
    for (let i = 0; i < CROWD; i++) crowd.push(await Deno.connect({ hostname: "127.0.0.1", port }));
    await until(
      "it closes those past the bound",
      () => crowd.at(-1)!.read(new Uint8Array(1)).then((n) => n === null, () => true),
    );
    for (const one of crowd) one.close();
    await until("it answers when they have gone", answers);
  });
}

Deno.test("listener: as many connections as descriptors allow, where their number is known", () => {
  const limits = (files: string) =>
    `Max cpu time   1   1   seconds\nMax open files            ${files}      4096       files\n`;
  assert.equal(connectionsFor(limits("1024"), 20_000), 256);
  assert.equal(connectionsFor(limits("1048576"), 20_000), 20_000);
  assert.equal(connectionsFor(limits("unlimited"), 20_000), 20_000);
  assert.equal(connectionsFor(undefined, 20_000), 20_000);
});
