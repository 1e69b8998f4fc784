/** Answers of handlers, and how they are sent. */
import type { OutgoingHttpHeaders, ServerResponse } from "node:http";
import type { StatusError } from "../../schema/status.ts";

/** Where a streamed body goes. */
export interface Out {
  /** Resolves when more is wanted; rejects when nobody reads any more. */
  write(bytes: Uint8Array | string): Promise<void>;
}

/** What a handler answers. */
export interface Answer {
  readonly status: number;
  readonly headers?: OutgoingHttpHeaders;
  /** Whole, or written bit by bit; what the writer throws cuts the answer off. */
  readonly body: string | Uint8Array | ((out: Out) => Promise<void>);
}

/** Text, as it is. */
export const textAnswer = (status: number, body: string, headers: OutgoingHttpHeaders = {}): Answer => ({
  status,
  body,
  headers: { "content-type": "text/plain; charset=utf-8", ...headers },
});

/** A browser is to take the type that it is told. */
export const NO_SNIFFING: OutgoingHttpHeaders = { "x-content-type-options": "nosniff" };

/** A fault with its text on a line, as plain handlers tell one. */
export const faultAnswer = (status: number, body: string): Answer => textAnswer(status, `${body}\n`, NO_SNIFFING);

/** A value as JSON. */
export const jsonAnswer = (value: unknown, headers: OutgoingHttpHeaders = {}): Answer => ({
  status: 200,
  body: typeof value === "string" ? value : JSON.stringify(value),
  headers: { "content-type": "application/json", ...headers },
});

/** What went wrong, as the API says it. */
export const statusAnswer = (error: StatusError): Answer => ({
  ...jsonAnswer(`${JSON.stringify(error.toStatus())}\n`),
  status: error.code,
});

/** Sends an answer. Never rejects. */
export async function send(
  answer: Answer,
  response: ServerResponse,
  method: string,
  signal: AbortSignal,
): Promise<void> {
  const { status, headers = {}, body } = answer;
  if (response.destroyed || response.headersSent) return;
  if (typeof body !== "function") {
    const bytes = typeof body === "string" ? new TextEncoder().encode(body) : body;
    // The length of what has not changed is another.
    response.writeHead(status, { ...headers, ...status === 304 ? {} : { "content-length": bytes.length } });
    return void response.end(method === "HEAD" ? undefined : bytes);
  }
  response.writeHead(status, headers);
  response.flushHeaders();
  try {
    await body({ write: (bytes) => written(response, bytes, signal) });
    response.end();
  } catch {
    response.destroy();
  }
}

function written(response: ServerResponse, bytes: Uint8Array | string, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.reject(signal.reason);
  if (bytes.length === 0 || response.write(bytes)) return Promise.resolve();
  return new Promise((resolve, reject) => {
    const done = () => {
      response.off("drain", done);
      signal.removeEventListener("abort", done);
      if (signal.aborted) reject(signal.reason);
      else resolve();
    };
    response.once("drain", done);
    signal.addEventListener("abort", done, { once: true });
  });
}
