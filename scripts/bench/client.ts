/** The client: requests whose status is checked, over a fixed number of connections. */
import { overHttp1 } from "./http1.ts";
import { overHttp2 } from "./http2.ts";
import type { Target } from "./target.ts";
import type { Answer, Call, Transport } from "./transport.ts";

/** How a client connects. */
export interface ClientOptions {
  readonly http: 1 | 2;
  /** Over HTTP/2; over 1.1 there are as many as requests in flight. */
  readonly connections: number;
}

/** Speaks to one server. Any answer of another status than the expected one is an error: a figure of errors says nothing. */
export class Client {
  readonly #transport: Transport;
  readonly #token: Record<string, string>;

  constructor(target: Target, { http, connections }: ClientOptions) {
    const { token } = target.identity;
    this.#token = token === undefined ? {} : { authorization: `Bearer ${token}` };
    this.#transport = http === 1 ? overHttp1(target) : overHttp2(target, connections);
  }

  /** Whatever the answer is. */
  any(call: Call): Promise<Answer> {
    return this.#transport.send(call, {
      ...this.#token,
      accept: call.accept ?? "application/json",
      // Without it each answer of some size would be compressed, and the bench would measure gzip.
      "accept-encoding": "identity",
      ...(call.body === undefined ? {} : { "content-type": call.type ?? "application/json" }),
    });
  }

  /** @throws Error when the status is not the expected one */
  async send(call: Call): Promise<Answer> {
    const answer = await this.any(call);
    const { method = "GET", path, expect = 200 } = call;
    if (answer.status === expect) return answer;
    const text = new TextDecoder().decode(await whole(answer)).slice(0, 300);
    throw new Error(`${method} ${path}: ${answer.status}, not ${expect}: ${text}`);
  }

  /** The whole body. */
  async bytes(call: Call): Promise<Uint8Array<ArrayBuffer>> {
    return await whole(await this.send(call));
  }

  /** The headers; the body is read and not kept. */
  async head(call: Call): Promise<Record<string, string>> {
    const answer = await this.send(call);
    await answer.read(() => {});
    return answer.head();
  }

  /** Reads the whole body and keeps nothing of it; how long it was. */
  async length(call: Call): Promise<number> {
    let length = 0;
    await (await this.send(call)).read((piece) => void (length += piece.length));
    return length;
  }

  async json<T>(call: Call): Promise<T> {
    return JSON.parse(new TextDecoder().decode(await this.bytes(call))) as T;
  }

  close(): void {
    this.#transport.close();
  }
}

async function whole(answer: Answer): Promise<Uint8Array<ArrayBuffer>> {
  const pieces: Uint8Array[] = [];
  let length = 0;
  await answer.read((piece) => {
    pieces.push(piece);
    length += piece.length;
  });
  const out = new Uint8Array(length);
  let at = 0;
  for (const piece of pieces) {
    out.set(piece, at);
    at += piece.length;
  }
  return out;
}
