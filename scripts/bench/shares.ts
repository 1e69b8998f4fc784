/** What the rest of the protocol costs beside its plain forms, in turns: Tables, pages, selectors, strict decoding. */
import { largeDeployment } from "../../tests/merge/_large.ts";
import type { Client } from "./client.ts";
import { configMaps, type Context, fill, type Group } from "./context.ts";
import { fillLabelled } from "./lists.ts";
import { inTurns, type Load, type LoadOptions } from "./load.ts";
import type { Result } from "./result.ts";

/** Shares; each is of processor time where the server's is known, of the rate otherwise. */
export const SHARES: Group = { name: "shares", run: shares };

const TABLE = "application/json;as=Table;v=v1;g=meta.k8s.io";

/** A line of the table: `of` is held against `beside`. */
interface Share {
  readonly name: string;
  readonly unit: string;
  readonly of: () => Promise<unknown>;
  readonly beside: () => Promise<unknown>;
  /** True: how often the one runs while the other runs once; false: how much longer it takes. */
  readonly rate: boolean;
  /** What is wanted. */
  readonly aim: string;
}

async function* shares(context: Context): AsyncGenerator<Result> {
  const client = context.client({ http: 2, connections: 4 });
  yield await measure(context, await tables(context, client));
  yield await measure(context, strict(client));
  const count = context.quick ? 5_000 : 50_000, ns = await context.namespace("bench-shares-many");
  await fillLabelled(client, ns, count);
  const path = configMaps(ns), size = count.toLocaleString("en"), whole = () => client.length({ path });
  yield await measure(context, {
    name: `share: ${size} by 500 beside one list`,
    unit: "×",
    of: () => pages(client, path),
    beside: whole,
    rate: false,
    aim: "≤ 1.3",
  });
  yield await measure(context, {
    name: `share: label of 1 % of ${size} beside all`,
    unit: "×",
    of: () => client.length({ path: `${path}?labelSelector=rare%3Dyes` }),
    beside: whole,
    rate: false,
    aim: "≤ 0.1",
  });
  client.close();
}

async function tables(context: Context, client: Client): Promise<Share> {
  const ns = await context.namespace("bench-shares-pods"), count = context.quick ? 500 : 5_000;
  const path = `/api/v1/namespaces/${ns}/pods`;
  await fill(client, count, (i) => ({ path, body: JSON.stringify(pod(`pod-${i}`)) }));
  return {
    name: `share: Table of ${count.toLocaleString("en")} pods, rate beside JSON`,
    unit: "×",
    of: () => client.length({ path, accept: TABLE }),
    beside: () => client.length({ path }),
    rate: true,
    aim: "≥ 0.25",
  };
}

const pod = (name: string) => ({
  metadata: { name, labels: { app: "bench" } },
  spec: {
    containers: [{ name: "c", image: "example.com/c:1", env: [{ name: "TEXT", value: "x".repeat(300) }] }],
    automountServiceAccountToken: false,
  },
});

function strict(client: Client): Share {
  const path = `/apis/apps/v1/namespaces/default/deployments?dryRun=All&fieldValidation=`;
  const body = JSON.stringify({ apiVersion: "apps/v1", kind: "Deployment", ...largeDeployment(20_000) });
  const create = (validation: string) => () =>
    client.bytes({ method: "POST", path: path + validation, body, expect: 201 });
  return {
    name: "share: create of 20 KB, dry, Strict beside Ignore",
    unit: "×",
    of: create("Strict"),
    beside: create("Ignore"),
    rate: true,
    aim: "≥ 0.5 of the decoding alone",
  };
}

/** One list, page by page. The token stands before the items; nothing else is parsed. */
async function pages(client: Client, path: string): Promise<void> {
  for (let token: string | undefined = ""; token !== undefined;) {
    const body = await client.bytes({ path: `${path}?limit=500${token && `&continue=${encodeURIComponent(token)}`}` });
    token = /"continue":"([^"]+)"/.exec(new TextDecoder().decode(body.subarray(0, 2_000)))?.[1];
  }
}

async function measure(context: Context, { name, unit, of, beside, rate, aim }: Share): Promise<Result> {
  const run = (one: () => Promise<unknown>): LoadOptions => ({
    inFlight: 1,
    ms: context.ms * 4,
    pids: context.server.pids,
    one,
  });
  const [a, b] = await inTurns(run(of), run(beside));
  const cost = (l: Load) => l.cpu ?? 1e6 / l.perSecond;
  const times = cost(a) / cost(b);
  return {
    name,
    value: rate ? 1 / times : times,
    unit,
    note: `aim ${aim}; ${Math.round(cost(a)).toLocaleString("en")} µs beside ${
      Math.round(cost(b)).toLocaleString("en")
    } µs`,
  };
}
