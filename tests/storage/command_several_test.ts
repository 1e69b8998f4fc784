/** The store's commands on a server whose resources lie in several stores: each of them covers all. */
import assert from "node:assert/strict";
import type { Backend } from "../../server/storage/backend.ts";
import { storeCommand } from "../../server/storage/command_line.ts";
import { openDenoKv } from "../../server/storage/denokv/mod.ts";
import { openEtcd } from "../../server/storage/etcd/mod.ts";
import { openStores } from "../../server/storage/open.ts";
import { parseOptions } from "../../server/options/mod.ts";
import { definition, DEFINITIONS, thing, THINGS, version } from "../customresources/_crd.ts";
import { startTestServer } from "../fixture/server.ts";
import { type EtcdCluster, noEtcd, startEtcd } from "./etcd_server.ts";
import { bytes, put } from "./tools.ts";

const missing = await noEtcd();

/** Options of a server with three stores: two etcds beside the main one. */
function flagsOf([main, one, two]: readonly EtcdCluster[]): string[] {
  const [a, b] = [one!.endpoints[0], two!.endpoints[0]];
  const items = [`/events#${a}`, `apps/deployments#${a}`, `/services#${b}`, `networking.k8s.io/ipaddresses#${b}`];
  return [
    "--api-dialect=kubernetes",
    "--storage-backend=etcd3",
    `--store-servers=${main!.endpoints[0]}`,
    `--store-servers-overrides=${items.join()}`,
  ];
}

/** Serves from the stores, does something and stops. */
async function serving(
  flags: readonly string[],
  work: (s: Awaited<ReturnType<typeof startTestServer>>) => Promise<void>,
) {
  const parsed = parseOptions(flags);
  assert(parsed.kind === "run");
  const stores = await openStores(parsed.options);
  const server = await startTestServer([...flags], { backend: stores.main, stores: stores.byResource });
  try {
    await work(server);
  } finally {
    await server.stop();
    await Promise.all([stores.main, ...stores.others].map((store) => store.close()));
  }
}

async function fill(flags: readonly string[]): Promise<void> {
  await serving(flags, async (s) => {
    const create = async (path: string, body: unknown) => assert.equal((await s.fetch(path, { body })).status, 201);
    const core = "/api/v1/namespaces/default";
    const metadata = { name: "a" };
    await create(`${core}/configmaps`, { metadata });
    await create(`${core}/events`, {
      metadata,
      involvedObject: { namespace: "default", name: "a", kind: "ConfigMap" },
    });
    await create(`${core}/services`, { metadata, spec: { type: "NodePort", ports: [{ port: 80, nodePort: 30123 }] } });
    const template = { metadata: { labels: { a: "b" } }, spec: { containers: [{ name: "c", image: "i" }] } };
    const spec = { selector: { matchLabels: { a: "b" } }, template };
    await create("/apis/apps/v1/namespaces/default/deployments", { metadata, spec });
    await create(DEFINITIONS, definition([version({ n: { type: "integer" } })]));
    for (let i = 0; (await s.fetch(THINGS)).status !== 200; i++) {
      assert(i < 5_000, "the definition is not served");
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
    await create(THINGS, thing("one", { n: 1 }));
  });
}

const raw = async <T>({ endpoints }: EtcdCluster, work: (backend: Backend) => Promise<T>): Promise<T> => {
  const backend = await openEtcd({ endpoints, prefix: "/registry", root: "/registry" });
  try {
    return await work(backend);
  } finally {
    await backend.close();
  }
};

const rows = async (backend: Backend) => (await backend.range("")).items.map(({ key, value }) => [key, value] as const);
const MOVED = /^\/registry\/(events|deployments|ipaddresses|services\/specs|ranges)\//;

Deno.test({
  name: "store commands: every store of the options is verified, compacted, saved and filled",
  ignore: missing !== undefined, // no etcd binary on this machine
  fn: async () => {
    await using from0 = await startEtcd();
    await using from1 = await startEtcd();
    await using from2 = await startEtcd();
    await using to0 = await startEtcd();
    await using to1 = await startEtcd();
    await using to2 = await startEtcd();
    const [from, to] = [[from0, from1, from2], [to0, to1, to2]] as const;
    const dir = await Deno.makeTempDir();
    let said: string[] = [];
    const run = async (...args: string[]) => {
      said = [];
      return await storeCommand(args, (line) => said.push(line), (line) => said.push(line));
    };
    await fill(flagsOf(from));
    // From before the resource was given a store of its own: nobody reads it there.
    await raw(from0, (b) => put(b, { key: "/registry/events/default/old", value: bytes("{}") }));
    const all = (await Promise.all(from.map((etcd) => raw(etcd, rows)))).flat()
      .filter(([key]) => key !== "/registry/events/default/old");

    assert.equal(await run("verify", ...flagsOf(from)), 1);
    assert.match(said.join("\n"), /^the main store: \/registry\/events\/default\/old: the object cannot be read/);
    assert.equal(said.filter((line) => / 0 problems$/.test(line)).length, 2);
    await raw(from1, async (b) => {
      const { value, revision } = (await b.get("/registry/deployments/default/a"))!;
      await put(b, { key: "/registry/deployments/default/a", value: value.subarray(0, 40), expect: revision });
      assert.equal(await run("verify", ...flagsOf(from)), 1);
      const told = said.find((line) => line.includes("/deployments/default/a"));
      assert.match(
        told!,
        /^the store of events, deployments\.apps \(http:.*\): \/registry\/deployments\/default\/a: the object/,
      );
      await put(b, { key: "/registry/deployments/default/a", value });
    });

    assert.equal(await run("backup", `${dir}/archive`, ...flagsOf(from)), 0, said.join());
    assert.match(said.join("\n"), new RegExp(`^${all.length} objects of .*\nthe main store: 1 keys of resources`));
    assert.equal(await run("restore", `${dir}/archive`, `--storage-path=${dir}/one.kv`, "--api-dialect=kubernetes"), 0);
    const one = await openDenoKv(`${dir}/one.kv`);
    assert.deepEqual(new Map(await rows(one)), new Map(all));
    await one.close();

    assert.equal(await run("restore", `${dir}/archive`, ...flagsOf(to)), 0, said.join());
    assert.deepEqual(said, [`${all.length} objects are in 3 stores`]);
    for (const [i, etcd] of to.entries()) {
      const there = await raw(etcd, rows);
      const own = (await raw(from[i]!, rows)).filter(([key]) => !key.endsWith("/old"));
      assert.deepEqual(new Map(there), new Map(own));
      assert(there.length > 0 && there.every(([key]) => MOVED.test(key) === i > 0));
    }
    assert((await raw(to1, (b) => b.expiresAt!("/registry/events/default/a")))! > Date.now() + 1_800_000);
    assert.equal(await run("restore", `${dir}/archive`, ...flagsOf(to)), 1);
    assert.match(said.join(), /the main store is not empty/);
    await serving(flagsOf(to), async (s) => {
      assert.equal((await s.fetch(`${THINGS}/one`)).body.spec.n, 1);
      assert.equal((await s.fetch("/api/v1/namespaces/default/services/a")).body.spec.ports[0].nodePort, 30123);
    });

    assert.equal(await run("export", `${dir}/objects`, ...flagsOf(from)), 0, said.join());
    assert.match(said.join("\n"), new RegExp(`^${all.length - 1} objects and 1 other keys .*\nthe main store: 1 keys`));
    await using new0 = await startEtcd();
    await using new1 = await startEtcd();
    await using new2 = await startEtcd();
    const filled = [new0, new1, new2];
    assert.equal(await run("import", `${dir}/objects`, ...flagsOf(filled)), 0, said.join());
    for (const [i, etcd] of filled.entries()) {
      const keys = async (e: EtcdCluster) =>
        (await raw(e, rows)).map(([key]) => key).filter((k) => !k.endsWith("/old"));
      assert.deepEqual(await keys(etcd), await keys(from[i]!));
    }
    assert.equal(await run("verify", ...flagsOf(filled)), 0, said.join("\n"));

    assert.equal(await run("compact", ...flagsOf(from)), 0, said.join());
    assert.equal(said.length, 3);
    for (const [i, etcd] of from.entries()) {
      const at = Number(/compacted to revision (\d+)/.exec(said[i]!)![1]);
      assert(at > 1);
      assert.equal(await raw(etcd, (b) => Promise.resolve(b.compacted())), at);
    }
    assert.equal(
      await run("export", `${dir}/none`, ...flagsOf(from).slice(0, -1), "--store-servers-overrides=/x#http://h"),
      1,
    );
    assert.match(said.join(), /no built-in resource/);
    await Deno.remove(dir, { recursive: true });
  },
});

Deno.test({
  name: "store commands: a prefix under which nothing lies is none to be saved, and leaves the last backup as it is",
  ignore: missing !== undefined, // no etcd binary on this machine
  fn: async () => {
    await using etcd = await startEtcd();
    const dir = await Deno.makeTempDir(), flags = [`--store-servers=${etcd.endpoints[0]}`];
    let said: string[] = [];
    const run = async (...args: string[]) => {
      said = [];
      return await storeCommand(args, (line) => said.push(line), (line) => said.push(line));
    };
    // A store of a public server, which has none of our facts.
    const other = await openEtcd({ endpoints: etcd.endpoints, prefix: "/registry", root: "/registry" });
    await put(other, { key: "/registry/namespaces/a", value: bytes("{}") });
    const file = `${dir}/archive`;
    assert.equal(await run("backup", file, ...flags), 0, said.join());
    assert.equal(await run("verify", ...flags), 1, "an object that is none");
    assert.equal(await other.readMeta("dialect"), undefined, "nothing is written by who looks");
    await other.close();
    assert.equal(await run("restore", file, `--storage-path=${dir}/one.kv`), 0, said.join());
    const one = await openDenoKv(`${dir}/one.kv`);
    assert.equal(new TextDecoder().decode(await one.readMeta("dialect")), "orch");
    await one.close();
    const saved = await Deno.readFile(file);
    const empty = /: nothing lies under \/regsitry on etcd$/;
    for (const [command, ...to] of [["backup", file], ["export", file], ["compact"]] as const) {
      assert.equal(await run(command, ...to, ...flags, "--store-prefix=/regsitry"), 1);
      assert.match(said.join("\n"), empty);
    }
    assert.equal(await run("verify", ...flags, "--store-prefix=/regsitry"), 1);
    assert.match(said[0]!, empty);
    assert.deepEqual(await Deno.readFile(file), saved);
    const beside = await openEtcd({ endpoints: etcd.endpoints, prefix: "/regsitry" });
    assert.equal(await beside.readMeta("dialect"), undefined, "it was made");
    await beside.close();
    await Deno.remove(dir, { recursive: true });
  },
});
