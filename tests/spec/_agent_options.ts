/** What each option about calls to node agents does, by its row. */
import assert from "node:assert/strict";
import net from "node:net";
import { parseOptions } from "../../server/options/mod.ts";
import { securityFiles } from "../../server/options/security_files.ts";
import { AGENT_CA, AGENT_CLIENT } from "../fixture/agent.ts";
import { HERE, node, POD, pod, withCluster } from "../agents/_cluster.ts";
import { ca, soon } from "../listen/_fixture.ts";

/** What a log of the cluster's pod is answered with, where the options name these files, and who asked the agent for it. */
async function logWith(
  texts: Readonly<Record<string, string>>,
): Promise<{ status: number; client: string | undefined }> {
  const dir = await Deno.makeTempDir({ prefix: "orch-agent-options-" });
  let seen: { status: number; client: string | undefined } | undefined;
  try {
    const flags: string[] = [];
    for (const [option, text] of Object.entries(texts)) {
      await Deno.writeTextFile(`${dir}/${option}`, text);
      flags.push(`--${option}=${dir}/${option}`);
    }
    const parsed = parseOptions(flags);
    assert.equal(parsed.kind, "run");
    const { agents } = securityFiles((parsed as Extract<typeof parsed, { kind: "run" }>).options, undefined);
    await withCluster({ agents: agents!() }, async ({ t, agent }) => {
      agent.handle = (_, response) => void response.end("text");
      const { status } = await t.fetch(`${POD}/log`);
      seen = { status, client: agent.asked[0]?.client };
    });
  } finally {
    await Deno.remove(dir, { recursive: true });
  }
  return seen!;
}

const PAIR = { "kubelet-client-certificate": AGENT_CLIENT.cert, "kubelet-client-key": AGENT_CLIENT.key };

/** See the top of the file. */
export const AGENT_EFFECTS: Readonly<Record<string, () => Promise<void>>> = {
  "--kubelet-certificate-authority, --kubelet-client-certificate, --kubelet-client-key": async () => {
    const known = await logWith({ "kubelet-certificate-authority": AGENT_CA, ...PAIR });
    assert.deepEqual(known, { status: 200, client: "the-server" });
    const other = await logWith({ "kubelet-certificate-authority": ca.cert, ...PAIR });
    assert.deepEqual(other, { status: 500, client: undefined });
    assert.deepEqual(await logWith({}), { status: 200, client: "" });
    assert.equal(parseOptions(["--kubelet-client-key=/k"]).kind, "errors");
  },
  "--kubelet-preferred-address-types": async () => {
    const addresses = [{ type: "ExternalIP", address: "192.0.2.1" }, { type: "InternalDNS", address: HERE }];
    for (const [types, code] of [["InternalDNS,ExternalIP", 200], ["Hostname", 500]] as const) {
      await withCluster({ flags: [`--kubelet-preferred-address-types=${types}`] }, async ({ t, agent }) => {
        agent.handle = (_, response) => void response.end("text");
        await node(t, "node-b", addresses, agent.port);
        await pod(t, "p", { nodeName: "node-b" });
        assert.equal((await t.fetch("/api/v1/namespaces/default/pods/p/log")).status, code);
      });
    }
  },
  "--kubelet-timeout": async () => {
    // Takes connections, and says nothing.
    const mute = net.createServer((socket) => void socket.on("error", () => {}).resume());
    await new Promise<void>((done) => mute.listen(0, "127.0.0.1", done));
    await withCluster({ flags: ["--kubelet-timeout=50ms"] }, async ({ t }) => {
      const { port } = mute.address() as net.AddressInfo;
      await node(t, "node-b", [{ type: "InternalIP", address: HERE }], port);
      await pod(t, "p", { nodeName: "node-b" });
      // Before that of the default is over.
      const { status } = await soon(t.fetch("/api/v1/namespaces/default/pods/p/log"), "the end of the time", 4);
      assert.equal(status, 500);
    });
    await new Promise((done) => mute.close(done));
  },
};
