/** A real process of the node agent on a containerd of the tests' own. */
import type { Containerd } from "../fixture/containerd.ts";
import { freePort } from "../fixture/free_port.ts";

const PROGRAM = new URL("../../orchlet.ts", import.meta.url).pathname;

/** Name of the node: the API server reaches the agent by it. */
export const NODE = "localhost";

/** See the top of the file; its directory outlives it. */
export class AgentProcess {
  #child: Deno.ChildProcess | undefined;
  #output: Promise<unknown>[] = [];
  #log = "";
  readonly port = freePort();
  readonly readOnlyPort = freePort();

  constructor(readonly dir: string, readonly containerd: Containerd, readonly flags: readonly string[] = []) {}

  /** Of the process. @throws Error when none runs */
  get pid(): number {
    if (!this.#child) throw new Error("no agent runs");
    return this.#child.pid;
  }

  /** All that it printed. */
  get log(): string {
    return this.#log;
  }

  /** Starts it; resolves when it is at work. @throws Error with what it printed when it ends before */
  async run(...more: readonly string[]): Promise<void> {
    const child = this.#spawn(more);
    let ready = () => {};
    const works = new Promise<void>((done) => ready = done);
    const follow = async (stream: ReadableStream<Uint8Array>) => {
      for await (const text of stream.pipeThrough(new TextDecoderStream())) {
        this.#log += text;
        if (this.#log.includes("orchlet runs")) ready();
      }
    };
    this.#output = [follow(child.stdout), follow(child.stderr)];
    const ended = child.status.then(({ code }) => {
      throw new Error(`the agent ended with ${code}: ${this.#log}`);
    });
    ended.catch(() => {});
    await Promise.race([works, ended]);
  }

  /** Runs it to its end. */
  async once(...more: readonly string[]): Promise<{ readonly code: number; readonly text: string }> {
    const { code, stdout, stderr } = await this.#spawn(more).output();
    this.#child = undefined;
    return { code, text: new TextDecoder().decode(stdout) + new TextDecoder().decode(stderr) };
  }

  #spawn(more: readonly string[]): Deno.ChildProcess {
    const { dir, containerd } = this;
    const own = [
      "--api-dialect=kubernetes",
      `--container-runtime-endpoint=${containerd.socket}`,
      `--root-dir=${dir}/lib`,
      `--cert-dir=${dir}/pki`,
      `--hostname-override=${NODE}`,
      "--address=127.0.0.1",
      `--port=${this.port}`,
      `--read-only-port=${this.readOnlyPort}`,
      "--healthz-port=0",
      // Nothing of this host but what pods need.
      "--fail-cgroupv1=false",
      "--cgroups-per-qos=false",
      "--enforce-node-allocatable=none",
      "--make-iptables-util-chains=false",
    ];
    return this.#child = new Deno.Command(Deno.execPath(), {
      args: ["run", "-A", "--no-check", PROGRAM, ...own, ...this.flags, ...more],
      stdin: "null",
      stdout: "piped",
      stderr: "piped",
    }).spawn();
  }

  /** Ends the process; its pods run on. */
  async stop(signal: Deno.Signal = "SIGTERM"): Promise<void> {
    const child = this.#child;
    if (!child) return;
    this.#child = undefined;
    try {
      child.kill(signal);
    } catch { /* it has ended by itself */ }
    await child.status;
    await Promise.all(this.#output);
    this.#log = "";
  }
}
