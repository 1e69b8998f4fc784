/** Every verb that discovery tells is answered, and every other one is refused with 405, on subresources too. */
import assert from "node:assert/strict";
import { startTestServer, type TestServer } from "../fixture/server.ts";
import { SAMPLES } from "./objects.ts";

const ALL = ["--runtime-config=api/all=true", "--feature-gates=AllAlpha=true,AllBeta=true"];
const NAMESPACE = "life"; // the one that samples tell of
const MERGE = { "content-type": "application/merge-patch+json" };

/** A resource or subresource as discovery tells it. */
interface Told {
  readonly name: string;
  readonly kind: string;
  readonly namespaced: boolean;
  readonly verbs: readonly string[];
}

/** A verb on a path: of a collection, or of one object. */
interface Verb {
  readonly verb: string;
  readonly method: string;
  readonly on: "collection" | "object";
}

const VERBS: readonly Verb[] = [
  { verb: "list", method: "GET", on: "collection" },
  { verb: "create", method: "POST", on: "collection" },
  { verb: "deletecollection", method: "DELETE", on: "collection" },
  { verb: "get", method: "GET", on: "object" },
  { verb: "update", method: "PUT", on: "object" },
  { verb: "patch", method: "PATCH", on: "object" },
  { verb: "delete", method: "DELETE", on: "object" },
];
/** Verbs of a subresource are all on its one path. */
const SUB_VERBS = ["get", "create", "update", "patch", "delete"].map((v) => VERBS.find((w) => w.verb === v)!);
/** What forwards to a node or an endpoint that is not there, and what signs, without a key. Any refusal is an answer. */
const FORWARDS = /\/(proxy|exec|attach|portforward|log|token)$/;

async function told(t: TestServer): Promise<{ root: string; group: string; resources: Told[] }[]> {
  const out = [{ root: "/api/v1", group: "", resources: (await t.fetch("/api/v1")).body.resources }];
  for (const group of (await t.fetch("/apis")).body.groups) {
    for (const { groupVersion } of group.versions) {
      const root = `/apis/${groupVersion}`;
      out.push({ root, group: group.name, resources: (await t.fetch(root)).body.resources });
    }
  }
  return out;
}

/** Creates what all requests are made of; tells its name, or nothing where there are no stored objects. */
async function make(t: TestServer, root: string, group: string, r: Told): Promise<string | undefined> {
  const sample = SAMPLES[group ? `${r.name}.${group}` : r.name];
  if (!sample || !r.verbs.includes("delete")) return undefined;
  const name = sample.name ?? `verbs-${r.name}`;
  const path = pathOf(root, r, r.name);
  if ((await t.fetch(`${path}/${name}`)).status === 200) return name;
  const metadata = { ...sample.object["metadata"] as object, name };
  const { status, text } = await t.fetch(path, { body: { ...sample.object, metadata } });
  assert.equal(status, 201, text);
  return name;
}

const pathOf = (root: string, r: Told, tail: string) =>
  r.namespaced ? `${root}/namespaces/${NAMESPACE}/${tail}` : `${root}/${tail}`;

/** A watch begins where discovery tells of one, and nowhere else. */
async function askWatch(t: TestServer, path: string, r: Told): Promise<string | undefined> {
  const answer = await t.open(`${path}?watch=true`);
  await answer.body?.cancel();
  const wanted = r.verbs.includes("watch") ? 200 : 405;
  return answer.status === wanted ? undefined : `watch of ${path}: ${answer.status}, not ${wanted}`;
}

/** What a verb's answer is wrong in, if anything. */
async function ask(t: TestServer, path: string, verb: Verb, r: Told, sub: boolean): Promise<string | undefined> {
  const dry = verb.verb === "get" || verb.verb === "list" ? "" : "?dryRun=All";
  let body: unknown;
  if (verb.verb === "create" || verb.verb === "patch") body = {};
  if (verb.verb === "update") body = sub && !/status|scale|approval/.test(path) ? {} : (await t.fetch(path)).body;
  const headers = verb.verb === "patch" ? MERGE : undefined;
  const answer = await t.open(`${path}${dry}`, {
    method: verb.method,
    ...(headers ? { headers } : {}),
    ...(body === undefined ? {} : { body: typeof body === "string" ? {} : body }),
  });
  const text = (await answer.text()).slice(0, 200);
  const { status } = answer;
  const what = `${verb.method} ${path}: ${status} ${text}`;
  if (!r.verbs.includes(verb.verb)) return status === 405 ? undefined : `not told, yet ${what}`;
  const answered = status < 500 && status !== 404 && status !== 405;
  return answered || FORWARDS.test(path) && status !== 405 ? undefined : what;
}

for (const [state, flags] of [["by default", []], ["with all versions and gates", ALL]] as const) {
  Deno.test(`verbs are those of discovery, ${state}`, async () => {
    const t = await startTestServer(flags);
    const problems: (string | undefined)[] = [];
    try {
      await t.fetch("/api/v1/namespaces", { body: { metadata: { name: NAMESPACE } } });
      await t.fetch(`/api/v1/namespaces/${NAMESPACE}/serviceaccounts`, { body: { metadata: { name: "default" } } });
      for (const { root, group, resources } of await told(t)) {
        const names = new Map<string, string | undefined>();
        for (const r of resources.filter((r) => !r.name.includes("/"))) {
          const name = await make(t, root, group, r);
          names.set(r.name, name);
          const path = pathOf(root, r, r.name);
          problems.push(await askWatch(t, path, r));
          for (const verb of VERBS) {
            // Without stored objects there is no path of one.
            if (verb.on === "collection") problems.push(await ask(t, path, verb, r, false));
            else if (name) problems.push(await ask(t, `${path}/${name}`, verb, r, false));
          }
        }
        for (const r of resources.filter((r) => r.name.includes("/"))) {
          const [parent, sub] = r.name.split("/") as [string, string];
          const name = names.get(parent);
          if (!name) continue;
          for (const verb of SUB_VERBS) {
            problems.push(await ask(t, `${pathOf(root, r, parent)}/${name}/${sub}`, verb, r, true));
          }
        }
      }
    } finally {
      await t.stop();
    }
    assert.deepEqual(problems.filter((p) => p !== undefined), []);
  });
}

Deno.test("the table of kinds names nothing that is not served", async () => {
  const t = await startTestServer(ALL);
  try {
    const ids = new Set([...t.server.catalog.resources()].map((r) => r.id));
    assert.deepEqual(Object.keys(SAMPLES).filter((id) => !ids.has(id)), []);
  } finally {
    await t.stop();
  }
});
