/** Lists: all of 10,000 in three forms, the hundredth that carries a label, a small namespace beside many others. */
import type { Client } from "./client.ts";
import { configMap, configMaps, type Context, fill, type Group } from "./context.ts";
import { load } from "./load.ts";
import { ofLoad, type Result } from "./result.ts";

const FORMS: Readonly<Record<string, string>> = {
  json: "application/json",
  protobuf: "application/vnd.kubernetes.protobuf",
  table: "application/json;as=Table;v=v1;g=meta.k8s.io",
};

/** The lists. */
export const LISTS: Group = { name: "list", run: lists };

/** Fills a namespace; every hundredth carries `rare=yes`. */
export async function fillLabelled(client: Client, ns: string, count: number): Promise<void> {
  await fill(client, count, (i) => ({
    path: configMaps(ns),
    body: configMap(`object-${i}`, { labels: { rare: i % 100 === 0 ? "yes" : "no" } }),
  }));
}

async function* lists(context: Context): AsyncGenerator<Result> {
  const count = context.quick ? 1_000 : 10_000;
  const many = await context.namespace("bench-many");
  const few = await context.namespace("bench-few");
  const other = await context.namespace("bench-other");
  const h2 = context.client({ http: 2, connections: 4 });
  const h1 = context.client({ http: 1, connections: 4 });
  await fillLabelled(h2, many, count);
  await fillLabelled(h2, few, 20);
  await fillLabelled(h2, other, count / 10);
  const size = count.toLocaleString("en");
  for (const [form, accept] of Object.entries(FORMS)) {
    for (const [http, client] of [["h2", h2], ["http/1.1", h1]] as const) {
      yield await listing(context, `list ${size}, ${form}, ${http}`, client, { path: configMaps(many), accept });
    }
  }
  const rare = `${configMaps(many)}?labelSelector=rare%3Dyes`;
  await expectItems(h2, rare, count / 100);
  yield await listing(context, `list ${size}, label of 1 %, h2, 16 in flight`, h2, { path: rare }, 16);
  await expectItems(h2, configMaps(few), 20);
  const beside = (count * 1.1).toLocaleString("en");
  yield await listing(context, `list namespace of 20 beside ${beside}, h2, 16 in flight`, h2, {
    path: configMaps(few),
  }, 16);
  const page = `${configMaps(many)}?limit=500`;
  yield await listing(context, `list first 500 of ${size}, json, h2`, h2, { path: page });
  h2.close();
  h1.close();
}

async function listing(
  context: Context,
  name: string,
  client: Client,
  call: { path: string; accept?: string },
  inFlight = 1,
): Promise<Result> {
  const length = await client.length(call);
  const one = async () => {
    const got = await client.length(call);
    if (got < length * 0.9) throw new Error(`${call.path}: ${got} bytes, before ${length}`);
  };
  const figure = await load({ inFlight, ms: context.ms, pids: context.server.pids, one });
  const mb = length / 1e6;
  return ofLoad(name, figure, `${mb.toPrecision(3)} MB each, ${Math.round(mb * figure.perSecond)} MB/s`);
}

/** A few more are another's (`kube-root-ca.crt` in each namespace of a whole cluster). */
async function expectItems(client: Client, path: string, count: number): Promise<void> {
  const { items } = await client.json<{ items: unknown[] }>({ path });
  if (items.length < count || items.length > count + 2) throw new Error(`${path}: ${items.length} items, not ${count}`);
}
