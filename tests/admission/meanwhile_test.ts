/** What a slow webhook has kept, when that into which it was to be created has gone meanwhile. */
import assert from "node:assert/strict";
import { HOOK_CA, HookServer, TO_HOOKS } from "../fixture/hooks.ts";
import { type Answer, startTestServer, type TestServer } from "../fixture/server.ts";
import { define, definition, DEFINITIONS, established, thing, until, version } from "../customresources/_crd.ts";

const NS = "/api/v1/namespaces/n";
const THINGS = "/apis/example.com/v1/namespaces/n/things";
const DEFINITION = `${DEFINITIONS}/things.example.com`;

/** A server with a namespace and a definition, and a webhook that keeps every new object until something else was done. */
async function whileKept(work: (s: TestServer, kept: (path: string, body: unknown) => Promise<Kept>) => Promise<void>) {
  const hooks = await new HookServer().start();
  const s = await startTestServer(["--disable-admission-plugins=ServiceAccount", "--controllers=namespace"], {
    outside: TO_HOOKS,
  });
  const steps: { readonly asked: () => void; readonly done: Promise<void> }[] = [];
  const url = hooks.on("/slow", async () => {
    const { asked, done } = steps.shift()!;
    asked();
    await done;
    return {};
  });
  const rules = [{ apiGroups: ["", "example.com"], apiVersions: ["v1"], operations: ["CREATE"] }]
    .map((r) => ({ ...r, resources: ["configmaps", "things"] }));
  try {
    await define(s, definition([version({})]));
    await s.fetch("/api/v1/namespaces", { body: { metadata: { name: "n" } } });
    const webhook = {
      name: "slow.test.io",
      clientConfig: { url, caBundle: btoa(HOOK_CA) },
      rules,
      objectSelector: { matchLabels: { slow: "yes" } },
      sideEffects: "None",
      admissionReviewVersions: ["v1"],
    };
    const path = "/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations";
    assert.equal((await s.fetch(path, { body: { metadata: { name: "slow" }, webhooks: [webhook] } })).status, 201);
    await work(s, async (path, body) => {
      const asked = Promise.withResolvers<void>(), done = Promise.withResolvers<void>();
      steps.push({ asked: asked.resolve, done: done.promise });
      const answer = s.fetch(path, { body });
      await asked.promise;
      return async () => {
        done.resolve();
        return await answer;
      };
    });
  } finally {
    await s.stop();
    await hooks.stop();
  }
}

/** Lets the webhook answer; what the client is told. */
type Kept = () => Promise<Answer>;

const slow = (more = {}) => ({ metadata: { name: "a", labels: { slow: "yes" }, ...more } });
const slowThing = { ...thing("a"), ...slow() };
const names = (a: Answer): string[] => a.body.items.map((i: { metadata: { name: string } }) => i.metadata.name);

Deno.test("nothing is created in a namespace that has gone while a webhook was asked", () =>
  whileKept(async (s, kept) => {
    const answers = [await kept(`${NS}/configmaps`, slow()), await kept(THINGS, slowThing)];
    await s.fetch(NS, { method: "DELETE" });
    await until(() => s.fetch(NS), (a) => a.status === 404);
    for (const answer of answers) {
      const { status, body } = await answer();
      assert.deepEqual([status, body.message], [404, 'namespaces "n" not found']);
    }
    assert.deepEqual([...names(await s.fetch(`${NS}/configmaps`)), ...names(await s.fetch(THINGS))], []);
  }));

Deno.test("nor in one that has begun to go", () =>
  whileKept(async (s, kept) => {
    const held = { metadata: { name: "held", finalizers: ["example.com/hold"] } };
    assert.equal((await s.fetch(`${NS}/configmaps`, { body: held })).status, 201);
    const answer = await kept(`${NS}/configmaps`, slow());
    await s.fetch(NS, { method: "DELETE" });
    const { status, body } = await answer();
    assert.deepEqual([status, body.details.causes?.[0].reason], [403, "NamespaceTerminating"]);
    assert.deepEqual(names(await s.fetch(`${NS}/configmaps`)).filter((n) => n === "a"), []);
  }));

Deno.test("no object is created of a definition that has gone meanwhile, nor is there one when it comes again", () =>
  whileKept(async (s, kept) => {
    const answer = await kept(THINGS, slowThing);
    await s.fetch(DEFINITION, { method: "DELETE" });
    await until(() => s.fetch(DEFINITION), (a) => a.status === 404);
    assert.equal((await answer()).status, 404);
    await s.fetch(DEFINITIONS, { body: definition([version({})]) });
    await until(() => s.fetch(DEFINITION), established);
    assert.deepEqual(names(await s.fetch(THINGS)), []);
  }));
