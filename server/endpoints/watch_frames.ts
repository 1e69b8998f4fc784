/** Watch events on the wire, by encoding (specification, "Watch events", "Content negotiation"). */
import { type CborInput, encodeCbor } from "../../schema/codec/cbor_write.ts";
import { cborInput } from "../../schema/codec/cbor_object.ts";
import { parseCbor } from "../../schema/codec/cbor.ts";
import { watchEventMessage, wrap } from "../../schema/codec/envelope.ts";
import { decodeObject } from "../../schema/codec/typed.ts";
import { encodeBare } from "../registry/entry_codec.ts";
import type { JsonMap, Obj } from "../../schema/model/types.ts";
import { concat } from "../../schema/values/bytes.ts";
import type { Form, Framing, WatchEvent } from "../cache/mod.ts";
import type { Accepted } from "../negotiation/accept.ts";
import type { ServedResource } from "../catalog/types.ts";
import type { Api } from "./api.ts";
import { shapeOf, typePrefix } from "./render.ts";
import { rowBytes, tableHead, type TableView } from "./table.ts";

const UTF8 = new TextEncoder();
const CLOSE = UTF8.encode("}\n");
const OPEN = new Map(
  (["ADDED", "MODIFIED", "DELETED", "BOOKMARK", "ERROR"] as const).map((
    t,
  ) => [t, UTF8.encode(`{"type":"${t}","object":`)]),
);

/** What a stream of Protobuf has before each event. */
const LENGTH_BYTES = 4;
const TEXT = { text: true, message: (event: Uint8Array) => event } as const;

/** Frames events of one kind of watch; the bytes are the same for all watchers with an equal key. */
export interface Frames extends Framing {
  readonly form: Form;
  /** Content-Type of the stream. */
  readonly contentType: string;
  /** An event whose object is at hand (a Status). */
  error(status: JsonMap): Uint8Array;
  /** Events are text. */
  readonly text: boolean;
  /** An event by itself, where the carrier tells how long it is. */
  message(event: Uint8Array): Uint8Array;
}

/** The framing of a watch. Stateful ones (Tables give their columns once) are one per watch. */
export function framesFor(api: Api, served: ServedResource, accepted: Accepted, table: TableView | undefined): Frames {
  if (table) return tableFrames(api, table, accepted);
  const { kind } = accepted.media;
  if (kind === "protobuf") return protobufFrames(api, served, accepted);
  return kind === "cbor" ? cborFrames(api, served, accepted) : jsonFrames(api, served, accepted);
}

/** The annotation that closes the initial events. Clients in the field wait for the public name, without an end, in any dialect. */
const INITIAL_END = "k8s.io/initial-events-end";

/** Metadata of a bookmark. */
function bookmarkMeta(api: Api, event: WatchEvent): JsonMap {
  const end = event.type === "BOOKMARK" && event.initialEnd;
  return {
    resourceVersion: String(event.revision),
    ...(end ? { annotations: { [api.scheme.product.local(INITIAL_END)]: "true", [INITIAL_END]: "true" } } : {}),
  };
}

function jsonFrames(api: Api, served: ServedResource, accepted: Accepted): Frames {
  const shape = shapeOf(api.scheme, served.kind, oneOf(accepted));
  const prefix = typePrefix(shape.apiVersion, shape.kind);
  return {
    key: `json ${shape.apiVersion} ${shape.kind}`,
    form: shape.form,
    contentType: "application/json",
    ...TEXT,
    parts: (event, form) => {
      const open = OPEN.get(event.type)!;
      if (event.type !== "BOOKMARK") return [open, prefix, event.entry.bytes(form, true).subarray(1), CLOSE];
      return [
        open,
        prefix,
        encodeBare(shape.message, bookmarkOf(api, served, accepted, event), "json").subarray(1),
        CLOSE,
      ];
    },
    error: (status) => concat([OPEN.get("ERROR")!, UTF8.encode(JSON.stringify(status)), CLOSE]),
  };
}

/** What a bookmark carries: an object of the kind, or the metadata alone where that is what was asked for. */
const bookmarkOf = (api: Api, served: ServedResource, { as }: Accepted, event: WatchEvent): Obj =>
  as === "object" ? blank(served, bookmarkMeta(api, event)) : { metadata: bookmarkMeta(api, event) } as unknown as Obj;

/** An object of the kind with nothing but its metadata. */
function blank(served: ServedResource, metadata: JsonMap): Obj {
  const { object } = decodeObject(served.kind, { metadata });
  HELD_EMPTY[served.resource.id]?.(object);
  return object;
}

/** Members that the public server holds by value: its objects of nothing have them too. */
const noReplicas = (o: Obj) => void (o["spec"].replicas = 0);
const HELD_EMPTY: Readonly<Record<string, (o: Obj) => void>> = {
  "deployments.apps": noReplicas,
  "replicasets.apps": noReplicas,
  "statefulsets.apps": noReplicas,
  "daemonsets.apps": ({ metadata }) =>
    void (metadata.annotations = { "deprecated.daemonset.template.generation": "0", ...metadata.annotations }),
};

/** A watch that asks for lists shows errors alone. */
function oneOf(accepted: Accepted): Accepted {
  return accepted.as === "PartialObjectMetadataList" ? { ...accepted, as: "PartialObjectMetadata" } : accepted;
}

function protobufFrames(api: Api, served: ServedResource, accepted: Accepted): Frames {
  const shape = shapeOf(api.scheme, served.kind, oneOf(accepted));
  const frame = (type: string, object: Uint8Array): Uint8Array[] => {
    const event = watchEventMessage(type, object);
    const length = new Uint8Array(LENGTH_BYTES);
    new DataView(length.buffer).setUint32(0, event.length);
    return [length, event];
  };
  return {
    key: `protobuf ${shape.apiVersion} ${shape.kind}`,
    form: shape.form,
    contentType: `${accepted.media.type}/${accepted.media.subtype};stream=watch`,
    text: false,
    message: (event) => event.subarray(LENGTH_BYTES),
    parts: (event, form) => {
      const bare = event.type === "BOOKMARK"
        ? encodeBare(shape.message, bookmarkOf(api, served, accepted, event), "protobuf")
        : event.entry.bytes(form, true);
      return frame(event.type, wrap(shape.apiVersion, shape.kind, bare));
    },
    error: (status) => {
      const kind = api.scheme.kind("v1", "Status")!;
      const bare = encodeBare(kind, status as Obj, "protobuf");
      return concat(frame("ERROR", wrap("v1", "Status", bare)));
    },
  };
}

function cborFrames(api: Api, served: ServedResource, accepted: Accepted): Frames {
  const shape = shapeOf(api.scheme, served.kind, oneOf(accepted));
  return {
    key: `cbor ${shape.apiVersion} ${shape.kind}`,
    form: shape.form,
    contentType: "application/cbor-seq",
    text: false,
    message: (event) => event,
    parts: (event, form) => {
      const members = event.type === "BOOKMARK"
        ? bookmarkOf(api, served, accepted, event)
        : parseCbor(event.entry.bytes(form, true)).tree as JsonMap;
      const object: CborInput = {
        ...cborInput(shape.message.message, members) as Record<string, CborInput>,
        kind: shape.kind,
        apiVersion: shape.apiVersion,
      };
      return [encodeCbor({ type: event.type, object })];
    },
    error: (object) => encodeCbor({ type: "ERROR", object }),
  };
}

/** Tables that were begun: each has a key of its own. */
let tables = 0;

function tableFrames(api: Api, view: TableView, accepted: Accepted): Frames {
  let first = true;
  const plain = jsonFrames(api, view.served, { ...accepted, as: "object" });
  return {
    ...plain,
    key: `table ${++tables}`,
    parts: (event) => {
      const rows = [event.type === "BOOKMARK" ? bookmarkRow(api, view, event) : rowBytes(view, event.entry)];
      const meta = { resourceVersion: String(event.revision) };
      const head = JSON.stringify(tableHead(view, meta, first)).slice(0, -1);
      first = false;
      return [OPEN.get(event.type)!, UTF8.encode(`${head},"rows":[`), ...rows, UTF8.encode("]}"), CLOSE];
    },
  };
}

/** The row of an object that has nothing but a bookmark's metadata; the end of the initial events is told in any case. */
function bookmarkRow(api: Api, view: TableView, event: WatchEvent & { type: "BOOKMARK" }): Uint8Array {
  const object = blank(view.served, bookmarkMeta(api, event));
  const include = view.include === "None" && event.initialEnd ? "Metadata" : view.include;
  return rowBytes({ ...view, include }, { object });
}
