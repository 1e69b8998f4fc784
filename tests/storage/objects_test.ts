/** `store export` and `store import`: objects of a store as a file, and of a running server. */
import assert from "node:assert/strict";
import { type Options, parseOptions } from "../../server/options/mod.ts";
import type { Backend } from "../../server/storage/backend.ts";
import { openEncryption } from "../../server/storage/encryption/mod.ts";
import { memoryBackend } from "../../server/storage/memory.ts";
import { Whole } from "../../server/storage/whole.ts";
import { exportTo, importFrom } from "../../server/storage/objects/command.ts";
import { Places } from "../../server/storage/objects/places.ts";
import { readRemote } from "../../server/storage/objects/remote.ts";
import { concat } from "../../schema/values/bytes.ts";
import { productOf } from "../../schema/product.ts";
import { startTestServer, type TestServer } from "../fixture/server.ts";
import { authority } from "../listen/_fixture.ts";
import { definition, DEFINITIONS, THINGS, version } from "../customresources/_crd.ts";
import { fileOf, keyed, secret } from "./encryption_tools.ts";
import { bytes, put, storageError, text } from "./tools.ts";

function optionsOf(...flags: string[]): Options {
  const parsed = parseOptions(["--api-dialect=kubernetes", "--storage-backend=memory", ...flags]);
  assert(parsed.kind === "run", JSON.stringify(parsed));
  return parsed.options;
}

/** The lines after the first, the members of each in order. */
const sorted = async (file: string) =>
  (await Deno.readTextFile(file)).trim().split("\n").slice(1).map((line) => ordered(JSON.parse(line))).sort();

function ordered(tree: unknown): string {
  const member = (_: string, v: unknown) =>
    v && typeof v === "object" && !Array.isArray(v)
      ? Object.fromEntries(Object.entries(v).sort(([a], [b]) => a < b ? -1 : 1))
      : v;
  return JSON.stringify(tree, member);
}

/** Some of everything that lies in a store in a way of its own. */
async function fill(server: TestServer): Promise<void> {
  const create = async (path: string, body: unknown) => {
    const answer = await server.fetch(path, { body });
    assert.equal(answer.status, 201, answer.text);
  };
  await create(DEFINITIONS, definition([version({ n: { type: "integer" } })]));
  for (let i = 0; !(await server.fetch(THINGS)).body.items; i++) {
    assert(i < 5_000, "the definition is not served");
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  const meta = (name: string) => ({ metadata: { name } });
  await create(THINGS, { apiVersion: "example.com/v1", kind: "Thing", ...meta("one"), spec: { n: 9007199254740991 } });
  const core = "/api/v1/namespaces/default";
  await create(`${core}/secrets`, { ...meta("s"), data: { key: "dmFsdWU=" } });
  await create(`${core}/services`, {
    ...meta("np"),
    spec: { type: "NodePort", ports: [{ port: 80, nodePort: 30080 }] },
  });
  await create(`${core}/events`, { ...meta("e"), involvedObject: { namespace: "default", name: "s", kind: "Secret" } });
  await create("/apis/apps/v1/namespaces/default/deployments", {
    ...meta("d"),
    spec: {
      selector: { matchLabels: { a: "b" } },
      template: { metadata: { labels: { a: "b" } }, spec: { containers: [{ name: "c", image: "i" }] } },
    },
  });
}

async function within(work: (dir: string) => Promise<void>): Promise<void> {
  const dir = await Deno.makeTempDir();
  try {
    await work(dir);
  } finally {
    await Deno.remove(dir, { recursive: true });
  }
}

/** The store of a server on which all that was made is read. */
async function serves(backend: Backend): Promise<void> {
  const server = await startTestServer([], { backend });
  const { body: thing } = await server.fetch(`${THINGS}/one`);
  assert.equal(thing.spec.n, 9007199254740991);
  const { body: service } = await server.fetch("/api/v1/namespaces/default/services/np");
  assert.equal(service.spec.ports[0].nodePort, 30080);
  const { body: read } = await server.fetch("/api/v1/namespaces/default/secrets/s");
  assert.equal(read.data.key, "dmFsdWU=");
  await server.stop();
}

Deno.test("export and import: every object and key comes back, encrypted or not, in any encoding", () =>
  within(async (dir) => {
    await Deno.writeTextFile(`${dir}/enc`, fileOf([["secrets", "*.example.com"], keyed("aesgcm", { k: secret(1) })]));
    const encrypted = optionsOf(`--encryption-provider-config=${dir}/enc`);
    const from = memoryBackend();
    const encryption = (await openEncryption(encrypted, { serverId: "one", now: Date.now, log: () => {} }))!;
    const server = await startTestServer([], { backend: encryption.over(from), encryption });
    await fill(server);
    await server.stop();
    assert.match(text((await from.get("/registry/secrets/default/s"))!.value)!, /^k8s:enc:aesgcm/);
    await storageError(exportTo(`${dir}/none`, Whole.of(from), optionsOf()), "corrupt");
    const first = await exportTo(`${dir}/first`, Whole.of(from), encrypted);
    assert.equal(first.keys, 1);
    assert.equal((await Deno.stat(`${dir}/first`)).mode! & 0o777, 0o600);
    const due = await from.expiresAt!("/registry/events/default/e");
    for (const media of ["json", "yaml", "vnd.kubernetes.protobuf"]) {
      const to = memoryBackend();
      const said: string[] = [];
      const options = optionsOf(`--storage-media-type=application/${media}`);
      await importFrom(`${dir}/first`, Whole.of(to), options, (line) => said.push(line));
      assert.match(said.join(), new RegExp(`^${first.objects} objects and 1 other keys`));
      assert.equal(await to.expiresAt!("/registry/events/default/e"), due);
      assert.equal((await to.range("")).items.length, (await from.range("")).items.length);
      await exportTo(`${dir}/again`, Whole.of(to), options);
      assert.deepEqual(await sorted(`${dir}/again`), await sorted(`${dir}/first`));
      await serves(to);
      await storageError(importFrom(`${dir}/first`, Whole.of(to), options, () => {}), "unavailable");
      await to.close();
    }
    encryption.close();
    await from.close();
  }));

Deno.test("import: from a running server, all lists of one version", () =>
  within(async (dir) => {
    const server = await startTestServer();
    await fill(server);
    const asked: string[] = [];
    const temporary = Deno.env.get("TMPDIR");
    Deno.env.set("TMPDIR", dir);
    const files = () => [...Deno.readDirSync(dir)].map(({ name }) => name);
    // By a name of its own and a certificate that is no authority; its users say who they are by a program, anew after ten requests.
    const pair = authority("signer").leaf({
      subject: { commonName: "api" },
      usage: "server",
      dnsNames: ["api.example"],
    });
    const apiVersion = "client.authentication.k8s.io/v1";
    const says = `printf '{"apiVersion":"${apiVersion}","kind":"ExecCredential","status":{"token":"%s"}}' $$`;
    const tokens = new Set<string | null>();
    const http = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen: () => {}, ...pair }, async (request) => {
      const { pathname, search } = new URL(request.url);
      tokens.add(request.headers.get("authorization"));
      if (asked.length >= 10 && tokens.size === 1) return new Response(null, { status: 401 });
      asked.push(search);
      // What is fetched has secrets: were the command broken off here, nothing of it is left.
      assert.deepEqual(files(), ["kubeconfig"]);
      return await server.open(pathname + search);
    });
    await Deno.writeTextFile(
      `${dir}/kubeconfig`,
      JSON.stringify({
        kind: "Config",
        clusters: [{
          name: "c",
          cluster: {
            server: `https://127.0.0.1:${http.addr.port}`,
            "tls-server-name": "api.example",
            "certificate-authority-data": btoa(pair.cert),
          },
        }],
        users: [{
          name: "u",
          user: {
            exec: {
              apiVersion,
              interactiveMode: "Never",
              command: "sh",
              args: ["-c", says],
            },
          },
        }],
        contexts: [{ name: "x", context: { cluster: "c", user: "u" } }],
        "current-context": "x",
      }),
    );
    const to = memoryBackend();
    const said: string[] = [];
    try {
      await importFrom(`${dir}/kubeconfig`, Whole.of(to), optionsOf(), (line) => said.push(line));
      const before = asked.length;
      await storageError(importFrom(`${dir}/kubeconfig`, Whole.of(to), optionsOf(), () => {}), "unavailable");
      assert.equal(asked.length, before, "nothing is read for a store that is not empty");
    } finally {
      if (temporary === undefined) Deno.env.delete("TMPDIR");
      else Deno.env.set("TMPDIR", temporary);
    }
    await http.shutdown();
    assert.equal(said.length, 2, said.join("\n"));
    assert.equal(tokens.size, 2, [...tokens].join());
    const versions = asked.map((query) => new URLSearchParams(query).get("resourceVersion")).filter(Boolean);
    assert.equal(new Set(versions).size, 1);
    await exportTo(`${dir}/there`, Whole.of(to), optionsOf());
    await exportTo(`${dir}/here`, Whole.of(server.backend), optionsOf());
    // A server's own group descriptions, node ports and times of expiry are not told by lists.
    const comparable = (lines: string[]) => lines.filter((l) => !/"kind":"(APIService|Event)"|"key"|"end"/.test(l));
    assert.deepEqual(comparable(await sorted(`${dir}/there`)), comparable(await sorted(`${dir}/here`)));
    assert(await to.expiresAt!("/registry/events/default/e"));
    await serves(to);
    const orch = parseOptions(["--storage-backend=memory"]);
    assert(orch.kind === "run");
    await storageError(importFrom(`${dir}/here`, Whole.of(memoryBackend()), orch.options, () => {}), "format");
    await server.stop();
    await to.close();
  }));

Deno.test("import: a hand-written object gets what it lacks; a wrong line is named and nothing is written", () =>
  within(async (dir) => {
    const load = async (lines: readonly unknown[], end: unknown = { end: lines.length }) => {
      const all = [{ objects: 1, dialect: "kubernetes" }, ...lines, ...(end ? [end] : [])];
      await Deno.writeTextFile(`${dir}/file`, all.map((line) => JSON.stringify(line)).join("\n"));
      const to = memoryBackend();
      try {
        await importFrom(`${dir}/file`, Whole.of(to), optionsOf("--storage-media-type=application/json"), () => {});
        return (await to.range("")).items;
      } catch (e) {
        assert.deepEqual((await to.range("")).items, []);
        throw e;
      } finally {
        await to.close();
      }
    };
    const config = (name?: string, namespace?: string) => ({
      object: { apiVersion: "v1", kind: "ConfigMap", metadata: { name, namespace, resourceVersion: "7" } },
    });
    const [item] = await load([config("a", "b")]);
    const { metadata } = JSON.parse(text(item!.value)!);
    assert(metadata.uid && metadata.creationTimestamp && !metadata.resourceVersion);
    assert.equal(item!.key, "/registry/configmaps/b/a");
    const wrong: readonly [lines: readonly unknown[], message: RegExp][] = [
      [[config("a", "b"), config("a", "b")], /line 3 .*configmaps\/b\/a is there already/],
      [[config("a")], /line 2 .*metadata\.namespace/],
      [[config("a/b", "c")], /line 2 .*metadata\.name/],
      [
        [{ object: { apiVersion: "v1", kind: "Binding", metadata: { name: "a", namespace: "b" } } }],
        /line 2 .*no kind/,
      ],
      [[{ object: { apiVersion: "example.com/v1", kind: "Thing", metadata: { name: "a" } } }], /line 2 .*no kind/],
      [
        [{ object: { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "a", namespace: "b" }, data: 3 } }],
        /line 2/,
      ],
      [[{ object: { apiVersion: "v1", kind: "Node", metadata: { name: "a", namespace: "b" } } }], /should have none/],
      [[{ objekt: {} }], /line 2 is neither/],
      [[{ key: "a/b", value: "***" }], /line 2 is not base64/],
      [[config("a", "b"), { key: "a/b", value: "AAAA".repeat(1024 * 1024 + 1) }], /line 3 .*more than 3145728/],
    ];
    for (const [lines, message] of wrong) assert.match((await storageError(load(lines), "corrupt")).message, message);
    assert.match((await storageError(load([config("a", "b")], null), "corrupt")).message, /cut short/);
    assert.match((await storageError(load([config("a", "b")], { end: 2 }), "corrupt")).message, /1 lines, not 2/);
    await Deno.writeTextFile(`${dir}/other`, "no\n");
    await storageError(importFrom(`${dir}/other`, Whole.of(memoryBackend()), optionsOf(), () => {}), "format");
  }));

Deno.test("export: a key that is no object is kept as it is", () =>
  within(async (dir) => {
    const from = memoryBackend();
    await put(from, { key: "/registry/ranges/x/1", value: bytes("default/a") });
    await put(from, { key: "/registry/gone.example.com/things/a/b", value: bytes('{"kind":"Thing"}') });
    // Servers at work are none of the content.
    const server = { key: "/registry/masterleases/192.0.2.1", value: bytes("{}"), expiresAt: Date.now() + 60_000 };
    await put(from, server);
    assert.deepEqual(await exportTo(`${dir}/file`, Whole.of(from), optionsOf()), {
      revision: 4,
      objects: 0,
      keys: 2,
      strays: new Map(),
    });
    const to = memoryBackend();
    await importFrom(`${dir}/file`, Whole.of(to), optionsOf(), () => {});
    const plain = async (b: Backend) => (await b.range("")).items.map(({ key, value }) => [key, text(value)]);
    assert.deepEqual(await plain(to), (await plain(from)).filter(([key]) => key !== server.key));
    await from.close();
    await to.close();
  }));

Deno.test("import: a server that does not answer, or stops half-way, is not waited for without end", async () => {
  for (const begin of ["", "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{"]) {
    const listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
    const taken: Deno.Conn[] = [];
    const taking = (async () => {
      for await (const conn of listener) {
        taken.push(conn);
        await conn.write(new TextEncoder().encode(begin));
      }
    })();
    const { port } = listener.addr as Deno.NetAddr;
    const read = readRemote(
      { server: `http://127.0.0.1:${port}` },
      new Places(productOf("kubernetes"), "/registry"),
      () => Promise.resolve(),
      begin === "" ? { firstMs: 40, quietMs: 60_000 } : { firstMs: 60_000, quietMs: 30 },
    );
    const seconds = begin === "" ? "0.04" : "0.03";
    await assert.rejects(read, {
      kind: "unavailable",
      message: new RegExp(`GET /apis: nothing came for ${seconds} s`),
    });
    listener.close();
    for (const conn of taken) conn.close();
    await taking;
  }
});

Deno.test("import: a list whose version is compacted while it is read goes on as it is now", async () => {
  const list = (items: readonly string[], more: object = {}) => ({
    metadata: { resourceVersion: "9", ...more },
    items: items.map((name) => ({ metadata: { name, namespace: "default" } })),
  });
  const resources = (...names: string[]) =>
    names.map((name) => ({ name, kind: "ConfigMap", verbs: ["list", "create"] }));
  const gone = { kind: "Status", code: 410, reason: "Expired", metadata: { continue: "now" } };
  const answers: Readonly<Record<string, object>> = {
    "/apis": { groups: [{ versions: [{ groupVersion: "apiextensions.k8s.io/v1" }] }] },
    "/api/v1": { groupVersion: "v1", resources: resources("configmaps", "secrets") },
    "/apis/apiextensions.k8s.io/v1": {
      groupVersion: "apiextensions.k8s.io/v1",
      resources: resources("customresourcedefinitions"),
    },
    "/api/v1/configmaps": list(["a"], { continue: "then" }),
    "/api/v1/configmaps then": gone,
    "/api/v1/configmaps now": list(["b"]),
  };
  const server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen() {} }, (request) => {
    const { pathname, searchParams } = new URL(request.url), next = searchParams.get("continue");
    if (pathname === "/api/v1/secrets" && searchParams.has("resourceVersion")) {
      return new Response("gone", { status: 410 });
    }
    const answer = answers[next ? `${pathname} ${next}` : pathname] ?? list([]);
    return Response.json(answer, { status: answer === gone ? 410 : 200 });
  });
  const written: Uint8Array[] = [];
  const report = await readRemote(
    { server: `http://127.0.0.1:${server.addr.port}` },
    new Places(productOf("kubernetes"), "/registry"),
    (bytes) => Promise.resolve(void written.push(bytes.slice())),
  );
  assert.deepEqual([report.objects, report.later], [2, ["/api/v1/configmaps", "/api/v1/secrets"]]);
  assert.match(new TextDecoder().decode(concat(written)), /"name":"a"[^]*"name":"b"/);
  await server.shutdown();
});
