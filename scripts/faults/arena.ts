/** Where clients meet faults: servers on one store, what can be done to them, and the store's own log. */
import { pause } from "../../server/pause.ts";
import type { Backend, ChangeBatch } from "../../server/storage/backend.ts";
import { openDenoKv } from "../../server/storage/denokv/mod.ts";
import { openEtcd } from "../../server/storage/etcd/mod.ts";
import { ServerProcess } from "../../tests/e2e/_server.ts";
import { startTestServer, type TestServer } from "../../tests/fixture/server.ts";
import { startEtcd } from "../../tests/storage/etcd_server.ts";
import { tcpProxy } from "../../tests/storage/tcp_proxy.ts";
import type { Way } from "../soak/load.ts";
import { wayTo } from "../soak/way.ts";
import type { Change } from "./history.ts";

/** One thing that goes wrong, for about so many ms; it is well again when it resolves. */
export type Mischief = (ms: number, random: () => number) => Promise<unknown>;

/** See the top of the file. */
export interface Arena {
  readonly ways: readonly Way[];
  /** The store, past the servers and all that is between. */
  readonly store: Backend;
  readonly mischief: Readonly<Record<string, Mischief>>;
  close(): Promise<void>;
}

/** Where the clients' objects lie. */
const PREFIX = "/registry/configmaps/default/";
/** Longest time for one request, ms. */
const WITHIN = 8_000;
const PLAIN = "--storage-media-type=application/json";

/** Reads the log of the store from now on, until it is told to end. */
export class LogReader {
  readonly changes: Change[] = [];
  readonly #abort = new AbortController();
  readonly #reading: Promise<void>;
  #revision = 0;

  constructor(readonly store: Backend, readonly since: number) {
    this.#reading = store.changes(PREFIX, since, (batch) => this.#take(batch), this.#abort.signal);
  }

  #take({ changes, revision }: ChangeBatch): void {
    this.#revision = revision;
    for (const { key, revision: rv, value } of changes) {
      const { n, prev } = value ? JSON.parse(new TextDecoder().decode(value)).data : {};
      this.changes.push({ name: key.slice(PREFIX.length), rv, n, prev: prev === undefined ? undefined : Number(prev) });
    }
  }

  /** Ends it once it has come to the store's end. */
  async end(): Promise<void> {
    const end = await this.store.revision();
    while (this.#revision < end) await Promise.race([pause(20), this.#reading]);
    this.#abort.abort();
    await this.#reading;
  }
}

/** Two servers on three members of etcd, each server with proxies of its own to all members. */
export async function etcdArena(): Promise<Arena> {
  const cluster = await startEtcd(3);
  const proxies = [0, 1].map(() => cluster.endpoints.map((endpoint) => tcpProxy(endpoint)));
  const servers = await Promise.all(
    proxies.map((own) =>
      ServerProcess.start("kubernetes", [PLAIN, `--store-servers=${own.map((p) => p.address).join(",")}`])
    ),
  );
  const store = await openEtcd({ endpoints: cluster.endpoints, prefix: "/registry", root: "/registry" });
  const ways = await Promise.all(servers.map((server) => wayTo(server, WITHIN)));
  const one = <T>(of: readonly T[], random: () => number): T => of[Math.floor(random() * of.length)]!;
  const during = async (ms: number, begin: () => unknown, end: () => unknown) => {
    begin();
    await pause(ms);
    await end();
  };
  const mischief: Record<string, Mischief> = {
    "connections are dropped": async (_, random) => one(proxies, random).forEach((p) => p.drop()),
    "connections are half closed": async (_, random) => {
      await Promise.all(one(proxies, random).map((p) => p.halfClose()));
    },
    "the network is slow": (ms, random) => {
      const own = one(proxies, random);
      const set = (delay: number) => own.forEach((p) => p.mischief.delay = delay);
      return during(ms, () => set(20 + random() * 60), () => set(0));
    },
    "the network stalls": (ms, random) => {
      const own = one(proxies, random);
      const set = (stalled: boolean) => own.forEach((p) => p.mischief.stalled = stalled);
      return during(ms, () => set(true), () => set(false));
    },
    "one member is cut off": (ms, random) => {
      const proxy = one(one(proxies, random), random);
      return during(ms, () => proxy.mischief.stalled = true, () => {
        proxy.mischief.stalled = false;
        proxy.drop();
      });
    },
    "a member is stopped": (ms, random) => {
      const member = Math.floor(random() * 3);
      return during(ms, () => cluster.signal(member, "SIGSTOP"), () => cluster.signal(member, "SIGCONT"));
    },
    "a member is killed": async (ms, random) => {
      const member = Math.floor(random() * 3);
      await cluster.kill(member);
      await pause(ms);
      await cluster.start(member);
    },
    ...onServers(servers),
  };
  return {
    ways,
    store,
    mischief,
    async close() {
      for (const way of ways) way.close();
      await Promise.all(servers.map((server) => server.end()));
      await store.close();
      await Promise.all(proxies.flat().map((p) => p.close()));
      await cluster[Symbol.asyncDispose]();
    },
  };
}

/** Two servers on one file of Deno KV. */
export async function denoKvArena(): Promise<Arena> {
  const dir = await Deno.makeTempDir({ prefix: "arena-" });
  const path = `${dir}/store.kv`;
  const servers: ServerProcess[] = [];
  for (let i = 0; i < 2; i++) servers.push(await ServerProcess.start("kubernetes", [PLAIN, `--storage-path=${path}`]));
  const store = await openDenoKv(path);
  const ways = await Promise.all(servers.map((server) => wayTo(server, WITHIN)));
  return {
    ways,
    store,
    mischief: onServers(servers),
    async close() {
      for (const way of ways) way.close();
      await Promise.all(servers.map((server) => server.end()));
      await store.close();
      await Deno.remove(dir, { recursive: true });
    },
  };
}

function onServers(servers: readonly ServerProcess[]): Record<string, Mischief> {
  const one = (random: () => number) => servers[Math.floor(random() * servers.length)]!;
  return {
    "a server is stopped": async (ms, random) => {
      const { pid } = one(random);
      Deno.kill(pid, "SIGSTOP");
      await pause(ms);
      Deno.kill(pid, "SIGCONT");
    },
    "a server is killed": async (ms, random) => {
      const server = one(random);
      await server.stop("SIGKILL");
      await pause(ms / 4);
      await server.run();
    },
  };
}

/** Two servers in this process on one file of Deno KV, whose clocks jump. */
export async function clockArena(): Promise<Arena> {
  const dir = await Deno.makeTempDir({ prefix: "arena-" });
  const shifts = [0, 0];
  const stores: Backend[] = [];
  const servers: TestServer[] = [];
  for (const i of shifts.keys()) {
    const now = () => Date.now() + shifts[i]!;
    stores.push(await openDenoKv(`${dir}/store.kv`, { now }));
    servers.push(await startTestServer([PLAIN], { backend: stores[i]!, now, elapsed: () => performance.now() }));
  }
  return {
    ways: servers.map((server): Way => ({
      send: (method, path, body) => server.fetch(path, { method, ...(body === undefined ? {} : { body }) }),
      open: async (path, signal) => {
        const { body, status } = await server.open(path);
        return new Response(body!.pipeThrough(new TransformStream(), { signal }), { status });
      },
    })),
    store: stores[0]!,
    mischief: {
      "a clock jumps": async (ms, random) => {
        shifts[Math.floor(random() * 2)] = (random() - 0.5) * 7_200_000;
        await pause(ms);
      },
    },
    async close() {
      for (const server of servers) await server.stop();
      for (const store of stores) await store.close();
      await Deno.remove(dir, { recursive: true });
    },
  };
}
