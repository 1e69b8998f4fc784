/** Stages by what becomes of a request, and of its events. */
import assert from "node:assert/strict";
import { productOf } from "../../schema/product.ts";
import { schemeOf } from "../../schema/scheme.ts";
import { notFound } from "../../schema/status.ts";
import type { AuditEvent } from "../../server/audit/event.ts";
import { AuditMetrics } from "../../server/audit/metrics.ts";
import { AuditPolicy } from "../../server/audit/policy.ts";
import { Trail } from "../../server/audit/trail.ts";
import type { Stage } from "../../server/audit/types.ts";
import { attributesOf } from "../../server/filters/authorize.ts";
import { AuditFilters } from "../../server/filters/audit.ts";
import { NO_CONNECTION } from "../../server/filters/env.ts";
import { ErrorResponses } from "../../server/filters/errors.ts";
import { Deadlines } from "../../server/filters/timeout.ts";
import { scopeOf } from "../../server/filters/scope.ts";
import { mediaTypes } from "../../server/negotiation/media.ts";
import type { RequestScope } from "../../server/request.ts";

const product = productOf("kubernetes");
const media = mediaTypes(product, { cbor: false, protobuf: true });
const errors = new ErrorResponses(schemeOf(product), media, () => {});

interface Told {
  readonly said: string;
  /** What is said when the client has gone. */
  readonly after: string;
  /** Of the last event. */
  readonly annotations: readonly string[];
  readonly metrics: AuditMetrics;
  /** Of the last event. */
  readonly response: string | undefined;
}

/** Stages and codes of a request that comes to something. */
async function told(
  run: (scope: RequestScope) => Response | Promise<Response>,
  stores: boolean | Promise<boolean> = true,
  level = "Metadata",
  omitStages: readonly Stage[] = [],
  path = "/api/v1/pods",
): Promise<Told> {
  const seen: AuditEvent[] = [], metrics = new AuditMetrics();
  const sink = {
    process: (events: readonly AuditEvent[]) => {
      seen.push(...events);
      return stores;
    },
    close: () => {},
  };
  const policy = new AuditPolicy({ rules: [{ level, omitStages }] });
  const filters = new AuditFilters({ policy, sink, metrics }, product, errors, () => 2);
  const scope = scopeOf(new Request(`https://h${path}`), NO_CONNECTION, { now: () => 1, auditId: () => "x" });
  scope.user = { name: "ann", groups: [] };
  let end: string;
  try {
    end = String((await filters.known(scope, run)).status);
  } catch (e) {
    end = `thrown ${(e as { code?: number }).code}`;
  }
  const stages = () => seen.map(({ data }) => `${data.stage} ${data.responseStatus?.code ?? "-"} ${data.at}`);
  const last = seen.at(-1)?.data;
  const before = stages(), said = [...before, end].join(", ");
  scope.cancel?.();
  const after = stages().slice(before.length).join(", ");
  return { said, after, annotations: [...last?.annotations.keys() ?? []], metrics, response: last?.responseObject };
}

Deno.test("an answer, a refusal, a fault of the server, an event that cannot be stored", async () => {
  const first = "RequestReceived - 1";
  assert.equal((await told(() => new Response("", { status: 201 }))).said, `${first}, ResponseComplete 201 2, 201`);
  const absent = () => Promise.reject(notFound({ group: "", resource: "pods" }, "p"));
  assert.equal((await told(absent)).said, `${first}, ResponseComplete 404 2, 404`);
  const fault = () => {
    throw new TypeError("a fault");
  };
  assert.equal((await told(fault)).said, `${first}, Panic 500 2, 500`);
  for (const no of [false, Promise.resolve(false)]) {
    const refused = await told(() => new Response(""), no);
    assert.equal(refused.said, `${first}, thrown 500`);
    assert.deepEqual([refused.metrics.events, refused.metrics.rejected], [1, 1]);
  }
  assert.equal(
    (await told(() => new Response(""), Promise.resolve(true))).said,
    `${first}, ResponseComplete 200 2, 200`,
  );
  assert.equal((await told(fault, true, "Metadata", ["RequestReceived"])).said, "Panic 500 2, 500");
  assert.equal((await told(fault, true, "Metadata", ["Panic"])).said, `${first}, 500`);
  assert.equal((await told(() => new Response(""), false, "None")).said, "200");
});

Deno.test("a request whose time was over ends as its client was told, whatever its work came to", async () => {
  const work = Promise.withResolvers<Response>(), deadlines = new Deadlines(60_000, () => 0);
  let answered = 0;
  const event = await told(
    async (scope) => {
      const client = Promise.resolve(deadlines.filter(scope, () => work.promise));
      deadlines.tick(60_001);
      answered = await client.then((r) => r.status, (e) => errors.respond(e, scope).status);
      work.resolve(new Response("", { status: 201 }));
      return work.promise;
    },
    true,
    "RequestResponse",
  );
  assert.equal(answered, 504);
  assert.equal(event.said, "RequestReceived - 1, ResponseComplete 504 2, 201");
  assert.equal(JSON.parse(event.response!).reason, "Timeout");
});

Deno.test("patches of webhooks are told where objects are", async () => {
  const patch = "patch.webhook.admission.k8s.io/round_0_index_0";
  const noted = (scope: RequestScope) => {
    scope.auditAnnotations.set("a", "b").set(patch, "{}");
    return new Response("");
  };
  assert.deepEqual((await told(noted)).annotations, ["a"]);
  assert.deepEqual((await told(noted, true, "Request")).annotations, ["a", patch]);
});

Deno.test("an answer that comes piece by piece is in its event, whole", async () => {
  const slow = (scope: RequestScope) => {
    const pieces = ['{"a":', "1}"].map((text) => new TextEncoder().encode(text));
    scope.audit!.answered(
      new ReadableStream({
        async pull(controller) {
          await new Promise((done) => setTimeout(done));
          const piece = pieces.shift();
          if (piece) controller.enqueue(piece);
          else controller.close();
        },
      }),
    );
    return new Response("");
  };
  assert.equal((await told(slow, true, "RequestResponse")).response, '{"a":1}');
});

Deno.test("what lasts is over when its client has gone, be that before it has begun", async () => {
  const begun = "RequestReceived - 1, ResponseStarted 200 2", over = "ResponseComplete 200 2";
  const tunnel = (scope: RequestScope) => {
    scope.upgraded = true;
    return new Response("");
  };
  const late = (scope: RequestScope) => {
    scope.cancel?.();
    return new Response("");
  };
  const rows = [
    ["/api/v1/pods?watch=1", () => new Response(""), `${begun}, 200`, over],
    ["/api/v1/pods?watch=1", late, `${begun}, ${over}, 200`, ""],
    ["/api/v1/namespaces/a/pods/p/exec", tunnel, `${begun}, 200`, over],
    ["/api/v1/namespaces/a/pods/p/exec", () => new Response(""), `${begun}, ${over}, 200`, ""],
  ] as const;
  for (const [path, run, said, after] of rows) {
    const heard = await told(run, true, "Metadata", [], path);
    assert.deepEqual([heard.said, heard.after], [said, after], path);
  }
});

Deno.test("an answer that cannot be read is left out of its event, which is told all the same", async () => {
  const broken = (scope: RequestScope) => {
    scope.audit!.answered(new ReadableStream({ start: (c) => c.error(new Error("gone")) }));
    return new Response("", { status: 200 });
  };
  assert.equal((await told(broken, true, "RequestResponse")).said, "RequestReceived - 1, ResponseComplete 200 2, 200");
});

Deno.test("who takes more than half a second tells how long when it is over", () => {
  const policy = new AuditPolicy({ rules: [{ level: "Metadata" }] });
  for (
    const [stage, at, want] of [
      ["ResponseStarted", 9000, undefined],
      ["ResponseComplete", 1500, undefined],
      ["ResponseComplete", 1501, "501ms"],
      ["ResponseComplete", 62_500, "1m1.5s"],
    ] as const
  ) {
    const scope = scopeOf(new Request("https://h/api/v1/pods"), NO_CONNECTION, { now: () => 1000, auditId: () => "x" });
    const trail = new Trail(scope, policy.decide(attributesOf(scope)), product);
    const { annotations } = trail.event(stage, at).data;
    assert.equal(annotations.get("apiserver.latency.k8s.io/total"), want, `${stage} at ${at}`);
  }
});

Deno.test("an event is of its moment, whatever is learned of the request later", () => {
  const scope = scopeOf(new Request("https://h/api/v1/namespaces/a/configmaps"), NO_CONNECTION, {
    now: () => 1,
    auditId: () => "x",
  });
  const decision = new AuditPolicy({ rules: [{ level: "Request" }] }).decide(attributesOf(scope));
  const trail = new Trail(scope, decision, product), first = trail.event("RequestReceived", 1);
  trail.sent(schemeOf(product).kind("v1", "ConfigMap")!, {
    apiVersion: "v1",
    kind: "ConfigMap",
    metadata: { name: "m", uid: "u", resourceVersion: "7" },
  });
  trail.note("k", "first");
  trail.note("k", "second");
  const told = ({ data: { objectRef, annotations, requestObject } }: AuditEvent) => {
    const { name, namespace, uid, resourceVersion } = objectRef!;
    return [name, namespace, uid, resourceVersion, [...annotations.values()], requestObject !== undefined];
  };
  assert.deepEqual(told(first), ["", "a", "", "", [], false]);
  assert.deepEqual(told(trail.event("ResponseComplete", 2)), ["m", "a", "u", "7", ["first"], true]);
});

Deno.test("a request without a verb of the API, such as OPTIONS, has an empty one in its event", () => {
  const request = new Request("https://h/api/v1/namespaces/a/configmaps", { method: "OPTIONS" });
  const scope = scopeOf(request, NO_CONNECTION, { now: () => 1000, auditId: () => "x" });
  const decision = new AuditPolicy({ rules: [{ level: "Metadata" }] }).decide(attributesOf(scope));
  const event = new Trail(scope, decision, product).event("RequestReceived", 1000);
  assert.equal(JSON.parse(event.text("audit.k8s.io/v1")).verb, "");
});
