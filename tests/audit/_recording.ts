/** Servers that record, and what they recorded. */
import { HOOK_CA, HookServer, type Said, TO_HOOKS } from "../fixture/hooks.ts";
import { startTestServer, type TestOptions, type TestServer } from "../fixture/server.ts";
import type { Loose } from "../fixture/loose.ts";

/** A policy that records everything of requests for config maps, in one event each. */
export const ALL = {
  rules: [{
    level: "RequestResponse",
    omitStages: ["RequestReceived"],
    omitManagedFields: true,
    resources: [{ group: "", resources: ["configmaps"] }],
  }],
};

/** See the top of the file. */
export interface Recording {
  readonly t: TestServer;
  /** Folder of the log. */
  readonly dir: string;
  /** Text of the log. */
  text(): string;
  /** Events of the log. */
  events(): Loose[];
  /** Lists that the webhook got. */
  readonly lists: Loose[];
  /** Makes a config map; its status. */
  make(name: string, bytes?: number): Promise<number>;
}

/** What a recording is made of. */
export interface RecordingOptions extends TestOptions {
  readonly policy?: Loose;
  /** With a webhook, which answers so. */
  readonly webhook?: () => Said;
  /** Before the server starts. */
  readonly before?: (dir: string) => void;
  /** Name of the log in its folder, or a path; none: no log. */
  readonly file?: string;
}

/** Runs a server; afterwards it is stopped, then `after` looks at what it left. */
export async function recording(
  flags: readonly string[],
  run: (r: Recording) => Promise<void>,
  o: RecordingOptions = {},
  after: (r: Recording) => void = () => {},
): Promise<void> {
  const dir = Deno.makeTempDirSync();
  const hooks = o.webhook ? await new HookServer().start() : undefined;
  try {
    o.before?.(dir);
    const policy = { apiVersion: "audit.k8s.io/v1", kind: "Policy", ...(o.policy ?? ALL) };
    Deno.writeTextFileSync(`${dir}/policy.yaml`, JSON.stringify(policy));
    const log = o.file ?? "audit.log", path = log.startsWith("/") || log === "-" ? log : `${dir}/${log}`;
    const given = [`--audit-policy-file=${dir}/policy.yaml`, ...(log ? [`--audit-log-path=${path}`] : [])];
    if (hooks) {
      Deno.writeTextFileSync(
        `${dir}/hook.yaml`,
        connection(hooks.on("/events", () => ({ text: "{}", ...o.webhook!() }))),
      );
      given.push(`--audit-webhook-config-file=${dir}/hook.yaml`);
    }
    const t = await startTestServer([...given, ...flags], { ...o, outside: TO_HOOKS });
    const text = () => Deno.readTextFileSync(path);
    const r: Recording = {
      t,
      dir,
      text,
      events: () => text().split("\n").filter(Boolean).map((line) => JSON.parse(line)),
      get lists() {
        return hooks!.asked.map((a) => a.body);
      },
      make: async (name, bytes = 1) =>
        (await t.fetch("/api/v1/namespaces/default/configmaps", {
          body: { apiVersion: "v1", kind: "ConfigMap", metadata: { name }, data: { x: "x".repeat(bytes) } },
        })).status,
    };
    try {
      await run(r);
    } finally {
      await t.stop();
    }
    after(r);
  } finally {
    await hooks?.stop();
    Deno.removeSync(dir, { recursive: true });
  }
}

function connection(server: string): string {
  const ca = new TextEncoder().encode(HOOK_CA).toBase64();
  return JSON.stringify({
    "current-context": "c",
    contexts: [{ name: "c", context: { cluster: "c", user: "u" } }],
    clusters: [{ name: "c", cluster: { server, "certificate-authority-data": ca } }],
    users: [{ name: "u", user: {} }],
  });
}

/** Waits until something holds. */
export async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise((done) => setTimeout(done, 1));
}

/** Several turns of the event loop: what goes by itself has gone then. */
export async function settled(): Promise<void> {
  for (let i = 0; i < 20; i++) await new Promise((done) => setTimeout(done, 0));
}

/** A metric's value; 0 where there is none. */
export async function metric(t: TestServer, line: string): Promise<number> {
  const { text } = await t.fetch("/metrics");
  const found = text.split("\n").find((l) => l.startsWith(`${line} `));
  return Number(found?.slice(line.length + 1) ?? 0);
}
