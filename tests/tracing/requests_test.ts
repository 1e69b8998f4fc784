/** Spans of requests, as a collector gets them. */
import assert from "node:assert/strict";
import { HOOK_CA, HookServer, TO_HOOKS } from "../fixture/hooks.ts";
import { startTestServer } from "../fixture/server.ts";
import { productOf } from "../../schema/product.ts";
import { schemeOf } from "../../schema/scheme.ts";
import type { SpanRecord } from "../../schema/tracing/span.ts";
import { Tracer } from "../../schema/tracing/tracer.ts";
import { NO_CONNECTION } from "../../server/filters/env.ts";
import { ErrorResponses } from "../../server/filters/errors.ts";
import { scopeOf } from "../../server/filters/scope.ts";
import { Deadlines } from "../../server/filters/timeout.ts";
import { tracingFilter } from "../../server/filters/tracing.ts";
import { mediaTypes } from "../../server/negotiation/media.ts";
import { traced } from "./_traced.ts";

const MAPS = "/api/v1/namespaces/default/configmaps";
const TRACE = "0123456789abcdef0123456789abcdef", SPAN = "0123456789abcdef";
const parent = (flags: string): Record<string, string> => ({ traceparent: `00-${TRACE}-${SPAN}-${flags}` });
const SOMEBODY = { name: "ann", groups: ["system:authenticated"] };
const map = (name: string) => ({ metadata: { name } });

Deno.test("a request is a span, and its work and its commit are parts of it", async () => {
  await traced(1_000_000, async ({ t, collector, sent }) => {
    const made = await t.fetch(`${MAPS}?fieldManager=me`, { body: map("a"), headers: { "user-agent": "test/1" } });
    assert.equal(made.status, 201, made.text);
    await sent();
    const request = collector.one("POST /api/v1/namespaces/{:namespace}/configmaps");
    const verb = collector.one("Create"), commit = collector.one("Commit");
    assert.deepEqual([request.kind, request.parentId, request.links, request.status], [2, "", [], undefined]);
    assert.deepEqual([verb.parentId, commit.parentId], [request.spanId, verb.spanId]);
    assert.deepEqual(new Set([request, verb, commit].map((s) => s.traceId)).size, 1);
    const { attributes: a } = request;
    assert.equal(a["http.request.method"], "POST");
    assert.equal(a["url.path"], MAPS);
    assert.equal(a["http.target"], `${MAPS}?fieldManager=me`);
    assert.equal(a["url.scheme"], "https");
    assert.equal(a["server.address"], "test");
    assert.equal(a["user_agent.original"], "test/1");
    assert.equal(a["http.response.status_code"], 201);
    assert.equal(a["audit-id"], made.headers.get("audit-id"));
    assert.match(String(commit.attributes["key"]), /configmaps\/default\/a$/);
    assert.deepEqual(collector.resource, { "service.name": "apiserver", "service.instance.id": "apiserver-test" });
    assert.ok(request.start <= verb.start && verb.start <= commit.start);
  });
});

Deno.test("what an eviction writes is a part of it: the budget, the pod's condition, its mark, its end", async () => {
  await traced(1_000_000, async ({ t, collector, sent }) => {
    const pods = "/api/v1/namespaces/default/pods", budgets = "/apis/policy/v1/namespaces/default/poddisruptionbudgets";
    const write = async (path: string, body: unknown, method = "POST") => {
      const headers = { "content-type": method === "POST" ? "application/json" : "application/merge-patch+json" };
      const { status, text } = await t.fetch(path, { method, headers, body });
      assert.ok(status < 300, text);
    };
    const metadata = { name: "p", labels: { app: "a" } };
    await write(pods, { metadata, spec: { containers: [{ name: "c", image: "i" }] } });
    const conditions = [{ type: "Ready", status: "True" }];
    await write(`${pods}/p/status`, { status: { phase: "Running", conditions } }, "PATCH");
    await write(budgets, { metadata: { name: "b" }, spec: { selector: { matchLabels: { app: "a" } } } });
    const healthy = {
      observedGeneration: 1,
      disruptionsAllowed: 1,
      currentHealthy: 1,
      desiredHealthy: 0,
      expectedPods: 1,
    };
    await write(`${budgets}/b/status`, { status: healthy }, "PATCH");
    await write(`${pods}/p/eviction`, { metadata: { name: "p" } });
    await sent();
    const evicted = collector.one("POST /api/v1/namespaces/{:namespace}/pods/{:name}/eviction");
    const commits = collector.spans.filter((s) => s.name === "Commit" && s.traceId === evicted.traceId);
    const resources = commits.map((s) => s.attributes["resource"]);
    assert.deepEqual(resources, ["poddisruptionbudgets.policy", "pods", "pods", "pods"]);
  }, { flags: ["--disable-admission-plugins=ServiceAccount"] });
});

Deno.test("a commit names its resource in the dialect", async () => {
  await traced(1_000_000, async ({ t, collector, sent }) => {
    const leases = "/apis/coordination.orch.io/v1/namespaces/default/leases";
    const made = await t.fetch(leases, { body: { apiVersion: "coordination.orch.io/v1", kind: "Lease", ...map("a") } });
    assert.equal(made.status, 201, made.text);
    await sent();
    assert.equal(collector.one("Commit").attributes["resource"], "leases.coordination.orch.io");
  }, { flags: ["--api-dialect=orch"] });
});

/** What a client sends, who it is, and what becomes of it: parent, links, or no span. */
const CLIENTS = [
  { name: "a trusted client's trace is gone on with", rate: 0, flags: "01", masters: true, parent: SPAN, trace: true },
  { name: "one that it does not record is not recorded", rate: 1e6, flags: "00", masters: true },
  { name: "without a rate nothing begins here", rate: undefined, masters: true },
  { name: "of anybody else's trace there is a link", rate: 1e6, flags: "00", masters: false, links: [TRACE] },
  { name: "whose wish to be recorded is nothing", rate: 0, flags: "01", masters: false },
  { name: "a malformed parent is none", rate: 1e6, flags: "03", masters: true, parent: "", links: [] },
] as const;

for (const c of CLIENTS) {
  Deno.test(`who decides what is recorded: ${c.name}`, async () => {
    await traced(c.rate, async ({ t, collector, sent }) => {
      const headers = "flags" in c ? parent(c.flags) : {};
      const answer = await t.fetch("/version", { headers }, c.masters ? undefined : SOMEBODY);
      assert.ok(answer.status === 200 || answer.status === 403);
      await sent();
      if (!("parent" in c) && !("links" in c)) return assert.deepEqual(collector.spans, []);
      const span = collector.one("GET");
      assert.equal(span.parentId, "parent" in c ? c.parent : "");
      assert.deepEqual(span.links, "links" in c ? c.links : []);
      assert.equal(span.traceId === TRACE, "trace" in c);
      assert.equal(span.flags & 0x200, span.parentId === "" ? 0 : 0x200);
    });
  });
}

Deno.test("a failure of the server is one of its span, a refusal is not", async () => {
  await traced(1_000_000, async ({ t, collector, sent }) => {
    await t.fetch(`${MAPS}/gone`);
    assert.equal((await t.fetch("/apis/metrics.k8s.io/v1beta1/nodes")).status, 404);
    await sent();
    const missing = collector.one("GET /api/v1/namespaces/{:namespace}/configmaps/{:name}");
    assert.deepEqual([missing.status, missing.attributes["http.response.status_code"]], [undefined, 404]);
  });
  await traced(1_000_000, async ({ t, collector, sent }) => {
    assert.equal((await t.fetch(MAPS, { body: { metadata: { name: "bad" } } })).status, 201);
    const value = new TextEncoder().encode("k8s\0damaged");
    await t.backend.commit([{ key: "/registry/configmaps/default/bad", value }]);
    assert.equal((await t.fetch(`${MAPS}/bad`)).status, 500);
    await sent();
    const failed = collector.one("GET /api/v1/namespaces/{:namespace}/configmaps/{:name}");
    assert.deepEqual([failed.status, failed.attributes["http.response.status_code"]], [2, 500]);
  });
});

Deno.test("a watch's span ends with the watch", async () => {
  await traced(1_000_000, async ({ t, collector, sent }) => {
    const watch = await t.open(`${MAPS}?watch=true&timeoutSeconds=1`);
    await watch.text();
    await sent();
    assert.ok(collector.one("GET /api/v1/namespaces/{:namespace}/configmaps").took > 500e6);
  });
});

/** Runs a create that one webhook of each kind is asked about; the headers that they got. */
async function asked(
  rate: number | undefined,
  headers: Record<string, string>,
  check: (got: readonly Readonly<Record<string, unknown>>[], run: Parameters<Parameters<typeof traced>[1]>[0]) => void,
): Promise<void> {
  const hooks = await new HookServer().start();
  try {
    await traced(rate, async (run) => {
      for (const kind of ["Mutating", "Validating"]) {
        const path = `/apis/admissionregistration.k8s.io/v1/${kind.toLowerCase()}webhookconfigurations`;
        const made = await run.t.fetch(path, {
          body: {
            metadata: { name: kind.toLowerCase() },
            webhooks: [{
              name: `${kind.toLowerCase()}.test.io`,
              clientConfig: { url: hooks.on(`/${kind}`, () => ({})), caBundle: btoa(HOOK_CA) },
              rules: [{ apiGroups: [""], apiVersions: ["v1"], resources: ["configmaps"], operations: ["CREATE"] }],
              sideEffects: "None",
              admissionReviewVersions: ["v1"],
            }],
          },
        });
        assert.equal(made.status, 201, made.text);
      }
      const made = await run.t.fetch(MAPS, { body: map("a"), headers });
      assert.equal(made.status, 201, made.text);
      await run.sent();
      check(hooks.asked.map((a) => a.headers), run);
    }, { outside: TO_HOOKS });
  } finally {
    await hooks.stop();
  }
}

Deno.test("a webhook goes on with the trace", async () => {
  await asked(0, { ...parent("01"), tracestate: "vendor=1, other=2", baggage: "k=v" }, (got, { collector }) => {
    assert.equal(got.length, 2);
    for (const [i, kind] of ["mutating", "validating"].entries()) {
      const call = collector.one(`Call ${kind} webhook`);
      const post = collector.spans.find((s) => s.name === "HTTP POST" && s.parentId === call.spanId)!;
      assert.equal(post.kind, 3);
      assert.equal(post.attributes["http.response.status_code"], 200);
      assert.equal(call.attributes["webhook"], `${kind}.test.io`);
      assert.equal(call.attributes["operation"], "CREATE");
      assert.equal(got[i]!["traceparent"], `00-${TRACE}-${post.spanId}-01`);
      assert.equal(got[i]!["tracestate"], "vendor=1,other=2");
      assert.equal(got[i]!["baggage"], "k=v");
    }
  });
});

Deno.test("of a trace that is not recorded a webhook is told so", async () => {
  await asked(1_000_000, parent("00"), (got, { collector }) => {
    assert.ok(collector.spans.every((s) => !s.name.startsWith("Call")));
    for (const headers of got) {
      assert.match(String(headers["traceparent"]), new RegExp(`^00-${TRACE}-[0-9a-f]{16}-00$`));
    }
  });
});

Deno.test("a server that does not trace passes on what a request came with", async () => {
  const hooks = await new HookServer().start();
  const t = await startTestServer([], { outside: TO_HOOKS });
  try {
    const url = hooks.on("/h", () => ({}));
    const made = await t.fetch("/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations", {
      body: {
        metadata: { name: "h" },
        webhooks: [{
          name: "h.test.io",
          clientConfig: { url, caBundle: btoa(HOOK_CA) },
          rules: [{ apiGroups: [""], apiVersions: ["v1"], resources: ["configmaps"], operations: ["CREATE"] }],
          sideEffects: "None",
          admissionReviewVersions: ["v1"],
        }],
      },
    });
    assert.equal(made.status, 201, made.text);
    const body = { metadata: { generateName: "m" } };
    for (const headers of [parent("01"), { traceparent: "00-no" }]) {
      const stored = await t.fetch(MAPS, { body, headers });
      assert.equal(stored.status, 201, stored.text);
    }
    const explained = await t.fetch(`${MAPS}?dryRun=All&explain=admission`, { body, headers: parent("01") });
    assert.equal(explained.body.allowed, true, explained.text);
    const goesOn = `00-${TRACE}-${SPAN}-01`;
    assert.deepEqual(hooks.asked.map((a) => a.headers["traceparent"]), [goesOn, undefined, goesOn]);
  } finally {
    await t.stop();
    await hooks.stop();
  }
});

Deno.test("a request whose time was over ended by that, whatever its work came to", async () => {
  const spans: SpanRecord[] = [], work = Promise.withResolvers<Response>(), deadlines = new Deadlines(60_000, () => 0);
  const tracer = new Tracer({
    perMillion: 1_000_000,
    random: (n) => crypto.getRandomValues(new Uint8Array(n)),
    now: () => 1,
    elapsed: () => 0,
    ended: (span) => spans.push(span),
  });
  const product = productOf("kubernetes");
  const errors = new ErrorResponses(schemeOf(product), mediaTypes(product, { cbor: false, protobuf: true }), () => {});
  const filter = tracingFilter(tracer, errors);
  const scope = scopeOf(new Request("https://h/api/v1/pods"), NO_CONNECTION, { now: () => 1, auditId: () => "x" });
  let traced: Promise<Response> | undefined;
  const client = deadlines.filter(scope, (s) => traced = Promise.resolve(filter(s, () => work.promise)));
  deadlines.tick(60_001);
  await assert.rejects(Promise.resolve(client), { code: 504 });
  work.resolve(new Response("", { status: 201 }));
  await traced;
  assert.deepEqual(spans.map((s) => [s.attributes.get("http.response.status_code"), s.failure]), [[504, ""]]);
});
