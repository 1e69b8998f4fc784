import assert from "node:assert/strict";
import { gunzipSync } from "node:zlib";
import { decode as decodeBytes } from "../libraries/cbor.ts";
import { encodeCbor } from "../../schema/codec/cbor_write.ts";
import { THINGS, withThings } from "./_things.ts";
import type { TestServer } from "../fixture/server.ts";
import type { Loose } from "../fixture/loose.ts";
import { map, maps, namespace, ok, refused, sharedServer, spec, withServer } from "./_spec.ts";

const server = sharedServer();

const accept = (type: string) => ({ headers: { accept: type } });

const TEXT = new TextDecoder();
const plain = (v: unknown): unknown =>
  v instanceof Uint8Array
    ? TEXT.decode(v)
    : Array.isArray(v)
    ? v.map(plain)
    : v instanceof Map
    ? Object.fromEntries([...v].map(([k, x]) => [plain(k), plain(x)]))
    : v && typeof v === "object"
    ? Object.fromEntries(Object.entries(v).map(([k, x]) => [k, plain(x)]))
    : v;
/** An item by another hand, its texts read. */
const decode = (bytes: Uint8Array): Loose => plain(decodeBytes(bytes.slice(3))) as Loose;

const PROTOBUF = "application/vnd.kubernetes.protobuf";

const typeOf = (a: { headers: Headers }) => a.headers.get("content-type")?.replace(/;.*/, "");

const sent = (type: string, body: unknown, method = "POST") => ({ method, headers: { "content-type": type }, body });

spec("Content negotiation", {
  "JSON": async () => {
    const t = await server();
    for (const type of ["", "*/*", "application/json", "application/json;charset=utf-8"]) {
      const a = await ok(t, "/api/v1/namespaces/default", accept(type));
      assert.equal(typeOf(a), "application/json", type);
      assert.equal(a.body.kind, "Namespace");
    }
    for (const path of ["/api/v1/pods", "/apis/apps/v1/deployments", "/apis/coordination.k8s.io/v1/leases"]) {
      assert.equal(typeOf(await ok(t, path)), "application/json");
    }
  },
  "YAML": async () => {
    const t = await server();
    const ns = await namespace(t);
    await ok(
      t,
      maps(ns),
      sent("application/yaml", "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: a\ndata:\n  k: v\n"),
    );
    const a = await ok(t, maps(ns, "a"), accept("application/yaml"));
    assert.equal(typeOf(a), "application/yaml");
    assert.ok(a.text.includes("\ndata:\n  k: v\n"), a.text);
    assert.ok(a.text.includes("kind: ConfigMap\n"));
  },
  "Protobuf": async () => {
    const t = await server();
    const a = await ok(t, "/api/v1/namespaces/default", accept(PROTOBUF));
    assert.equal(typeOf(a), PROTOBUF);
    assert.ok(a.text.startsWith("k8s\0"));
    await withServer(["--api-dialect=orch"], async (own) => {
      const b = await ok(own, "/api/v1/namespaces/default", accept("application/vnd.orch.protobuf"));
      assert.equal(typeOf(b), "application/vnd.orch.protobuf");
    });
    await withThings(t, async () => {
      for (const path of [THINGS, `${THINGS}/a`]) {
        assert.equal((await t.fetch(path, accept(PROTOBUF))).status, 406);
        assert.equal(typeOf(await ok(t, path, accept(`${PROTOBUF}, application/json`))), "application/json");
      }
      await refused(t, 415, THINGS, sent(PROTOBUF, new Uint8Array([0x6b, 0x38, 0x73, 0])));
    });
  },
  "CBOR": async () => {
    const t = await server();
    await refused(t, 406, "/api/v1/namespaces/default", accept("application/cbor"));
    await withServer(["--feature-gates=CBORServingAndStorage=true"], async (on) => {
      const body = encodeCbor({ apiVersion: "v1", kind: "ConfigMap", metadata: { name: "c" }, data: { k: "v" } });
      await ok(on, maps("default"), sent("application/cbor", body));
      assert.deepEqual((await ok(on, maps("default", "c"))).body.data, { k: "v" });
      assert.equal(typeOf(await ok(on, maps("default", "c"), accept("application/cbor"))), "application/cbor");
      const request = new Request(`https://test${maps("default")}?watch=1`, accept("application/cbor"));
      const watch = await on.server.app.fetch(request);
      assert.equal(watch.headers.get("content-type"), "application/cbor-seq");
      const reader = watch.body!.getReader(), events: Loose[] = [];
      await ok(on, maps("default"), { body: map("d") });
      // Items of a sequence begin with the tag that says that they are CBOR.
      while (events.length < 2) {
        const { value } = await reader.read();
        const starts = [...value!.keys()].filter((i) => [0xd9, 0xd9, 0xf7].every((b, k) => value![i + k] === b));
        assert.equal(starts[0], 0);
        for (const [i, at] of starts.entries()) events.push(decode(value!.slice(at, starts[i + 1])));
      }
      await reader.cancel();
      assert.deepEqual(events.map((e) => [e.type, e.object.kind, e.object.metadata.name]), [
        ["ADDED", "ConfigMap", "c"],
        ["ADDED", "ConfigMap", "d"],
      ]);
    });
  },
  "rule 1": async () => {
    const t = await server();
    const ns = await namespace(t);
    // Sent in one, answered in another.
    const a = await ok(t, maps(ns), {
      method: "POST",
      headers: { "content-type": "application/yaml", accept: PROTOBUF },
      body: "metadata: {name: a}\ndata: {k: v}\nkind: ConfigMap\napiVersion: v1\n",
    });
    assert.equal(typeOf(a), PROTOBUF);
    // Without a type a body is JSON.
    const bare = new Request(`https://test${maps(ns)}`, { method: "POST", body: new Blob([JSON.stringify(map("b"))]) });
    bare.headers.delete("content-type");
    assert.equal((await t.server.app.fetch(bare)).status, 201);
    await refused(t, 415, maps(ns), sent("application/xml", "<a/>"));
  },
  "rule 2": async () => {
    const t = await server();
    for (const type of ["application/xml", "text/csv, image/png", "application/json;as=Table;g=other;v=v1"]) {
      const a = await refused(t, 406, "/api/v1/namespaces/default", accept(type));
      assert.equal(a.body.reason, "NotAcceptable");
    }
  },
  "rule 3": async () => {
    const t = await server();
    const both = `${PROTOBUF}, application/json`;
    assert.equal(typeOf(await ok(t, "/api/v1/namespaces/default", accept(both))), PROTOBUF);
    const fallback = "application/unknown, application/json";
    assert.equal(typeOf(await ok(t, "/api/v1/namespaces/default", accept(fallback))), "application/json");
  },
  "rule 4": async () => {
    const t = await server();
    const ns = await namespace(t);
    const text = "x".repeat(20_000);
    for (let i = 0; i < 40; i++) await ok(t, maps(ns), { body: map(`m-${i}`, { text }) });
    for (const type of ["application/json", PROTOBUF]) {
      const response = await t.server.app.fetch(new Request(`https://test${maps(ns)}`, accept(type)));
      let pieces = 0, largest = 0;
      for await (const piece of response.body!) {
        pieces++;
        largest = Math.max(largest, piece.length);
      }
      assert.ok(pieces > 2 && largest < 400_000, `${type}: ${pieces} pieces up to ${largest}`);
    }
  },
  "rule 5": async () => {
    const t = await server();
    const table = (media: string, group = "meta.k8s.io") => `application/${media};as=Table;g=${group};v=v1`;
    for (const media of ["json", "yaml"]) {
      const a = await ok(t, "/api/v1/namespaces", accept(table(media)));
      assert.ok(a.text.includes("columnDefinitions"));
      assert.equal(typeOf(a), `application/${media}`);
    }
    // Where it cannot be given: alone refused, with another after it that is taken.
    await refused(t, 406, "/api/v1/namespaces", accept(table("json").replace("v1", "v9")));
    const a = await ok(t, "/api/v1/namespaces", accept(`${table("json").replace("v=v1", "v=v9")}, application/json`));
    assert.equal(a.body.kind, "NamespaceList");
    await withServer(["--api-dialect=orch"], async (own) => {
      const { body } = await ok(own, "/api/v1/namespaces", accept(table("json", "meta.orch.io")));
      assert.deepEqual([body.kind, body.apiVersion], ["Table", "meta.orch.io/v1"]);
    });
  },
  "rule 6": async () => {
    const t = await server();
    const as = (media: string, kind: string) => `application/${media};as=${kind};g=meta.k8s.io;v=v1`;
    const one = "/api/v1/namespaces/default", many = "/api/v1/namespaces";
    for (const media of ["json", "yaml", "vnd.kubernetes.protobuf"]) {
      for (const [path, kind] of [[one, "PartialObjectMetadata"], [many, "PartialObjectMetadataList"]]) {
        const a = await ok(t, path!, accept(as(media, kind!)));
        assert.equal(typeOf(a), `application/${media}`);
        assert.ok(a.text.includes(kind!) && !a.text.includes("phase"), a.text);
      }
    }
    await refused(t, 406, many, accept(as("json", "PartialObjectMetadata")));
    const preferred = `application/json;q=0.9, ${as("json", "PartialObjectMetadata")}`;
    assert.equal((await ok(t, one, accept(preferred))).body.kind, "PartialObjectMetadata");
    // A list's and an object's metadata are both there to be asked for: no fallback stands in for the wrong one.
    await refused(t, 406, many, accept(preferred));
    assert.equal((await ok(t, "/api/v1", accept(preferred))).body.kind, "APIResourceList");
  },
  "rule 7": async () => {
    const large = map("large", { text: "x".repeat(300_000) });
    const gzip = { headers: { "accept-encoding": "gzip" } };
    const ask = async (t: TestServer, path: string) =>
      await t.server.app.fetch(new Request(`https://test${path}`, gzip));
    const t = await server();
    const ns = await namespace(t);
    await ok(t, maps(ns), { body: large });
    for (const path of [maps(ns), maps(ns, "large")]) {
      const response = await ask(t, path);
      assert.equal(response.headers.get("content-encoding"), "gzip");
      const body = JSON.parse(gunzipSync(new Uint8Array(await response.arrayBuffer())).toString());
      assert.deepEqual(body, (await ok(t, path)).body);
    }
    assert.equal((await ok(t, maps(ns, "large"))).headers.get("content-encoding"), null);
    await withServer(["--feature-gates=APIResponseCompression=false"], async (off) => {
      await ok(off, maps("default"), { body: large });
      const response = await ask(off, maps("default"));
      assert.equal(response.headers.get("content-encoding"), null);
      await response.body?.cancel();
    });
  },
});
