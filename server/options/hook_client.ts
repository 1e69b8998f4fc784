/** Connections to admission webhooks: HTTPS with the authority of each, kept open, bounded in number and size. */
import type https from "node:https";
import { isIP } from "node:net";
import type { HookAddress, HookIdentity, HookTransport } from "../admission/webhooks/transport.ts";
import type { Shown } from "../../schema/credential_program.ts";
import { credentialsFor, readHookUsers } from "./hook_credentials.ts";
import type { Network } from "../network.ts";
import { secureOver } from "./egress_agent.ts";
import { pinned } from "./pinned_agent.ts";
import type { SomeDial } from "./environment_proxy.ts";
import { exchange, pastStale, type TextAnswer, whenReady } from "./https_exchange.ts";
import { credentialPrograms } from "./credential_programs.ts";

/** Bytes of an answer read at most: a review with a patch as large as a request may be. */
const MAX_ANSWER = 8 * 1024 * 1024;
/** Connections to one webhook; further calls wait for one. */
const MAX_SOCKETS = 64;
/** Connections in all, and those kept without use. */
const MAX_TOTAL = 512;
const MAX_IDLE = 25;
/** How long an idle connection is kept, ms. */
const IDLE_MS = 90_000;

/** The transport of somebody, by the ways in which networks are reached. @throws Error for a file that cannot be used */
export function hookTransport(
  identity: HookIdentity,
  wayTo: (network: Network | undefined) => SomeDial | undefined = () => undefined,
): HookTransport {
  const users = readHookUsers(identity, () => performance.now());
  const programs = credentialPrograms();
  const connections = new Map<Network | undefined, Promise<Connections>>();
  const to = (network: Network | undefined): Promise<Connections> => {
    let known = connections.get(network);
    if (!known) connections.set(network, known = connect(wayTo(network)));
    return known;
  };
  return {
    async post(address, body, signal, headers = {}) {
      const credentials = await programs.by(credentialsFor(users(), address.name, address.namedPort), signal);
      const connected = await to(address.network);
      const once = () => post(connected, address, credentials, { body, headers }, signal);
      const answer = await whenReady(() => pastStale(once, () => signal.aborted), signal);
      if (answer.status === 401) programs.refused(credentials);
      return answer;
    },
    close() {
      for (const one of connections.values()) one.then(({ agent }) => agent.destroy());
    },
  };
}

/** The client, and what it keeps open. */
interface Connections {
  readonly client: typeof https;
  readonly agent: https.Agent;
}

/** The client is loaded with the first call: most servers have no webhooks, and each start pays for it. */
async function connect(dial: SomeDial | undefined): Promise<Connections> {
  const { default: client } = await import("node:https");
  const agent = new client.Agent({
    keepAlive: true,
    maxSockets: MAX_SOCKETS,
    maxTotalSockets: MAX_TOTAL,
    maxFreeSockets: MAX_IDLE,
    timeout: IDLE_MS,
    scheduling: "lifo",
  });
  return { client, agent: pinned(secureOver(agent, dial)) };
}

/** What is posted. */
interface Sent {
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
}

function post(
  { client, agent }: Connections,
  address: HookAddress,
  credentials: Shown,
  { body, headers }: Sent,
  signal: AbortSignal,
): Promise<TextAnswer> {
  const bytes = new TextEncoder().encode(body);
  const options = optionsOf(agent, address, credentials, headers, bytes.length);
  return exchange(() => client.request(options), bytes, MAX_ANSWER, signal);
}

function optionsOf(
  agent: https.Agent,
  { host, port, name, namedPort, path, ca }: HookAddress,
  { authorization, cert, key }: Shown,
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
