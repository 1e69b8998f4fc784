/** The way of a load to a server process. */
import { parse } from "yaml";
import type { ServerProcess } from "../../tests/e2e/_server.ts";
import type { Reply, Way } from "./load.ts";

/**
 * HTTP as the administrator of the server's own kubeconfig file. What a way is closed for ends.
 * @param within longest time for one request, ms; any without
 */
export async function wayTo(server: ServerProcess, within?: number): Promise<Way & { close(): void }> {
  const conf = parse(await Deno.readTextFile(server.kubeconfig));
  const user = conf.users[0].user, cluster = conf.clusters[0].cluster;
  const text = (data: string) => new TextDecoder().decode(Uint8Array.from(atob(data), (c) => c.charCodeAt(0)));
  const client = Deno.createHttpClient({
    caCerts: [text(cluster["certificate-authority-data"])],
    cert: text(user["client-certificate-data"]),
    key: text(user["client-key-data"]),
  });
  const url = (path: string) => `https://127.0.0.1:${server.port}${path}`;
  const bound = () => within === undefined ? {} : { signal: AbortSignal.timeout(within) };
  const send = async (method: string, path: string, body?: unknown, type = "application/json"): Promise<Reply> => {
    const init = body === undefined ? {} : { body: JSON.stringify(body), headers: { "content-type": type } };
    const response = await fetch(url(path), { method, client, ...init, ...bound() });
    return { status: response.status, body: await response.json() };
  };
  return { send, open: (path, signal) => fetch(url(path), { client, signal }), close: () => client.close() };
}
