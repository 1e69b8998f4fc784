/**
 * The same listener around next to nothing: gives a prepared answer, and writes prepared bytes to all open streams.
 *
 *     deno run -A scripts/bench/baseline.ts DATA_DIR
 *
 * `PUT /bytes` keeps the body and `PUT /head` the headers in it, `GET /bytes` gives both, `GET /stream` opens a stream, `POST /emit` writes the bytes to all streams. It
 * has the certificates of the data directory and prints its URL.
 */
import { ensureDataDir, listen } from "../../server/listen/mod.ts";

let bytes: Uint8Array<ArrayBuffer> = new Uint8Array();
const streams = new Set<ReadableStreamDefaultController<Uint8Array>>();
const headers = { "content-type": "application/json" };
let head: Record<string, string> = headers;

const ROUTES: Readonly<Record<string, (request: Request) => Response | Promise<Response>>> = {
  "PUT /bytes": async (request) => {
    bytes = new Uint8Array(await request.arrayBuffer());
    return new Response("{}", { headers });
  },
  "PUT /head": async (request) => {
    head = await request.json();
    return new Response("{}", { headers });
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
