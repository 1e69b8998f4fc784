/** One kind on a server under test, spoken to in any encoding and version. */
import { BinaryReader } from "@bufbuild/protobuf/wire";
import { parseCbor } from "../../schema/codec/cbor.ts";
import { encodeCbor } from "../../schema/codec/cbor_write.ts";
import { decodeBody, encodeObject, type MediaKind } from "../../schema/codec/mod.ts";
import type { Json, JsonMap, Kind, Obj } from "../../schema/model/types.ts";
import type { ServedResource } from "../../server/catalog/types.ts";
import type { TestServer } from "../fixture/server.ts";
import type { Loose } from "../fixture/loose.ts";

/** An answer whose body is kept as bytes. */
export interface Reply {
  readonly status: number;
  readonly type: string;
  readonly bytes: Uint8Array;
  /** The body where it is JSON. */
  readonly json: Loose;
}

/** What to send; an object is sent as JSON. */
export interface Sent {
  readonly method?: string;
  readonly accept?: string;
  readonly type?: string;
  readonly body?: Json | Uint8Array;
}

/** Paths, encodings and requests of one resource. */
export class Client {
  readonly t: TestServer;
  readonly served: ServedResource;
  readonly namespace: string;

  constructor(t: TestServer, served: ServedResource, namespace: string) {
    this.t = t;
    this.served = served;
    this.namespace = served.resource.namespaced ? namespace : "";
  }

  /** The media type of an encoding. */
  media(kind: MediaKind): string {
    return kind === "protobuf" ? this.t.server.catalog.scheme.product.protobuf : `application/${kind}`;
  }

  /** `/apis/apps/v1/namespaces/life/deployments/first/status` */
  path(name = "", sub = "", version = this.served.version): string {
    const { group, name: plural } = this.served.resource;
    const root = group ? `/apis/${group}/${version}` : `/api/${version}`;
    const tail = [plural, name, sub].filter((p) => p !== "").join("/");
    return this.namespace ? `${root}/namespaces/${this.namespace}/${tail}` : `${root}/${tail}`;
  }

  /** Sends a request, reads its answer. */
  async send(path: string, { method, accept, type, body }: Sent = {}): Promise<Reply> {
    const raw = body instanceof Uint8Array ? body : body === undefined ? undefined : JSON.stringify(body);
    const response = await this.t.open(path, {
      method: method ?? (raw === undefined ? "GET" : "POST"),
      headers: {
        ...(accept ? { accept } : {}),
        ...(raw === undefined ? {} : { "content-type": type ?? "application/json" }),
      },
      ...(raw === undefined ? {} : { body: raw }),
    });
    const bytes = new Uint8Array(await response.arrayBuffer());
    const got = response.headers.get("content-type") ?? "";
    const json = got.startsWith("application/json") ? JSON.parse(new TextDecoder().decode(bytes)) : undefined;
    return { status: response.status, type: got, bytes, json };
  }

  /** An object out of a body. */
  decode(bytes: Uint8Array, media: MediaKind, kind: Kind = this.served.kind): Obj {
    return decodeBody(this.t.server.catalog.scheme, bytes, media, { defaultKind: kind, strict: true }).object;
  }

  /** A body out of an object as JSON has it. */
  encode(object: JsonMap, media: MediaKind, kind: Kind = this.served.kind): Uint8Array {
    const typed = this.decode(new TextEncoder().encode(JSON.stringify(object)), "json", kind);
    return encodeObject(typed, kind, media);
  }
}

/** An event of a watch. */
export interface Told {
  readonly type: string;
  readonly object: Obj;
}

/** A watch of the resource, from now on, in an encoding. */
export class Watch {
  readonly #client: Client;
  readonly #media: MediaKind;
  readonly #reader: ReadableStreamDefaultReader<Uint8Array>;
  #left = new Uint8Array();

  private constructor(client: Client, media: MediaKind, body: ReadableStream<Uint8Array>) {
    this.#client = client;
    this.#media = media;
    this.#reader = body.getReader();
  }

  /** Opens one for an object of a name. @throws Error when it is refused */
  static async open(client: Client, media: MediaKind, version: string, name: string): Promise<Watch> {
    const query = `watch=1&resourceVersion=${version}&fieldSelector=metadata.name%3D${encodeURIComponent(name)}`;
    const stream = { protobuf: ";stream=watch", cbor: "", json: "", yaml: "" };
    const accept = `${client.media(media)}${stream[media]}`;
    const response = await client.t.open(`${client.path()}?${query}`, { headers: { accept } });
    if (response.status !== 200) throw new Error(`watch in ${media}: ${response.status} ${await response.text()}`);
    return new Watch(client, media, response.body!);
  }

  /** Events up to the object's deletion. */
  async toDeletion(): Promise<Told[]> {
    const out: Told[] = [];
    for (;;) {
      const { value, done } = await this.#reader.read();
      if (done) return out;
      const joined = new Uint8Array(this.#left.length + value.length);
      joined.set(this.#left);
      joined.set(value, this.#left.length);
      this.#left = joined;
      out.push(...this.#take());
      if (out.some((e) => e.type === "DELETED")) {
        await this.#reader.cancel();
        return out;
      }
    }
  }

  /** Ends it early. */
  async close(): Promise<void> {
    await this.#reader.cancel();
  }

  #take(): Told[] {
    if (this.#media === "protobuf") return this.#takeProtobuf();
    const { items, rest } = this.#media === "cbor" ? cborItems(this.#left) : lines(this.#left);
    this.#left = new Uint8Array(rest);
    return items.map((i) => this.#event(i));
  }

  #event(bytes: Uint8Array): Told {
    if (this.#media === "cbor") {
      const { type, object } = parseCbor(bytes).tree as { type: string; object: JsonMap };
      return { type, object: this.#client.decode(encodeCbor(object), "cbor") };
    }
    const { type, object } = JSON.parse(new TextDecoder().decode(bytes));
    return { type, object: this.#client.decode(new TextEncoder().encode(JSON.stringify(object)), "json") };
  }

  #takeProtobuf(): Told[] {
    const out: Told[] = [];
    for (;;) {
      if (this.#left.length < 4) return out;
      const length = new DataView(this.#left.buffer, this.#left.byteOffset).getUint32(0);
      if (this.#left.length < 4 + length) return out;
      const [type, raw] = fields(this.#left.subarray(4, 4 + length));
      const [envelope] = fields(raw!);
      out.push({
        type: new TextDecoder().decode(type),
        object: this.#client.decode(envelope!, "protobuf"),
      });
      this.#left = this.#left.slice(4 + length);
    }
  }
}

/** The members of a message whose members are all of bytes, in the order of their numbers. */
function fields(bytes: Uint8Array): Uint8Array[] {
  const reader = new BinaryReader(bytes), out: Uint8Array[] = [];
  while (reader.pos < reader.len) {
    const [number] = reader.tag();
    out[number - 1] = reader.bytes();
  }
  return out;
}

function lines(bytes: Uint8Array): { items: Uint8Array[]; rest: Uint8Array } {
  const items: Uint8Array[] = [];
  let from = 0;
  for (let at = bytes.indexOf(10); at >= 0; at = bytes.indexOf(10, from)) {
    items.push(bytes.subarray(from, at));
    from = at + 1;
  }
  return { items, rest: bytes.subarray(from) };
}

function cborItems(bytes: Uint8Array): { items: Uint8Array[]; rest: Uint8Array } {
  const items: Uint8Array[] = [];
  let from = 0;
  for (let end = endOfItem(bytes, 0); end <= bytes.length; end = endOfItem(bytes, from)) {
    items.push(bytes.subarray(from, end));
    from = end;
  }
  return { items, rest: bytes.subarray(from) };
}

/** Where an item with definite lengths ends; infinity when it is not whole. */
function endOfItem(bytes: Uint8Array, at: number): number {
  if (at >= bytes.length) return Infinity;
  const major = bytes[at]! >> 5, info = bytes[at]! & 31, wide = info < 24 ? 0 : 1 << (info - 24);
  let end = at + 1 + wide;
  if (end > bytes.length) return Infinity;
  const n = wide ? bytes.subarray(at + 1, end).reduce((sum, byte) => sum * 256 + byte, 0) : info;
  if (major === 2 || major === 3) return end + n;
  for (let left = [n, 2 * n, 1][major - 4] ?? 0; left > 0 && end < Infinity; left--) end = endOfItem(bytes, end);
  return end;
}
