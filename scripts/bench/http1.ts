/** HTTP/1.1 by the runtime's `fetch`. */
import type { Answer, Transport } from "./client.ts";
import type { Target } from "./target.ts";

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
      const abort = new AbortController();
      const init = { client, method, headers, signal: abort.signal, ...(body === undefined ? {} : { body }) };
      return answerOf(await fetch(url + path, init), abort);
    },
    close: () => client.close(),
  };
}

function answerOf({ status, body }: Response, abort: AbortController): Answer {
  return {
    status,
    async read(piece) {
      try {
        for await (const bytes of body ?? []) piece(bytes);
      } catch (e) {
        if (!abort.signal.aborted) throw e;
      }
    },
    cancel: () => abort.abort(),
  };
}
