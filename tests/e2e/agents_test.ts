import assert from "node:assert/strict";
import { Agent, AGENT_CA, AGENT_CLIENT } from "../fixture/agent.ts";
import { clientMinor, Kubectl, ServerProcess } from "./_server.ts";

/** The one reason for skipping: kubectl is not installed. */
const ignore = await clientMinor() === undefined; // kubectl is not installed

Deno.test({ name: "kubectl reads logs and runs commands through the agent of a node", ignore }, async () => {
  const dir = await Deno.makeTempDir({ prefix: "orch-agents-" });
  const file = async (name: string, text: string) => {
    await Deno.writeTextFile(`${dir}/${name}`, text);
    return `${dir}/${name}`;
  };
  const agent = await new Agent().start();
  const server = await ServerProcess.start("kubernetes", [
    `--kubelet-certificate-authority=${await file("ca.crt", AGENT_CA)}`,
    `--kubelet-client-certificate=${await file("client.crt", AGENT_CLIENT.cert)}`,
    `--kubelet-client-key=${await file("client.key", AGENT_CLIENT.key)}`,
    "--kubelet-preferred-address-types=InternalIP",
  ]);
  try {
    const k = await Kubectl.of(server);
    await k.run("create -f -", { apiVersion: "v1", kind: "Node", metadata: { name: "node-a" } });
    const status = {
      addresses: [{ type: "Hostname", address: "nowhere.example" }, { type: "InternalIP", address: "127.0.0.1" }],
      daemonEndpoints: { kubeletEndpoint: { Port: agent.port } },
    };
    await k.run(`patch node node-a --subresource=status --type=merge --patch=${JSON.stringify({ status })}`);
    await k.run("create -f -", {
      apiVersion: "v1",
      kind: "Pod",
      metadata: { name: "web" },
      spec: { nodeName: "node-a", containers: [{ name: "main", image: "example.com/i:1", stdin: true }] },
    });
    const running = {
      phase: "Running",
      containerStatuses: [{
        name: "main",
        image: "i",
        imageID: "",
        ready: true,
        restartCount: 0,
        state: { running: {} },
      }],
    };
    await k.run(
      `patch pod web --subresource=status --type=merge --patch=${JSON.stringify({ status: running })}`,
    );
    agent.handle = (request, response) => void response.end(`asked ${request.url}\n`);
    assert.equal(await k.run("logs web --tail=3"), "asked /containerLogs/default/web/main?tailLines=3\n");
    assert.equal(
      await k.run("exec web -- echo a b"),
      "/exec/default/web/main echo a b\n",
    );
    assert.match(agent.asked.at(-1)!.headers.upgrade!, /^websocket$/i);
    assert.equal(await k.run("exec -i web -- cat", "typed\n"), "/exec/default/web/main cat\ntyped\n");
    assert.match(await k.run("attach -i web", "typed\n"), /typed\n/);
    assert.ok(agent.asked.every(({ client }) => client === "the-server"));
  } finally {
    await server.end();
    await agent.stop();
    await Deno.remove(dir, { recursive: true });
  }
});
