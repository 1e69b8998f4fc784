/** A client as the agent makes it, and the time it goes by. */
import { connectionFile, openApi } from "../../../agent/client/mod.ts";
import type { ApiClient, ApiOptions } from "../../../agent/client/mod.ts";
import type { Clock, Follower } from "../../../agent/types.ts";
import type { Connection } from "../../../schema/connection.ts";
import { type Dialect, type Product, productOf } from "../../../schema/product.ts";
import { listen } from "../../../server/listen/mod.ts";
import { startTestServer, type TestServer } from "../../fixture/server.ts";
import type { Loose } from "../../fixture/loose.ts";

/** The real time. */
export const realClock: Clock = {
  now: Date.now,
  ticks: Date.now,
  wait: (ms, signal) =>
    new Promise((resolve) => {
      const end = () => {
        clearTimeout(timer);
        signal?.removeEventListener("abort", end);
        resolve();
      };
      const timer = setTimeout(end, ms);
      if (signal?.aborted) end();
      else signal?.addEventListener("abort", end);
    }),
};

/** Time that passes only where somebody waits for it: the real one, many times as fast. */
export const fastClock = (): Clock & { readonly waited: number[] } => {
  const waited: number[] = [];
  return {
    now: Date.now,
    ticks: Date.now,
    waited,
    wait: (ms, signal) => {
      if (ms < 200_000) waited.push(ms);
      return realClock.wait(ms < 60_000 ? Math.min(ms, 5) : ms, signal);
    },
  };
};

/** A client of a connection, as it is or as it changes, or of a connection file. */
export function clientOf(
  to: Connection | (() => Connection) | string,
  dialect: Dialect,
  o: Partial<ApiOptions> = {},
): ApiClient {
  const clock = o.clock ?? realClock;
  const connection = typeof to === "string"
    ? connectionFile("orchconfig", to, clock)
    : typeof to === "function"
    ? to
    : () => to;
  return openApi(connection, {
    product: productOf(dialect),
    version: "v1.37.0",
    orchApiQps: 0,
    orchApiBurst: 0,
    orchApiContentType: "application/vnd.kubernetes.protobuf",
    clock,
    random: (n) => crypto.getRandomValues(new Uint8Array(n)),
    log: () => {},
    ...o,
  });
}

/** What a follower was told: the objects as they are, and how often it was told all. */
export class Told implements Follower<Loose> {
  readonly objects = new Map<string, Loose>();
  replaced = 0;

  replace(items: readonly Loose[]): void {
    this.replaced++;
    this.objects.clear();
    for (const item of items) this.objects.set(item.metadata.name, item);
  }

  changed(type: "ADDED" | "MODIFIED" | "DELETED", object: Loose): void {
    if (type === "DELETED") this.objects.delete(object.metadata.name);
    else this.objects.set(object.metadata.name, object);
  }
}

/** A server in memory, and a client to which everything is allowed. */
export interface World {
  readonly t: TestServer;
  readonly api: ApiClient;
  readonly product: Product;
}

/** Runs with a world of its own. */
export async function withWorld(
  dialect: Dialect,
  run: (world: World) => Promise<void>,
  flags: readonly string[] = [],
  o: Partial<ApiOptions> = {},
): Promise<void> {
  const t = await startTestServer([`--api-dialect=${dialect}`, "--disable-admission-plugins=ServiceAccount", ...flags]);
  const front = await listen((request, connection) => t.server.fetch(request, connection), {
    hostname: "127.0.0.1",
    port: 0,
  });
  const api = clientOf({ server: front.url }, dialect, o);
  try {
    await run({ t, api, product: productOf(dialect) });
  } finally {
    api.renew();
    await front.close(0);
    await t.stop();
  }
}

/** Bytes that are not random. */
export const zeros = (n: number): Uint8Array => new Uint8Array(n);
