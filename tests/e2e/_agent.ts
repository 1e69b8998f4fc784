/** A real process of the node agent on a containerd of the tests' own. */
import type { Containerd } from "../fixture/containerd.ts";
import { freePort } from "../fixture/free_port.ts";
import { Printed } from "./_process.ts";

const PROGRAM = new URL("../../orchlet.ts", import.meta.url).pathname;

/** Name of the node: the API server reaches the agent by it. */
export const NODE = "localhost";

/** See the top of the file; its directory outlives it. */
export class AgentProcess {
  #process: Printed | undefined;
  readonly port = freePort();
  readonly readOnlyPort = freePort();

  constructor(readonly dir: string, readonly containerd: Containerd, readonly flags: readonly string[] = []) {}

  /** Of the process. @throws Error when none runs */
  get pid(): number {
    if (!this.#process) throw new Error("no agent runs");
    return this.#process.child.pid;
  }

  /** All that it printed. */
  get log(): string {
    return this.#process?.text ?? "";
  }

  /** Starts it; resolves when it is at work. @throws Error with what it printed when it ends before */
  async run(...more: readonly string[]): Promise<void> {
    this.#process = new Printed(this.#spawn(more), "the agent");
    await this.#process.until("orchlet runs");
  }

  /** Runs it to its end. */
  async once(...more: readonly string[]): Promise<{ readonly code: number; readonly text: string }> {
    const { code, stdout, stderr } = await this.#spawn(more).output();
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
      // However full it is.
      "--eviction-hard=nodefs.available<0%",
      "--image-gc-high-threshold=100",
    ];
    return new Deno.Command(Deno.execPath(), {
      args: ["run", "-A", "--no-check", "--v8-flags=--expose-gc", PROGRAM, ...own, ...this.flags, ...more],
      stdin: "null",
      stdout: "piped",
      stderr: "piped",
    }).spawn();
  }

  /** Ends the process; its pods run on. */
  async stop(signal: Deno.Signal = "SIGTERM"): Promise<void> {
    await this.#process?.stop(signal);
    this.#process = undefined;
  }
}
