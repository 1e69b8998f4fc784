/** The Python client of Debian's packages against a real server; its part is client_python.py. */
import assert from "node:assert/strict";
import { ServerProcess } from "./_server.ts";

const SCRIPT = new URL("./client_python.py", import.meta.url).pathname;
const PARTS = ["typed", "paged", "watched", "documents", "customs", "identities", "gone"];

/** Debian's Python, whichever others are on the PATH. */
const python = (args: string[], env: Record<string, string> = {}): Promise<Deno.CommandOutput> =>
  new Deno.Command("/usr/bin/python3", { args, env: { PYTHONDONTWRITEBYTECODE: "1", ...env } }).output();

const installed = await python(["-c", "import kubernetes"]).then(({ success }) => success, () => false);

Deno.test({
  name: `the Python client${installed ? "" : " (python3-kubernetes is not installed)"}`,
  ignore: !installed, // no python3-kubernetes on this machine
}, async () => {
  const server = await ServerProcess.start("kubernetes", ["--controllers=*"]);
  try {
    const { stdout, stderr } = await python([SCRIPT, server.kubeconfig], { TMPDIR: server.dir });
    const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
    assert.deepEqual(text(stdout).trim().split("\n"), PARTS, text(stderr));
  } finally {
    await server.end();
  }
});
