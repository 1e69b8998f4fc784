/** What webhooks say, and what comes of it: denials, failures, warnings, patches. */
import type { Said } from "../fixture/hooks.ts";
import { APPLY, type Case, map, MAPS, MERGE, NO, pod, PODS, rules, table } from "./_hooks.ts";
import type { Loose } from "../fixture/loose.ts";

const POST = [["POST", MAPS, map()]] as const;
const DRY = [["POST", `${MAPS}?dryRun=All`, map()]] as const;

/** One webhook of each kind that says so. */
const both = (name: string, says: Said, rest: Partial<Case>, hook: Loose = {}): Record<string, Case> => ({
  [`${name}, mutating`]: { hooks: [{ mutating: true, says, hook }], send: POST, ...rest },
  [`${name}, validating`]: { hooks: [{ says, hook }], send: POST, ...rest },
});
const failed = (message: RegExp): Partial<Case> => ({ status: 500, reason: "InternalError", message });
const calling = (why: string): Partial<Case> =>
  failed(new RegExp(`^Internal error occurred: failed calling webhook "h0.test.io": ${why}`));
const denied = (status: Loose, code: number, message: RegExp, reason = ""): [Said, Partial<Case>] => [
  { response: { allowed: false, status } },
  { status: code, reason, message },
];

table("webhooks allow and deny", {
  ...both("allowed", {}, { called: ["h0"] }),
  ...both("denied", NO, {
    status: 400,
    reason: "",
    message: /^admission webhook "h0.test.io" denied .* without explanation$/,
  }),
  ...both("a message", ...denied({ message: "why" }, 400, /denied the request: why$/)),
  ...both("a reason", ...denied({ reason: "Forbidden" }, 400, /denied the request: Forbidden$/, "Forbidden")),
  ...both("a code", ...denied({ code: 418, message: "tea" }, 418, /: tea$/)),
  ...both("a code that is no failure", ...denied({ code: 200, message: "x" }, 400, /: x$/)),
  ...both("a code that is none", ...denied({ code: 999 }, 500, /without explanation$/)),
  ...both("details", {
    response: { allowed: false, status: { code: 429, reason: "TooManyRequests", details: { retryAfterSeconds: 7 } } },
  }, { status: 429, reason: "TooManyRequests", shows: { "details.retryAfterSeconds": 7 } }),
  ...both("a failure of what is allowed counts for nothing", { response: { status: { code: 500 } } }, {}),
  ...both("ignored webhooks deny all the same", NO, { status: 400 }, { failurePolicy: "Ignore" }),
  ...both("warnings", { response: { warnings: ["a", 'b "c"', "a", "", "new\nline"] } }, { warns: ["a", 'b "c"'] }),
  ...both("warnings of a denial", { response: { allowed: false, warnings: ["w"] } }, { status: 400, warns: ["w"] }),
});

let asks = 0;
/** Too busy for the first time. */
const busy = (status: number, headers: Record<string, string>): Case => ({
  hooks: [{ says: () => asks++ % 2 === 0 ? { status, headers, text: "" } : {} }],
  send: POST,
});

table("webhooks that are too busy are asked again when they say", {
  "too many": { ...busy(429, { "retry-after": "0" }), called: ["h0", "h0"] },
  "broken": { ...busy(503, { "retry-after": "0" }), called: ["h0", "h0"] },
  "a second": { ...busy(500, { "retry-after": "1" }), called: ["h0", "h0"] },
  "no longer than their time": {
    hooks: [{ says: { status: 503, headers: { "retry-after": "100" }, text: "" }, hook: { timeoutSeconds: 1 } }],
    send: POST,
    ...calling(".* context deadline exceeded"),
    called: ["h0"],
  },
  "not for ever": {
    hooks: [{ says: { status: 503, headers: { "retry-after": "0" }, text: "" } }],
    send: POST,
    ...calling(".* answered 503"),
    called: Array.from({ length: 11 }, () => "h0"),
  },
  "no time": { hooks: [{ says: { status: 503, text: "" } }], send: POST, status: 500, called: ["h0"] },
  "a date": {
    hooks: [{ says: { status: 503, headers: { "retry-after": "Fri, 01 Jan 2100 00:00:00 GMT" }, text: "" } }],
    send: POST,
    status: 500,
    called: ["h0"],
  },
  "another fault": {
    hooks: [{ says: { status: 404, headers: { "retry-after": "0" }, text: "" } }],
    send: POST,
    status: 500,
    called: ["h0"],
  },
});

table("webhooks that fail", {
  ...both("another uid", { response: { uid: "x" } }, calling("sent an invalid .* expected response.uid=")),
  ...both("no uid", { response: { uid: undefined } }, calling('.* got ""')),
  ...both("no response", { review: { response: null } }, calling(".* there is no response")),
  ...both("no type", { review: { kind: undefined } }, calling(".* expected webhook response of admission.k8s.io/v1")),
  ...both("another version", { review: { apiVersion: "admission.k8s.io/v1beta1" } }, calling(".* expected")),
  ...both("no JSON", { text: "hello" }, calling(".*")),
  ...both("nothing", { text: "" }, calling(".*")),
  ...both("null", { text: "null" }, calling(".* there is no response")),
  ...both("a list", { text: "[]" }, calling(".* should be an object")),
  ...both("a wrong type", { response: { allowed: "yes" } }, calling(".*")),
  ...both("an error", { status: 500, text: "boom" }, calling("failed to call webhook: the server answered 500")),
  ...both("a Status", { status: 403, text: '{"kind":"Status","message":"not you"}' }, calling(".* not you$")),
  ...both("a redirect", { status: 307, headers: { location: "/" }, text: "" }, calling(".* answered 307")),
  ...both("too much", { text: " ".repeat(9 << 20) }, calling(".* larger than"), { timeoutSeconds: 30 }),
  ...both("nobody there", {}, calling(".* ECONNREFUSED"), { clientConfig: { url: "https://127.0.0.1:1/x" } }),
  ...both("no port", {}, calling(".* is no URL"), { clientConfig: { url: "https://127.0.0.1:99999/x" } }),
  ...both("no port, ignored", {}, { status: 201 }, {
    clientConfig: { url: "https://127.0.0.1:99999/x" },
    failurePolicy: "Ignore",
  }),
  ...both("no authority", {}, calling(".*"), {
    clientConfig: { url: "https://127.0.0.1:1/x", caBundle: btoa("hello") },
  }),
  ...both("no such service", {}, calling('.* service "no" not found'), {
    clientConfig: { service: { name: "no", namespace: "{ns}" } },
  }),
  ...both("no answer in time", { silent: true }, calling(".* context deadline exceeded"), { timeoutSeconds: 1 }),
  ...both("no answer in time, ignored", { silent: true }, { status: 201 }, {
    timeoutSeconds: 1,
    failurePolicy: "Ignore",
  }),
  ...both("an error, ignored", { status: 500, text: "" }, { status: 201 }, { failurePolicy: "Ignore" }),
  ...both("another uid, ignored", { response: { uid: "x" } }, { status: 201 }, { failurePolicy: "Ignore" }),
});

const op = (name: string, path: string, value?: unknown) => ({
  op: name,
  path,
  ...(value === undefined ? {} : { value }),
});
const patched = (patch: Loose, rest: Partial<Case>, hook: Loose = {}): Case => ({
  hooks: [{ mutating: true, says: { patch }, hook }],
  send: POST,
  ...rest,
});
const says = (said: Said, rest: Partial<Case>): Case => ({
  hooks: [{ mutating: true, says: said }],
  send: POST,
  ...rest,
});
const OWNER = { apiVersion: "v1", kind: "Pod", name: "o", uid: "u" };
const toy = (patch: Loose, rest: Partial<Case>, n: string): Case => ({
  given: [["/apis/apiextensions.k8s.io/v1/customresourcedefinitions", {
    metadata: { name: `toys${n}.test.io` },
    spec: {
      group: "test.io",
      scope: "Namespaced",
      names: { plural: `toys${n}`, kind: `Toy${n}` },
      versions: [{
        name: "v1",
        served: true,
        storage: true,
        schema: {
          openAPIV3Schema: {
            type: "object",
            properties: {
              spec: {
                type: "object",
                properties: { size: { type: "integer" }, color: { type: "string", default: "red" } },
              },
            },
          },
        },
      }],
    },
  }]],
  hooks: [{ mutating: true, says: { patch } }],
  send: [["POST", `/apis/test.io/v1/namespaces/{ns}/toys${n}`, {
    apiVersion: "test.io/v1",
    kind: `Toy${n}`,
    metadata: { name: "t" },
    spec: { size: 1 },
  }]],
  ...rest,
});

table("patches of webhooks", {
  "a label": patched([op("add", "/metadata/labels", { a: "b" })], { shows: { "metadata.labels": { a: "b" } } }),
  "the whole object": patched([op("replace", "", { ...map(), data: { w: "1" } })], { shows: { data: { w: "1" } } }),
  "nothing": patched([], { shows: { data: { k: "v" } } }),
  "unknown fields are dropped": patched([op("add", "/foo", 1)], { shows: { foo: undefined } }),
  "defaults are filled in": {
    hooks: [{
      mutating: true,
      says: { patch: [op("add", "/spec/containers/-", { name: "d", image: "j" })] },
      hook: rules({ resources: ["pods"] }),
    }],
    send: [["POST", PODS, pod()]],
    shows: { "spec.containers.1.imagePullPolicy": "Always", "spec.containers.1.terminationMessagePolicy": "File" },
  },
  "what is patched is validated": patched([op("add", "/metadata/labels", { a: "!" })], {
    status: 422,
    reason: "Invalid",
  }),
  "a wrong type": patched([op("add", "/data/n", 1)], failed(/^Internal error occurred: (?!failed calling)/)),
  "a place that is not there": patched(
    [op("remove", "/data/x")],
    failed(/^Internal error occurred: (?!failed calling)/),
  ),
  "a place that is not there, ignored": patched([op("remove", "/data/x")], { status: 500 }, {
    failurePolicy: "Ignore",
  }),
  "a test that fails": patched([op("test", "/data/k", "x")], failed(/test/)),
  "another kind": patched([op("replace", "/kind", "Secret")], failed(/Secret/)),
  "another version": patched([op("replace", "/apiVersion", "v9")], failed(/v9/)),
  "another namespace": patched([op("replace", "/metadata/namespace", "x")], { status: 400, reason: "BadRequest" }),
  "no namespace": patched([op("remove", "/metadata/namespace")], {}),
  "another name": patched([op("replace", "/metadata/name", "b")], { shows: { "metadata.name": "b" } }),
  "another uid": patched([op("add", "/metadata/uid", "x")], {}),
  "owners named twice": patched([op("add", "/metadata/ownerReferences", [OWNER, OWNER])], {
    shows: { "metadata.ownerReferences.length": 1 },
    warns: [
      "metadata.ownerReferences: an owner stands there twice after admission and counts once; send each owner once; UIDs: u",
    ],
  }),
  "bad managed fields": patched([op("add", "/metadata/managedFields", [{ manager: "x", operation: "No" }])], {
    shows: { "metadata.managedFields.0.operation": "Update" },
    warns: [/^.metadata.managedFields was in an invalid state after admission/],
  }),
  "no managed fields": patched([op("add", "/metadata/managedFields", [])], {
    shows: { "metadata.managedFields": undefined },
  }),
  "no list": says({ patch: { op: "add" } }, calling("sent a patch that cannot be read")),
  "no JSON": says(
    { response: { patch: btoa("hello"), patchType: "JSONPatch" } },
    calling("sent a patch that cannot be read"),
  ),
  "no base64": says({ response: { patch: "%%", patchType: "JSONPatch" } }, calling("")),
  "another type": says(
    { patch: [op("add", "/data/n", "1")], response: { patchType: "MergePatch" } },
    calling("unsupported"),
  ),
  "no type": says({ patch: [], response: { patchType: undefined } }, calling(".* needs response.patchType")),
  "a type alone": says({ response: { patchType: "JSONPatch" } }, calling(".* needs response.patch$")),
  "of a validating webhook": { hooks: [{ says: { patch: [] } }], send: POST, ...calling(".* must not send") },
  "a type, of a validating webhook": {
    hooks: [{ says: { response: { patchType: "JSONPatch" } } }],
    send: POST,
    ...calling(".* must not send response.patchType"),
  },
  "of a deletion": {
    given: [[MAPS, map()]],
    hooks: [{ mutating: true, says: { patch: [op("add", "/data/n", "1")] } }],
    send: [["DELETE", `${MAPS}/a`]],
    ...failed(/sent a patch/),
  },
  "of an apply are not owned": {
    hooks: [{ mutating: true, says: { patch: [op("add", "/data/n", "1")] } }],
    send: [["PATCH", `${MAPS}/a?fieldManager=m`, { apiVersion: "v1", kind: "ConfigMap", ...map() }, APPLY]],
    shows: { "data.n": "1", "metadata.managedFields.0.fieldsV1": { "f:data": { "f:k": {} } } },
  },
  "of a Scale": {
    given: [["/apis/apps/v1/namespaces/{ns}/deployments", {
      metadata: { name: "d" },
      spec: {
        replicas: 1,
        selector: { matchLabels: { a: "b" } },
        template: { ...pod(), metadata: { labels: { a: "b" } } },
      },
    }]],
    hooks: [{
      mutating: true,
      says: { patch: [op("replace", "/spec/replicas", 7)] },
      hook: rules({ resources: ["deployments/scale"] }),
    }],
    send: [["PATCH", "/apis/apps/v1/namespaces/{ns}/deployments/d/scale", { spec: { replicas: 3 } }, MERGE]],
    status: 200,
    shows: { "spec.replicas": 7 },
  },
  "of an Eviction": {
    given: [[PODS, pod()]],
    hooks: [{
      mutating: true,
      says: { patch: [op("add", "/deleteOptions", { dryRun: ["All"] })] },
      hook: rules({ resources: ["pods/eviction"] }),
    }],
    send: [["POST", `${PODS}/p/eviction`, { metadata: { name: "p" } }], ["GET", `${PODS}/p`]],
    status: 200,
  },
  "of a connection": {
    given: [[PODS, pod()]],
    hooks: [{ mutating: true, says: { patch: [op("replace", "/container", "x")] } }],
    send: [["POST", `${PODS}/p/exec?command=a&container=c&stdout=true`]],
    status: 400,
    message: /container x is not valid/,
  },
  "of an update: another name": {
    given: [[MAPS, map()]],
    hooks: [{ mutating: true, says: { patch: [op("replace", "/metadata/name", "b")] } }],
    send: [["PATCH", `${MAPS}/a`, { data: { x: "y" } }, MERGE]],
    status: 422,
  },
  "of an update: another uid": {
    given: [[MAPS, map()]],
    hooks: [{ mutating: true, says: { patch: [op("replace", "/metadata/uid", "u")] } }],
    send: [["PATCH", `${MAPS}/a`, { data: { x: "y" } }, MERGE]],
    status: 422,
  },
  "custom: unknown fields are dropped": toy([op("add", "/spec/x", 1)], { shows: { "spec.x": undefined } }, "a"),
  "custom: defaults": toy([op("remove", "/spec/color")], { shows: { "spec.color": "red" } }, "b"),
  "custom: what is patched is validated": toy([op("add", "/spec/size", "x")], { status: 422 }, "c"),
  "custom: another kind": toy([op("replace", "/kind", "Other")], {
    status: 422,
    message: /^Other.test.io "t" is invalid/,
  }, "d"),
  "custom: bad metadata": toy([op("add", "/metadata/labels", { a: 1 })], {
    status: 422,
    message: / "t" is invalid: metadata: Invalid value: /,
  }, "e"),
});

/** A policy of a name of its own that notes, under its way to run again, what a webhook has made, and its binding. */
function policyOf(reinvocationPolicy: string): (readonly [path: string, body: Loose])[] {
  const api = "/apis/admissionregistration.k8s.io/v1/mutatingadmissionpolic",
    name = `{ns}-${reinvocationPolicy.toLowerCase()}`;
  return [
    [`${api}ies`, {
      metadata: { name },
      spec: {
        matchConstraints: {
          namespaceSelector: { matchLabels: { ns: "{ns}" } },
          resourceRules: [{ apiGroups: [""], apiVersions: ["v1"], resources: ["configmaps"], operations: ["CREATE"] }],
        },
        reinvocationPolicy,
        failurePolicy: "Ignore",
        mutations: [{
          patchType: "JSONPatch",
          jsonPatch: {
            expression: `[JSONPatch{op: 'add', path: '/data/${reinvocationPolicy}', value: object.data.h}]`,
          },
        }],
      },
    }],
    [`${api}ybindings`, { metadata: { name }, spec: { policyName: name } }],
  ];
}

table("order and rounds of webhooks", {
  "one after the other, by name": {
    hooks: [
      { mutating: true, says: { patch: [op("add", "/data/1", "x")] } },
      { mutating: true, says: { patch: [op("test", "/data/1", "x"), op("add", "/data/2", "x")] } },
      { says: ({ object }) => ({ response: { allowed: object.data[2] === "x" } }) },
    ],
    send: POST,
    called: ["h0", "h1", "h2"],
  },
  "the first denial ends it": {
    hooks: [{ mutating: true, says: NO }, { mutating: true }, {}],
    send: POST,
    status: 400,
    called: ["h0"],
  },
  "validating ones are all asked": { hooks: [{ says: NO }, {}], send: POST, status: 400, called: ["h0", "h1"] },
  "who wants it sees later changes": {
    hooks: [
      { mutating: true, hook: { reinvocationPolicy: "IfNeeded" } },
      { mutating: true },
      {
        mutating: true,
        says: { patch: [op("add", "/data/1", "x")] },
        hook: { reinvocationPolicy: "IfNeeded" },
      },
      { mutating: true, hook: { reinvocationPolicy: "IfNeeded" } },
    ],
    send: POST,
    called: ["h0", "h1", "h2", "h3", "h0"],
  },
  "no change, no second round": {
    hooks: [
      { mutating: true, hook: { reinvocationPolicy: "IfNeeded" } },
      { mutating: true, says: { patch: [op("add", "/data/k", "v")] } },
    ],
    send: POST,
    called: ["h0", "h1"],
  },
  "plugins see the changes, and webhooks what plugins make of them": {
    given: [["/api/v1/namespaces/{ns}/limitranges", {
      metadata: { name: "l" },
      spec: { limits: [{ type: "Container", default: { cpu: "1" } }] },
    }]],
    hooks: [
      { mutating: true, hook: { reinvocationPolicy: "IfNeeded", ...rules({ resources: ["pods"] }) } },
      {
        mutating: true,
        says: { patch: [op("add", "/spec/containers/-", { name: "d", image: "j" })] },
        hook: rules({ resources: ["pods"] }),
      },
    ],
    send: [["POST", PODS, pod()]],
    called: ["h0", "h1", "h0"],
    shows: { "spec.containers.1.resources.limits": { cpu: "1" } },
    asked: { "object.spec.containers.1.resources.limits": { cpu: "1" } },
  },
  "policies that want it see what webhooks made, and webhooks what policies make of that": {
    given: ["IfNeeded", "Never"].flatMap((reinvocationPolicy) => policyOf(reinvocationPolicy)),
    hooks: [{
      mutating: true,
      says: { patch: [op("add", "/data/h", "h")] },
      hook: { reinvocationPolicy: "IfNeeded" },
    }],
    send: POST,
    called: ["h0", "h0"],
    shows: { data: { k: "v", IfNeeded: "h", h: "h" } },
    asked: { "object.data.IfNeeded": "h" },
  },
  "a dry run is told": { hooks: [{ hook: { sideEffects: "NoneOnDryRun" } }], send: DRY, asked: { dryRun: true } },
});
