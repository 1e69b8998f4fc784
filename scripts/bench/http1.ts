/** HTTP/1.1 by the runtime's `fetch`. */
import type { Target } from "./target.ts";
import type { Answer, Transport } from "./transport.ts";

/** As many connections as there are requests in flight; kept for the next ones. */
export function overHttp1({ url, identity }: Target): Transport {
  const { ca, cert, key } = identity;
  const client = Deno.createHttpClient({
    caCerts: [ca],
    ...(cert && key ? { cert, key } : {}),
    http1: true,
    http2: false,
    poolMaxIdlePerHost: 2_000,
  });
  return {
    async send({ method = "GET", path, body }, headers) {
      return answerOf(await fetch(url + path, { client, method, headers, ...(body === undefined ? {} : { body }) }));
    },
    close: () => client.close(),
  };
}

function answerOf({ status, headers, body }: Response): Answer {
  const reader = body?.getReader();
  return {
    status,
    head: () => Object.fromEntries(headers),
    async read(piece) {
      for (let next = await reader?.read(); next && !next.done; next = await reader?.read()) piece(next.value);
    },
    // Not by a signal: its abort leaves a read waiting that is under way.
    cancel: () => void reader?.cancel().catch(() => {}),
  };
}
