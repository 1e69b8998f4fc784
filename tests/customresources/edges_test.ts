import assert from "node:assert/strict";
import { encode as encodeCbor } from "../libraries/cbor.ts";
import { hasFormat } from "../../schema/customresources/formats.ts";
import { validateSchema } from "../../schema/customresources/mod.ts";
import type { Schema } from "../../schema/customresources/schema.ts";
import type { Json } from "../../schema/model/types.ts";
import { ErrorList } from "../../schema/rules/errors.ts";
import { API, causes, define, definition, DEFINITIONS, thing, THINGS, until, version, withThings } from "./_crd.ts";
import type { Loose } from "../fixture/loose.ts";
import { startTestServer } from "../fixture/server.ts";

const FORMATS: Readonly<Record<string, readonly [good: string[], bad: string[]]>> = {
  duration: [["1h30m", "-1.5s", "0", "3 weeks", "P2D", "2 hrs and 5 mins"], [
    "",
    "h",
    "12",
    "5 parsecs",
    `${"9".repeat(20)}h`,
  ]],
  email: [["q@w.e", "Q W <q@w.e>", '"a b"@c', "x@[127.0.0.1]"], ["q", "q w@e", "q@w@e", "<q@w.e", " "]],
  "date-time": [["2024-05-06T07:08:09Z", "2024-05-06t07:08:09.5+02:00"], [
    "2024-05-06T07:08:09",
    "2024-05-06T07:08:09+0200",
  ]],
  mac: [[
    "a1:b2:c3:d4:e5:f6",
    "a1b2c3d4e5f6",
    "a1-b2-c3-d4-e5-f6-07-18",
    `${"a1:".repeat(19)}b2`,
    `${"a1b2.".repeat(9)}c3d4`,
  ], ["a1:b2:c3:d4:e5", "a1b2c3d4e5f", "a1:b2:c3:d4:e5:f6:07", "a1:b2:c3:d4:e5-f6", "a1b2.c3d4.e5f6.0718.293a"]],
  ipv4: [["10.20.30.40", "::ffff:10.20.30.40"], ["10.20.30", "::1"]],
  ssn: [["987-65-4320", "987 65 4320"], ["987654320"]],
  uri: [["https://", "/q", "urn:x:y", "q:1"], ["q", ""]],
};

Deno.test("formats judge texts at their edges", () => {
  for (const [format, [good, bad]] of Object.entries(FORMATS)) {
    for (const text of good) assert.ok(hasFormat(text, format), `${format} ${text}`);
    for (const text of bad) assert.ok(!hasFormat(text, format), `${format} ${text}`);
  }
  assert.ok(!hasFormat(`${"a ".repeat(40)}<`, "email"));
});

const VALUES: readonly (readonly [Schema, Json, number])[] = [
  [{ type: "integer", enum: [3, 4] }, 3.7, 2],
  [{ type: "number", multipleOf: 0.25 }, 1e30, 1],
  [{ type: "number", multipleOf: 0.25 }, 1.75, 0],
  [{ "x-kubernetes-int-or-string": true, enum: ["A"] }, 65, 0],
];

Deno.test("enumerations and multiples take numbers as they are", () => {
  for (const [schema, value, faults] of VALUES) {
    const errors = new ErrorList();
    validateSchema(value, schema, "a", errors);
    assert.equal(errors.causes.length, faults, JSON.stringify([schema, value]));
  }
});

Deno.test("what alternatives say alike is said once", () => {
  const errors = new ErrorList(), named: Schema = { enum: ["p", "q"] };
  validateSchema("r", { type: "string", allOf: [named, named, { minLength: 2 }], anyOf: [named] }, "a", errors);
  assert.deepEqual(errors.causes.map((c) => `${c.reason} ${c.field}`).sort(), [
    "FieldValueInvalid a",
    "FieldValueInvalid a",
    "FieldValueInvalid a",
    "FieldValueNotSupported a",
  ]);
});

const ALTERNATIVES: readonly (readonly [Schema[], Json, string])[] = [
  [[{ properties: { m: { enum: ["p"] } } }, { properties: { n: { minimum: 9 } } }], { m: "q", n: 1 }, "Invalid a.n"],
  [[{ properties: { m: { enum: ["p"] } } }, { properties: { n: { required: ["x"] } } }], {
    m: "q",
    n: {},
  }, "NotSupported a.m"],
  [[{ properties: { n: { nullable: true, enum: [1] } } }, { required: ["x"] }], { n: null }, "NotSupported a.n"],
  [[{ maxLength: 1 }, { format: "ipv4" }], "qq", "TypeInvalid a"],
];

Deno.test("of alternatives that all fail the one with most checks tells its faults, the first of equals", () => {
  for (const [anyOf, value, fault] of ALTERNATIVES) {
    const errors = new ErrorList();
    validateSchema(value, { anyOf }, "a", errors);
    const told = errors.causes.map((c) => `${c.reason?.replace("FieldValue", "")} ${c.field}`);
    assert.deepEqual(told, ["Invalid a", fault], JSON.stringify(anyOf));
  }
});

const STRICTER: Schema = {
  type: "object",
  properties: {
    part: { type: "object", properties: { n: { type: "integer" }, m: { type: "string" } } },
    list: {
      type: "array",
      "x-kubernetes-list-type": "map",
      "x-kubernetes-list-map-keys": ["k"],
      items: { type: "object", properties: { k: { type: "string" }, n: { type: "integer" } } },
    },
    other: { type: "string" },
  },
  allOf: [{ properties: { part: { required: ["x"] }, list: { items: { properties: { n: { minimum: 5 } } } } } }],
};

Deno.test("what restrictions find wrong in parts that were there before is told again; in a whole that stays it is let be", () => {
  const faults = (now: Json, was: Json): string[] => {
    const errors = new ErrorList();
    validateSchema(now, STRICTER, "a", errors, { value: was });
    return errors.causes.map((c) => `${c.reason?.replace("FieldValue", "")} ${c.field}`);
  };
  const was = { part: { n: 1, m: "p" }, list: [{ k: "p", n: 1 }], other: "p" };
  assert.deepEqual(faults({ ...was }, was), []);
  assert.deepEqual(faults({ ...was, other: "q" }, was), ["Required a.part.x", "Invalid a.list[0].n", "Invalid a"]);
});

const TABLE = { accept: "application/json;as=Table;v=v1;g=meta.k8s.io" };

Deno.test("custom resources go by the verb, whatever the method; their Scale has columns of its own", () =>
  withThings(
    definition([version({ replicas: { type: "integer" } }, {
      subresources: {
        status: {},
        scale: { specReplicasPath: ".spec.replicas", statusReplicasPath: ".status.replicas" },
      },
    })]),
    async (s) => {
      assert.equal((await s.fetch(THINGS, { body: thing("a", { replicas: 2 }) })).status, 201);
      const rows: readonly (readonly [string, string, number])[] = [
        ["HEAD", THINGS, 200],
        ["HEAD", `${API}/things`, 200],
        ["HEAD", `${THINGS}/a`, 200],
        ["HEAD", `${THINGS}/a/status`, 200],
        ["HEAD", `${THINGS}/a/scale`, 200],
        ["HEAD", `${THINGS}/b`, 404],
        ["HEAD", `${THINGS}/a/other`, 404],
        ["GET", `${THINGS}/a/status/more`, 200],
        ["OPTIONS", `${THINGS}/a`, 405],
        ["PUT", `${API}/watch/things?timeoutSeconds=1`, 200],
      ];
      for (const [method, path, status] of rows) {
        // An answer without a body is no JSON.
        const a = await s.fetch(path, {
          method,
          ...(method === "HEAD" ? { headers: { accept: "application/yaml" } } : {}),
        });
        assert.equal(a.status, status, `${method} ${path}`);
      }
      const { columnDefinitions } = (await s.fetch(`${THINGS}/a/scale`, { headers: TABLE })).body;
      assert.deepEqual(columnDefinitions.map((c: Loose) => [c.name, c.type, c.format]), [
        ["Name", "string", "name"],
        ["Desired", "integer", ""],
        ["Available", "integer", ""],
        ["Age", "date", ""],
      ]);
      const refused = await s.fetch(API, { headers: { accept: "text/plain" } });
      assert.deepEqual([refused.status, refused.body.details], [406, undefined]);
    },
  ));

Deno.test("a definition without versions, and empty members at the root, are refused", () =>
  withThings(definition([version({})]), async (s) => {
    for (const versions of [undefined, null]) {
      const body = definition([version({})]);
      body.spec.versions = versions;
      assert.ok(
        causes(await s.fetch(`${DEFINITIONS}?dryRun=All`, { body })).includes("FieldValueInvalid spec.versions"),
      );
    }
    const body = definition([version({}, { subresources: { status: {} } })]);
    body.spec.versions[0].schema.openAPIV3Schema.additionalProperties = false;
    const at = "spec.validation.openAPIV3Schema";
    assert.ok(causes(await s.fetch(`${DEFINITIONS}?dryRun=All`, { body })).includes(`FieldValueInvalid ${at}`));
  }));

Deno.test("documents tell of embedded objects, and of numbers or texts, in words that readers know", () => {
  const told = version({
    e: { type: "object", "x-kubernetes-embedded-resource": true, properties: { q: { type: "string" } } },
    n: { "x-kubernetes-int-or-string": true },
    k: { type: "object", "x-kubernetes-preserve-unknown-fields": true },
  });
  told.schema.openAPIV3Schema.properties.kind = { type: "string", description: "of the author" };
  return withThings(
    definition([told]),
    async (s) => {
      const { components } = (await s.fetch(`/openapi/v3${API}`)).body;
      const spec = components.schemas["com.example.v1.Thing"].properties.spec.properties;
      assert.deepEqual(spec.e.required, ["kind", "apiVersion"]);
      assert.deepEqual(Object.keys(spec.e.properties).sort(), ["apiVersion", "kind", "metadata", "q"]);
      const { kind } = components.schemas["com.example.v1.Thing"].properties;
      assert.deepEqual(kind, { type: "string", description: "of the author" });
      assert.deepEqual(spec.n.anyOf, [{ type: "integer" }, { type: "string" }]);
      const { definitions } = (await s.fetch("/openapi/v2")).body;
      assert.equal(definitions["com.example.v1.Thing"].properties.spec.properties.k.type, undefined);
    },
  );
});

Deno.test("by gates: what is unknown is told in CBOR too; lists of a shard tell of it", () =>
  withThings(
    definition([version({ a: { type: "string" } })]),
    async (s) => {
      const body = encodeCbor(thing("a", { a: "1", b: 2, c: 3 })), headers = { "content-type": "application/cbor" };
      const make = (level: string) => s.fetch(`${THINGS}?fieldValidation=${level}`, { method: "POST", headers, body });
      const fields = ['unknown field "spec.b"', 'unknown field "spec.c"'];
      const strict = await make("Strict");
      assert.deepEqual([strict.status, fields.every((f) => strict.body.message.includes(f))], [400, true], strict.text);
      const made = await make("Warn");
      assert.deepEqual([made.status, made.body.spec, made.warnings], [201, { a: "1" }, fields]);
      const selector = "shardRange(object.metadata.uid, '0x0000000000000000', '0xffffffffffffffff')";
      const path = `${THINGS}?shardSelector=${encodeURIComponent(selector)}`;
      for (const method of ["GET", "DELETE"]) {
        assert.deepEqual((await s.fetch(path, { method })).body.metadata.shardInfo, { selector });
      }
      assert.equal((await s.fetch(API, { headers: { accept: "application/cbor" } })).status, 406);
    },
    [
      "--disable-admission-plugins=ServiceAccount",
      "--feature-gates=CBORServingAndStorage=true,ShardedListAndWatch=true",
    ],
  ));

/** What a body says that it is, and what its unknown fields come to. */
const OTHERS: readonly [apiVersion: string, kind: string, warnings: string[]][] = [
  ["example.com/v9", "Thing", ["metadata.odd", "more", "spec"]],
  ["example.com/v9", "Other", ["metadata.odd"]],
  ["other.com/v1", "Thing", ["metadata.odd"]],
  ["apps/v1", "Deployment", ["metadata.odd"]],
  ["", "Thing", ["metadata.odd"]],
];

Deno.test("an endpoint of custom objects reads objects of any type, and says which it takes", () =>
  withThings(definition([version({})]), async (s) => {
    for (const [apiVersion, kind, warnings] of OTHERS) {
      const body = { apiVersion, kind, metadata: { name: "a", odd: 1 }, spec: { b: 1 }, more: 1 };
      const a = await s.fetch(THINGS, { body });
      const said =
        `the API version in the data (${apiVersion}) does not match the expected API version (example.com/v1)`;
      assert.deepEqual([a.status, a.body.message], [400, said]);
      const told = [...(a.headers.get("warning") ?? "").matchAll(/unknown field \\"([^"\\]+)/g)].map((m) => m[1]);
      assert.deepEqual(told, warnings, `${apiVersion} ${kind}`);
      const strict = await s.fetch(`${THINGS}?fieldValidation=Strict`, { body });
      assert.match(
        strict.body.message,
        new RegExp(`cannot be handled as a ${kind}: strict decoding error: unknown field`),
      );
    }
  }));

Deno.test("a patch of no object is looked at for its type first", () =>
  withThings(definition([version({})]), async (s) => {
    for (const [type, status] of [["application/json", 415], ["application/merge-patch+json", 400]] as const) {
      const a = await s.fetch(THINGS, { method: "PATCH", headers: { "content-type": type }, body: {} });
      assert.equal(a.status, status);
    }
    await s.fetch(THINGS, { body: thing("a", {}) });
    const headers = { "content-type": "application/json-patch+json" };
    const body = JSON.stringify([{ op: "remove", path: "/apiVersion" }]);
    const { message } = (await s.fetch(`${THINGS}/a`, { method: "PATCH", headers, body })).body;
    assert.match(message, /the patched object is a "Thing" of "", not a "Thing" of "example.com\/v1"$/);
  }));

Deno.test("an empty list of owners says nothing of a custom object, one of nobody does", () =>
  withThings(definition([version({ n: { type: "integer" } })]), async (s) => {
    await s.fetch(THINGS, { body: thing("a", { n: 1 }) });
    const owners = async (managedFields: Loose) => {
      const headers = { "content-type": "application/merge-patch+json" };
      const a = await s.fetch(`${THINGS}/a`, { method: "PATCH", headers, body: { metadata: { managedFields } } });
      return a.body.metadata.managedFields?.length ?? 0;
    };
    assert.deepEqual([await owners([]), await owners([{}])], [1, 0]);
  }));

Deno.test("an applied configuration that says nothing of an object that nobody owns shows no list of owners", () =>
  withThings(definition([version({ n: { type: "integer" } })]), async (s) => {
    const headers = { "content-type": "application/apply-patch+yaml" };
    const { apiVersion, kind } = thing("a");
    const body = { apiVersion, kind, metadata: { name: "a" } };
    for (const status of [201, 200]) {
      const a = await s.fetch(`${THINGS}/a?fieldManager=m`, { method: "PATCH", headers, body });
      assert.deepEqual([a.status, Object.hasOwn(a.body.metadata, "managedFields")], [status, false], a.text);
    }
    const nothing = thing("a", { n: null });
    const refused = await s.fetch(`${THINGS}/a?fieldManager=m`, { method: "PATCH", headers, body: nothing });
    assert.deepEqual([refused.status, causes(refused)], [422, ["FieldValueTypeInvalid spec.n"]]);
  }));

Deno.test("a definition has the name that its plural and its group make", () =>
  withThings(definition([version({})]), async (s) => {
    const metadata = { name: "things.other.com" };
    const wrong = await s.fetch(DEFINITIONS, {
      body: { ...definition([version({})], { group: "h.example.com" }), metadata },
    });
    assert.deepEqual(causes(wrong), ["FieldValueInvalid metadata.name"]);
  }));

Deno.test("whether a write takes the status is a matter of its version, not of the stored one", async () => {
  const spec = { x: { type: "integer" } }, parts = { subresources: { status: {} } };
  for (const stored of [true, false]) {
    const [one, two] = [stored ? parts : {}, stored ? {} : parts];
    const versions = [version(spec, one), version(spec, { name: "v2", storage: false, ...two })];
    await withThings(definition(versions), async (s) => {
      for (const [v, takes] of [["v1", !stored], ["v2", stored]] as const) {
        const path = `/apis/example.com/${v}/namespaces/default/things`;
        const sent = { ...thing("a", { x: 1 }), apiVersion: `example.com/${v}`, status: { seen: 1 } };
        const made = await s.fetch(path, { body: sent });
        assert.deepEqual(made.body.status, takes ? { seen: 1 } : undefined, `${v} ${made.text}`);
        const headers = { "content-type": "application/merge-patch+json" };
        const next = await s.fetch(`${path}/a`, { method: "PATCH", headers, body: { status: { seen: 2 } } });
        assert.deepEqual([next.body.status, next.body.metadata.generation], takes ? [{ seen: 2 }, 2] : [undefined, 1]);
        await s.fetch(`${path}/a`, { method: "DELETE" });
      }
    });
  }
});

Deno.test("a definition adds nothing to a group version of built-in kinds, whatever its kind is called", async () => {
  const s = await startTestServer();
  const group = "networking.k8s.io", api = `/apis/${group}`;
  const annotations = { "api-approved.kubernetes.io": "unapproved, for a test" };
  const add = async (plural: string, kind: string, versions: Loose[]) => {
    const d = definition(versions, { group, scope: "Cluster", names: { plural, kind } });
    await define(s, { ...d, metadata: { name: `${plural}.${group}`, annotations } });
  };
  const v9 = { ...version({}), name: "v9" };
  await add("foos", "Foo", [version({})]);
  await add("bars", "Ingress", [version({})]);
  await add("mores", "More", [v9, { ...version({}), storage: false }]);
  const names = async (v: string) => (await s.fetch(`${api}/${v}`)).body.resources.map((r: Loose) => r.name);
  assert.deepEqual((await names("v1")).filter((n: string) => /^(foos|bars|mores)/.test(n)), []);
  assert.deepEqual(await names("v9"), ["mores"]);
  const answered = async (path: string) => (await s.fetch(`${api}/${path}`)).status;
  const paths = ["v1/foos", "v1/bars", "v1/mores", "v9/mores", "v1/ingresses"];
  assert.deepEqual(await Promise.all(paths.map(answered)), [404, 404, 404, 200, 200]);
  for (const plural of ["foos", "bars", "mores"]) {
    const path = `${DEFINITIONS}/${plural}.${group}`;
    await s.fetch(path, { method: "DELETE" });
    await until(() => s.fetch(path), (a) => a.status === 404);
  }
  const spec = { defaultBackend: { service: { name: "a", port: { number: 80 } } } };
  const made = await s.fetch(`${api}/v1/namespaces/default/ingresses`, { body: { metadata: { name: "a" }, spec } });
  assert.deepEqual(made.body.spec, spec);
  await s.stop();
});
