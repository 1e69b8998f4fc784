/** What each option of "Authorization" does, by its row. */
import assert from "node:assert/strict";
import { HOOK_CA, HookServer } from "../fixture/hooks.ts";
import type { Loose } from "../fixture/loose.ts";
import { bearer, connectionTo, type Identified, identified, type IdentifiedOptions, wrong } from "./_identified.ts";

const TOKENS = { "token-auth-file": "root,root,1,system:masters\nann,ann,2,dev\nnode,system:node:n,3,system:nodes\n" };
const [ROOT, ANN, NODE] = ["root", "ann", "node"].map(bearer);
const MAPS = "/api/v1/namespaces/default/configmaps";

/** Codes of what ann is answered: reading config maps, and writing one. */
async function codesOfAnn({ ask }: Identified): Promise<number[]> {
  const read = await ask(MAPS, ANN), write = await ask(MAPS, { ...ANN, body: { metadata: { name: "a" } } });
  return [read.code, write.code];
}

const modes = (...names: string[]): string[] => names.map((name) => `--authorization-mode=${name}`);
const run = (flags: readonly string[], body: (i: Identified) => Promise<void>, o: IdentifiedOptions = {}) =>
  identified(flags, body, { ...o, texts: { ...TOKENS, ...o.texts } });

/** Runs with a webhook that allows reading and has no opinion of the rest. */
async function withHook(
  flags: readonly string[],
  body: (i: Identified, hooks: HookServer, clock: { now: number }) => Promise<void>,
): Promise<void> {
  const hooks = await new HookServer().start(), clock = { now: Date.now() };
  const url = hooks.on("/access", ({ body }) => ({
    review: { status: { allowed: /get|list/.test(body.spec.resourceAttributes?.verb) } },
  }));
  try {
    await run([...modes("Webhook"), ...flags], (i) => body(i, hooks, clock), {
      texts: { "authorization-webhook-config-file": connectionTo(url, HOOK_CA) },
      now: () => clock.now,
    });
  } finally {
    await hooks.stop();
  }
}

/** An answer of the webhook is kept so long, s. */
const kept = (method: "GET" | "POST", option: string, usual: number) => async () => {
  for (const [flags, ttl] of [[[], usual], [[`--${option}=7s`], 7]] as const) {
    await withHook(flags, async ({ ask }, hooks, clock) => {
      const once = () => ask(MAPS, method === "GET" ? ANN : { ...ANN, body: { metadata: { name: "a" } } });
      const { code } = await once();
      assert.equal(code, method === "GET" ? 200 : 403);
      clock.now += ttl * 1000 - 1;
      await once();
      assert.equal(hooks.asked.length, 1);
      clock.now += 1;
      await once();
      assert.equal(hooks.asked.length, 2);
    });
  }
};

const policy = (spec: Loose): string =>
  `${JSON.stringify({ apiVersion: "abac.authorization.kubernetes.io/v1beta1", kind: "Policy", spec })}\n`;

/** See the top of the file. */
export const AUTHORIZATION_EFFECTS: Readonly<Record<string, () => Promise<void>>> = {
  "--authorization-mode": async () => {
    for (
      const [flags, codes] of [[[], [200, 201]], [modes("AlwaysAllow"), [200, 201]], [modes("AlwaysDeny"), [
        403,
        403,
      ]]] as const
    ) {
      await run(flags, async (i) => assert.deepEqual(await codesOfAnn(i), codes));
    }
    await run(modes("Node,RBAC"), async (i) => {
      assert.deepEqual(await codesOfAnn(i), [403, 403]);
      assert.equal((await i.ask("/api/v1/services", NODE)).code, 200); // by the node authorizer
      const rbac = "/apis/rbac.authorization.k8s.io/v1/namespaces/default";
      const rules = [{ apiGroups: [""], resources: ["configmaps"], verbs: ["list"] }];
      const roleRef = { apiGroup: "rbac.authorization.k8s.io", kind: "Role", name: "r" };
      const subjects = [{ apiGroup: "rbac.authorization.k8s.io", kind: "User", name: "ann" }];
      for (const [path, body] of [["roles", { rules }], ["rolebindings", { roleRef, subjects }]] as const) {
        const made = await i.ask(`${rbac}/${path}`, { ...ROOT, body: { metadata: { name: "r" }, ...body } });
        assert.equal(made.code, 201);
      }
      assert.deepEqual(await codesOfAnn(i), [200, 403]);
    });
    await run(modes("RBAC"), async ({ ask }) => assert.equal((await ask("/api/v1/services", NODE)).code, 403));
    // In order: who decides first, decides.
    await run(modes("AlwaysAllow,RBAC"), async (i) => assert.deepEqual(await codesOfAnn(i), [200, 201]));
    wrong("--authorization-mode=Other");
    wrong("--authorization-mode=RBAC,RBAC");
    for (const mode of ["ABAC", "Webhook"]) wrong(`--authorization-mode=${mode}`); // without their files
  },
  "--authorization-config": async () => {
    const config = (...types: string[]) =>
      JSON.stringify({
        apiVersion: "apiserver.config.k8s.io/v1",
        kind: "AuthorizationConfiguration",
        authorizers: types.map((type) => ({ type, name: type.toLowerCase() })),
      });
    for (const [type, codes] of [["AlwaysAllow", [200, 201]], ["RBAC", [403, 403]]] as const) {
      await run([], async (i) => assert.deepEqual(await codesOfAnn(i), codes), {
        texts: { "authorization-config": config(type) },
      });
    }
    for (
      const other of [
        "mode=RBAC",
        "policy-file=/p",
        "webhook-config-file=/w",
        "webhook-version=v1",
        "webhook-cache-authorized-ttl=1s",
        "webhook-cache-unauthorized-ttl=1s",
      ]
    ) wrong("--authorization-config=/c", `--authorization-${other}`);
  },
  "--authorization-policy-file": async () => {
    const text = policy({ user: "ann", namespace: "default", resource: "configmaps", readonly: true }) +
      policy({ group: "ops", namespace: "*", resource: "*", apiGroup: "*" });
    await run(modes("ABAC"), async (i) => assert.deepEqual(await codesOfAnn(i), [200, 403]), {
      texts: { "authorization-policy-file": text },
    });
    await assert.rejects(
      run(modes("ABAC"), async () => {}, { texts: { "authorization-policy-file": text + "{" } }),
      /3/,
    );
    wrong("--authorization-policy-file=/p");
  },
  "--authorization-webhook-config-file": () =>
    withHook([], async (i, hooks) => {
      assert.deepEqual(await codesOfAnn(i), [200, 403]);
      assert.deepEqual(hooks.asked.map((a) => [a.body.spec.user, a.body.spec.resourceAttributes.verb]), [
        ["ann", "list"],
        ["ann", "create"],
      ]);
    }),
  "--authorization-webhook-version": async () => {
    for (const [flags, version, groups] of [[[], "v1beta1", "group"], [["v1"], "v1", "groups"]] as const) {
      await withHook(flags.map((v) => `--authorization-webhook-version=${v}`), async ({ ask }, hooks) => {
        await ask(MAPS, ANN);
        const { apiVersion, kind, spec } = hooks.asked[0]!.body;
        assert.deepEqual([apiVersion, kind], [`authorization.k8s.io/${version}`, "SubjectAccessReview"]);
        assert.deepEqual(spec[groups], ["dev", "system:authenticated"]);
      });
    }
    wrong("--authorization-webhook-version=v2");
  },
  "--authorization-webhook-cache-authorized-ttl": kept("GET", "authorization-webhook-cache-authorized-ttl", 300),
  "--authorization-webhook-cache-unauthorized-ttl": kept("POST", "authorization-webhook-cache-unauthorized-ttl", 30),
};
