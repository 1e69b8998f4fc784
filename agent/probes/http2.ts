/** Probes `httpGet` by HTTP/2 in clear text, which is begun without asking. */
import { connect, type IncomingHttpHeaders } from "node:http2";
import { faultOf, type HttpAsk, MOVED, type Once, readSome } from "./http_once.ts";

/** Asks once. @throws HttpFault */
export function onceHttp2(ask: HttpAsk, url: URL, signal: AbortSignal): Promise<Once> {
  return new Promise((resolve, reject) => {
    let begun = false;
    const session = connect(url.origin);
    const settled = (what: () => void) => {
      signal.removeEventListener("abort", ended);
      what();
      session.destroy();
    };
    const fail = (error: unknown) => settled(() => reject(faultOf(url, error, signal, begun)));
    const ended = () => fail(signal.reason);
    signal.addEventListener("abort", ended, { once: true });
    session.on("error", fail);
    session.on("close", () => fail(Object.assign(new Error("closed"), { code: "ECONNRESET" })));
    const { host, ...headers } = byLowerName(ask.headers);
    const request = session.request({
      ...headers,
      ":method": "GET",
      ":path": url.pathname + url.search,
      ...(host ? { ":authority": host } : {}),
    });
    request.on("error", fail);
    request.on("response", (head: IncomingHttpHeaders & { ":status"?: number }) => {
      begun = true;
      const status = head[":status"] ?? 0;
      const location = MOVED.has(status) ? head.location : undefined;
      readSome(request, (body) => settled(() => resolve({ status, location, body })));
    });
    request.end();
  });
}

const byLowerName = (headers: HttpAsk["headers"]): Record<string, string | string[]> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
