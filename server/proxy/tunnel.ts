/** A client's connection that is joined to another server's, whatever they speak (`Upgrade`: WebSocket, SPDY). */
import type { RequestScope } from "../request.ts";
import { paced } from "./paced.ts";
import { isTunnel, type ProxyAnswer, type ProxyTunnel } from "./types.ts";

/** The listener cannot give a connection away. */
export class NoTunnel extends Error {
  constructor() {
    super("this connection cannot be upgraded");
  }
}

/**
 * Asks the other server to upgrade, and joins the connections when it does.
 * @throws NoTunnel, Error when the other server cannot be reached or answers with neither an upgrade nor an error
 */
export async function openTunnel(
  scope: RequestScope,
  signal: AbortSignal,
  ask: (signal: AbortSignal) => Promise<ProxyAnswer | ProxyTunnel>,
  pass: (answer: ProxyAnswer) => Response,
): Promise<Response> {
  const { connection } = scope;
  if (!connection.tunnel) throw new NoTunnel();
  const answer = await ask(signal);
  if (!isTunnel(answer)) {
    if (answer.status >= 400) return pass(answer);
    await answer.body.cancel().catch(() => {});
    throw new Error(`invalid upgrade response: status code ${answer.status}`);
  }
  const { stream } = answer;
  // First: the runtime aborts the request as its connection is given away.
  scope.upgraded = true;
  stream.once("close", () => scope.cancel?.());
  const given = scope.pace ? paced(stream, scope.pace) : stream;
  if (!connection.tunnel(given, headOf(answer), answer.first)) {
    stream.destroy();
    throw new NoTunnel();
  }
  return switched();
}

const LATIN1 = (text: string): Uint8Array => Uint8Array.from(text, (c) => c.charCodeAt(0) & 0xff);

/** The head of the answer, as it goes over the connection. */
function headOf({ headers }: ProxyTunnel): Uint8Array {
  const lines = headers.map(([name, value]) => `${name}: ${value}\r\n`).join("");
  return LATIN1(`HTTP/1.1 101 Switching Protocols\r\n${lines}\r\n`);
}

/** Stands for what went over the connection: nobody sends it, who counts answers sees its status. */
function switched(): Response {
  return Object.defineProperty(new Response(null), "status", { value: 101 });
}
