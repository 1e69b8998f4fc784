/** Which answer a path gives by method and by what is accepted (specification, "Path shapes", "Content negotiation"). */
import assert from "node:assert/strict";
import type { User } from "../../server/request.ts";
import { served } from "./_server.ts";

const MAPS = "/api/v1/namespaces/default/configmaps";
const TABLE = "as=Table;v=v1;g=meta.k8s.io";
const AGGREGATED = "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList";

/** Method and path, the Accept header, and the status with the start of the content type, empty for none. */
const ROUTES: readonly [route: string, accept: string | undefined, status: number, type?: string][] = [
  ["GET /", "application/yaml", 200, "application/json"],
  ["GET //", undefined, 404, "text/plain"],
  ["GET /index.html", undefined, 200, "application/json"],
  ["HEAD /version", undefined, 405],
  ["GET /version", "application/*", 406],
  ["GET /version", `application/json;${TABLE}`, 200],
  ["HEAD /api/v1", undefined, 405],
  ["POST /apis", undefined, 200],
  ["GET /apis/apps//", undefined, 200],
  ["GET /apis", "application/*", 200],
  ["GET /apis", AGGREGATED, 200, AGGREGATED],
  ["GET /apis/", AGGREGATED, 406],
  ["GET /apis/", `${AGGREGATED},application/json`, 200, "application/json"],
  ["GET /apis/apps/v1", "application/*", 406],
  ["GET /apis/apps/v1", "application/json;v=1", 406],
  ["GET /apis/none.example", undefined, 404, "text/plain"],
  ["GET /apis/none.example/v1", undefined, 404, "text/plain"],
  ["GET /apis/apps/v9/deployments", undefined, 404, "application/json"],
  ["GET /apis/none.example/v1/things", undefined, 404, "text/plain"],
  ["PUT /apis/apps/v9", undefined, 404],
  ["GET /healthz/", undefined, 404, "text/plain"],
  ["GET /metrics/", undefined, 404],
  ["GET /openapi/v3/apis/none/v1", undefined, 404],
  ["GET /openapi/v3/api/v1", "text/html", 406],
  ["GET /debug/pprof", undefined, 302],
  [`GET ${MAPS}//`, undefined, 200],
  [`GET ${MAPS}`, "application/yaml;stream=watch", 406, "application/json"],
  [`GET ${MAPS}`, "application/json;stream=watch", 200],
  [`GET ${MAPS}`, "application/json;sv=1", 406],
  [`GET ${MAPS}`, "application/json;sv=v1", 200],
  [`GET ${MAPS}`, `application/json;sv=v1;${TABLE}`, 200],
  ["GET /apis/apps/v1", "application/json;sv=v1", 406],
  ["GET /apis/apps/v1", "application/yaml;stream=watch", 406],
  ["GET /apis/apps/v1", "application/json;stream=watch", 200],
  ["GET /api/v1//configmaps", undefined, 404, "application/json"],
  ["GET /version///", undefined, 200, "application/json"],
  ["GET /version/%2F", undefined, 200, "application/json"],
  ["GET /version//more", undefined, 404, "application/json"],
  ["PATCH /version//", undefined, 405],
  ["GET /version/more/", undefined, 404, "application/json"],
  ["GET /index.html/", undefined, 404, "text/plain"],
  ["GET /.well-known/openid-configuration", undefined, 404, "text/plain"],
  ["POST /apis/apps//", undefined, 405],
  ["GET /apis//batch/v1", undefined, 404, "text/plain"],
  ["GET /apis/none.example//v1", undefined, 404, "text/plain"],
  ["GET /apis/batch//v1", undefined, 404, "application/json"],
  ["GET /api/v9/things", undefined, 404, "application/json"],
  ["GET /openapi/v3/", undefined, 404, ""],
  ["GET /apis/batch/v1/namespaces//jobs", undefined, 200],
  ["GET /apis/batch/v1/namespaces//jobs/a", undefined, 400],
  ["PUT /apis/batch/v1/namespaces//jobs/a/status", undefined, 400],
  ["POST /api/v1/namespaces//pods/a", undefined, 405],
  ["POST /apis/batch/v1/namespaces//jobs", undefined, 400],
  ["POST /apis/batch/v1/jobs", undefined, 405],
  ["DELETE /apis/batch/v1/namespaces//jobs", undefined, 200],
  ["DELETE /apis/batch/v1/namespaces//jobs?fieldSelector=metadata.name%3Dq", undefined, 200],
  ["DELETE /apis/batch/v1/jobs", undefined, 405],
  [`DELETE ${MAPS}/q?includeObject=All`, `application/json;${TABLE}`, 404],
  ["PUT /apis/authorization.k8s.io/v1/namespaces//localsubjectaccessreviews", undefined, 405],
  ["PUT /apis/authorization.k8s.io/v1/namespaces//localsubjectaccessreviews/q", undefined, 404],
  ["GET /api/v1/persistentvolumes//status", undefined, 400],
  ["GET /api/v1/persistentvolumes//a", undefined, 404, "application/json"],
  ["GET /api/v1/namespaces//persistentvolumes", undefined, 404, "application/json"],
  ["GET /api/v1/watch/configmaps?sendInitialEvents=true", undefined, 422],
  [
    "GET /api/v1/watch/configmaps?timeoutSeconds=-1&resourceVersion=0&resourceVersionMatch=NotOlderThan",
    undefined,
    200,
  ],
  ["GET /api/v1/watch/configmaps?timeoutSeconds=-1&continue=x", undefined, 200],
  ["GET /api/v1/watch/configmaps?watch=1&continue=x", undefined, 400],
  ["GET /api/v1/componentstatuses?sendInitialEvents=false", undefined, 422],
  ["GET /api/v1/componentstatuses?resourceVersionMatch=Exact", undefined, 400],
  ["GET /api/v1/componentstatuses/etcd-0?export=1", undefined, 400],
  ["GET /api/v1/namespaces/default%2Fconfigmaps", undefined, 200],
  ["GET /api/v1/namespaces/default/namespaces", undefined, 404, "application/json"],
  ["GET /api/v1/namespaces/default/namespaces/default", undefined, 404, "application/json"],
  ["GET /api/v1/namespaces/default/nodes", undefined, 404, "application/json"],
  ["POST /api/v1/bindings", undefined, 404],
  ["GET /api/v1/namespaces/default/bindings?fieldSelector=metadata.name=a", undefined, 405],
  ["PUT /api/v1/watch/namespaces/default/configmaps", undefined, 405],
  ["GET /api/v1/watch/componentstatuses", undefined, 404],
  ["GET /api/v1/watch/configmaps/a?timeoutSeconds=-1", undefined, 404],
  ["GET /api/v1/watch/configmaps?timeoutSeconds=-1&fieldSelector=metadata.name%3Da", undefined, 200],
  ["GET /api/v1/watch/namespaces/default/pods/a/log", undefined, 404],
  ["DELETE /api/v1/namespaces/default/pods/a/log/more", undefined, 404, "application/json"],
  ["GET /apis/authorization.k8s.io/v1/subjectaccessreviews/a", undefined, 404],
  [`HEAD ${MAPS}`, undefined, 405],
  [`GET ${MAPS}/a%25b`, undefined, 400],
  [`GET ${MAPS}`, "*", 406],
  [`GET ${MAPS}`, "application/json;g=meta.k8s.io", 406],
  [`GET ${MAPS}`, "application/json;v=v1", 406],
  [`GET ${MAPS}`, "application/json;as=", 200],
  [`GET ${MAPS}`, "application/json;stream=watch", 200],
  [`GET ${MAPS}`, "application/json;stream=other", 406],
  [`GET ${MAPS}/none`, `application/yaml;${TABLE}`, 404, "application/json"],
  [`GET ${MAPS}/none`, `application/json;${TABLE},application/yaml`, 404, "application/yaml"],
  ["constructor /apis/batch/v1/namespaces//jobs/a", undefined, 405],
  [`GET ${MAPS}?limit=9223372036854775808`, undefined, 400],
  [`GET ${MAPS}?resourceVersion=00000000000000000001`, undefined, 200],
  [`GET ${MAPS}?sendInitialEvents=false`, undefined, 422],
  [`GET ${MAPS}?watch=1&continue=x`, undefined, 400],
  [`GET ${MAPS}?fieldSelector=%3D`, undefined, 200],
];

Deno.test("paths answer by method and by what is accepted", () =>
  served([], async (s) => {
    for (const [route, accept, status, type] of ROUTES) {
      const [method, path] = route.split(" ") as [string, string];
      const answer = await s.open(path, { method, ...(accept ? { headers: { accept } } : {}) });
      await answer.body?.cancel();
      assert.equal(answer.status, status, `${route} ${accept}`);
      if (type === undefined) continue;
      const told = answer.headers.get("content-type") ?? "";
      assert.ok(type === "" ? told === "" : told.startsWith(type), `${route} ${accept}`);
    }
  }));

Deno.test("pages of status and options are text, for who takes that", () =>
  served(["--feature-gates=ComponentStatusz=true,ComponentFlagz=true"], async (s) => {
    for (const path of ["/statusz", "/flagz"]) {
      for (
        const [accept, status] of [["text/*", 200], ["application/json", 406], ["application/json,*/*", 200]] as const
      ) {
        assert.equal((await s.fetch(path, { headers: { accept } })).status, status, `${path} ${accept}`);
      }
    }
  }));

Deno.test("an error tells its flow schema and priority level as other answers do", () =>
  served([], async (s) => {
    for (const path of [MAPS, `${MAPS}/none`]) {
      const { headers } = await s.fetch(path);
      assert.match(headers.get("x-kubernetes-pf-flowschema-uid") ?? "", /^[0-9a-f-]{36}$/, path);
      assert.match(headers.get("x-kubernetes-pf-prioritylevel-uid") ?? "", /^[0-9a-f-]{36}$/, path);
    }
  }));

Deno.test("whoever acts as somebody else has that one's place in flow control, not his own", () =>
  served([], async (s) => {
    const schemaOf = async (headers: Record<string, string>, user?: User) =>
      (await s.fetch("/api/v1/namespaces", { headers }, user)).headers.get("x-kubernetes-pf-flowschema-uid")!;
    const ann = await schemaOf({}, { name: "ann", groups: ["system:authenticated"] });
    assert.equal(await schemaOf({ "impersonate-user": "ann" }), ann);
    assert.notEqual(await schemaOf({}), ann);
  }));

Deno.test("component statuses can be selected", () =>
  served([], async (s) => {
    const names = async (query: string) => {
      const { status, body } = await s.fetch(`/api/v1/componentstatuses?${query}`);
      return status === 200 ? body.items.map((i: { metadata: { name: string } }) => i.metadata.name) : status;
    };
    assert.deepEqual(await names("fieldSelector=metadata.name=etcd-0"), ["etcd-0"]);
    assert.deepEqual(await names("labelSelector=a"), []);
    assert.equal(await names("fieldSelector=spec.a=b"), 400);
  }));

Deno.test("a deletion without a body takes its preconditions from the query", () =>
  served([], async (s) => {
    const { body } = await s.fetch(MAPS, { method: "POST", body: { metadata: { name: "a" } } });
    const { uid, resourceVersion } = body.metadata;
    const path = `${MAPS}/a`;
    for (
      const [query, status] of [
        ["uid=other", 409],
        ["resourceVersion=1", 409],
        ["gracePeriodSeconds=9223372036854775808", 400],
        [`uid=${uid}&resourceVersion=${resourceVersion}`, 200],
      ] as const
    ) {
      assert.equal((await s.fetch(`${path}?${query}`, { method: "DELETE" })).status, status, query);
    }
  }));

Deno.test("indented is what asks for it by the parameter, the media range or the kind of client", () =>
  served([], async (s) => {
    const rows: readonly [query: string, headers: Record<string, string>, indented: boolean][] = [
      ["?pretty=true", {}, true],
      ["?pretty=T", {}, true],
      ["?pretty=yes", {}, false],
      ["?pretty", { "user-agent": "curl/8" }, true],
      ["?pretty=0", { "user-agent": "curl/8" }, false],
      ["", { accept: "application/json;pretty=1" }, true],
      ["", { accept: "application/json;pretty=true" }, false],
    ];
    for (const [query, headers, indented] of rows) {
      const { text } = await s.fetch(`/api/v1/namespaces/default${query}`, { headers });
      assert.equal(text.startsWith("{\n"), indented, `${query} ${JSON.stringify(headers)}`);
    }
  }));

Deno.test("an error says that it is no page, and is indented where it is nothing that is taken", () =>
  served([], async (s) => {
    for (const [accept, status] of [["application/json", 404], ["text/html", 406]] as const) {
      const answer = await s.fetch("/api/v1/namespaces/none", { headers: { accept } });
      const told = [answer.status, answer.headers.get("x-content-type-options"), answer.text.startsWith("{\n")];
      assert.deepEqual(told, [status, "nosniff", status === 406]);
    }
  }));

Deno.test("an empty list of metadata has null for its items", () =>
  served([], async (s) => {
    const accept = "application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io";
    for (const query of ["", "?pretty=1"]) {
      assert.equal((await s.fetch(MAPS + query, { headers: { accept } })).body.items, null);
    }
  }));

Deno.test("a streaming list of a version that does not come ends in an error that says so", () =>
  served([], async (s) => {
    const query =
      "watch=1&timeoutSeconds=1&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&resourceVersion=1000000";
    const answer = await s.open(`${MAPS}?${query}`);
    const { type, object } = JSON.parse(await answer.text());
    assert.deepEqual([type, object.code, object.details.causes[0].reason], ["ERROR", 504, "ResourceVersionTooLarge"]);
  }));

Deno.test("a path of many parts that nobody serves is not looked up part by part", () =>
  served([], async (s) => {
    const { get } = Map.prototype, path = `/openapi${"/a".repeat(5000)}`;
    let looked = 0;
    Map.prototype.get = function (key) {
      if (typeof key === "string" && key.length > 1000) looked++;
      return get.call(this, key);
    };
    try {
      assert.equal((await s.fetch(path)).status, 404);
    } finally {
      Map.prototype.get = get;
    }
    assert.ok(looked < 100, `${looked} looks`);
  }));
