/** Tables (specification, "Kinds": Table; "Content negotiation" 5). */
import { stringifyJson } from "../../schema/codec/json.ts";
import { badRequest } from "../../schema/status.ts";
import type { Json, JsonMap, Kind, Obj } from "../../schema/model/types.ts";
import { concat } from "../../schema/values/bytes.ts";
import type { Entry, Form } from "../cache/mod.ts";
import type { ServedResource } from "../catalog/types.ts";
import type { Accepted } from "../negotiation/accept.ts";
import { DEFAULT_PRINTER } from "../printing/default.ts";
import { printerFor, printerOfKind } from "../printing/mod.ts";
import { Age, type Cell, type Printer } from "../printing/types.ts";
import type { RequestScope } from "../request.ts";
import type { Api } from "./api.ts";
import { formOf } from "../registry/forms.ts";
import { type Body, pieces } from "./pieces.ts";
import { encodeTree, type ListMeta, listMetaTree, typeText, wholeTree } from "./render.ts";
import { toServed } from "./shape.ts";
import { formBytes, type Source } from "./sources.ts";

const UTF8 = new TextEncoder();

/** What a row shows of its object. */
type Include = "None" | "Metadata" | "Object";

/** How the rows of one Table are made. */
export interface TableView {
  readonly api: Api;
  readonly served: ServedResource;
  readonly printer: Printer;
  readonly include: Include;
  /** `meta.k8s.io/v1`, as the request named it. */
  readonly apiVersion: string;
}

/** The view that a request asks for. @throws StatusError 400 for a bad `includeObject` */
export function tableView(api: Api, scope: RequestScope, served: ServedResource, accepted: Accepted): TableView {
  const apiVersion = `${accepted.group}/${accepted.version}`;
  const include = included(scope);
  return { api, served, printer: api.printer(served.resource, served.version), include, apiVersion };
}

/** What a request wants to see of objects in rows. @throws StatusError 400 for what is none of these */
export function included(scope: RequestScope): Include {
  const include = scope.query.get("includeObject") || "Metadata";
  if (include === "None" || include === "Metadata" || include === "Object") return include;
  throw badRequest(
    `Unable to convert to Table as requested: includeObject: Invalid value: ${JSON.stringify(include)}: ` +
      "must be 'Metadata', 'Object', 'None', or empty",
  );
}

/** A Table of sources. */
export function renderTable(
  api: Api,
  scope: RequestScope,
  served: ServedResource,
  listed: readonly Source[],
  meta: ListMeta,
  accepted: Accepted,
): Body {
  const view = tableView(api, scope, served, accepted);
  const sources = inOrder(view, listed);
  // A resource without columns of its own says null of no rows, one with columns [].
  const noRows = sources.length === 0 && view.printer === DEFAULT_PRINTER;
  if (accepted.media.kind !== "json" || accepted.pretty) {
    const tree = { ...tableHead(view, meta, true), rows: noRows ? null : sources.map((s) => rowTree(view, s)) };
    return encodeTree(tree, accepted.media.kind, accepted.pretty);
  }
  const head = JSON.stringify(tableHead(view, meta, true)).slice(0, -1);
  if (noRows) return UTF8.encode(`${head},"rows":null}\n`);
  function* parts(): Generator<Uint8Array | string> {
    const shape = rowShape(view);
    let before = `${head},"rows":[`;
    for (const source of sources) {
      yield before + rowHead(view, source, shape);
      if (shape.form) yield rowObject(view, source, shape.form);
      before = "},";
    }
    yield sources.length > 0 ? "}]}\n" : `${before}]}\n`;
  }
  return pieces(parts());
}

function inOrder(view: TableView, sources: readonly Source[]): readonly Source[] {
  const { order } = view.printer;
  if (!order) return sources;
  const cells = new Map(sources.map((source) => [source, rawCells(view, source).cells]));
  return [...sources].sort((a, b) => order(cells.get(a)!, cells.get(b)!));
}

/** A Table without its rows. */
export function tableHead(view: TableView, meta: ListMeta, columns: boolean): JsonMap {
  return {
    kind: "Table",
    apiVersion: view.apiVersion,
    metadata: listMetaTree(meta),
    columnDefinitions: columns ? view.printer.columns.map((c) => ({ ...c })) : null,
  };
}

/** A row as a tree. */
function rowTree(view: TableView, source: Source): JsonMap {
  const { cells, conditions } = rawCells(view, source);
  return {
    cells: shown(cells, view.api.rules.now()),
    ...(conditions ? { conditions } : {}),
    object: view.include === "None" ? null : objectTree(view, source),
  };
}

function objectTree(view: TableView, source: Source): JsonMap {
  const kind = view.served.kind;
  const shape = view.include === "Object"
    ? { apiVersion: kind.apiVersion, kind: kind.kind, form: formOf(kind.apiVersion, "json"), message: kind }
    : {
      apiVersion: view.apiVersion,
      kind: "PartialObjectMetadata",
      form: formOf(kind.apiVersion, "json", "metadata"),
      message: kind,
    };
  return wholeTree(view.api.scheme, source, shape);
}

/** What all rows of a Table have in common. */
interface RowShape {
  /** Of the object; undefined where it is not shown. */
  readonly form: Form | undefined;
  /** The object's type, or what stands in its place. */
  readonly type: string;
}

function rowShape({ served: { kind }, include, apiVersion }: TableView): RowShape {
  if (include === "None") return { form: undefined, type: "null" };
  const whole = include === "Object";
  return {
    form: formOf(kind.apiVersion, "json", whole ? "object" : "metadata"),
    type: whole ? typeText(kind.apiVersion, kind.kind) : typeText(apiVersion, "PartialObjectMetadata"),
  };
}

/** A row in JSON up to its object's own members. */
function rowHead(view: TableView, source: Source, { type }: RowShape): string {
  const { cells, conditions } = rawCells(view, source);
  const said = conditions ? `,"conditions":${JSON.stringify(conditions)}` : "";
  return `{"cells":${stringifyJson(shown(cells, view.api.rules.now()))}${said},"object":${type}`;
}

/** The object's own members, from the cached bytes. */
const rowObject = (view: TableView, source: Source, form: Form): Uint8Array =>
  formBytes(view.api.scheme, source, form).subarray(1);

/** A row in JSON. */
export function rowBytes(view: TableView, source: Source): Uint8Array {
  const shape = rowShape(view);
  const head = UTF8.encode(rowHead(view, source, shape));
  return concat(shape.form ? [head, rowObject(view, source, shape.form), CLOSE] : [head, CLOSE]);
}
const CLOSE = UTF8.encode("}");

/** Cells as last computed; what is printed of a version of an object never changes, but for ages. */
const CELLS = new WeakMap<Entry, Printed>();
interface Printed {
  readonly served: ServedResource;
  readonly cells: Cell[];
  readonly conditions: Json[] | undefined;
}

const shown = (cells: readonly Cell[], now: number): Json[] => cells.map((c) => c instanceof Age ? c.text(now) : c);

/** Columns of a custom resource are of a version and read its members; those of others read what is stored. */
function print({ api, printer, served }: TableView, stored: Obj): Printed {
  const object = served.kind.custom ? toServed(api, served, stored) : stored;
  return { served, cells: printer.cells(object), conditions: printer.conditions?.(object) };
}

function rawCells(view: TableView, source: Source): Printed {
  if (!("revision" in source)) return print(view, source.object);
  const held = CELLS.get(source);
  if (held && held.served === view.served) return held;
  const printed = print(view, source.peek() as Obj);
  CELLS.set(source, printed);
  return printed;
}

/** A Table of an object that no cache holds: of a resource that is not stored, or of a kind that is none (`Scale`). */
export function renderAnyTable(api: Api, scope: RequestScope, kind: Kind, object: Obj, accepted: Accepted): Body {
  const include = included(scope);
  const { served } = scope;
  const printer = served?.kind === kind
    ? printerFor(served.resource, api.scheme.product)
    : printerOfKind(kind, served?.kind.custom !== undefined);
  const { resourceVersion } = object.metadata ?? {};
  const apiVersion = `${accepted.group}/${accepted.version}`;
  const cells = shown(printer.cells(object), api.rules.now());
  return encodeTree(
    {
      kind: "Table",
      apiVersion,
      metadata: resourceVersion ? { resourceVersion } : {},
      columnDefinitions: printer.columns.map((c) => ({ ...c })),
      rows: [{ cells, object: anyObject(include, object, apiVersion) }],
    },
    accepted.media.kind,
    accepted.pretty,
  );
}

function anyObject(include: Include, object: Obj, apiVersion: string): JsonMap | null {
  if (include === "None") return null;
  return include === "Object" ? object : metadataOnly(object, apiVersion);
}

/** An object's metadata alone. */
export function metadataOnly(object: Obj, apiVersion: string): JsonMap {
  return { kind: "PartialObjectMetadata", apiVersion, metadata: object.metadata ?? {} };
}
