/** Our own server, as a process of its own: started on a free port of the loopback, stopped, started again on the same store. */
import type { Identity, Target } from "./target.ts";
import { freePort } from "../../tests/fixture/free_port.ts";

const ROOT = new URL("../../", import.meta.url).pathname;
const { tasks } = JSON.parse(Deno.readTextFileSync(`${ROOT}deno.json`)) as { tasks: Record<string, string> };
/** What `deno task start` tells the runtime's engine. */
const ENGINE_FLAGS = /--v8-flags=\S+/.exec(tasks["start"] ?? "")![0];
const FLAGS = [
  "--api-dialect=kubernetes",
  "--bind-address=127.0.0.1",
  "--authorization-mode=RBAC",
  "--service-cluster-ip-range=10.0.0.0/24",
  "--service-account-issuer=https://kubernetes.default.svc",
];

/** How to start one. */
export interface Start {
  readonly flags?: readonly string[];
  /** Undefined: what `deno task start` runs. */
  readonly program?: string | undefined;
  /** Longest wait for it to be ready, ms; 60 s without. */
  readonly within?: number;
}

/** A server that was started here. */
export class OwnServer implements Target {
  readonly #child: Deno.ChildProcess;

  private constructor(
    readonly url: string,
    readonly identity: Identity,
    child: Deno.ChildProcess,
    /** From the start of the process until `/readyz` said 200, ms. */
    readonly readyMs: number,
  ) {
    this.#child = child;
  }

  get pids(): readonly number[] {
    return [this.#child.pid];
  }

  /** Waits until it is ready. @throws Error when it is not in time */
  static async start(
    dir: string,
    { flags = [], program = `${ROOT}scripts/start.ts`, within = 60_000 }: Start = {},
  ): Promise<OwnServer> {
    const port = freePort();
    const begun = performance.now();
    const child = new Deno.Command(Deno.execPath(), {
      args: [
        "run",
        "-A",
        ENGINE_FLAGS,
        "--unstable-no-legacy-abort",
        "--config",
        `${ROOT}deno.json`,
        program,
        `--data-dir=${dir}`,
        `--secure-port=${port}`,
        ...FLAGS,
        ...flags,
      ],
      stdout: "null",
      // What the server logs would cut the table to pieces; the variable shows it.
      stderr: Deno.env.has("BENCH_STDERR") ? "inherit" : "null",
    }).spawn();
    const url = `https://127.0.0.1:${port}`;
    try {
      await ready(url, dir, within);
    } catch (e) {
      child.kill("SIGKILL");
      throw e;
    }
    const readyMs = performance.now() - begun;
    return new OwnServer(url, await identityIn(dir), child, readyMs);
  }

  async stop(): Promise<void> {
    this.#child.kill("SIGTERM");
    const late = setTimeout(() => this.#child.kill("SIGKILL"), 10_000);
    await this.#child.status;
    clearTimeout(late);
  }
}

/** The administrator of a data directory. */
export async function identityIn(dir: string): Promise<Identity> {
  const [ca, cert, key] = await Promise.all(
    ["ca.crt", "admin.crt", "admin.key"].map((name) => Deno.readTextFile(`${dir}/${name}`)),
  );
  return { ca: ca!, cert: cert!, key: key! };
}

async function ready(url: string, dir: string, within: number): Promise<void> {
  const end = performance.now() + within;
  let client: Deno.HttpClient | undefined;
  while (performance.now() < end) {
    try {
      client ??= Deno.createHttpClient({ caCerts: [await Deno.readTextFile(`${dir}/ca.crt`)] });
      const { ok, body } = await fetch(`${url}/readyz`, { client });
      await body?.cancel();
      if (ok) return client.close();
    } catch { /* not there yet */ }
    await new Promise((done) => setTimeout(done, 5));
  }
  throw new Error(`${url} was not ready within ${within} ms`);
}
