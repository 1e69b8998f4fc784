/** What each option about the store, and about the lease of the server that elects, does, by its row. */
import assert from "node:assert/strict";
import { type Options, parseOptions } from "../../server/options/mod.ts";
import { followEncryption, openEncryption } from "../../server/storage/encryption/mod.ts";
import { memoryBackend } from "../../server/storage/memory.ts";
import { openStores } from "../../server/storage/open.ts";
import { overridesOf } from "../../server/storage/overrides.ts";
import type { TestServer } from "../fixture/server.ts";
import { soon, until } from "../listen/_fixture.ts";
import { certificates } from "../storage/certificates.ts";
import { fileOf, keyed, secret } from "../storage/encryption_tools.ts";
import { noEtcd, startEtcd } from "../storage/etcd_server.ts";
import { held } from "./_held.ts";
import { createMaps, map, maps, ok, refused, withServer } from "./_spec.ts";

function optionsOf(...flags: string[]): Options {
  const parsed = parseOptions(["--api-dialect=kubernetes", ...flags]);
  assert.equal(parsed.kind, "run", JSON.stringify(parsed));
  return (parsed as Extract<typeof parsed, { kind: "run" }>).options;
}

const SECOND = "--store-servers=";
const text = (bytes: Uint8Array | undefined): string => new TextDecoder().decode(bytes);

/** An effect that is shown on a real etcd; without its binary there is nothing to show it on. */
const onEtcd = (run: () => Promise<void>) => async () => {
  const missing = await noEtcd();
  if (missing) return console.warn(`not shown: ${missing}`);
  await run();
};

/** Runs a server on the stores that the options name. */
async function onStores(flags: readonly string[], run: (t: TestServer) => Promise<void>): Promise<void> {
  const all = ["--storage-backend=etcd3", ...flags];
  const stores = await openStores(optionsOf(...all));
  try {
    await withServer(all, run, { backend: stores.main, stores: stores.byResource });
  } finally {
    await Promise.all([stores.main, ...stores.others].map((store) => store.close()));
  }
}

/** Keys of an etcd below a prefix, and the lease of each. */
async function keysOf(endpoint: string, prefix: string): Promise<{ key: string; lease: string }[]> {
  const end = `${prefix.slice(0, -1)}${String.fromCharCode(prefix.charCodeAt(prefix.length - 1) + 1)}`;
  const body = JSON.stringify({ key: btoa(prefix), range_end: btoa(end), keys_only: true });
  const { kvs = [] } = await (await fetch(`${endpoint}/v3/kv/range`, { method: "POST", body })).json();
  return kvs.map(({ key, lease }: { key: string; lease: string }) => ({ key: atob(key), lease }));
}

/** Which prefixes and keys of a memory store are read. */
function noted() {
  const inner = memoryBackend(), reads: string[] = [];
  const { backend } = held(inner, (method, [key]) => {
    if (method === "get" || method === "range") reads.push(String(key));
    return false;
  });
  return { backend, reads };
}

/** Whether reads of config maps, and of secrets, go to the store. */
async function direct(...flags: string[]): Promise<boolean[]> {
  const { backend, reads } = noted();
  let found: boolean[] = [];
  await withServer(flags, async (t) => {
    const resources = ["configmaps", "secrets"];
    for (const resource of resources) {
      await ok(t, `/api/v1/namespaces/default/${resource}`, { body: { metadata: { name: "a" } } });
    }
    reads.length = 0;
    for (const resource of resources) {
      await ok(t, `/api/v1/namespaces/default/${resource}/a`);
      assert.equal((await ok(t, `/api/v1/namespaces/default/${resource}`)).body.items.length, 1);
    }
    found = resources.map((resource) => reads.some((r) => r.startsWith(`/registry/${resource}/`)));
  }, { backend });
  await backend.close();
  return found;
}

/** A value of the metrics; undefined where it is not there. */
async function metric(t: TestServer, start: string): Promise<number | undefined> {
  const line = (await ok(t, "/metrics")).text.split("\n").find((l) => l.startsWith(start));
  return line === undefined ? undefined : Number(line.split(" ").at(-1));
}

const EVENT = {
  metadata: { name: "e", namespace: "default" },
  involvedObject: { kind: "Pod", name: "p", namespace: "default" },
  reason: "R",
};
const EVENTS = "/api/v1/namespaces/default/events";

const ELECTS = [
  "--controllers=leader-election-controller",
  "--feature-gates=CoordinatedLeaderElection=true",
  "--runtime-config=coordination.k8s.io/v1beta1=true",
];
const LEASE = "/apis/coordination.k8s.io/v1/namespaces/kube-system/leases/leader-election-controller";

/** Runs a server that has come to elect; `block` has what it writes wait, `tries` counts that. */
async function electing(
  flags: readonly string[],
  run: (t: TestServer, clock: { now: number; blocked: boolean; tries: number }) => Promise<void>,
): Promise<void> {
  const inner = memoryBackend(), clock = { now: Date.now(), blocked: false, tries: 0 };
  const { backend, release } = held(inner, (method, [changes]) => {
    const own = method === "commit" && JSON.stringify(changes).includes("/leader-election-controller");
    if (own) clock.tries++;
    return own && clock.blocked;
  });
  const flagsOfAll = ["--coordinated-leadership-retry-period=20ms", ...flags];
  const all = [
    ...ELECTS,
    ...flagsOfAll.filter((f, i) => flagsOfAll.findLastIndex((g) => g.split("=")[0] === f.split("=")[0]) === i),
  ];
  await withServer(all, async (t) => {
    await until("it elects", async () => await leads(t));
    try {
      await run(t, clock);
    } finally {
      release();
    }
  }, { backend, now: () => clock.now, elapsed: () => performance.now() });
  await inner.close();
}

const leads = async (t: TestServer): Promise<boolean> => await metric(t, "leader_election_master_status") === 1;

/** See the top of the file. */
export const STORAGE_EFFECTS: Readonly<Record<string, () => Promise<void>>> = {
  "--watch-cache": async () => {
    assert.deepEqual(await direct(), [false, false]);
    assert.deepEqual(await direct("--watch-cache=false"), [true, true]);
  },
  "--watch-cache-sizes": async () => {
    assert.deepEqual(await direct("--watch-cache-sizes=configmaps#0,secrets#100"), [true, false]);
  },
  "--storage-media-type": async () => {
    const start = async (...flags: string[]) => {
      let found = "";
      await withServer(flags, async (t) => {
        await createMaps(t, "default", "a");
        found = text((await t.backend.get("/registry/configmaps/default/a"))?.value);
        assert.equal((await ok(t, maps("default", "a"))).body.metadata.name, "a");
      });
      return found;
    };
    assert.match(await start(), /^k8s\0/);
    assert.match(await start("--storage-media-type=application/vnd.kubernetes.protobuf"), /^k8s\0/);
    assert.match(await start("--storage-media-type=application/json"), /^\{"/);
    assert.match(await start("--storage-media-type=application/yaml"), /^apiVersion: v1\n/);
    assert.equal(parseOptions(["--storage-media-type=text/plain"]).kind, "errors");
  },
  "--storage-initialization-timeout": async () => {
    const options = optionsOf("--store-servers=http://127.0.0.1:1", "--storage-initialization-timeout=100ms");
    await soon(assert.rejects(openStores(options)), "the end of the wait");
  },
  "--store-servers": onEtcd(async () => {
    await using etcd = await startEtcd(1);
    const [endpoint] = etcd.endpoints;
    // Of several, those that answer do.
    await onStores([`${SECOND}http://127.0.0.1:1,${endpoint}`], (t) => createMaps(t, "default", "a").then(() => {}));
    assert.equal((await keysOf(endpoint!, "/registry/configmaps/default/")).length, 1);
    await onStores([SECOND + endpoint], async (t) => {
      assert.equal((await ok(t, maps("default", "a"))).body.metadata.name, "a");
    });
  }),
  "--store-prefix": onEtcd(async () => {
    await using etcd = await startEtcd(1);
    const [endpoint] = etcd.endpoints;
    await onStores(
      [SECOND + endpoint, "--store-prefix=/other/place"],
      (t) => createMaps(t, "default", "a").then(() => {}),
    );
    const keys = (await keysOf(endpoint!, "/other/place/configmaps/default/")).map(({ key }) => key);
    assert.deepEqual(keys, ["/other/place/configmaps/default/a"]);
    await onStores([SECOND + endpoint], (t) => refused(t, 404, maps("default", "a")).then(() => {}));
    assert.ok((await keysOf(endpoint!, "/registry/")).length > 0);
  }),
  "--store-cafile, --store-certfile, --store-keyfile": onEtcd(async () => {
    const certs = await certificates(), others = await certificates(), dir = await Deno.makeTempDir();
    await using etcd = await startEtcd(1, certs.server);
    const files = (from: typeof certs, ...names: ("ca" | "cert" | "key")[]) =>
      names.map((name) => {
        const path = `${dir}/${name}`, { [name]: bytes } = from.client(1) as Record<string, Uint8Array>;
        Deno.writeFileSync(path, bytes!);
        return `--store-${name}file=${path}`;
      });
    const server = [SECOND + etcd.endpoints[0]], soonOver = "--storage-initialization-timeout=500ms";
    try {
      await onStores(
        [...server, ...files(certs, "ca", "cert", "key")],
        (t) => createMaps(t, "default", "a").then(() => {}),
      );
      await assert.rejects(onStores([...server, soonOver, ...files(certs, "ca")], async () => {})); // it wants to know who asks
      await assert.rejects(
        onStores([...server, soonOver, ...files(certs, "cert", "key"), ...files(others, "ca")], async () => {}),
      );
    } finally {
      await certs.remove();
      await others.remove();
      await Deno.remove(dir, { recursive: true });
    }
    assert.equal(parseOptions(["--store-certfile=/c"]).kind, "errors");
  }),
  "--store-servers-overrides": onEtcd(async () => {
    await using main = await startEtcd(1);
    await using other = await startEtcd(1);
    const [first, second] = [main.endpoints[0]!, other.endpoints[0]!];
    await onStores([SECOND + first, `--store-servers-overrides=/events#${second}`], async (t) => {
      await ok(t, EVENTS, { body: EVENT });
      await createMaps(t, "default", "a");
      assert.equal((await ok(t, EVENTS)).body.items.length, 1);
    });
    const count = async (endpoint: string, resource: string) =>
      (await keysOf(endpoint, `/registry/${resource}/`)).length;
    assert.deepEqual([await count(first, "events"), await count(second, "events")], [0, 1]);
    assert.deepEqual([await count(first, "configmaps") > 0, await count(second, "configmaps")], [true, 0]);
    for (const wrong of ["events", "/events", "/events#", "/events#http://b:1#http://c:1"]) {
      assert.equal(parseOptions([SECOND + first, `--store-servers-overrides=${wrong}`]).kind, "errors", wrong);
    }
    const several = optionsOf(SECOND + first, "--store-servers-overrides=/events#http://b:1;http://c:1");
    assert.deepEqual(overridesOf(several), [{ servers: ["http://b:1", "http://c:1"], resources: ["events"] }]);
  }),
  "--store-healthcheck-timeout, --store-readycheck-timeout": async () => {
    const inner = memoryBackend();
    let mute = false;
    const { backend, release } = held(inner, (method) => mute && method === "health");
    for (
      const [short, long, path] of [
        ["healthcheck", "readycheck", "/livez"],
        ["healthcheck", "readycheck", "/readyz/etcd"],
        ["readycheck", "healthcheck", "/readyz/etcd-readiness"],
      ]
    ) {
      await withServer([`--store-${short}-timeout=30ms`, `--store-${long}-timeout=1h`], async (t) => {
        assert.equal((await t.fetch(path!)).status, 200);
        mute = true;
        assert.equal((await soon(t.fetch(path!), "the end of the time")).status, 500);
        mute = false;
      }, { backend });
    }
    // No time at all is no limit that a store could keep: the default.
    await withServer(["--store-healthcheck-timeout=0", "--store-readycheck-timeout=0"], async (t) => {
      mute = true;
      const asked = ["/livez", "/readyz/etcd-readiness"].map((path) => t.fetch(path));
      setTimeout(release, 30);
      for (const answer of await Promise.all(asked)) assert.equal(answer.status, 200);
    }, { backend });
    await inner.close();
  },
  "--store-count-metric-poll-period": async () => {
    const count = (t: TestServer) => metric(t, 'apiserver_resource_objects{group="",resource="configmaps"}');
    for (const [flags, period] of [[[], 60_000], [["--store-count-metric-poll-period=7s"], 7000]] as const) {
      let now = Date.now();
      await withServer(flags, async (t) => {
        const before = (await count(t))!;
        await createMaps(t, "default", "a");
        now += period - 1;
        assert.equal(await count(t), before);
        now += 1;
        assert.equal(await count(t), before + 1);
      }, { now: () => now });
    }
    await withServer(["--store-count-metric-poll-period=0"], async (t) => assert.equal(await count(t), undefined));
  },
  "--store-db-metric-poll-interval": async () => {
    const size = (t: TestServer) => metric(t, "apiserver_storage_size_bytes{");
    await withServer(["--store-db-metric-poll-interval=10ms"], async (t) => {
      await until("it is read", async () => await size(t) !== undefined);
      const before = (await size(t))!;
      await ok(t, maps("default"), { body: map("a", { text: "x".repeat(10_000) }) });
      await until("it is read again", async () => (await size(t))! > before);
    });
    await withServer(["--store-db-metric-poll-interval=0"], async (t) => assert.equal(await size(t), undefined));
  },
  "--encryption-provider-config": async () => {
    const path = await Deno.makeTempFile();
    await Deno.writeTextFile(path, fileOf([["secrets"], keyed("aesgcm", { k: secret(1) })]));
    try {
      const flags = [`--encryption-provider-config=${path}`], inner = memoryBackend();
      const encryption =
        (await openEncryption(optionsOf(...flags), { serverId: "one", now: Date.now, log: () => {} }))!;
      await withServer(flags, async (t) => {
        await ok(t, "/api/v1/namespaces/default/secrets", {
          body: { metadata: { name: "s" }, stringData: { k: "v" } },
        });
        await createMaps(t, "default", "a");
        assert.equal((await ok(t, "/api/v1/namespaces/default/secrets/s")).body.data.k, btoa("v"));
      }, { backend: encryption.over(inner), encryption });
      const rests = async (key: string) => text((await inner.get(`/registry/${key}`))?.value);
      assert.match(await rests("secrets/default/s"), /^k8s:enc:aesgcm:v1:k:/);
      assert.match(await rests("configmaps/default/a"), /^k8s\0/);
      encryption.close();
      await inner.close();
    } finally {
      await Deno.remove(path);
    }
  },
  "--encryption-provider-config-automatic-reload": async () => {
    const dir = await Deno.makeTempDir(), path = `${dir}/config`, stop = new AbortController();
    const write = (key: string) =>
      Deno.writeTextFile(path, fileOf([["secrets"], keyed("aesgcm", { [key]: secret(1) })]));
    await write("one");
    const options = optionsOf(`--encryption-provider-config=${path}`, "--encryption-provider-config-automatic-reload");
    const log = () => {};
    const encryption = (await openEncryption(options, { serverId: "one", now: Date.now, log }))!;
    const following = followEncryption(encryption, options, { log }, stop.signal), inner = memoryBackend();
    try {
      const under = async () => {
        await encryption.over(inner).commit([{ key: "/registry/secrets/default/s", value: new Uint8Array([1]) }]);
        return text((await inner.get("/registry/secrets/default/s"))?.value).slice(0, "k8s:enc:aesgcm:v1:one".length);
      };
      assert.equal(await under(), "k8s:enc:aesgcm:v1:one");
      await write("two");
      await until("the file is read again", async () => await under() === "k8s:enc:aesgcm:v1:two");
    } finally {
      stop.abort();
      await following;
      encryption.close();
      await inner.close();
      await Deno.remove(dir, { recursive: true });
    }
    assert.equal(parseOptions(["--encryption-provider-config-automatic-reload"]).kind, "errors");
  },
  "--event-ttl": async () => {
    for (const [flags, minutes] of [[[], 60], [["--event-ttl=7m"], 7]] as const) {
      let now = Date.now();
      await withServer(flags, async (t) => {
        const { sweep } = t.backend as unknown as { sweep(): void };
        await ok(t, EVENTS, { body: EVENT });
        await createMaps(t, "default", "a");
        now += minutes * 60_000 - 1000;
        sweep.call(t.backend);
        await ok(t, `${EVENTS}/e`);
        now += 2000;
        sweep.call(t.backend);
        await refused(t, 404, `${EVENTS}/e`);
        await ok(t, maps("default", "a")); // events alone
      }, { now: () => now });
    }
    let now = Date.now();
    await withServer(["--event-ttl=0"], async (t) => {
      await ok(t, EVENTS, { body: EVENT });
      now += 100 * 24 * 3_600_000;
      (t.backend as unknown as { sweep(): void }).sweep();
      await ok(t, `${EVENTS}/e`);
    }, { now: () => now });
  },
  "--lease-reuse-duration-seconds": onEtcd(async () => {
    await using etcd = await startEtcd(1);
    const [endpoint] = etcd.endpoints, now = Date.now();
    const stores = (seconds: string) =>
      openStores(optionsOf(SECOND + endpoint, ...seconds ? [`--lease-reuse-duration-seconds=${seconds}`] : []));
    // Ends ten seconds apart share a lease that is kept for 60 s, but none that is kept for two.
    for (const [seconds, leases] of [["", 1], ["2", 4]] as const) {
      const { main } = await stores(seconds);
      for (let i = 0; i < 4; i++) {
        const key = `/registry/events/lease-${seconds}/${i}`;
        await main.commit([{ key, value: new Uint8Array([1]), expiresAt: now + 3_600_000 - i * 10_000 }]);
      }
      await main.close();
      const keys = await keysOf(endpoint!, `/registry/events/lease-${seconds}/`);
      assert.deepEqual([keys.length, new Set(keys.map(({ lease }) => lease)).size], [4, leases], seconds);
    }
    assert.equal(parseOptions(["--lease-reuse-duration-seconds=0"]).kind, "errors");
  }),
  "--coordinated-leadership-lease-duration": async () => {
    for (const [flags, seconds] of [[[], 15], [["--coordinated-leadership-lease-duration=33s"], 33]] as const) {
      await electing(flags, async (t) => assert.equal((await ok(t, LEASE)).body.spec.leaseDurationSeconds, seconds));
    }
    assert.equal(parseOptions(["--coordinated-leadership-lease-duration=10s"]).kind, "errors");
  },
  "--coordinated-leadership-renew-deadline": async () => {
    // By the default it would try for ten seconds.
    await electing(["--coordinated-leadership-renew-deadline=100ms"], async (t, clock) => {
      clock.blocked = true;
      clock.now++;
      await soon(until("it gives up", async () => !await leads(t)), "the end of the lease", 7);
    });
    assert.equal(parseOptions(["--coordinated-leadership-renew-deadline=15s"]).kind, "errors");
    assert.equal(parseOptions(["--coordinated-leadership-renew-deadline=2s"]).kind, "errors");
  },
  "--coordinated-leadership-retry-period": async () => {
    // Every two seconds, by default, it would take a minute.
    await electing(["--coordinated-leadership-retry-period=5ms"], async (_, clock) => {
      const { tries } = clock;
      await until("it is renewed again and again", () => {
        clock.now++; // a renewal at the same time would change nothing
        return clock.tries > tries + 30;
      });
    });
    assert.equal(parseOptions(["--coordinated-leadership-retry-period=0s"]).kind, "errors");
    assert.equal(parseOptions(["--coordinated-leadership-retry-period=9s"]).kind, "errors");
  },
};
