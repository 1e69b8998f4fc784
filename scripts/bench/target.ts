/** Which server is measured, as whom, and in which processes it runs. */
import { parse } from "yaml";

/** Who the client is; PEM. */
export interface Identity {
  readonly ca: string;
  readonly cert?: string;
  readonly key?: string;
  readonly token?: string;
}

/** A server at work. */
export interface Target {
  /** `https://host:port`, without a path. */
  readonly url: string;
  readonly identity: Identity;
  /** Processes of the server, its store's included; none: nothing is known of processor time and memory. */
  readonly pids: readonly number[];
}

type Entry = Record<string, string>;
interface Config {
  readonly "current-context": string;
  readonly contexts: readonly { name: string; context: { cluster: string; user: string } }[];
  readonly clusters: readonly { name: string; cluster: Entry }[];
  readonly users: readonly { name: string; user: Entry }[];
}

/** The current context of a kubeconfig file. @throws Error when it names what is not there */
export async function fromKubeconfig(file: string, url: string | undefined, pids: readonly number[]): Promise<Target> {
  const config = parse(await Deno.readTextFile(file)) as Config;
  const named = <T extends { name: string }>(list: readonly T[], name: string): T => {
    const found = list.find((one) => one.name === name);
    if (!found) throw new Error(`${file}: nothing is named "${name}"`);
    return found;
  };
  const { context } = named(config.contexts, config["current-context"]);
  const { cluster } = named(config.clusters, context.cluster);
  const { user } = named(config.users, context.user);
  const pem = (from: Entry, key: string) => pemOf(from, key);
  const [ca, cert, key] = await Promise.all([
    pem(cluster, "certificate-authority"),
    pem(user, "client-certificate"),
    pem(user, "client-key"),
  ]);
  if (ca === undefined) throw new Error(`${file}: the cluster has no certificate-authority`);
  const { token } = user;
  return {
    url: new URL(url ?? cluster.server ?? "").origin,
    identity: { ca, ...(cert && key ? { cert, key } : {}), ...(token ? { token } : {}) },
    pids,
  };
}

async function pemOf(from: Entry, key: string): Promise<string | undefined> {
  const data = from[`${key}-data`];
  if (data !== undefined) return atob(data);
  const file = from[key];
  return file === undefined ? undefined : await Deno.readTextFile(file);
}
