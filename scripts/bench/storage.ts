/**
 * What a store costs beside what lies under it: 1 KB values, 64 commits in flight, each creating one key; and what the application
 * above it makes of etcd.
 *
 *     deno run -A scripts/bench/storage.ts [--seconds=3] [--etcd=http://127.0.0.1:2379]
 *
 * Prints operations per second and the ratio of each pair; the two of a pair run in turns, so that both see the same machine.
 */
import { openDenoKv } from "../../server/storage/denokv/mod.ts";
import { openEtcd } from "../../server/storage/etcd/mod.ts";
import { GrpcTransport } from "../../server/storage/etcd/grpc.ts";
import { RPC } from "../../server/storage/etcd/messages.ts";
import { AT_REST, startApplication } from "./application.ts";
import { memoryBackend } from "../../server/storage/memory.ts";
import type { Backend } from "../../server/storage/backend.ts";
import { numberOption, textOption } from "../option.ts";

const IN_FLIGHT = 64;
const VALUE = crypto.getRandomValues(new Uint8Array(1024));
const ROUNDS = 5;

/** Runs for so many ms; how many operations were done. */
type Load = (ms: number) => Promise<number>;

/** Keys that no run before has made. */
let made = Date.now() * 1_000;
const nextKey = () => `/registry/configmaps/default/${++made}`;

/** 64 loops, each one commit at a time. */
function inFlight(one: () => Promise<unknown>): Load {
  return async (ms) => {
    const end = performance.now() + ms;
    let done = 0;
    const loop = async () => {
      for (; performance.now() < end; done++) await one();
    };
    await Promise.all(Array.from({ length: IN_FLIGHT }, loop));
    return done;
  };
}

function backendLoad(backend: Backend): Load {
  return inFlight(() => backend.commit([{ key: nextKey(), value: VALUE, expect: 0 }]));
}

/** The same writes as plain rows, 64 to an atomic with a check and a counter: what the database gives at best. */
function rawKv(kv: Deno.Kv): Load {
  return async (ms) => {
    const end = performance.now() + ms;
    let done = 0;
    let stamp = (await kv.get(["counter"])).versionstamp;
    while (performance.now() < end) {
      let atomic = kv.atomic().check({ key: ["counter"], versionstamp: stamp }).set(["counter"], made);
      for (let i = 0; i < IN_FLIGHT; i++) atomic = atomic.set(["o", nextKey()], VALUE);
      const result = await atomic.commit();
      if (!result.ok) throw new Error("the counter was changed");
      stamp = result.versionstamp;
      done += IN_FLIGHT;
    }
    return done;
  };
}

/** The transactions of a create, and nothing around them. */
function rawEtcd(transport: GrpcTransport, value: Uint8Array): Load {
  const encoder = new TextEncoder();
  return inFlight(() => {
    const key = encoder.encode(nextKey());
    const compare = [{ result: 0, target: 2, key, modRevision: 0 } as const];
    return transport.call(RPC.txn, {
      compare,
      success: [{ put: { key, value } }],
      failure: [{ range: { key } }],
    }, {});
  });
}

/** Both in turns; per second, and how much of the first the second reaches. */
async function compare(name: string, raw: Load, ours: Load, ms: number, what = "backend"): Promise<void> {
  const sum = { raw: 0, ours: 0 };
  await raw(200);
  await ours(200);
  for (let i = 0; i < ROUNDS; i++) {
    sum.raw += await raw(ms / ROUNDS);
    sum.ours += await ours(ms / ROUNDS);
  }
  const rate = (n: number) => Math.round(n / (ms / 1000));
  console.log(`${name}: raw ${rate(sum.raw)}/s, ${what} ${rate(sum.ours)}/s, ratio ${(sum.ours / sum.raw).toFixed(2)}`);
}

async function lone(name: string, backend: Backend): Promise<void> {
  const times: number[] = [];
  for (let i = 0; i < 300; i++) {
    const start = performance.now();
    await backend.commit([{ key: nextKey(), value: VALUE, expect: 0 }]);
    times.push(performance.now() - start);
  }
  times.sort((a, b) => a - b);
  console.log(`${name}: a lone commit ${times[150]!.toFixed(2)} ms (median), ${times[297]!.toFixed(2)} ms (99 %)`);
}

if (import.meta.main) {
  const ms = numberOption("seconds", 3) * 1000;
  const memory = memoryBackend();
  console.log(`memory: ${Math.round(await backendLoad(memory)(ms / 3) / (ms / 3000))}/s`);
  await memory.close();
  const dir = await Deno.makeTempDir();
  const kv = await Deno.openKv(`${dir}/raw.db`);
  const store = await openDenoKv(`${dir}/store.db`);
  await compare("denokv", rawKv(kv), backendLoad(store), ms);
  await lone("denokv", store);
  kv.close();
  await store.close();
  await Deno.remove(dir, { recursive: true });
  const endpoint = textOption("etcd", "");
  if (endpoint) {
    const { host, hostname, port } = new URL(endpoint);
    const transport = new GrpcTransport(host, { host: hostname, port: Number(port) });
    const etcd = await openEtcd({ endpoints: [endpoint], prefix: `/bench-${Date.now()}` });
    await compare("etcd", rawEtcd(transport, VALUE), backendLoad(etcd), ms);
    await lone("etcd", etcd);
    const application = await startApplication(etcd);
    const raw = rawEtcd(transport, crypto.getRandomValues(new Uint8Array(AT_REST)));
    await compare("etcd", raw, inFlight(application.create), ms * 4, "application");
    await application.stop();
    await etcd.close();
    transport.close();
  }
}
