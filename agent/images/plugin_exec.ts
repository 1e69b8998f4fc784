/** One conversation with a plugin: a request to its input, an answer from its output. */
import { spawn } from "node:child_process";
import process from "node:process";
import { concat } from "../../schema/values/bytes.ts";
import { unstarted } from "../unstarted.ts";
import type { PluginConfig } from "./plugin_config.ts";

/** What a plugin is asked. */
export interface PluginRequest {
  /** The repository in full, without tag. */
  readonly image: string;
  readonly serviceAccountToken?: string;
  readonly serviceAccountAnnotations?: Readonly<Record<string, string>>;
}

/** What it answers. */
export interface PluginResponse {
  readonly cacheKeyType: string;
  readonly cacheDuration?: string | null;
  readonly auth?: Readonly<Record<string, { readonly username?: string; readonly password?: string }>> | null;
}

/** A plugin may take so long, ms. */
const LIMIT = 60_000;
/** Bytes of an answer, and of complaints. */
const MOST = 10 * 1024 * 1024, MOST_SAID = 10 * 1024;

/** Asks it. @param limit ms @throws Error that says what was wrong, without the answer, which may hold secrets */
export async function askPlugin(
  path: string,
  { name, args = [], env = [], apiVersion }: PluginConfig,
  request: PluginRequest,
  signal: AbortSignal,
  limit = LIMIT,
): Promise<PluginResponse> {
  const input = JSON.stringify({ apiVersion, kind: "CredentialProviderRequest", ...request });
  const variables = Object.fromEntries(env.map(({ name, value }) => [name, value]));
  const output = await run(path, args, { ...process.env, ...variables }, input, signal, limit).catch((e) => {
    throw new Error(`error execing credential provider plugin ${name} for image ${request.image}: ${e.message}`);
  });
  const answer = answerOf(output);
  if (answer.apiVersion !== apiVersion) {
    throw new Error(
      "apiVersion from credential plugin response did not match " +
        `expected apiVersion:${apiVersion}, actual apiVersion:${answer.apiVersion}`,
    );
  }
  if (answer.kind !== "CredentialProviderResponse") throw new Error(UNREADABLE);
  return answer;
}

const UNREADABLE = "error decoding credential provider plugin response from stdout";

function answerOf(output: Uint8Array): PluginResponse & { readonly apiVersion?: string; readonly kind?: string } {
  try {
    const answer = JSON.parse(new TextDecoder().decode(output));
    const logins = Object.values(answer.auth ?? {}) as { username?: unknown; password?: unknown }[];
    if (logins.every((l) => typeof l.username === "string" && typeof l.password === "string")) return answer;
  } catch { /* told below */ }
  throw new Error(UNREADABLE);
}

function run(
  path: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv,
  input: string,
  signal: AbortSignal,
  limit: number,
): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    const child = spawn(path, args, { env, signal, killSignal: "SIGKILL" });
    const fault = unstarted(child);
    if (fault) return void fault.then(reject);
    const output = collect(child.stdout, MOST, () => child.kill("SIGKILL"));
    const said = collect(child.stderr, MOST_SAID, () => {});
    // What a plugin has started may hold its output open, after its end too.
    const letGo = () => [child.stdout, child.stderr].forEach((stream) => stream.destroy());
    const late = setTimeout(() => {
      child.kill("SIGKILL");
      letGo();
    }, limit);
    child.stdin.on("error", () => {}); // it may not read what it is asked
    child.stdin.end(input);
    child.once("error", (e) => {
      clearTimeout(late);
      reject(e);
    });
    child.once("exit", (_code, killed) => {
      if (killed) letGo();
    });
    child.once("close", (code, killed) => {
      clearTimeout(late);
      if (code === 0) return resolve(concat(output));
      const words = new TextDecoder().decode(concat(said));
      reject(new Error(`${killed ? `signal: ${killed}` : `exit status ${code}`}: ${words}`));
    });
  });
}

/** Keeps what comes, up to so many bytes; then it says so and drops the rest. */
function collect(stream: NodeJS.ReadableStream, most: number, full: () => void): Uint8Array[] {
  const chunks: Uint8Array[] = [];
  let size = 0;
  stream.on("data", (chunk: Uint8Array) => {
    size += chunk.length;
    if (size <= most) chunks.push(chunk);
    else full();
  });
  return chunks;
}
