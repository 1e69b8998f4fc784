/** Definitions for tests, and a server that serves them. */
import assert from "node:assert/strict";
import { type Answer, startTestServer, type TestServer } from "../fixture/server.ts";
import type { Loose } from "../fixture/loose.ts";

export const DEFINITIONS = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
export const API = "/apis/example.com/v1";
export const THINGS = `${API}/namespaces/default/things`;

/** A schema with a spec of these properties, and a free status. */
export const schema = (spec: Loose, more: Loose = {}): Loose => ({
  type: "object",
  properties: {
    spec: { type: "object", properties: spec },
    status: { type: "object", "x-kubernetes-preserve-unknown-fields": true },
  },
  ...more,
});

/** A version. */
export const version = (spec: Loose, more: Loose = {}): Loose => ({
  name: "v1",
  served: true,
  storage: true,
  schema: { openAPIV3Schema: schema(spec) },
  ...more,
});

/** A definition of `things.example.com`. */
export const definition = (versions: Loose[], spec: Loose = {}): Loose => ({
  apiVersion: "apiextensions.k8s.io/v1",
  kind: "CustomResourceDefinition",
  metadata: { name: "things.example.com" },
  spec: {
    group: "example.com",
    scope: "Namespaced",
    names: { plural: "things", singular: "thing", kind: "Thing", listKind: "ThingList", shortNames: ["th"] },
    versions,
    ...spec,
  },
});

/** An object. */
export const thing = (name: string, spec?: Loose, more: Loose = {}): Loose => ({
  apiVersion: "example.com/v1",
  kind: "Thing",
  metadata: { name },
  ...(spec === undefined ? {} : { spec }),
  ...more,
});

/** Waits until something holds of an answer. */
export async function until(get: () => Promise<Answer>, holds: (a: Answer) => boolean): Promise<Answer> {
  for (let i = 0; i < 5000; i++) {
    const answer = await get();
    if (holds(answer)) return answer;
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  throw new Error("it did not come to hold");
}

/** Whether a definition is established. */
export const established = (a: Answer): boolean =>
  a.body.status?.conditions?.some((c: Loose) => c.type === "Established" && c.status === "True") ?? false;

/** Runs a test on a server with a definition that is established. */
export async function withThings(
  d: Loose,
  work: (s: TestServer) => Promise<void>,
  flags: readonly string[] = ["--disable-admission-plugins=ServiceAccount"],
): Promise<void> {
  const s = await startTestServer(flags);
  try {
    await define(s, d);
    await work(s);
  } finally {
    await s.stop();
  }
}

/** Creates a definition and waits for it. */
export async function define(s: TestServer, d: Loose): Promise<void> {
  const made = await s.fetch(DEFINITIONS, { body: d });
  assert.equal(made.status, 201, made.text);
  await until(() => s.fetch(`${DEFINITIONS}/${d.metadata.name}`), established);
}

/** Sends a patch. */
export const patch = (s: TestServer, path: string, body: Loose, type = "application/merge-patch+json") =>
  s.fetch(path, { method: "PATCH", headers: { "content-type": type }, body });

/** Applies a configuration as a manager. */
export const apply = (s: TestServer, path: string, body: Loose, manager: string, force = false) =>
  patch(s, `${path}?fieldManager=${manager}${force ? "&force=true" : ""}`, body, "application/apply-patch+yaml");

/** Reasons and fields of the causes of a 422, sorted. */
export const causes = (a: Answer): string[] =>
  (a.body.details?.causes ?? []).map((c: Loose) => `${c.reason} ${c.field}`).sort();
