/** A real server process on a data directory of its own, and kubectl against it. */
import assert from "node:assert/strict";
import type { Loose } from "../fixture/loose.ts";
import { freePort } from "../fixture/free_port.ts";
import { Printed } from "./_process.ts";

const ROOT = new URL("../../", import.meta.url).pathname;

/** A server process; its data outlives it until {@linkcode ServerProcess.end}. */
export class ServerProcess {
  #process: Printed | undefined;

  private constructor(
    readonly dir: string,
    readonly port: number,
    readonly flags: readonly string[],
    readonly program: string,
  ) {}

  /** Starts a server of a dialect on Deno KV in a new directory; resolves when it is ready. */
  static async start(
    dialect: "kubernetes" | "orch",
    flags: readonly string[] = [],
    program = `${ROOT}main.ts`,
  ): Promise<ServerProcess> {
    const dir = await Deno.makeTempDir({ prefix: "orch-e2e-" });
    const server = new ServerProcess(dir, freePort(), [
      `--api-dialect=${dialect}`,
      "--authorization-mode=RBAC",
      "--service-cluster-ip-range=10.0.0.0/24",
      // Nothing but what a test does happens: what has a finalizer stays.
      "--controllers=-*",
      "--disable-admission-plugins=ServiceAccount",
      ...flags,
    ], program);
    try {
      await server.run();
    } catch (e) {
      await server.end();
      throw e;
    }
    return server;
  }

  /** Of the process. @throws Error when none runs */
  get pid(): number {
    if (!this.#process) throw new Error("no server runs");
    return this.#process.child.pid;
  }

  get kubeconfig(): string {
    return `${this.dir}/data/admin.conf`;
  }

  /** Starts the process, again on the same data. @throws Error with what it printed when it does not become ready */
  async run(): Promise<void> {
    const { dir, port, flags, program } = this;
    const own = [`--data-dir=${dir}/data`, "--bind-address=127.0.0.1", `--secure-port=${port}`];
    const child = new Deno.Command(Deno.execPath(), {
      args: ["run", "-A", "--no-check", "--unstable-kv", program, ...own, ...flags],
      stdin: "null",
      stdout: "piped",
      stderr: "piped",
    }).spawn();
    this.#process = new Printed(child, "the server");
    await this.#process.until("listens on");
  }

  /** Stops the process; the data stay. */
  async stop(signal: Deno.Signal = "SIGTERM"): Promise<void> {
    await this.#process?.stop(signal);
    this.#process = undefined;
  }

  /** Stops the process and removes the data. */
  async end(): Promise<void> {
    await this.stop();
    await Deno.remove(this.dir, { recursive: true });
  }
}

/** What a command printed, and how it ended. */
export interface Ran {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/** kubectl against a server. */
export class Kubectl {
  private constructor(readonly server: ServerProcess, readonly minor: number) {}

  /** kubectl on the PATH (or `$KUBECTL`) for a server. */
  static async of(server: ServerProcess): Promise<Kubectl> {
    return new Kubectl(server, await clientMinor() ?? 0);
  }

  #command(args: readonly string[], env: Record<string, string>, stdin: "piped" | "null"): Deno.Command {
    return new Deno.Command(BINARY, {
      args: ["--kubeconfig", this.server.kubeconfig, ...args],
      env: { HOME: this.server.dir, TMPDIR: this.server.dir, ...env },
      stdin,
      stdout: "piped",
      stderr: "piped",
    });
  }

  /** Runs it to its end, whatever that is. `input` is what it reads from standard input. */
  async try(args: readonly string[], input?: unknown, env: Record<string, string> = {}): Promise<Ran> {
    const child = this.#command(args, env, input === undefined ? "null" : "piped").spawn();
    if (input !== undefined) {
      const writer = child.stdin.getWriter();
      await writer.write(new TextEncoder().encode(typeof input === "string" ? input : JSON.stringify(input)));
      await writer.close();
    }
    const { code, stdout, stderr } = await child.output();
    return { code, out: new TextDecoder().decode(stdout), err: new TextDecoder().decode(stderr) };
  }

  /** Runs it; what it printed. It must succeed. Arguments are one text, split at spaces. */
  async run(args: string, input?: unknown, env: Record<string, string> = {}): Promise<string> {
    const { code, out, err } = await this.try(args.split(" "), input, env);
    assert.equal(code, 0, `kubectl ${args}: ${out}${err}`);
    return out;
  }

  /** Runs it with `-o json`. */
  async json(args: string, input?: unknown): Promise<Loose> {
    return JSON.parse(await this.run(`${args} -o json`, input));
  }

  /** Runs it while `again` is done again and again; the first lines that it prints, then it is stopped. */
  async lines(args: string, count: number, again: (time: number) => Promise<unknown>): Promise<string[]> {
    const child = this.#command(args.split(" "), {}, "null").spawn();
    const reader = child.stdout.pipeThrough(new TextDecoderStream()).getReader();
    const errors = new Response(child.stderr).text();
    const timer = setTimeout(() => child.kill("SIGKILL"), 120_000);
    let text = "", enough = false;
    const repeat = async () => {
      for (let time = 0; !enough; time++) {
        await again(time);
        await new Promise((done) => setTimeout(done, 200));
      }
    };
    const done = repeat();
    while (text.split("\n").length <= count) {
      const { value, done: ended } = await reader.read();
      if (ended) break;
      text += value;
    }
    enough = true;
    await done;
    clearTimeout(timer);
    try {
      child.kill("SIGKILL");
    } catch {
      // it has ended by itself
    }
    await child.status;
    await reader.cancel();
    const lines = text.split("\n").slice(0, count);
    assert.equal(lines.filter((l) => l !== "").length, count, `kubectl ${args}: ${text}${await errors}`);
    return lines;
  }
}

const BINARY = Deno.env.get("KUBECTL") || "kubectl";

/** Minor version of kubectl; undefined when there is none. */
export async function clientMinor(): Promise<number | undefined> {
  try {
    const command = new Deno.Command(BINARY, { args: ["version", "--client", "-o", "json"], stderr: "null" });
    const { stdout } = await command.output();
    return parseInt(JSON.parse(new TextDecoder().decode(stdout)).clientVersion.minor);
  } catch {
    return undefined;
  }
}

/** Waits until something holds. @throws Error after three minutes: machines are slow at times */
export async function until(what: string, holds: () => boolean | Promise<boolean>): Promise<void> {
  for (let i = 0; i < 3600; i++) {
    if (await holds()) return;
    await new Promise((done) => setTimeout(done, 50));
  }
  throw new Error(`waited in vain until ${what}`);
}
