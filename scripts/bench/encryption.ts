/** What encryption at rest costs creates: a plain server beside one that encrypts, in turns, on the same machine. */
import { Client } from "./client.ts";
import { configMap, configMaps, type Context, type Group } from "./context.ts";
import { inTurns, type Load, type LoadOptions } from "./load.ts";
import { OwnServer } from "./own.ts";
import type { Result } from "./result.ts";
import type { Target } from "./target.ts";

const PROVIDERS = ["aesgcm", "secretbox", "aescbc"] as const;
const IN_FLIGHT = 64;
/** A server is some percent quicker or slower than another one of its kind as long as it runs: several are taken. */
const PAIRS = 4;

/** Creates of 1 KB, by provider. */
export const ENCRYPTION: Group = {
  name: "encryption",
  own: true,
  async *run(context) {
    for (const provider of PROVIDERS) yield* beside(context, provider);
  },
};

async function* beside(context: Context, provider: string): AsyncGenerator<Result> {
  const loads: [plain: Load, sealed: Load][] = [];
  for (let i = 0; i < PAIRS; i++) loads.push(await pair(provider, context.ms * 4));
  const mean = (of: (pair: [Load, Load]) => number) => loads.reduce((sum, one) => sum + of(one) / PAIRS, 0);
  const plain = mean(([l]) => l.perSecond), sealed = mean(([, l]) => l.perSecond);
  yield {
    name: `encryption ${provider}: encrypted / plain creates, rate`,
    value: sealed / plain,
    note: `${Math.round(sealed)}/s and ${Math.round(plain)}/s, ${IN_FLIGHT} in flight, ` +
      `${Math.round(mean(([, l]) => l.cpu!))} and ${Math.round(mean(([l]) => l.cpu!))} µs; single pairs ` +
      loads.map(([plain, sealed]) => (sealed.perSecond / plain.perSecond).toFixed(2)).join(", "),
  };
}

/** A plain server and one that encrypts, both new: what one has run before would count for it. */
async function pair(provider: string, ms: number): Promise<[Load, Load]> {
  const plainDir = await Deno.makeTempDir({ prefix: "orch-bench-" });
  const dir = await Deno.makeTempDir({ prefix: "orch-bench-" });
  await Deno.writeTextFile(`${dir}/encryption.json`, configuration(provider));
  const plain = await OwnServer.start(plainDir, {});
  const server = await OwnServer.start(dir, { flags: [`--encryption-provider-config=${dir}/encryption.json`] });
  try {
    // A difference of some percent shows in many short turns only: the machine changes by more from one second to the next.
    return await inTurns(creates(plain, provider, ms), creates(server, provider, ms), 16);
  } finally {
    await Promise.all([plain.stop(), server.stop()]);
    for (const made of [plainDir, dir]) await Deno.remove(made, { recursive: true });
  }
}

function creates(server: Target, provider: string, ms: number): LoadOptions {
  const client = new Client(server, { http: 2, connections: 4 });
  let made = 0;
  const one = () =>
    client.bytes({
      method: "POST",
      path: configMaps("default"),
      body: configMap(`${provider}-${++made}`),
      expect: 201,
    });
  return { inFlight: IN_FLIGHT, ms, pids: server.pids, one };
}

function configuration(provider: string): string {
  const secret = new Uint8Array(32).fill(7).toBase64();
  const providers = [{ [provider]: { keys: [{ name: "k", secret }] } }, { identity: {} }];
  return JSON.stringify({
    apiVersion: "apiserver.config.k8s.io/v1",
    kind: "EncryptionConfiguration",
    resources: [{ resources: ["*.*"], providers }],
  });
}
