import assert from "node:assert/strict";
import { WebSocket } from "ws";
import { admin, ann, answers, cluster, json, type MemberOptions, sly } from "./_pair.ts";
import { authority, ca, serving, until } from "../listen/_fixture.ts";

const WITHOUT_APPS: MemberOptions = { flags: ["--runtime-config=apps/v1=false"] };
const DEPLOYMENTS = "/apis/apps/v1/namespaces/default/deployments";

const deployment = (name: string) => ({
  apiVersion: "apps/v1",
  kind: "Deployment",
  metadata: { name },
  spec: {
    selector: { matchLabels: { app: name } },
    template: { metadata: { labels: { app: name } }, spec: { containers: [{ name: "c", image: "i" }] } },
  },
});

Deno.test("Requests for what a peer serves go to it, whatever their verb", async () => {
  await cluster([WITHOUT_APPS, {}], async (without, having) => {
    await answers(without, DEPLOYMENTS, 200);
    const made = await without.fetch(DEPLOYMENTS, json("POST", deployment("web")));
    assert.equal(made.status, 201, made.text);
    assert.equal((await having.fetch(`${DEPLOYMENTS}/web`)).body.metadata.uid, made.body.metadata.uid);
    const patch = { metadata: { labels: { a: "b" } } };
    const patched = await without.fetch(`${DEPLOYMENTS}/web`, json("PATCH", patch, "application/merge-patch+json"));
    assert.equal(patched.body.metadata.labels.a, "b");
    assert.equal((await without.fetch(`${DEPLOYMENTS}?labelSelector=a%3Db`)).body.items.length, 1, "with the query");
    assert.equal(
      (await without.fetch(`${DEPLOYMENTS}/none`)).body.reason,
      "NotFound",
      "a peer's errors are the answer",
    );
    assert.equal((await without.fetch(`${DEPLOYMENTS}/web`, { method: "DELETE" })).status, 200);
    const metrics = (await without.fetch("/metrics")).text;
    assert.match(
      metrics,
      /^apiserver_rerouted_request_total\{code="201",group="apps",version="v1",resource="deployments"\} 1$/m,
    );
    assert.match(metrics, /^apiserver_rerouted_request_total\{code="200",group="",version="",resource=""\} 2$/m);
  });
});

Deno.test("Watches of a peer stream, and end there when the client goes", async () => {
  await cluster([WITHOUT_APPS, {}], async (without, having) => {
    await answers(without, DEPLOYMENTS, 200);
    const abort = new AbortController();
    const watch = await without.open(`${DEPLOYMENTS}?watch=1`, { signal: abort.signal });
    assert.equal(watch.status, 200);
    await having.fetch(DEPLOYMENTS, json("POST", deployment("seen")));
    const { value } = await watch.body!.getReader().read();
    assert.equal(JSON.parse(new TextDecoder().decode(value).split("\n")[0]!).object.metadata.name, "seen");
    abort.abort();
  });
});

Deno.test("A watch over a WebSocket goes through to the peer", async () => {
  await cluster([WITHOUT_APPS, {}], async (without, having) => {
    await answers(without, DEPLOYMENTS, 200);
    const socket = new WebSocket(`${without.url.replace("https", "wss")}${DEPLOYMENTS}?watch=1`, {
      ca: ca.cert,
      ...admin,
    });
    const first = new Promise<string>((resolve, reject) => {
      socket.once("message", (data: unknown) => resolve(String(data)));
      socket.once("error", reject);
    });
    await new Promise((opened, failed) => socket.once("open", opened).once("error", failed));
    await having.fetch(DEPLOYMENTS, json("POST", deployment("seen")));
    assert.equal(JSON.parse(await first).object.metadata.name, "seen");
    const closed = new Promise((done) => socket.once("close", done));
    socket.close();
    await closed;
  });
});

Deno.test("A peer knows who asks, and decides for itself", async () => {
  await cluster([WITHOUT_APPS, {}], async (without, having) => {
    await answers(without, DEPLOYMENTS, 200);
    const client = Deno.createHttpClient({ caCerts: [ca.cert], ...ann });
    try {
      const refused = await without.fetch(DEPLOYMENTS, {}, client);
      assert.equal(refused.status, 403);
      assert.match(refused.body.message, /"ann"/);
      const role = {
        apiVersion: "rbac.authorization.k8s.io/v1",
        kind: "ClusterRole",
        metadata: { name: "reads" },
        rules: [{ apiGroups: ["apps"], resources: ["deployments"], verbs: ["list"] }],
      };
      const binding = {
        apiVersion: "rbac.authorization.k8s.io/v1",
        kind: "ClusterRoleBinding",
        metadata: { name: "reads" },
        roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "ClusterRole", name: "reads" },
        subjects: [{ apiGroup: "rbac.authorization.k8s.io", kind: "Group", name: "dev" }],
      };
      const rbac = "/apis/rbac.authorization.k8s.io/v1";
      assert.equal((await having.fetch(`${rbac}/clusterroles`, json("POST", role))).status, 201);
      assert.equal((await having.fetch(`${rbac}/clusterrolebindings`, json("POST", binding))).status, 201);
      const allowed = async () => (await without.fetch(DEPLOYMENTS, {}, client)).status === 200;
      while (!await allowed()) await new Promise((done) => setTimeout(done, 10));
      const pretended = { headers: { "x-remote-user": "root", "x-remote-group": "system:masters" } };
      assert.equal(
        (await without.fetch(`${DEPLOYMENTS}/x`, pretended, client)).status,
        403,
        "by no header of a client",
      );
      const other = { headers: { "impersonate-user": "bob" } };
      const impersonated = await without.fetch(DEPLOYMENTS, other);
      assert.match(impersonated.body.message, /"bob"/, "as who they ask to be");
    } finally {
      client.close();
    }
  });
});

Deno.test("A group whose name looks like two is not passed on as two", async () => {
  await cluster([WITHOUT_APPS, {}], async (without) => {
    await answers(without, DEPLOYMENTS, 200);
    const group = "rbac.authorization.k8s.io";
    const binding = {
      apiVersion: `${group}/v1`,
      kind: "ClusterRoleBinding",
      metadata: { name: "sly" },
      roleRef: { apiGroup: group, kind: "ClusterRole", name: "cluster-admin" },
      subjects: [{ apiGroup: group, kind: "Group", name: "dev, system:masters" }],
    };
    assert.equal((await without.fetch(`/apis/${group}/v1/clusterrolebindings`, json("POST", binding))).status, 201);
    const client = Deno.createHttpClient({ caCerts: [ca.cert], ...sly });
    try {
      assert.equal((await without.fetch("/api/v1/secrets", {}, client)).status, 200, "what is served here");
      const refused = await without.fetch(DEPLOYMENTS, {}, client);
      assert.equal(refused.status, 403);
      assert.match(refused.body.message, /cannot be told/);
    } finally {
      client.close();
    }
  });
});

Deno.test("What nobody serves, what was passed on once and what is served here stays here", async () => {
  await cluster([WITHOUT_APPS, {}], async (without) => {
    await answers(without, DEPLOYMENTS, 200);
    assert.equal((await without.fetch("/apis/apps/v9/things")).status, 404);
    assert.equal((await without.fetch("/apis/nobody.example/v1/things")).status, 404);
    const once = { headers: { "x-kubernetes-peer-proxied": "true" } };
    assert.equal((await without.fetch(DEPLOYMENTS, once)).status, 404);
    assert.equal((await without.fetch("/apis/apps/v1")).status, 404, "only resources are passed on");
  });
});

for (
  const [name, options] of [
    ["without an authority of peers", { ...WITHOUT_APPS, alone: true }],
    ["with the gate off", {
      flags: [...WITHOUT_APPS.flags!, "--feature-gates=UnknownVersionInteroperabilityProxy=false"],
      alone: true,
    }],
  ] as const
) {
  Deno.test(`Nothing is passed on ${name}`, async () => {
    await cluster([options, {}], async (without, having) => {
      await answers(having, DEPLOYMENTS, 200);
      assert.equal((await without.fetch(DEPLOYMENTS)).status, 404);
    });
  });
}

for (
  const [name, own, other] of [
    ["of another authority", { peerCa: authority("others").cert }, {}],
    ["without the name of the service", {}, { serving }],
  ] as const
) {
  Deno.test(`Nothing is passed on to a peer with a certificate ${name}`, async () => {
    const told: string[] = [];
    const log = (_level: string, text: string, detail?: unknown) => void told.push(`${text}: ${detail}`);
    await cluster([{ ...WITHOUT_APPS, ...own, log }, other], async (without, having) => {
      await answers(having, DEPLOYMENTS, 200);
      await until(
        "it is not asked",
        () => told.some((t) => /serves is asked later: .*certificate/i.test(t)),
      );
      assert.equal((await without.fetch(DEPLOYMENTS)).status, 404);
    });
  });
}

Deno.test("A peer that is gone: 503, and its lease goes when it leaves", async () => {
  await cluster([WITHOUT_APPS, {}], async (without, having) => {
    await answers(without, DEPLOYMENTS, 200);
    await having.close();
    const gone = await without.fetch(DEPLOYMENTS);
    assert.equal(gone.status, 503);
    assert.match(gone.headers.get("content-type")!, /^text\/plain/);
  });
  await cluster([WITHOUT_APPS, {}], async (without, having) => {
    await answers(without, DEPLOYMENTS, 200);
    await having.test.server.leave(5000);
    await answers(without, DEPLOYMENTS, 404);
  });
});

Deno.test("All that is known of a user reaches the peer", async () => {
  const without = { flags: ["--runtime-config=authentication.k8s.io/v1=false"] };
  await cluster([without, {}], async (first, second) => {
    const bytes = (text: string) => String.fromCharCode(...new TextEncoder().encode(text));
    const path = "/apis/authentication.k8s.io/v1/selfsubjectreviews";
    const init = json("POST", { apiVersion: "authentication.k8s.io/v1", kind: "SelfSubjectReview" });
    const headers = new Headers(init.headers);
    headers.set("impersonate-user", bytes("jürgen 漢"));
    headers.set("impersonate-uid", "u-7");
    for (const group of ["a", "b:c", "d,e"]) headers.append("impersonate-group", group);
    headers.set("impersonate-extra-example.org%2fscope", "x");
    headers.append("impersonate-extra-example.org%2fscope", "y");
    const ask = (member: typeof first) => member.fetch(path, { ...init, headers });
    const told = await ask(second);
    assert.deepEqual(told.body.status.userInfo, {
      username: "jürgen 漢",
      uid: "u-7",
      groups: ["a", "b:c", "d,e", "system:authenticated"],
      extra: { "example.org/scope": ["x", "y"] },
    });
    await until("the peer is known", async () => (await ask(first)).status === 201);
    assert.deepEqual((await ask(first)).body.status, told.body.status);
  });
});
