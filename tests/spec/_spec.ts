/** Tests of the specification's rows, and what they share: a server a file, a namespace a test, watches that are read. */
import assert from "node:assert/strict";
import type { User } from "../../server/request.ts";
import { type Answer, type Init, startTestServer, type TestServer } from "../fixture/server.ts";
export { withServer } from "../fixture/server.ts";
import type { Loose } from "../fixture/loose.ts";

/** Names of all tests made by {@linkcode spec}; scripts/spec_rows.ts reads them. */
export const TESTED = new Set<string>();

type Test = () => void | Promise<void>;

/** Tests of the rows below a heading, by the row's name. @param missing why none of them can run on this machine */
export function spec(heading: string, rows: Readonly<Record<string, Test>>, missing?: string): void {
  for (const [row, fn] of Object.entries(rows)) {
    const name = `${heading}: ${row}`;
    if (TESTED.has(name)) throw new Error(`${name}: tested twice`);
    TESTED.add(name);
    // The file's server outlives its tests.
    const told = missing === undefined ? name : `${name} (${missing})`;
    Deno.test({ name: told, fn, ignore: missing !== undefined, sanitizeOps: false, sanitizeResources: false });
  }
}

/** A server that is started when a test of the file first asks for it, and stopped after the last. */
export function sharedServer(flags: readonly string[] = []): () => Promise<TestServer> {
  let server: Promise<TestServer> | undefined;
  Deno.test.afterAll?.(async () => await (await server)?.stop());
  return () => server ??= startTestServer(flags);
}

let count = 0;

/** A new namespace's name, after the namespace is there. */
export async function namespace(t: TestServer): Promise<string> {
  const name = `spec-${++count}`;
  await ok(t, "/api/v1/namespaces", { body: { metadata: { name } } });
  return name;
}

/** Sends a request that must succeed; the answer. */
export async function ok(t: TestServer, path: string, init: Init = {}, user?: User): Promise<Answer> {
  const a = await t.fetch(path, init, user);
  assert.ok(a.status < 300, `${init.method ?? ""} ${path}: ${a.status} ${a.text}`);
  return a;
}

/** Sends a request that must be refused with a code, by a Status of that code; the answer. */
export async function refused(t: TestServer, code: number, path: string, init: Init = {}, user?: User) {
  const a = await t.fetch(path, init, user);
  assert.equal(a.status, code, `${init.method ?? ""} ${path}: ${a.status} ${a.text}`);
  assert.equal(a.body.kind, "Status");
  assert.equal(a.body.code, code);
  assert.equal(a.body.status, "Failure");
  return a;
}

/** Has the store forget all that was before now. With a clock past what caches retain, nobody knows of it any more. */
export async function compact(t: TestServer): Promise<void> {
  await t.backend.compact(await t.backend.revision());
}

/** Paths of config maps of a namespace, and config maps. */
export const maps = (ns: string, name = ""): string =>
  `/api/v1/namespaces/${ns}/configmaps${name === "" ? "" : `/${name}`}`;
export const map = (name: string, data: Record<string, string> = {}, metadata = {}) => ({
  apiVersion: "v1",
  kind: "ConfigMap",
  metadata: { name, ...metadata },
  data,
});

/** Creates config maps of these names; the version after each. */
export async function createMaps(t: TestServer, ns: string, ...names: string[]): Promise<string[]> {
  const versions: string[] = [];
  for (const name of names) {
    versions.push((await ok(t, maps(ns), { body: map(name) })).body.metadata.resourceVersion);
  }
  return versions;
}

/** Names of a list's items. */
export const namesOf = (list: Loose): string[] => list.items.map((i: Loose) => i.metadata.name);

/** A PATCH of a type. */
export const patchOf = (type: string, body: unknown, query: Record<string, string> = {}): Init => ({
  method: "PATCH",
  headers: { "content-type": type, ...query },
  body: typeof body === "string" ? body : JSON.stringify(body),
});
export const MERGE = "application/merge-patch+json";
export const JSON_PATCH = "application/json-patch+json";
export const STRATEGIC = "application/strategic-merge-patch+json";
export const APPLY = "application/apply-patch+yaml";

/** Somebody who may do nothing but what a test lets them. */
export const somebody = (name: string): User => ({ name, groups: ["system:authenticated"] });

/** One event of a watch. */
export interface Event {
  readonly type: string;
  readonly object: Loose;
}

/** An open watch, read event by event. */
export interface Watch {
  readonly response: Response;
  /** The next event; undefined when the stream ends. @throws Error when there is none for a minute */
  next(): Promise<Event | undefined>;
  /** So many events. */
  take(n: number): Promise<Event[]>;
  stop(): Promise<void>;
}

/** Opens a watch; a refusal is an error. */
export async function openWatch(t: TestServer, path: string, headers: Record<string, string> = {}): Promise<Watch> {
  const response = await t.server.app.fetch(new Request(`https://test${path}`, { headers }));
  if (response.status !== 200) throw new Error(`${path}: ${response.status} ${await response.text()}`);
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  const next = async (): Promise<Event | undefined> => {
    for (;;) {
      const end = text.indexOf("\n");
      if (end >= 0) {
        const line = text.slice(0, end);
        text = text.slice(end + 1);
        return JSON.parse(line);
      }
      const { value, done } = await within(reader.read(), `an event of ${path}`);
      if (done) return undefined;
      text += value;
    }
  };
  const take = async (n: number) => {
    const events: Event[] = [];
    while (events.length < n) {
      const e = await next();
      assert.ok(e, `${path} ended after ${events.length} events`);
      events.push(e);
    }
    return events;
  };
  return { response, next, take, stop: () => reader.cancel() };
}

/** A promise that must settle; a minute is enough for any machine. */
export async function within<T>(promise: Promise<T>, what: string): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`waited in vain for ${what}`)), 60_000);
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** Type and name of events. */
export const told = (events: readonly Event[]): string[] => events.map((e) => `${e.type} ${e.object.metadata?.name}`);

let granted = 0;

/** Lets a user do something in a namespace. */
export async function allow(
  t: TestServer,
  ns: string,
  user: string,
  verbs: string[],
  resources: string[],
  groups = [""],
) {
  const roles = `/apis/rbac.authorization.k8s.io/v1/namespaces/${ns}`;
  const name = `grant-${++granted}`;
  await ok(t, `${roles}/roles`, { body: { metadata: { name }, rules: [{ apiGroups: groups, resources, verbs }] } });
  const roleRef = { apiGroup: "rbac.authorization.k8s.io", kind: "Role", name };
  const subjects = [{ kind: "User", name: user, apiGroup: "rbac.authorization.k8s.io" }];
  await ok(t, `${roles}/rolebindings`, { body: { metadata: { name }, roleRef, subjects } });
}
