/** The server on a host that listens itself: `deno serve`. */
import assert from "node:assert/strict";
import { Edge } from "../../server/edge.ts";

const ROOT = new URL("../../", import.meta.url).pathname;
const TOKENS = 'secret,admin,1,"system:masters"';

/** The host with one option; what it prints is on its standard error. */
const host = (option: string, env: Readonly<Record<string, string>>): Deno.Command =>
  new Deno.Command(Deno.execPath(), {
    args: ["serve", "-A", "--port=0", "--host=127.0.0.1", "server/edge.ts", option],
    cwd: ROOT,
    env: { ORCH_TOKENS: TOKENS, NO_COLOR: "1", ...env },
    stdout: "null",
    stderr: "piped",
  });

Deno.test("deno serve: reads, writes, watches and refusals, by token", async () => {
  const child = host("--authorization-mode=RBAC", { ORCH_OPTIONS: "--api-dialect=kubernetes" }).spawn();
  const rest = new AbortController();
  try {
    const url = await listening(child.stderr, rest.signal);
    const headers = { authorization: "Bearer secret", "content-type": "application/json" };
    const maps = `${url}api/v1/namespaces/default/configmaps`;
    assert.equal((await (await fetch(`${url}version`)).json()).major, "1");
    const refused = await fetch(maps);
    assert.deepEqual([refused.status, (await refused.json()).reason], [403, "Forbidden"]);

    const watch = await fetch(`${maps}?watch=1&resourceVersion=0`, { headers, signal: rest.signal });
    const events = watch.body!.pipeThrough(new TextDecoderStream()).getReader();
    const made = await fetch(maps, { method: "POST", headers, body: '{"metadata":{"name":"a"},"data":{"k":"v"}}' });
    assert.equal(made.status, 201);
    await made.body?.cancel();
    const event = JSON.parse((await events.read()).value!.split("\n")[0]!);
    assert.deepEqual([event.type, event.object.metadata.name, event.object.data], ["ADDED", "a", { k: "v" }]);

    const token = await fetch(`${url}api/v1/namespaces/default/serviceaccounts/default/token`, {
      method: "POST",
      headers,
      body: "{}",
    });
    const { status } = await token.json();
    const own = await fetch(`${url}apis/authentication.k8s.io/v1/selfsubjectreviews`, {
      method: "POST",
      headers: { ...headers, authorization: `Bearer ${status.token}` },
      body: "{}",
    });
    assert.equal((await own.json()).status.userInfo.username, "system:serviceaccount:default:default");
  } finally {
    rest.abort();
    child.kill();
    assert.equal((await child.status).code, 0);
  }
});

Deno.test("an entry without a store that lasts refuses the options of one", async () => {
  for (
    const option of [
      "storage-backend=denokv",
      "storage-path=x",
      "data-dir=x",
      "store-servers=http://x:1",
      "audit-policy-file=x",
      "tracing-config-file=x",
      "egress-selector-config-file=x",
    ]
  ) {
    await assert.rejects(
      new Edge([`--${option}`], {}).fetch(new Request("http://x/version")),
      /not on a host/,
      option,
    );
  }
});

for (
  const [what, tokens, option, told] of [
    ["an option", TOKENS, "--authorization-modes=RBAC", "--authorization-modes: unknown option"],
    ["a token", "secret", "--authorization-mode=RBAC", "token file: line 1: should have at least token, user and uid"],
  ] as const
) {
  Deno.test(`deno serve: ${what} that is wrong ends it at the start`, async () => {
    const { code, stderr } = await host(option, { ORCH_TOKENS: tokens }).output();
    assert.equal(code, 1);
    assert.match(new TextDecoder().decode(stderr), new RegExp(`^error: ${told}`, "m"));
  });
}

Deno.test("deno serve: who wants to know is told of history that is gone", async () => {
  const options = "--vmodule=compactor=2 --store-compaction-interval=50ms";
  const child = host("--authorization-mode=RBAC", { ORCH_OPTIONS: options }).spawn();
  const rest = new AbortController();
  try {
    assert.match(await printed(child.stderr, /compactor: .+/, rest.signal), /history before revision \d+ is gone/);
  } finally {
    rest.abort();
    child.kill();
    await child.status;
  }
});

/** The address that the host prints. */
const listening = (stream: ReadableStream<Uint8Array>, signal: AbortSignal): Promise<string> =>
  printed(stream, /http:\S+/, signal);

/** What the host prints of a form; what it prints later is read and let go. */
async function printed(stream: ReadableStream<Uint8Array>, form: RegExp, signal: AbortSignal): Promise<string> {
  const lines = stream.pipeThrough(new TextDecoderStream());
  let text = "";
  const reader = lines.getReader();
  while (!form.test(text)) {
    const { value, done } = await reader.read();
    if (done) throw new Error(`the host ended: ${text}`);
    text += value;
  }
  reader.releaseLock();
  lines.pipeTo(new WritableStream(), { signal }).catch(() => {});
  return form.exec(text)![0];
}
