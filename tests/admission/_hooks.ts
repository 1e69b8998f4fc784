/** Tables of cases about admission webhooks: what they say, whom they are asked by, what comes of it. */
import assert from "node:assert/strict";
import { HOOK_CA, HookServer, type Said, TO_HOOKS } from "../fixture/hooks.ts";
import { type Answer, type Init, startTestServer, type TestServer } from "../fixture/server.ts";
import type { Loose } from "../fixture/loose.ts";

/** A webhook of a case. */
export interface HookCase {
  readonly mutating?: boolean;
  readonly says?: Said | ((request: Loose) => Said);
  /** Members of the webhook. */
  readonly hook?: Loose;
}

/** One case. `{ns}` in texts is a namespace of its own. */
export interface Case {
  readonly hooks: readonly HookCase[];
  readonly given?: readonly (readonly [path: string, body: Loose])[];
  readonly send: readonly (readonly [method: string, path: string, body?: Loose, type?: string])[];
  /** Expected of the last answer. */
  readonly status?: number;
  readonly reason?: string;
  readonly message?: RegExp;
  readonly shows?: Record<string, unknown>;
  readonly warns?: readonly (string | RegExp)[];
  /** Names of the webhooks that were called, in order: `h0`, `h1`, …; sorted where they are called at once. */
  readonly called?: readonly string[];
  /** Members of the last review's request. */
  readonly asked?: Record<string, unknown>;
}

/** A server under test with webhooks beside it. */
export interface Stage {
  readonly t: TestServer;
  readonly hooks: HookServer;
  stop(): Promise<void>;
}

/** Starts both. */
export async function stage(flags: readonly string[] = []): Promise<Stage> {
  const hooks = await new HookServer().start();
  const t = await startTestServer(["--disable-admission-plugins=ServiceAccount", ...flags], { outside: TO_HOOKS });
  return {
    t,
    hooks,
    stop: async () => {
      await t.stop();
      await hooks.stop();
    },
  };
}

/** A member of an answer: `spec.containers.0.image`. */
export const member = (body: Loose, path: string): unknown =>
  path.split(".").reduce((v, key) => v === undefined || v === null ? undefined : v[key], body);

/** The configurations that were made, to be deleted. */
export async function configure(
  { t, hooks }: Stage,
  ns: string,
  cases: readonly HookCase[],
): Promise<readonly string[]> {
  const made: string[] = [];
  for (const [i, c] of cases.entries()) {
    const kind = c.mutating ? "MutatingWebhookConfiguration" : "ValidatingWebhookConfiguration";
    const group = t.server.catalog.resource(`${kind.toLowerCase()}s.admissionregistration.k8s.io`)!.group;
    const path = `/apis/${group}/v1/${kind.toLowerCase()}s`, name = `${ns}-${i}`;
    const { says = {} } = c;
    const url = hooks.on(`/${ns}/h${i}`, ({ request }) => typeof says === "function" ? says(request) : says);
    const webhook = {
      name: `h${i}.test.io`,
      clientConfig: { url, caBundle: btoa(HOOK_CA) },
      rules: [{ apiGroups: ["*"], apiVersions: ["*"], resources: ["*/*"], operations: ["*"], scope: "Namespaced" }],
      namespaceSelector: { matchLabels: { ns } },
      sideEffects: "None",
      admissionReviewVersions: ["v1"],
      ...c.hook,
    };
    const body = JSON.parse(JSON.stringify({ metadata: { name }, webhooks: [webhook] }).replaceAll("{ns}", ns));
    const answer = await t.fetch(path, { body });
    assert.equal(answer.status, 201, answer.text);
    made.push(`${path}/${name}`);
  }
  return made;
}

let count = 0;

/** A labelled namespace of its own. */
export async function labelled(t: TestServer): Promise<string> {
  const name = `hooks-${++count}`;
  const made = await t.fetch("/api/v1/namespaces", { body: { metadata: { name, labels: { ns: name } } } });
  assert.equal(made.status, 201, made.text);
  return name;
}

/** Plays a case. */
export async function play(s: Stage, c: Case): Promise<Answer> {
  const { t, hooks } = s, ns = await labelled(t);
  const fill = (v: Loose): Loose => JSON.parse(JSON.stringify(v).replaceAll("{ns}", ns));
  for (const [path, body] of c.given ?? []) {
    const given = await t.fetch(fill(path), { body: fill(body) });
    assert.ok(given.status < 300, given.text);
  }
  const made = await configure(s, ns, c.hooks);
  let last: Answer | undefined;
  hooks.asked.length = 0;
  try {
    for (const [method, path, body, type] of c.send) {
      const init: Init = {
        method,
        ...(body === undefined ? {} : { body: fill(body), headers: { "content-type": type ?? "application/json" } }),
      };
      last = await t.fetch(fill(path), init);
    }
  } finally {
    for (const path of made) await t.fetch(path, { method: "DELETE" });
  }
  expect(c, last!, s, fill);
  return last!;
}

function expect(c: Case, a: Answer, { hooks }: Stage, fill: (v: Loose) => Loose): void {
  assert.equal(a.status, c.status ?? 201, a.text);
  if (c.reason !== undefined) assert.equal(a.body.reason ?? "", c.reason, a.text);
  if (c.message) assert.match(a.body.message, c.message);
  for (const [at, value] of Object.entries(c.shows ?? {})) assert.deepEqual(member(a.body, at), value, a.text);
  if (c.warns) {
    assert.equal(a.warnings.length, c.warns.length, a.warnings.join("; "));
    for (const [i, w] of c.warns.entries()) {
      if (typeof w === "string") assert.equal(a.warnings[i], w);
      else assert.match(a.warnings[i]!, w);
    }
  }
  const called = hooks.asked.map(({ path }) => path.split("/").at(-1)!);
  const parallel = c.hooks.every((h) => !h.mutating);
  if (c.called) assert.deepEqual(parallel ? called.sort() : called, c.called);
  const request = hooks.asked.at(-1)?.request;
  for (const [at, value] of Object.entries(c.asked ?? {})) {
    assert.deepEqual(member(request, at), fill({ value }).value, `${at} of ${JSON.stringify(request)}`);
  }
}

/** One test, one step a case, all on one server. */
export function table(name: string, cases: Readonly<Record<string, Case>>, flags: readonly string[] = []): void {
  Deno.test(name, async (test) => {
    const s = await stage(flags);
    try {
      for (const [step, c] of Object.entries(cases)) await test.step(step, async () => void await play(s, c));
    } finally {
      await s.stop();
    }
  });
}

/** Paths and objects that cases share. */
export const MAPS = "/api/v1/namespaces/{ns}/configmaps";
export const PODS = "/api/v1/namespaces/{ns}/pods";
export const map = (name = "a", more: Loose = {}) => ({
  metadata: { name, ...more.metadata },
  data: more.data ?? { k: "v" },
});
export const pod = (name = "p", more: Loose = {}) => ({
  metadata: { name, ...more.metadata },
  spec: { containers: [{ name: "c", image: "i" }], ...more.spec },
});
export const MERGE = "application/merge-patch+json";
export const APPLY = "application/apply-patch+yaml";
/** Rules about these resources, or operations. */
export const rules = (rule: Loose) => ({
  rules: [{
    apiGroups: ["*"],
    apiVersions: ["*"],
    resources: ["*/*"],
    operations: ["*"],
    scope: "Namespaced",
    ...rule,
  }],
});
export const NO: Said = { response: { allowed: false } };
