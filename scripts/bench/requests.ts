/** Single objects: get, create, update, merge patch, apply, at 1, 16 and 64 in flight, over HTTP/2 and 1.1. */
import type { Client } from "./client.ts";
import { configMap, configMaps, type Context, fill, type Group } from "./context.ts";
import { load } from "./load.ts";
import { ofLoad, type Result } from "./result.ts";
import type { Call } from "./transport.ts";

/** The call of a worker's next turn. */
type Calls = (namespace: string) => (worker: number, turn: number) => Call;

const of = (namespace: string, worker: number) => `${configMaps(namespace)}/object-${worker}`;

const VERBS: Readonly<Record<string, Calls>> = {
  get: (ns) => (worker) => ({ path: of(ns, worker) }),
  create: (ns) => (_, turn) => ({
    method: "POST",
    path: configMaps(ns),
    body: configMap(`made-${turn}`),
    expect: 201,
  }),
  update: (ns) => (worker, turn) => ({
    method: "PUT",
    path: of(ns, worker),
    body: configMap(`object-${worker}`, { turn }),
  }),
  "merge patch": (ns) => (worker, turn) => ({
    method: "PATCH",
    path: of(ns, worker),
    type: "application/merge-patch+json",
    body: JSON.stringify({ data: { turn: String(turn) } }),
  }),
  apply: (ns) => (worker, turn) => ({
    method: "PATCH",
    path: `${of(ns, worker)}?fieldManager=bench-apply&force=true`,
    type: "application/apply-patch+yaml",
    body: configMap(`object-${worker}`, { turn }),
  }),
};

const IN_FLIGHT = [1, 16, 64];

/** A group a verb. */
export const REQUESTS: readonly Group[] = Object.entries(VERBS).map(([verb, calls]) => ({
  name: verb.replace(" ", "-"),
  run: (context) => verbs(context, verb, calls),
}));

async function* verbs(context: Context, verb: string, calls: Calls): AsyncGenerator<Result> {
  const ns = await context.namespace(`bench-${verb.replace(" ", "-")}`);
  const call = calls(ns);
  let turn = 0;
  for (const http of [2, 1] as const) {
    const client = context.client({ http, connections: 4 });
    if (http === 2) await objects(client, ns);
    for (const inFlight of IN_FLIGHT) {
      const one = (worker: number) => client.bytes(call(worker, ++turn));
      const figure = await load({ inFlight, ms: context.ms, pids: context.server.pids, one });
      yield ofLoad(`${verb}, ${http === 2 ? "h2" : "http/1.1"}, ${inFlight} in flight`, figure);
    }
    client.close();
  }
}

/** An object a worker. */
async function objects(client: Client, ns: string): Promise<void> {
  await fill(client, Math.max(...IN_FLIGHT), (i) => ({ path: configMaps(ns), body: configMap(`object-${i}`) }));
}
