import assert from "node:assert/strict";

Deno.test("a program that no descriptor is left for is said not to have been started, and that is all", async () => {
  const file = new URL("_no_descriptors.ts", import.meta.url).pathname;
  const { stdout, stderr } = await new Deno.Command("sh", {
    args: ["-c", 'ulimit -n 64; exec "$@"', "sh", Deno.execPath(), "run", "-A", "--no-check", file],
  }).output();
  const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
  const told: Record<string, string> = JSON.parse(text(stdout) || "{}");
  assert.deepEqual(Object.keys(told), ["command", "plugin", "journal", "lock"], text(stderr));
  for (const message of Object.values(told)) assert.match(message, /Failed to spawn .*: Too many open files/);
});
