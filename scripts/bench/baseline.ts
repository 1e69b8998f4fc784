/**
 * The same listener around next to nothing: gives a prepared answer, writes prepared bytes to all open streams, and keeps bodies as
 * plain rows of a Deno KV.
 *
 *     deno run -A scripts/bench/baseline.ts DATA_DIR
 *
 * `PUT /bytes` keeps the body and `PUT /head` the headers in it, `GET /bytes` gives both, `GET /stream` opens a stream, `POST /emit` writes the bytes to all streams,
 * `POST /rows` commits the body, with all that came meanwhile in one atomic, and gives it back. It has the certificates of the data directory and prints its URL.
 */
import { ensureDataDir, listen } from "../../server/listen/mod.ts";

let bytes: Uint8Array<ArrayBuffer> = new Uint8Array();
const streams = new Set<ReadableStreamDefaultController<Uint8Array>>();
const headers = { "content-type": "application/json" };
let head: Record<string, string> = headers;

const kv = await Deno.openKv(`${Deno.args[0]!}/baseline.db`);
let rows = 0;
let waiting: { readonly row: Uint8Array; readonly done: () => void }[] = [];
let committing = false;

/** Resolves when the row is durable. */
function kept(row: Uint8Array): Promise<void> {
  const { promise, resolve: done } = Promise.withResolvers<void>();
  waiting.push({ row, done });
  if (!committing) void commitAll();
  return promise;
}

async function commitAll(): Promise<void> {
  committing = true;
  while (waiting.length > 0) {
    const group = waiting;
    waiting = [];
    let atomic = kv.atomic();
    for (const { row } of group) atomic = atomic.set(["objects", ++rows], row);
    await atomic.set(["counter"], rows).commit();
    for (const { done } of group) done();
  }
  committing = false;
}

const ROUTES: Readonly<Record<string, (request: Request) => Response | Promise<Response>>> = {
  "PUT /bytes": async (request) => {
    bytes = new Uint8Array(await request.arrayBuffer());
    return new Response("{}", { headers });
  },
  "PUT /head": async (request) => {
    head = await request.json();
    return new Response("{}", { headers });
  },
  "POST /rows": async (request) => {
    const row = new Uint8Array(await request.arrayBuffer());
    await kept(row);
    return new Response(row, { status: 201, headers });
  },
  "GET /bytes": () => new Response(bytes, { headers: head }),
  "GET /stream": () => {
    let mine: ReadableStreamDefaultController<Uint8Array>;
    const body = new ReadableStream<Uint8Array>({
      start: (controller) => void streams.add(mine = controller),
      cancel: () => void streams.delete(mine),
    });
    return new Response(body, { headers });
  },
  "POST /emit": () => {
    for (const stream of streams) stream.enqueue(bytes);
    return new Response("{}", { headers });
  },
};

const data = await ensureDataDir(Deno.args[0]!, { hostnames: [], ips: [], port: 0 });
const { cert, key } = data.serving;
const listening = await listen((request) => {
  const path = request.url.slice(request.url.indexOf("/", 8));
  return ROUTES[`${request.method} ${path}`]?.(request) ?? new Response("{}", { status: 404, headers });
}, { hostname: "127.0.0.1", port: 0, tls: { cert, key, clientCa: data.ca.cert } });
console.log(listening.url);
Deno.addSignalListener("SIGTERM", () => Deno.exit(0));
