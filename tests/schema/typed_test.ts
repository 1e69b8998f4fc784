/** Plain trees → canonical objects: order, zero values, canonical forms, and what is refused. */
import assert from "node:assert/strict";
import { decodeBody, DecodeError, decodeObject, decodeTyped } from "../../schema/codec/mod.ts";
import { encodeCbor } from "../../schema/codec/cbor_write.ts";
import { wrap } from "../../schema/codec/envelope.ts";
import { holdersOfUnshown } from "../../schema/codec/emptied.ts";
import { parseJson, stringifyJson } from "../../schema/codec/json.ts";
import type { Json, JsonMap } from "../../schema/model/types.ts";
import { kindOf, scheme, text } from "./_kinds.ts";

const decode = (apiVersion: string, kind: string, tree: Json, strict = true) =>
  decodeObject(kindOf(apiVersion, kind), tree, { strict });
const message = (id: string, tree: Json) => decodeTyped(scheme.message(id), tree, {}, { unknown: [] });
const refused = (id: string, tree: Json, pattern: RegExp) =>
  assert.throws(() => message(id, tree), (e) => e instanceof DecodeError && pattern.test(e.message));

Deno.test("members come in declared order, kind first", () => {
  const { object } = decode("v1", "ConfigMap", { data: { b: "2", a: "1" }, metadata: { namespace: "n", name: "x" } });
  assert.equal(
    text(object),
    '{"kind":"ConfigMap","apiVersion":"v1","metadata":{"name":"x","namespace":"n"},"data":{"a":"1","b":"2"}}',
  );
});

Deno.test("what the JSON form always writes is there, what it leaves out is not", () => {
  assert.equal(
    text(decode("v1", "Service", { spec: { ports: [{ port: 80, name: "", nodePort: 0 }], selector: {} } }).object),
    '{"kind":"Service","apiVersion":"v1","metadata":{},"spec":{"ports":[{"port":80,"targetPort":0}]},' +
      '"status":{"loadBalancer":{}}}',
  );
  assert.equal(text(message("core.v1.PodSpec", {})), '{"containers":null}');
  assert.equal(text(message("core.v1.PodSpec", { containers: [] })), '{"containers":[]}');
  assert.equal(
    text(message("core.v1.PodCondition", { lastProbeTime: "0001-01-01T00:00:00Z" })),
    '{"type":"","status":"","lastProbeTime":null,"lastTransitionTime":null}',
  );
  assert.equal(
    text(message("core.v1.SecurityContext", { runAsUser: 0, privileged: false })),
    '{"privileged":false,"runAsUser":0}',
  );
  assert.equal(text(message("apps.v1.ControllerRevision", {})), '{"metadata":{},"data":null,"revision":0}');
});

Deno.test("null is absent; in lists and maps it is zero", () => {
  assert.equal(text(message("core.v1.ObjectReference", { name: null, kind: "Pod" })), '{"kind":"Pod"}');
  assert.equal(
    text(decode("v1", "ConfigMap", { data: { a: null }, metadata: null }).object),
    '{"kind":"ConfigMap","apiVersion":"v1","metadata":{},"data":{"a":""}}',
  );
  assert.deepEqual(decode("v1", "Secret", { data: { a: null } }).object.data, { a: "" });
  assert.equal(
    text(message("core.v1.Container", { args: [null], env: [null] })),
    '{"name":"","args":[""],"env":[{"name":""}],"resources":{}}',
  );
});

Deno.test("quantities, times, durations and bytes become canonical", () => {
  assert.deepEqual(
    message("core.v1.ResourceRequirements", { limits: { cpu: 0.5, memory: "1024Ki", x: "1000m" } }).limits,
    { cpu: "500m", memory: "1Mi", x: "1" },
  );
  assert.equal(
    message("meta.v1.ObjectMeta", { creationTimestamp: "2026-01-02T03:04:05.9+01:00" }).creationTimestamp,
    "2026-01-02T02:04:05Z",
  );
  assert.equal(
    message("coordination.v1.LeaseSpec", { renewTime: "2026-01-02T03:04:05.000000Z" }).renewTime,
    "2026-01-02T03:04:05.000000Z",
  );
  assert.deepEqual(message("core.v1.Secret", { data: { a: "AA\n==", b: "AR==" } }).data, { a: "AA==", b: "AQ==" });
  refused("core.v1.Secret", { data: { a: "A*==" } }, /data.*illegal base64 data at input byte 1/);
  refused("core.v1.Secret", { data: { a: "AAA" } }, /illegal base64/);
  refused("core.v1.ResourceRequirements", { limits: { cpu: "1x" } }, /^limits\.cpu: /);
  refused("meta.v1.ObjectMeta", { creationTimestamp: "yesterday" }, /^creationTimestamp: /);
});

Deno.test("what is filled in or refused where it is absent is there though it is empty", () => {
  assert.deepEqual(message("autoscaling.v2.HPAScalingRules", { policies: [] }).policies, []);
  assert.deepEqual(message("apiextensions.v1.JSONSchemaProps", { dependencies: {} }).dependencies, {});
});

Deno.test("a value of the wrong type is refused with its place and the type wanted", () => {
  refused(
    "core.v1.Pod",
    { spec: { containers: "x" } },
    /^json: cannot unmarshal string into Go struct field PodSpec\.spec\.containers of type \[\]v1\.Container$/,
  );
  refused(
    "apps.v1.Deployment",
    { spec: { replicas: "1" } },
    /cannot unmarshal string into Go struct field DeploymentSpec\.spec\.replicas of type int32/,
  );
  refused("core.v1.ConfigMap", { data: { a: 1 } }, /cannot unmarshal number .*data\.a of type string/);
  refused("core.v1.ConfigMap", { data: [] }, /cannot unmarshal array .*data of type map\[string\]string/);
  refused("core.v1.ConfigMap", { immutable: "true" }, /cannot unmarshal string .*immutable of type bool/);
  refused("core.v1.Pod", { spec: [] }, /cannot unmarshal array .*Pod\.spec of type v1\.PodSpec/);
  refused("core.v1.Pod", [], /cannot unmarshal array into Go value of type v1\.Pod/);
  refused("core.v1.ServicePort", { targetPort: {} }, /cannot unmarshal object/);
});

Deno.test("bytes may be a list of numbers", () => {
  const data = (a: Json) => decode("v1", "Secret", { data: { a } }).object["data"];
  assert.deepEqual(data([104, 105, null]), { a: "aGkA" });
  assert.deepEqual(data([]), { a: "" });
  for (const bad of [[256], [-1], [1.5], ["a"]]) assert.throws(() => data(bad), /uint8/);
});

Deno.test("integers keep to their range, and 64 bits are exact", () => {
  refused("apps.v1.DeploymentSpec", { replicas: 2147483648 }, /cannot unmarshal number 2147483648 .*int32/);
  refused("apps.v1.DeploymentSpec", { replicas: 1.5 }, /number 1\.5/);
  refused("meta.v1.ObjectMeta", { generation: 2n ** 63n }, /number 9223372036854775808 .*int64/);
  refused("meta.v1.ObjectMeta", { generation: 1e300 }, /int64/);
  refused("meta.v1.ObjectMeta", { generation: 1e17 }, /number 100000000000000000 .*int64/);
  assert.ok(Object.is(message("apps.v1.DeploymentSpec", { replicas: -0 }).replicas, 0));
  const { tree } = parseJson('{"metadata":{"generation":9223372036854775807},"data":{}}');
  assert.match(stringifyJson(decode("v1", "ConfigMap", tree).object as Json), /"generation":9223372036854775807/);
  assert.equal(message("meta.v1.ObjectMeta", { generation: 5n }).generation, 5);
});

Deno.test("int-or-string keeps which it is", () => {
  assert.deepEqual(message("core.v1.ServicePort", { targetPort: "80" }).targetPort, "80");
  assert.deepEqual(message("core.v1.ServicePort", { targetPort: 80 }).targetPort, 80);
});

Deno.test("unknown members are dropped, and told when asked", () => {
  const tree: Json = {
    kind: "Deployment",
    apiVersion: "apps/v1",
    bogus: 1,
    spec: { template: { spec: { containers: [{ name: "a" }, { Name: "b", ports: [{ x: null }] }] } } },
  };
  const { object, unknown } = decode("apps/v1", "Deployment", tree);
  assert.ok(!("bogus" in object));
  assert.deepEqual(unknown, [
    'unknown field "spec.template.spec.containers[1].ports[0].x"',
    'unknown field "spec.template.spec.containers[1].Name"',
    'unknown field "bogus"',
  ]);
  assert.deepEqual(decode("apps/v1", "Deployment", tree, false).unknown, []);
});

Deno.test("what may be a schema or something else is looked at for no unknown members, what stands beside it is", () => {
  const { unknown } = decode("apiextensions.k8s.io/v1", "CustomResourceDefinition", {
    spec: { versions: [{ schema: { openAPIV3Schema: { additionalProperties: { x: 1 }, items: { x: 1 }, y: 1 } } }] },
  });
  assert.deepEqual(unknown, ['unknown field "spec.versions[0].schema.openAPIV3Schema.y"']);
});

Deno.test("a thousand unknown members are told, fewer where their names are long", () => {
  const many = (count: number, length: number) =>
    decode("v1", "Pod", Object.fromEntries(Array.from({ length: count }, (_, i) => [`${i}`.padEnd(length, "x"), 1])));
  assert.equal(many(2000, 4).unknown.length, 1000);
  assert.ok(many(30, 100_000).unknown.length < 30);
});

Deno.test("claim templates keep their own kind; other objects have none inside", () => {
  const claim = { kind: "PersistentVolumeClaim", apiVersion: "v1", metadata: { name: "d" } };
  const { object, unknown } = decode("apps/v1", "StatefulSet", { spec: { volumeClaimTemplates: [claim] } });
  assert.deepEqual(unknown, []);
  assert.deepEqual(Object.keys(object.spec.volumeClaimTemplates[0]), [
    "kind",
    "apiVersion",
    "metadata",
    "spec",
    "status",
  ]);
  assert.deepEqual(decode("v1", "Pod", { spec: { kind: "x" } }).unknown, ['unknown field "spec.kind"']);
});

Deno.test("names of inherited members are data like any other", () => {
  const tree = JSON.parse(
    '{"data":{"__proto__":"p","constructor":"c"},"metadata":{"labels":{"__proto__":"q"}},"__proto__":{"x":1}}',
  );
  const { object, unknown } = decode("v1", "ConfigMap", tree);
  assert.equal(Object.getPrototypeOf(object.data), Object.prototype);
  assert.equal(text(object.data), '{"__proto__":"p","constructor":"c"}');
  assert.equal(text(object.metadata.labels), '{"__proto__":"q"}');
  assert.deepEqual(unknown, ['unknown field "__proto__"']);
  assert.equal(({} as Record<string, unknown>).x, undefined);
});

Deno.test("nesting is bounded", () => {
  let deep: Json = {};
  for (let i = 0; i < 5000; i++) deep = { properties: { a: deep } };
  refused("apiextensions.v1.JSONSchemaProps", deep, /max depth/);
  let list: Json = [];
  for (let i = 0; i < 100_000; i++) list = [list];
  assert.throws(() => message("apps.v1.ControllerRevision", { data: list }), /max depth/);
});

Deno.test("places of empty lists are remembered up to a bound: a deep one may have many", () => {
  const parts = Array.from({ length: 100_000 }, () => ({ required: [] }));
  let schema: Json = { allOf: parts };
  for (let i = 0; i < 480; i++) schema = { properties: { a: schema } };
  const tree: Json = { spec: { versions: [{ schema: { openAPIV3Schema: schema } }] } };
  const { object } = decode("apiextensions.k8s.io/v1", "CustomResourceDefinition", tree);
  const places = holdersOfUnshown(object as JsonMap)!.size;
  assert.ok(places > 100 && places < 2_000, `${places}`);
});

Deno.test("options of a request have no metadata, and none that is empty", () => {
  const body = new TextEncoder().encode('{"metadata":{"managedFields":[]},"gracePeriodSeconds":1}');
  const defaultKind = kindOf("v1", "DeleteOptions");
  const { object } = decodeBody(scheme, body, "json", { defaultKind, strict: false });
  assert.deepEqual(object, { kind: "DeleteOptions", apiVersion: "v1", gracePeriodSeconds: 1 });
});

Deno.test("unknown fields are told by names that are no whole characters, too", () => {
  const body = new TextEncoder().encode('{"kind":"ConfigMap","apiVersion":"v1","\\ud800":1,"b":1}');
  const { strictErrors } = decodeBody(scheme, body, "json", { strict: true });
  assert.deepEqual(strictErrors, ['unknown field "\ufffd"', 'unknown field "b"']);
});

Deno.test("schemas that may be something else", () => {
  const props = message("apiextensions.v1.JSONSchemaProps", {
    items: [{ type: "string" }],
    additionalProperties: { type: "integer", nope: 1 },
    additionalItems: false,
    dependencies: { a: ["b"], c: { type: "x" } },
    default: { z: [1] },
  });
  assert.equal(
    text(props),
    '{"default":{"z":[1]},"items":[{"type":"string"}],"additionalProperties":{"type":"integer"},' +
      '"dependencies":{"a":["b"],"c":{"type":"x"}},"additionalItems":false}',
  );
});

// ---- bodies -----------------------------------------------------------------------------------------------------------

const body = (value: unknown) => new TextEncoder().encode(typeof value === "string" ? value : JSON.stringify(value));
const read = (value: unknown, apiVersion = "apps/v1", kind = "Deployment") =>
  decodeBody(scheme, body(value), "json", { defaultKind: kindOf(apiVersion, kind), strict: true });

Deno.test("a body without kind or version is of the endpoint's", () => {
  assert.deepEqual([read({}).object.apiVersion, read({}).object.kind], ["apps/v1", "Deployment"]);
  assert.equal(read({ kind: "Scale", apiVersion: "autoscaling/v1" }).kind.kind, "Scale");
  assert.equal(read({ apiVersion: "apps/" }).kind, kindOf("apps/v1", "Deployment"));
  assert.deepEqual(read('{"spec":{"paused":true,"paused":true}}').strictErrors, ['duplicate field "spec.paused"']);
});

Deno.test("a body of few bytes cannot ask for much memory, in whatever it comes", () => {
  const kind = kindOf("v1", "Endpoints"), count = 400_001;
  const json = body(`{"subsets":[${"{},".repeat(count - 1)}{}]}`);
  const protobuf = wrap("v1", "Endpoints", new Uint8Array(2 * count).map((_, i) => i % 2 ? 0 : 0x12));
  for (const [media, bytes] of [["json", json], ["protobuf", protobuf]] as const) {
    assert.throws(
      () => decodeBody(scheme, bytes, media, { defaultKind: kind, strict: false }),
      (e) => e instanceof DecodeError && /too many values/.test(e.message),
      media,
    );
  }
});

Deno.test("unknown and duplicate fields are told in the order in which they stand", () => {
  const rows: [string, string[]][] = [
    ['{"spec":{"foo":1,"paused":true,"paused":false},"9":1,"1":1}', ["u spec.foo", "d spec.paused", "u 9", "u 1"]],
    ['{"foo":{"a":1,"a":2},"foo":[{"b":1,"b":2}],"kind":"Deployment","kind":"Deployment"}', ["u foo", "d kind"]],
    ['{"foo":{"a":1},"spec":{"paused":true,"paused":true}}', ["u foo", "d spec.paused"]],
    ['{"metadata":{"labels":{"a.b":"","a.b":""},"x.y":1},"b":1,"b":1,"b":1}', [
      "d metadata.labels.a.b",
      "u metadata.x.y",
      "u b",
    ]],
    [
      '{"spec":{"template":{"spec":{"containers":[{"name":"a"},{"name":"b","Name":"c","name":"d"}]}}},"spec":{"z":1}}',
      [
        "u spec.template.spec.containers[1].Name",
        "d spec.template.spec.containers[1].name",
        "d spec",
        "u spec.z",
      ],
    ],
  ];
  const words = { u: "unknown", d: "duplicate" } as const;
  for (const [sent, wanted] of rows) {
    const reports = wanted.map((w) => `${words[w[0] as "u" | "d"]} field ${JSON.stringify(w.slice(2))}`);
    assert.deepEqual(read(sent).strictErrors, reports);
  }
  const many = Object.fromEntries(Array.from({ length: 150 }, (_, i) => [`f${i}`, 1]));
  assert.equal(read(many).strictErrors.length, 100);
  const ofYaml = (text: string) =>
    decodeBody(scheme, body(text), "yaml", { defaultKind: kindOf("apps/v1", "Deployment"), strict: true }).strictErrors;
  const containers = `[${Array.from({ length: 11 }, () => "{q: 1}")}]`;
  const places = Array.from({ length: 11 }, (_, i) => `unknown field "spec.template.spec.containers[${i}].q"`);
  assert.deepEqual(ofYaml(`spec: {template: {spec: {containers: ${containers}}}}`), places);
  assert.deepEqual(
    ofYaml("z: 1\nmetadata: {q: 1, b: 2}\na: 1\nspec: {paused: true, paused: true}\n"),
    [
      'line 4: key "paused" already set in map',
      ...["a", "metadata.b", "metadata.q", "z"].map((f) => `unknown field "${f}"`),
    ],
  );
});

Deno.test("what holds any JSON is looked at for no duplicate fields, what is called so is", () => {
  assert.deepEqual(read('{"data":{"a":1,"a":2}}', "apps/v1", "ControllerRevision").strictErrors, []);
  const twice = '"default":{"type":"string","type":"string"}';
  const sent = `{"spec":{"versions":[{"schema":{"openAPIV3Schema":{${twice},"properties":{${twice}}}}}]}}`;
  const { strictErrors } = read(sent, "apiextensions.k8s.io/v1", "CustomResourceDefinition");
  assert.deepEqual(strictErrors, [
    'duplicate field "spec.versions[0].schema.openAPIV3Schema.properties.default.type"',
  ]);
});

Deno.test("a body may tell its type in any case, the last counting; such members are unknown all the same", () => {
  const meta = '"metadata":{"name":"a"}';
  const { strictErrors } = read(`{"APIVERSION":"apps/v1","Kind":"Deployment",${meta}}`);
  assert.deepEqual(strictErrors, ['unknown field "APIVERSION"', 'unknown field "Kind"']);
  assert.equal(read(`{"Kind":"Secret","kind":"Deployment",${meta}}`).kind.kind, "Deployment");
  assert.equal(read(`{"kind":"Deployment","KIND":null,${meta}}`).kind.kind, "Deployment");
  for (const told of ['"kind":"Deployment","KIND":"Nope"', '"\u212aind":"Nope"', '"apiVer\u017fion":"apps/v9"']) {
    assert.throws(() => read(`{${told},${meta}}`), (e) => e instanceof DecodeError && /is registered/.test(e.message));
  }
  const cbor = encodeCbor({ Kind: "Secret", apiVersion: "v1" });
  assert.throws(() => decodeBody(scheme, cbor, "cbor", { strict: false }), /Object 'Kind' is missing/);
});

Deno.test("a body that cannot be read says what it is and what is wrong", () => {
  const fails = (value: unknown, message: RegExp) =>
    assert.throws(() => read(value), (e) => e instanceof DecodeError && message.test(e.message));
  fails(
    { kind: "Nope", apiVersion: "apps/v1" },
    /^Nope in version "v1" cannot be handled as a Deployment: no kind "Nope" is registered for version "apps\/v1"/,
  );
  fails(
    { spec: { replicas: "x" } },
    /^Deployment in version "v1" cannot be handled as a Deployment: json: cannot unmarshal/,
  );
  fails("{", /^the object provided is unrecognized \(must be of type Deployment\): .*\(\{\)$/);
  fails("[]", /must be of type Deployment.*cannot unmarshal array/);
  fails("", /unrecognized.*\(<empty>\)/);
  fails({ kind: 1 }, /cannot unmarshal number into Go struct field .kind of type string/);
  fails({ apiVersion: "a/b/c" }, /unexpected GroupVersion string: a\/b\/c/);
});
