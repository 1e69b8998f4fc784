/** A server with custom resources whose versions a webhook converts, the webhook on the loopback. */
import assert from "node:assert/strict";
import { type Asked, HOOK_CA, HookServer, type Said, TO_HOOKS } from "../fixture/hooks.ts";
import { type Answer, type Init, startTestServer, type TestServer } from "../fixture/server.ts";
import { definition, DEFINITIONS, until, version } from "./_crd.ts";
import type { Loose } from "../fixture/loose.ts";

/** The definition of things. */
export const PATH = `${DEFINITIONS}/things.example.com`;
/** Where things are in a version. */
export const at = (v: string, rest = "") => `/apis/example.com/${v}/namespaces/default/things${rest}`;
/** A thing in a version. */
export const thing = (v: string, name: string, spec: Loose, metadata: Loose = {}): Loose => ({
  apiVersion: `example.com/${v}`,
  kind: "Thing",
  metadata: { name, ...metadata },
  spec,
});

/** `v1` has `address` and `replicas`, later ones have `host`, `port` and `count`; objects made of those of `v1` are labelled. */
function convert(o: Loose, to: string): Loose {
  const [was, is] = [o.apiVersion, to].map((v) => v.endsWith("/v1"));
  if (was === is) return { ...o, apiVersion: to };
  const { spec = {}, metadata: { labels, ...metadata }, ...rest } = o;
  const { seen: _, ...own } = labels ?? {};
  if (was) {
    const [host, port] = spec.address.split(":");
    const made = { host, port, junk: 1, ...(spec.replicas === undefined ? {} : { count: spec.replicas }) };
    return { ...rest, apiVersion: to, metadata: { ...metadata, labels: { ...own, seen: "v2" } }, spec: made };
  }
  const made = { address: `${spec.host}:${spec.port}`, ...(spec.count === undefined ? {} : { replicas: spec.count }) };
  return { ...rest, apiVersion: to, metadata: { ...metadata, labels: own }, spec: made };
}

const text = { type: "string" }, count = { type: "integer" };
const inner = { type: "object", "x-kubernetes-embedded-resource": true, properties: { a: count } };
const parts = (spec: string) => ({ status: {}, scale: { specReplicasPath: spec, statusReplicasPath: ".status.n" } });
const COLUMN = (jsonPath: string) => [{ name: "At", type: "string", jsonPath }];
const V1 = version({ address: { ...text, maxLength: 12 }, replicas: count, mode: { ...text, default: "m" } }, {
  selectableFields: [{ jsonPath: ".spec.address" }],
  subresources: parts(".spec.replicas"),
  additionalPrinterColumns: COLUMN(".spec.address"),
});
const V2 = {
  ...version({ host: text, port: text, count, inner }, {
    selectableFields: [{ jsonPath: ".spec.host" }, { jsonPath: ".spec.port" }],
    subresources: parts(".spec.count"),
    additionalPrinterColumns: COLUMN(".spec.host"),
  }),
  name: "v2",
  storage: false,
};

/** What a test works with. */
export interface Stage {
  readonly t: TestServer;
  readonly hooks: HookServer;
  /** Sets what the webhook does with a good answer's response and review. */
  say(change?: (response: Loose, asked: Asked) => Said | void): void;
  /** `number of objects:desired version` of the calls since the last look. */
  calls(): string[];
  patch(path: string, body: Loose, type?: string): Promise<Answer>;
}

/** Runs on a server that serves the definition above; `conversion`: members of the webhook. */
export async function stage(run: (s: Stage) => Promise<void>, conversion: Loose = {}): Promise<void> {
  const hooks = await new HookServer().start();
  const t = await startTestServer(["--disable-admission-plugins=ServiceAccount"], { outside: TO_HOOKS });
  let change: Parameters<Stage["say"]>[0];
  const url = hooks.on("/convert", (asked) => {
    const { uid, objects, desiredAPIVersion } = asked.request;
    const convertedObjects = objects.map((o: Loose) => convert(o, desiredAPIVersion));
    const response = { uid, result: { status: "Success" }, convertedObjects };
    const said = change?.(response, asked);
    const { apiVersion, kind } = asked.body;
    return said ?? { text: JSON.stringify({ apiVersion, kind, response }) };
  });
  const webhook = { conversionReviewVersions: ["v1"], clientConfig: { url, caBundle: btoa(HOOK_CA) }, ...conversion };
  try {
    const d = definition([V1, V2], { conversion: { strategy: "Webhook", webhook } });
    assert.equal((await t.fetch(DEFINITIONS, { body: d })).status, 201);
    await until(() => t.fetch("/apis/example.com/v2"), (a) => a.status === 200);
    await run({
      t,
      hooks,
      say: (next) => void (change = next),
      calls: () =>
        hooks.asked.splice(0).map(({ request: r }) => `${r.objects.length}:${r.desiredAPIVersion.split("/")[1]}`),
      patch: (path, body, type = "application/merge-patch+json") => {
        const init: Init = { method: "PATCH", body, headers: { "content-type": type } };
        return t.fetch(path, init);
      },
    });
  } finally {
    await t.stop();
    await hooks.stop();
  }
}

/** Events of a watch, one by one. */
export async function watching(
  t: TestServer,
  path: string,
): Promise<{ next(): Promise<Loose>; close(): Promise<void> }> {
  const { body } = await t.open(path), reader = body!.pipeThrough(new TextDecoderStream()).getReader();
  let held = "";
  const next = async (): Promise<Loose> => {
    while (!held.includes("\n")) {
      const { value, done } = await reader.read();
      assert.ok(!done, "the watch is over");
      held += value;
    }
    const [line] = held.split("\n", 1) as [string];
    held = held.slice(line.length + 1);
    return JSON.parse(line);
  };
  return { next, close: () => reader.cancel() };
}

/** The body of an answer with that status. */
export const expectOk = (a: Answer, status = 200): Loose => {
  assert.equal(a.status, status, a.text);
  return a.body;
};
