/** Servers of one store, each with settings of its own, that reach each other over TLS on loopback. */
import { listen } from "../../server/listen/mod.ts";
import { outside } from "../../server/options/outside.ts";
import type { AppHandler } from "../../server/listen/mod.ts";
import type { Backend } from "../../server/storage/backend.ts";
import { memoryBackend } from "../../server/storage/memory.ts";
import { startTestServer, type TestServer } from "../fixture/server.ts";
import type { Loose } from "../fixture/loose.ts";
import { authority, ca, servingPair, until } from "../listen/_fixture.ts";

const clients = authority("clients");
const proxies = authority("proxies");
/** Of the name that servers know each other by. */
export const serving = servingPair("apiserver", "kubernetes.default.svc", "orch.default.svc", "localhost");
/** Certificates of a member of system:masters and of somebody else, and of the proxies. */
export const admin = clients.leaf({
  subject: { commonName: "root", organizations: ["system:masters"] },
  usage: "client",
});
export const ann = clients.leaf({ subject: { commonName: "ann", organizations: ["dev"] }, usage: "client" });
/** Somebody of one group, whose name looks like two. */
export const sly = clients.leaf({
  subject: { commonName: "sly", organizations: ["dev, system:masters"] },
  usage: "client",
});
const front = proxies.leaf({ subject: { commonName: "front" }, usage: "client" });

/** What the receiving side believes proxies. */
const BELIEVES = [
  "--requestheader-username-headers=X-Remote-User",
  "--requestheader-uid-headers=X-Remote-Uid",
  "--requestheader-group-headers=X-Remote-Group",
  "--requestheader-extra-headers-prefix=X-Remote-Extra-",
  "--requestheader-allowed-names=front",
  "--controllers=identity-lease",
];

/** How a server differs from the others. */
export interface MemberOptions {
  readonly flags?: readonly string[];
  /** Has no `--peer-ca-file`. */
  readonly alone?: boolean;
  /** PEM of whom it trusts as its peers' authority, in place of the right one. */
  readonly peerCa?: string;
  /** What it serves with, in place of a certificate with the names of the service. */
  readonly serving?: typeof serving;
  readonly log?: (level: string, text: string, detail?: unknown) => void;
}

/** An answer. */
export interface MemberAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  readonly body: Loose;
}

/** A server of the cluster. */
export class Member {
  readonly #client: Deno.HttpClient;
  constructor(readonly test: TestServer, readonly url: string, readonly close: () => Promise<void>) {
    this.#client = Deno.createHttpClient({ caCerts: [ca.cert], ...admin });
  }

  /** Asks over TLS. */
  async fetch(path: string, init: RequestInit = {}, client: Deno.HttpClient = this.#client): Promise<MemberAnswer> {
    const answer = await this.open(path, init, client);
    const text = await answer.text();
    const json = /json/.test(answer.headers.get("content-type") ?? "");
    return { status: answer.status, headers: answer.headers, text, body: json ? JSON.parse(text) : undefined };
  }

  /** The same, the body not read. */
  open(path: string, init: RequestInit = {}, client: Deno.HttpClient = this.#client): Promise<Response> {
    return fetch(this.url + path, { ...init, client } as RequestInit);
  }

  async stop(): Promise<void> {
    this.#client.close();
    await this.close();
  }
}

/** Starts a server of a store. */
export async function member(backend: Backend, hostname: string, o: MemberOptions = {}): Promise<Member> {
  // A peer may ask as soon as there is a lease: it waits for the first answer, rather than to ask again.
  const started = Promise.withResolvers<TestServer>();
  const handler: AppHandler = async (request, connection) =>
    await (await started.promise).server.fetch(request, connection);
  const listener = await listen(handler, { hostname: "127.0.0.1", port: 0, tls: o.serving ?? serving });
  const test = await startTestServer([...BELIEVES, ...o.flags ?? []], {
    backend,
    hostname,
    ...(o.log ? { log: o.log } : {}),
    address: { host: "127.0.0.1", port: listener.port },
    outside,
    files: {
      serviceAccountKeys: [],
      clientCa: () => clients.cert,
      requestHeaderCa: () => proxies.cert,
      ...(o.alone ? {} : { peers: () => ({ ca: o.peerCa ?? ca.cert, ...front }) }),
    },
  });
  started.resolve(test);
  return new Member(test, listener.url, async () => {
    await test.stop();
    await listener.close(0);
  });
}

/** Starts servers on one store, runs, stops them. */
export async function cluster(
  options: readonly MemberOptions[],
  run: (...members: Member[]) => Promise<void>,
): Promise<void> {
  const backend = memoryBackend();
  const members: Member[] = [];
  try {
    for (const [i, o] of options.entries()) members.push(await member(backend, `host-${i}`, o));
    await run(...members);
  } finally {
    for (const m of members) await m.stop();
    await backend.close();
  }
}

/** A request with a body. */
export const json = (method: string, body: unknown, type = "application/json"): RequestInit => ({
  method,
  body: JSON.stringify(body),
  headers: { "content-type": type },
});

/** Waits until a path is answered so. */
export const answers = (member: Member, path: string, status: number): Promise<void> =>
  until(`${path} is answered with ${status}`, async () => (await member.fetch(path)).status === status);
