/** The agent's process ends when it is told to, whoever does not answer it. */
import assert from "node:assert/strict";
import { Printed } from "../e2e/_process.ts";
import { freePort } from "../fixture/free_port.ts";
import { unmountBelow } from "../fixture/mounts.ts";

const PROGRAM = new URL("../../orchlet.ts", import.meta.url).pathname;
/** The first frame of HTTP/2, without settings. */
const SETTINGS = Uint8Array.of(0, 0, 0, 4, 0, 0, 0, 0, 0);

const ignore = Deno.build.os !== "linux" || Deno.uid() !== 0; // an agent needs Linux and root

/** A runtime that takes calls and answers none. */
class DeafRuntime {
  readonly #listener: Deno.UnixListener;
  readonly #taken: Deno.Conn[] = [];
  /** Resolves when it is asked something. */
  readonly asked: Promise<void>;

  constructor(socket: string) {
    this.#listener = Deno.listen({ transport: "unix", path: socket });
    this.asked = this.#take();
  }

  async #take(): Promise<void> {
    const connection = await this.#listener.accept();
    this.#taken.push(connection);
    await connection.write(SETTINGS);
    await connection.read(new Uint8Array(1024));
  }

  stop(): void {
    this.#listener.close();
    for (const connection of this.#taken) connection.close();
  }
}

function start(dir: string, socket: string, port = freePort()): Printed {
  const flags = [
    `--container-runtime-endpoint=${socket}`,
    "--runtime-request-timeout=10h",
    `--root-dir=${dir}/lib`,
    `--cert-dir=${dir}/pki`,
    "--address=127.0.0.1",
    `--port=${port}`,
    "--read-only-port=0",
    "--healthz-port=0",
    "--fail-cgroupv1=false",
    "--cgroups-per-qos=false",
    "--enforce-node-allocatable=none",
    "--make-iptables-util-chains=false",
  ];
  const args = ["run", "-A", "--no-check", PROGRAM, ...flags];
  const command = new Deno.Command(Deno.execPath(), { args, stdin: "null", stdout: "piped", stderr: "piped" });
  return new Printed(command.spawn(), "the agent");
}

/** Until when there is no runtime. */
const BEFORE: Readonly<Record<string, (agent: Printed) => Promise<void>>> = {
  "while it starts": () => Promise.resolve(),
  "at work": (agent) => agent.until("orchlet runs"),
};

for (const [when, before] of Object.entries(BEFORE)) {
  Deno.test({ name: `the agent ends though its runtime does not answer: ${when}`, ignore }, async () => {
    const dir = await Deno.makeTempDir(), socket = `${dir}/runtime.sock`;
    const agent = start(dir, socket);
    let runtime: DeafRuntime | undefined;
    try {
      await before(agent);
      runtime = new DeafRuntime(socket);
      await Promise.race([runtime.asked, agent.child.status]);
      const late = setTimeout(() => agent.child.kill("SIGKILL"), 100_000);
      await agent.stop("SIGTERM");
      clearTimeout(late);
      const { code, signal } = await agent.child.status;
      assert.deepEqual({ code, signal }, { code: 0, signal: null }, agent.text);
    } finally {
      await agent.stop("SIGKILL");
      runtime?.stop();
      unmountBelow(dir);
      await Deno.remove(dir, { recursive: true });
    }
  });
}

Deno.test({ name: "an agent whose port is taken leaves another's device plugins where they are", ignore }, async () => {
  const dir = await Deno.makeTempDir(), plugins = `${dir}/lib/device-plugins`;
  await Deno.mkdir(plugins, { recursive: true });
  using taken = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  using _socket = Deno.listen({ transport: "unix", path: `${plugins}/kubelet.sock` });
  using _plugin = Deno.listen({ transport: "unix", path: `${plugins}/plugin.sock` });
  const inodes = () => ["kubelet.sock", "plugin.sock"].map((name) => Deno.lstatSync(`${plugins}/${name}`).ino);
  const before = inodes();
  const agent = start(dir, `${dir}/runtime.sock`, taken.addr.port);
  try {
    const { code } = await agent.child.status;
    assert.equal(code, 1, agent.text);
    assert.match(agent.text, /cannot listen on 127\.0\.0\.1:\d+: the address is in use/);
    assert.deepEqual(inodes(), before);
  } finally {
    await agent.stop("SIGKILL");
    unmountBelow(dir);
    await Deno.remove(dir, { recursive: true });
  }
});
