import assert from "node:assert/strict";

/** Runtimes after 2.9.3 died of this; a newer one is taken when these pass. */
async function drill(name: string): Promise<void> {
  const { code, signal, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", "--no-check", new URL("_goaway_drill.ts", import.meta.url).pathname, name],
    stdout: "piped",
    stderr: "piped",
  }).output();
  const text = new TextDecoder().decode(stdout) + new TextDecoder().decode(stderr);
  assert.deepEqual({ code, signal }, { code: 0, signal: null }, text);
  assert.match(text, /alive after \d+ answers/);
}

Deno.test("runtime: the listener lives through clients that close busy connections with GOAWAY", () => drill("server"));

Deno.test("runtime: the gRPC client lives through a server that sends GOAWAY under load", () => drill("grpc"));
