/** Connections to admission webhooks: HTTPS with the authority of each, kept open, bounded in number and size. */
import type https from "node:https";
import { isIP } from "node:net";
import type { ClientRequest } from "node:http";
import type { HookAddress, HookAnswer, HookIdentity, HookTransport } from "../admission/webhooks/transport.ts";
import { credentialsFor, type HookCredentials, readHookUsers } from "./hook_credentials.ts";
import { bodyText } from "./body_text.ts";

/** Bytes of an answer read at most: a review with a patch as large as a request may be. */
const MAX_ANSWER = 8 * 1024 * 1024;
/** Connections to one webhook; further calls wait for one. */
const MAX_SOCKETS = 64;
/** Connections in all, and those kept without use. */
const MAX_TOTAL = 512;
const MAX_IDLE = 4;
/** How long an idle connection is kept, ms. */
const IDLE_MS = 30_000;

/** The transport of somebody. @throws Error for a file that cannot be used */
export function hookTransport(identity: HookIdentity): HookTransport {
  const users = readHookUsers(identity);
  let connections: Promise<Connections> | undefined;
  return {
    async post(address, body, signal, headers = {}) {
      const credentials = credentialsFor(users, address.name, address.namedPort);
      const { client, agent } = await (connections ??= connect());
      const once = () => exchange(client, agent, address, credentials, { body, headers }, signal);
      try {
        return await once();
      } catch (e) {
        // A kept connection that the other side has closed meanwhile says nothing of the webhook.
        if (!(e instanceof StaleConnection) || signal.aborted) throw e;
        return await once();
      }
    },
    close: () => void connections?.then(({ agent }) => agent.destroy()),
  };
}

/** The client, and what it keeps open. */
interface Connections {
  readonly client: typeof https;
  readonly agent: https.Agent;
}

/** The client is loaded with the first call: most servers have no webhooks, and each start pays for it. */
async function connect(): Promise<Connections> {
  const { default: client } = await import("node:https");
  const agent = new client.Agent({
    keepAlive: true,
    maxSockets: MAX_SOCKETS,
    maxTotalSockets: MAX_TOTAL,
    maxFreeSockets: MAX_IDLE,
    timeout: IDLE_MS,
    scheduling: "lifo",
  });
  return { client, agent };
}

/** A connection that was open from before ended without an answer. */
class StaleConnection extends Error {}

/** What is posted. */
interface Sent {
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
}

function exchange(
  client: typeof https,
  agent: https.Agent,
  address: HookAddress,
  credentials: HookCredentials,
  { body, headers }: Sent,
  signal: AbortSignal,
): Promise<HookAnswer> {
  const bytes = new TextEncoder().encode(body);
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(signal.reason);
    const request = client.request(optionsOf(agent, address, credentials, headers, bytes.length));
    const settle = (work: () => void) => {
      signal.removeEventListener("abort", cancel);
      work();
    };
    const cancel = () => {
      request.destroy();
      settle(() => reject(signal.reason));
    };
    signal.addEventListener("abort", cancel, { once: true });
    request.on(
      "response",
      (response) =>
        bodyText(response, MAX_ANSWER).then(
          (body) => settle(() => resolve({ status: response.statusCode ?? 0, body })),
          (e) => {
            settle(() => reject(signal.aborted ? signal.reason : e));
            request.destroy();
          },
        ),
    );
    request.on("error", (e) => settle(() => reject(signal.aborted ? signal.reason : told(request, e))));
    request.end(bytes);
  });
}

function optionsOf(
  agent: https.Agent,
  { host, port, name, namedPort, path, ca }: HookAddress,
  { authorization, cert, key }: HookCredentials,
  headers: Sent["headers"],
  length: number,
): https.RequestOptions {
  const shown = isIP(name) === 6 ? `[${name}]` : name;
  return {
    method: "POST",
    agent,
    host,
    port,
    path,
    ...(isIP(name) ? {} : { servername: name }),
    ...(ca ? { ca } : {}),
    ...(cert && key ? { cert, key } : {}),
    headers: {
      ...headers,
      host: namedPort === 443 ? shown : `${shown}:${namedPort}`,
      "content-type": "application/json",
      "content-length": length,
      accept: "application/json, */*",
      "user-agent": "orch-admission",
      ...(authorization ? { authorization } : {}),
    },
  };
}

const told = (request: ClientRequest, e: Error & { code?: string }): Error =>
  request.reusedSocket && (e.code === "ECONNRESET" || e.code === "EPIPE")
    ? new StaleConnection(e.message, { cause: e })
    : e;
