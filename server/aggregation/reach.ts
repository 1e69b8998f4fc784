/** Ways to extension servers: where a registration's service is, and what this server itself asks there. */
import type { Placing } from "../admission/webhooks/address.ts";
import type { Product } from "../../schema/product.ts";
import { concat } from "../../schema/values/bytes.ts";
import { hostPort } from "../../schema/values/host_port.ts";
import type { ProxyAnswer, ProxyHeaders, ProxyTarget, ProxyTransport } from "../proxy/types.ts";
import type { User } from "../request.ts";
import type { Registration } from "./registrations.ts";
import { userHeaders } from "../proxy/user.ts";

/** What the ways are made of. */
export interface ReachParts {
  readonly product: Product;
  readonly transport: ProxyTransport;
  readonly place: Placing;
  /** PEM of this server's client certificate and its key (`--proxy-client-*`); absent: it shows none. */
  readonly identity: (() => { readonly cert: string; readonly key: string }) | undefined;
  /** Gate RemoteRequestHeaderUID. */
  readonly uid: boolean;
}

/** A whole answer to this server's own question. Names of headers are in lower case. */
export interface Told {
  readonly status: number;
  readonly headers: ReadonlyMap<string, string>;
  readonly text: string;
}

/** Bytes of an answer read at most: indexes, discovery and parts of lists of one server. */
const MAX_ANSWER = 16 * 1024 * 1024;

/** See the top of the file. */
export class Reach {
  readonly #parts: ReachParts;
  readonly transport: ProxyTransport;

  constructor(parts: ReachParts) {
    this.#parts = parts;
    this.transport = parts.transport;
  }

  /** Where a path of a registration's server is. @throws NoAddress */
  target({ service, ca, insecure }: Registration, path: string): ProxyTarget {
    const { place, identity } = this.#parts;
    const { host, port } = place(service);
    return {
      host,
      port,
      network: "cluster",
      tls: { name: `${service.name}.${service.namespace}.svc`, ca, insecure, ...identity?.() },
      authority: hostPort(host, port),
      path,
    };
  }

  /** Headers that tell a server of a user. */
  headersOf(user: User): ProxyHeaders {
    return userHeaders(user, this.#parts.uid);
  }

  /** The user that this server asks as: one that may see everything. */
  get self(): User {
    return { name: this.#parts.product.local("system:kube-aggregator"), groups: ["system:masters"] };
  }

  /** Asks by GET for an answer that goes on: its body comes as it is read. @throws NoAddress, Error when there is none */
  async open(
    registration: Registration,
    path: string,
    headers: ProxyHeaders,
    user: User,
    signal: AbortSignal,
  ): Promise<ProxyAnswer> {
    const request = { method: "GET", headers: [...this.headersOf(user), ...headers], body: null };
    return await this.transport.send(this.target(registration, path), request, signal);
  }

  /**
   * Asks, by GET and as this server itself where `by` does not say another way.
   * @throws NoAddress, Error when there is no whole answer in time (ms)
   */
  async ask(
    registration: Registration,
    path: string,
    headers: ProxyHeaders,
    ms: number,
    by: { readonly method?: string; readonly user?: User; readonly body?: string } = {},
  ): Promise<Told> {
    const timer = new AbortController();
    const late = setTimeout(() => timer.abort(new Error(`no answer within ${ms / 1000} s`)), ms);
    try {
      const target = this.target(registration, path);
      const { method = "GET", user = this.self, body } = by;
      const request = {
        method,
        headers: [...this.headersOf(user), ...headers],
        body: body === undefined ? null : new Blob([body]).stream(),
      };
      const answer = await this.transport.send(target, request, timer.signal);
      const lower = answer.headers.map(([name, value]) => [name.toLowerCase(), value] as const);
      return { status: answer.status, headers: new Map(lower), text: await textOf(answer.body) };
    } finally {
      clearTimeout(late);
    }
  }
}

async function textOf(body: ReadableStream<Uint8Array>): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body) {
    if ((size += chunk.length) > MAX_ANSWER) throw new Error(`the answer is larger than ${MAX_ANSWER} bytes`);
    chunks.push(chunk);
  }
  return new TextDecoder().decode(concat(chunks));
}
