/** HTTP clients for what options name: webhooks and issuers. Beside the file readers the only place here that touches the runtime. */
import type { WebhookConnection } from "./connection_file.ts";
import { bodyText } from "./body_text.ts";

/** Bytes of an answer read at most: reviews and key sets are small. */
const LIMIT = 1024 * 1024;

const textOf = (response: Response): Promise<string> => bodyText(response.body ?? [], LIMIT);

/** A function whose connections stay open until it is closed. */
export interface Closable {
  close(): void;
}

/** Posts JSON to a webhook. Its authority is trusted beside the host's roots. */
export function postJson(
  connection: WebhookConnection,
): ((body: string, signal: AbortSignal) => Promise<{ status: number; body: string }>) & Closable {
  const client = Deno.createHttpClient({
    ...(connection.ca ? { caCerts: [connection.ca] } : {}),
    ...(connection.cert && connection.key ? { cert: connection.cert, key: connection.key } : {}),
  } as Deno.CreateHttpClientOptions);
  const headers: Record<string, string> = { "content-type": "application/json", accept: "application/json" };
  if (connection.authorization) headers.authorization = connection.authorization;
  const post = async (body: string, signal: AbortSignal) => {
    const response = await fetch(connection.server, {
      method: "POST",
      headers,
      body,
      signal,
      client,
      redirect: "manual",
    });
    return { status: response.status, body: await textOf(response) };
  };
  return Object.assign(post, { close: () => client.close() });
}

/**
 * Fetches text from an https server that the authority (PEM) or one of the host's roots vouches for. It throws an Error for any
 * answer but 2xx.
 */
export function fetchText(
  ca: string | undefined,
): ((url: string, signal: AbortSignal) => Promise<string>) & Closable {
  const client = Deno.createHttpClient(ca ? { caCerts: [ca] } : {});
  const get = async (url: string, signal: AbortSignal) => {
    const response = await fetch(url, { signal, client, headers: { accept: "application/json" } });
    const body = await textOf(response);
    if (!response.ok) throw new Error(`${url} answered ${response.status}`);
    return body;
  };
  return Object.assign(get, { close: () => client.close() });
}
