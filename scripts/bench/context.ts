/** What a group of figures is given, and the objects that they are made of. */
import type { Client, ClientOptions } from "./client.ts";
import type { OwnServer } from "./own.ts";
import type { Result } from "./result.ts";
import type { Target } from "./target.ts";

/** For one group; {@linkcode Context.server} is fresh for each group when it is ours. */
export interface Context {
  readonly server: Target;
  /** With our own server: what only its own start and store can show. */
  readonly own?: {
    readonly server: OwnServer;
    /** Its data directory, also of whoever is to have the same certificates. */
    readonly dir: string;
    /** Stops it and starts it again on the same store. Clients made before see their connections end. */
    restart(): Promise<OwnServer>;
  };
  readonly quick: boolean;
  /** Length of one measurement, ms. */
  readonly ms: number;
  client(options: ClientOptions): Client;
  /** A new namespace; is deleted at the end. */
  namespace(name: string): Promise<string>;
}

/** One group of figures, by its name on the command line. */
export interface Group {
  readonly name: string;
  /** Needs our own server. */
  readonly own?: true;
  run(context: Context): AsyncIterable<Result>;
}

/** Length of the text that makes an object "of 1 KB"; names, times and managed fields come on top, as in any real object. */
const KB = 1_000;

/** A config map as JSON. `turn` makes it another one than the last. */
export function configMap(
  name: string,
  o: { size?: number; turn?: number; labels?: Record<string, string> } = {},
): string {
  const { size = KB, turn = 0, labels } = o;
  const payload = String(turn).padEnd(size, "x");
  return JSON.stringify({
    apiVersion: "v1",
    kind: "ConfigMap",
    metadata: { name, ...(labels ? { labels } : {}) },
    data: { payload },
  });
}

/** Path of the config maps of a namespace. */
export const configMaps = (namespace: string): string => `/api/v1/namespaces/${namespace}/configmaps`;

/** Creates `count` objects, so many at a time. */
export async function fill(
  client: Client,
  count: number,
  one: (i: number) => { path: string; body: string },
  inFlight = 32,
): Promise<void> {
  let next = 0;
  const loop = async () => {
    while (next < count) await client.bytes({ method: "POST", expect: 201, ...one(next++) });
  };
  await Promise.all(Array.from({ length: inFlight }, loop));
}
