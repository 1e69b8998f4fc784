/** How webhooks are reached: authorities, services, credentials, the request's end, what is counted. */
import assert from "node:assert/strict";
import { memoryBackend } from "../../server/storage/memory.ts";
import { held } from "../spec/_held.ts";
import { HOOK_CA, HOOK_CERT, HOOK_CLIENT, HookServer, TO_HOOKS } from "../fixture/hooks.ts";
import { startTestServer, type TestServer } from "../fixture/server.ts";
import { authority } from "../listen/_fixture.ts";
import { credentialsFor, readHookUsers } from "../../server/options/hook_credentials.ts";
import { configure, labelled, map, NO, stage } from "./_hooks.ts";
import type { Loose } from "../fixture/loose.ts";

const maps = (ns: string) => `/api/v1/namespaces/${ns}/configmaps`;
const ca = btoa(HOOK_CA);
const VALIDATING = "/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations";

const configuration = (name: string, clientConfig: Loose, more: Loose = {}) => ({
  metadata: { name },
  webhooks: [{
    name: `${name}.test.io`,
    clientConfig,
    rules: [{ apiGroups: [""], apiVersions: ["v1"], resources: ["configmaps"], operations: ["CREATE"] }],
    sideEffects: "None",
    admissionReviewVersions: ["v1"],
    ...more,
  }],
});

/** A file that is there while something runs. */
async function withFile<T>(text: string, run: (path: string) => Promise<T>): Promise<T> {
  const file = await Deno.makeTempFile({ suffix: ".yaml" });
  try {
    await Deno.writeTextFile(file, text);
    return await run(file);
  } finally {
    await Deno.remove(file);
  }
}

/** A server whose admission configuration has these plugins. */
const configured = (plugins: Loose[], flags: string[] = []): Promise<TestServer> =>
  withFile(
    JSON.stringify({ apiVersion: "apiserver.config.k8s.io/v1", kind: "AdmissionConfiguration", plugins }),
    (file) => startTestServer([`--admission-control-config-file=${file}`, ...flags], { outside: TO_HOOKS }),
  );

Deno.test("a webhook needs a certificate that its authority vouches for", async () => {
  const { t, hooks, stop } = await stage();
  try {
    const url = hooks.on("/h", () => ({}));
    await t.fetch(VALIDATING, { body: configuration("unknown", { url }) });
    const refused = await t.fetch(maps("default"), { body: map() });
    assert.equal(refused.status, 500, refused.text);
    assert.match(refused.body.message, /failed calling webhook "unknown.test.io".*certificate/);
    assert.equal(hooks.asked.length, 0);
  } finally {
    await stop();
  }
});

Deno.test("a webhook's own certificate is authority enough, whoever signed it", async () => {
  const { t, hooks, stop } = await stage();
  try {
    const url = hooks.on("/own", () => NO);
    await t.fetch(VALIDATING, { body: configuration("own", { url, caBundle: btoa(HOOK_CERT) }) });
    const denied = await t.fetch(maps("default"), { body: map() });
    assert.equal(denied.status, 400, denied.text);
    assert.equal(hooks.asked.length, 1);
  } finally {
    await stop();
  }
});

Deno.test("a URL's path is asked for without empty parts, as test environments write them", async () => {
  const { t, hooks, stop } = await stage();
  try {
    const url = hooks.on("/a/b", () => NO).replace("/a/b", "//a//b/");
    await t.fetch(VALIDATING, { body: configuration("slashes", { url, caBundle: ca }) });
    const denied = await t.fetch(maps("default"), { body: map() });
    assert.equal(denied.status, 400, denied.text);
    assert.equal(hooks.asked.length, 1);
  } finally {
    await stop();
  }
});

Deno.test("a webhook is told of the time that is left, its own or the request's", async () => {
  const hooks = await new HookServer().start(), at = Date.now();
  const t = await startTestServer(["--disable-admission-plugins=ServiceAccount"], { outside: TO_HOOKS, now: () => at });
  try {
    const url = hooks.on("/time", () => NO);
    await t.fetch(VALIDATING, { body: configuration("time", { url, caBundle: ca }) });
    for (const [time, told] of [["8s", "8s"], ["7500ms", "8s"], ["20s", "10s"]]) {
      await t.fetch(`${maps("default")}?timeout=${time}`, { body: map() });
      assert.equal(hooks.asked.at(-1)?.query, `?timeout=${told}`, time ?? "");
    }
  } finally {
    await t.stop();
    await hooks.stop();
  }
});

Deno.test("connections that were opened for many calls at once are kept for the next ones", async () => {
  const { t, hooks, stop } = await stage();
  const AT_ONCE = 10;
  let held: (() => void)[] = [];
  const url = hooks.on("/busy", async () => {
    await new Promise<void>((go) => {
      if (held.push(go) < AT_ONCE) return;
      for (const each of held) each();
      held = [];
    });
    return {};
  });
  try {
    await t.fetch(VALIDATING, { body: configuration("busy", { url, caBundle: ca }) });
    for (const round of ["a", "b"]) {
      const all = Array.from({ length: AT_ONCE }, (_, i) => t.fetch(maps("default"), { body: map(`${round}${i}`) }));
      assert.deepEqual(new Set((await Promise.all(all)).map(({ status }) => status)), new Set([201]), round);
      assert.equal(hooks.connections.size, AT_ONCE, round);
    }
  } finally {
    await stop();
  }
});

Deno.test("a service is called by its address, its certificate checked by its name", async () => {
  const hooks = await new HookServer().start("127.0.1.7");
  const t = await startTestServer(["--service-cluster-ip-range=127.0.1.0/24"], { outside: TO_HOOKS });
  try {
    hooks.on("/checked", () => NO);
    await t.fetch("/api/v1/namespaces", { body: { metadata: { name: "team" } } });
    const service = (name: string) => ({
      metadata: { name },
      spec: { clusterIP: name === "hooks" ? "127.0.1.7" : "127.0.1.9", ports: [{ port: hooks.port }] },
    });
    for (const name of ["hooks", "other"]) {
      const made = await t.fetch("/api/v1/namespaces/team/services", { body: service(name) });
      assert.equal(made.status, 201, made.text);
    }
    const at = (name: string, port: number) => ({
      service: { namespace: "team", name, port, path: "/checked" },
      caBundle: ca,
    });
    const made = await t.fetch(VALIDATING, { body: configuration("service", at("hooks", hooks.port)) });
    const denied = await t.fetch(maps("default"), { body: map() });
    assert.equal(denied.status, 400, denied.text);
    assert.equal(hooks.asked[0]!.headers["host"], `hooks.team.svc:${hooks.port}`);
    assert.equal(hooks.asked[0]!.query, "?timeout=10s");
    const put = async (clientConfig: Loose) => {
      const body = { ...configuration("service", clientConfig), metadata: made.body.metadata };
      body.metadata.resourceVersion = (await t.fetch(`${VALIDATING}/service`)).body.metadata.resourceVersion;
      const answer = await t.fetch(`${VALIDATING}/service`, { method: "PUT", body });
      assert.equal(answer.status, 200, answer.text);
      return (await t.fetch(maps("default"), { body: map() })).body.message;
    };
    assert.match(await put(at("hooks", 1)), /no service port 1 found for service "hooks"/);
    assert.match(await put(at("gone", 1)), /service "gone" not found/);
  } finally {
    await t.stop();
    await hooks.stop();
  }
});

Deno.test("an endpoint of a service is called where the option says so", async () => {
  const hooks = await new HookServer().start();
  const t = await startTestServer(["--enable-aggregator-routing"], { outside: TO_HOOKS });
  try {
    hooks.on("/checked", () => NO);
    await t.fetch("/api/v1/namespaces", { body: { metadata: { name: "team" } } });
    const ports = [{ name: "other", port: 1 }, { name: "https", port: 443 }];
    await t.fetch("/api/v1/namespaces/team/services", { body: { metadata: { name: "hooks" }, spec: { ports } } });
    const service = { namespace: "team", name: "hooks", path: "/checked" };
    await t.fetch(VALIDATING, { body: configuration("endpoint", { service, caBundle: ca }) });
    const none = await t.fetch(maps("default"), { body: map() });
    assert.match(none.body.message, /no endpoints available for service "hooks"/);
    const slice = {
      metadata: { name: "s", labels: { "kubernetes.io/service-name": "hooks" } },
      addressType: "IPv4",
      ports: [{ name: "https", port: hooks.port }],
      endpoints: [
        { addresses: ["127.0.0.99"], conditions: { ready: false } },
        { addresses: ["127.0.0.1"], conditions: { ready: true } },
      ],
    };
    const path = "/apis/discovery.k8s.io/v1/namespaces/team/endpointslices";
    // Addresses of the loopback are nobody's endpoints: such a slice is put there past validation.
    const registry = t.server.registries.byId("endpointslices.discovery.k8s.io")!;
    const stored = { apiVersion: "discovery.k8s.io/v1", kind: "EndpointSlice", ...slice };
    stored.metadata = { ...slice.metadata, namespace: "team" } as typeof slice.metadata;
    await t.backend.commit([registry.creation(stored)]);
    await registry.fresh();
    assert.equal((await t.fetch(`${path}/s`)).status, 200);
    const denied = await t.fetch(maps("default"), { body: map() });
    assert.equal(denied.status, 400, denied.text);
    assert.equal(hooks.asked[0]!.headers["host"], "hooks.team.svc");
  } finally {
    await t.stop();
    await hooks.stop();
  }
});

Deno.test("credentials are those of the host", async () => {
  const hooks = await new HookServer().start();
  const users = {
    users: [
      { name: `127.0.0.1:${hooks.port}`, user: { token: "secret" } },
      { name: "*", user: { username: "u", password: "p" } },
    ],
  };
  try {
    await withFile(JSON.stringify(users), async (kubeConfigFile) => {
      const configuration_ = {
        apiVersion: "apiserver.config.k8s.io/v1",
        kind: "WebhookAdmissionConfiguration",
        kubeConfigFile,
      };
      const t = await configured([{ name: "ValidatingAdmissionWebhook", configuration: configuration_ }]);
      try {
        const url = hooks.on("/h", () => ({}));
        await t.fetch(VALIDATING, { body: configuration("with", { url, caBundle: ca }) });
        assert.equal((await t.fetch(maps("default"), { body: map() })).status, 201);
        assert.equal(hooks.asked[0]!.headers["authorization"], "Bearer secret");
      } finally {
        await t.stop();
      }
    });
  } finally {
    await hooks.stop();
  }
});

Deno.test("users are found by host and port, stars, and the one for all", () => {
  const named = (...names: string[]) => new Map(names.map((n) => [n, { authorization: n }]));
  const users = {
    byName: named("a.b.svc:443", "*.b.svc", "c.b.svc:8443", "*.svc:99"),
    fallback: () => ({ authorization: "any" }),
  };
  const cases = [
    ["a.b.svc", 443, "a.b.svc:443"],
    ["x.b.svc", 443, "*.b.svc"],
    ["x.b.svc", 444, "any"],
    ["c.b.svc", 8443, "c.b.svc:8443"],
    ["x.y.svc", 99, "*.svc:99"],
    ["::1", 443, "any"],
  ] as const;
  for (const [host, port, wanted] of cases) assert.equal(credentialsFor(users, host, port).authorization, wanted);
});

Deno.test("a client certificate that is renewed in its files is shown after a minute", async () => {
  const leaf = () => authority("front").leaf({ subject: { commonName: "front" }, usage: "client" });
  const [first, second] = [leaf(), leaf()];
  await withFile(first.cert, (certFile) =>
    withFile(first.key, (keyFile) => {
      let now = 0;
      const users = readHookUsers({ connectionFile: "", certFile, keyFile }, () => now);
      const shown = () => credentialsFor(users(), "a.b.svc", 443);
      Deno.writeTextFileSync(certFile, second.cert);
      Deno.writeTextFileSync(keyFile, second.key);
      assert.deepEqual(shown(), first);
      now += 60_000;
      assert.deepEqual(shown(), second);
      return Promise.resolve();
    }));
});

Deno.test("a token that is replaced in its file is shown after a minute", () =>
  withFile(
    "first",
    (tokenFile) =>
      withFile(JSON.stringify({ users: [{ name: "a.b.svc", user: { tokenFile } }] }), (connectionFile) => {
        let now = 0;
        const users = readHookUsers({ connectionFile, certFile: "", keyFile: "" }, () => now);
        const shown = () => credentialsFor(users(), "a.b.svc", 443).authorization;
        Deno.writeTextFileSync(tokenFile, "second");
        assert.equal(shown(), "Bearer first");
        now += 60_000;
        assert.equal(shown(), "Bearer second");
        return Promise.resolve();
      }),
  ));

Deno.test("a client certificate is shown where no user is named", async () => {
  const hooks = await new HookServer().start();
  const { cert, key } = HOOK_CLIENT;
  try {
    await withFile(cert, (certFile) =>
      withFile(key, async (keyFile) => {
        const flags = [`--proxy-client-cert-file=${certFile}`, `--proxy-client-key-file=${keyFile}`];
        const t = await startTestServer(flags, { outside: TO_HOOKS });
        try {
          const url = hooks.on("/h", () => ({}));
          await t.fetch(VALIDATING, { body: configuration("with", { url, caBundle: ca }) });
          assert.equal((await t.fetch(maps("default"), { body: map() })).status, 201);
          assert.equal(hooks.asked[0]!.client, "the-server");
        } finally {
          await t.stop();
        }
      }));
  } finally {
    await hooks.stop();
  }
});

Deno.test("a call ends with the request that it is for", async () => {
  const s = await stage();
  try {
    const ns = await labelled(s.t), called = Promise.withResolvers<void>();
    await configure(s, ns, [{
      hook: { failurePolicy: "Ignore" },
      says: () => {
        called.resolve();
        return { silent: true };
      },
    }]);
    const gone = new AbortController();
    const body = JSON.stringify(map());
    const headers = { "content-type": "application/json" };
    const answer = s.t.server.app.fetch(
      new Request(`https://test${maps(ns)}`, { method: "POST", body, headers, signal: gone.signal }),
    );
    await called.promise;
    gone.abort();
    assert.equal((await answer).status, 504);
    assert.equal((await s.t.fetch(`${maps(ns)}/a`)).status, 404);
  } finally {
    await s.stop();
  }
});

Deno.test("webhooks come and go with their configurations; those about configurations are not called", async () => {
  const s = await stage();
  try {
    const { t, hooks } = s, ns = await labelled(t);
    const [path] = await configure(s, ns, [{
      says: NO,
      hook: { rules: [{ apiGroups: ["*"], apiVersions: ["*"], resources: ["*/*"], operations: ["*"] }] },
    }]);
    assert.equal((await t.fetch(maps(ns), { body: map() })).status, 400);
    assert.equal((await t.fetch("/api/v1/nodes", { body: { metadata: { name: "n" } } })).status, 400);
    const own = await t.fetch(VALIDATING, { body: { metadata: { name: "other" } } });
    assert.equal(own.status, 201, own.text);
    assert.equal((await t.fetch(path!, { method: "DELETE" })).status, 200);
    assert.equal((await t.fetch(maps(ns), { body: map() })).status, 201);
    assert.equal(hooks.asked.length, 2);
  } finally {
    await s.stop();
  }
});

Deno.test("a server that has only begun lets nothing past webhooks that it does not know yet", async () => {
  const inner = memoryBackend(), hooks = await new HookServer().start();
  const before = await startTestServer([], { backend: inner });
  const url = hooks.on("/h", () => NO);
  const rules = [{ apiGroups: ["*"], apiVersions: ["*"], resources: ["storageclasses"], operations: ["*"] }];
  await before.fetch(VALIDATING, { body: configuration("early", { url, caBundle: ca }, { rules }) });
  await before.stop();
  // What fills the caches is a range of many.
  const many = (page: unknown) => ((page as { limit?: number } | undefined)?.limit ?? Infinity) >= 1000;
  const { backend, release } = held(inner, (method, [, page]) => method === "range" && many(page));
  const t = await startTestServer([], { backend, wait: false, outside: TO_HOOKS });
  try {
    const path = "/apis/storage.k8s.io/v1/storageclasses", body = { metadata: { name: "c" }, provisioner: "p" };
    assert.equal((await t.fetch(path, { body })).status, 429);
    release();
    await t.server.cacher.whenReady();
    assert.equal((await t.fetch(path, { body })).status, 400);
    assert.equal(hooks.asked.length, 1);
  } finally {
    release();
    await t.server.cacher.whenReady();
    await t.stop();
    await hooks.stop();
    await inner.close();
  }
});

Deno.test("labels of a namespace are its own while it is written", async () => {
  const s = await stage();
  try {
    const { t } = s;
    await configure(s, "new", [{
      says: NO,
      hook: { rules: [{ apiGroups: [""], apiVersions: ["v1"], resources: ["namespaces"], operations: ["*"] }] },
    }]);
    const create = (name: string, labels: Loose) =>
      t.fetch("/api/v1/namespaces", { body: { metadata: { name, labels } } });
    assert.equal((await create("one", { ns: "new" })).status, 400);
    assert.equal((await create("two", {})).status, 201);
    const patch = { method: "PATCH", headers: { "content-type": "application/merge-patch+json" } };
    const labelled = await t.fetch("/api/v1/namespaces/two", {
      ...patch,
      body: { metadata: { labels: { ns: "new" } } },
    });
    assert.equal(labelled.status, 400);
  } finally {
    await s.stop();
  }
});

Deno.test("calls are counted", async () => {
  const s = await stage();
  try {
    const ns = await labelled(s.t);
    await configure(s, ns, [
      { mutating: true, says: { status: 500, text: "" }, hook: { failurePolicy: "Ignore" } },
      { says: { response: { allowed: false, status: { code: 418 } } } },
      { hook: { matchConditions: [{ name: "c", expression: "false" }] } },
    ]);
    assert.equal((await s.t.fetch(maps(ns), { body: map() })).status, 418);
    const { text } = await s.t.fetch("/metrics");
    const at = (metric: string, labels: string) =>
      assert.ok(text.includes(`${metric}{${labels}} 1\n`), `${metric} ${text}`);
    const p = "apiserver_admission_", failed = 'name="h0.test.io",type="admit"';
    const said = 'name="h1.test.io",type="validating",operation="CREATE"';
    at(`${p}webhook_fail_open_count`, failed);
    at(`${p}webhook_request_total`, `${failed},operation="CREATE",code="500",rejected="false"`);
    at(`${p}webhook_request_total`, `${said},code="418",rejected="true"`);
    at(`${p}webhook_rejection_count`, `${said},error_type="no_error",rejection_code="418"`);
    at(`${p}webhook_admission_duration_seconds_count`, `${said},rejected="true"`);
    at(`${p}match_condition_exclusions_total`, 'name="h2.test.io",kind="webhook",type="validating",operation="CREATE"');
  } finally {
    await s.stop();
  }
});

Deno.test("explain=admission tells what webhooks did", async () => {
  const s = await stage();
  try {
    const ns = await labelled(s.t);
    await configure(s, ns, [
      {
        mutating: true,
        says: { patch: [{ op: "add", path: "/data/x", value: "y" }], response: { auditAnnotations: { a: "b" } } },
      },
      { says: { response: { warnings: ["careful"] } } },
    ]);
    const { body } = await s.t.fetch(`${maps(ns)}?dryRun=All&explain=admission`, { body: map() });
    const steps = Object.fromEntries(body.steps.toReversed().map((x: Loose) => [`${x.plugin} ${x.phase}`, x]));
    const { plugin: _p, phase: _h, ...told } = steps["MutatingAdmissionWebhook admit"];
    // What is noted for the audit log is nothing for who writes.
    assert.deepEqual(told, { changes: [{ op: "add", path: "/data/x", value: "y" }] });
    assert.deepEqual(steps["ValidatingAdmissionWebhook validate"].warnings, ["careful"]);
  } finally {
    await s.stop();
  }
});

Deno.test("what is wrong with the plugins' configuration is told at start", async () => {
  const webhook = (more: Loose) => [{
    name: "MutatingAdmissionWebhook",
    configuration: { apiVersion: "apiserver.config.k8s.io/v1", kind: "WebhookAdmissionConfiguration", ...more },
  }];
  const policy = (imagePolicy: Loose) => [{ name: "ImagePolicyWebhook", configuration: { imagePolicy } }];
  const cases: [Loose[], RegExp][] = [
    [webhook({ kubeConfigFile: "x" }), /kubeConfigFile: "x": should be an absolute path/],
    [webhook({ kubeConfigFile: "/nowhere" }), /nowhere/],
    [webhook({ staticManifestsDir: "x" }), /staticManifestsDir: "x": should be an absolute path/],
    [policy({}), /imagePolicy.kubeConfigFile: is required/],
    [policy({ kubeConfigFile: "/x", allowTTL: 5000 }), /imagePolicy.allowTTL: 5000: should be from -1 to 1800/],
  ];
  for (const [plugins, message] of cases) await assert.rejects(() => configured(plugins), message);
});
