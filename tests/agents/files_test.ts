import assert from "node:assert/strict";
import { agentFiles } from "../../server/options/agent_files.ts";
import { parseOptions } from "../../server/options/mod.ts";
import { AGENT_CA, AGENT_CLIENT } from "../fixture/agent.ts";
import { client as other } from "../listen/_fixture.ts";

Deno.test("Certificates towards agents are read again after a minute, once they are whole", async () => {
  const dir = await Deno.makeTempDir({ prefix: "orch-agent-files-" });
  const write = (name: string, text: string) => Deno.writeTextFileSync(`${dir}/${name}`, text);
  try {
    const parsed = parseOptions([
      `--kubelet-certificate-authority=${dir}/ca`,
      `--kubelet-client-certificate=${dir}/cert`,
      `--kubelet-client-key=${dir}/key`,
    ]);
    if (parsed.kind !== "run") throw new Error("flags");
    let now = 0;
    const make = () => agentFiles(parsed.options, () => now);
    assert.throws(make, /--kubelet-certificate-authority: cannot read/);
    write("ca", "nothing");
    write("cert", AGENT_CLIENT.cert);
    write("key", other.key);
    assert.throws(make, /--kubelet-certificate-authority: no PEM/);
    write("ca", AGENT_CA);
    assert.throws(make, /--kubelet-client-key: it is not the key/);
    write("key", AGENT_CLIENT.key);
    const files = make();
    assert.deepEqual(files(), { ca: AGENT_CA, ...AGENT_CLIENT });
    write("cert", other.cert);
    now = 60_000;
    assert.equal(files().cert, AGENT_CLIENT.cert, "half a pair");
    write("key", other.key);
    assert.equal(files().cert, AGENT_CLIENT.cert, "within a minute");
    now = 120_000;
    assert.deepEqual(files(), { ca: AGENT_CA, cert: other.cert, key: other.key });
  } finally {
    await Deno.remove(dir, { recursive: true });
  }
});
