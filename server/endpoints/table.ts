/** Tables (specification, "Kinds": Table; "Content negotiation" 5). */
import { invalid } from "../../schema/status.ts";
import { ErrorList } from "../../schema/rules/errors.ts";
import type { Json, JsonMap, Obj } from "../../schema/model/types.ts";
import { humanDuration } from "../../schema/values/age.ts";
import type { Entry } from "../cache/mod.ts";
import type { Resource, ServedResource } from "../catalog/types.ts";
import type { Accepted } from "../negotiation/accept.ts";
import { Age, type Cell, type Printer } from "../printing/types.ts";
import type { RequestScope } from "../request.ts";
import type { Api } from "./api.ts";
import { concat } from "./body.ts";
import { formOf } from "../registry/forms.ts";
import {
  type Body,
  encodeTree,
  formBytes,
  type ListMeta,
  listMetaTree,
  pieces,
  type Source,
  typePrefix,
  wholeTree,
} from "./render.ts";

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

/** The view that a request asks for. @throws StatusError 422 for a bad `includeObject` */
export function tableView(api: Api, scope: RequestScope, served: ServedResource, accepted: Accepted): TableView {
  const include = scope.url.searchParams.get("includeObject") || "Metadata";
  if (include !== "None" && include !== "Metadata" && include !== "Object") {
    const errors = new ErrorList();
    errors.invalid("includeObject", include, "must be 'Metadata', 'Object', 'None', or empty");
    throw invalid(accepted.group, "TableOptions", "", errors.causes);
  }
  const apiVersion = `${accepted.group}/${accepted.version}`;
  return { api, served, printer: api.printer(served.resource), include, apiVersion };
}

/** A Table of sources. */
export function renderTable(
  api: Api,
  scope: RequestScope,
  served: ServedResource,
  sources: readonly Source[],
  meta: ListMeta,
  accepted: Accepted,
): Body {
  const view = tableView(api, scope, served, accepted);
  if (accepted.media.kind !== "json" || accepted.pretty) {
    const tree = { ...tableHead(view, meta, true), rows: sources.map((s) => rowTree(view, s)) };
    return encodeTree(tree, accepted.media.kind, accepted.pretty);
  }
  const head = JSON.stringify(tableHead(view, meta, true)).slice(0, -1);
  function* parts(): Generator<Uint8Array> {
    yield UTF8.encode(`${head},"rows":[`);
    for (let i = 0; i < sources.length; i++) {
      if (i > 0) yield COMMA;
      yield rowBytes(view, sources[i]!);
    }
    yield END;
  }
  return pieces(parts(), sources.length);
}
const COMMA = UTF8.encode(",");
const END = UTF8.encode("]}\n");

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
export function rowTree(view: TableView, source: Source): JsonMap {
  const cells = cellsOf(view, source);
  return { cells, ...(view.include === "None" ? { object: null } : { object: objectTree(view, source) }) };
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

/** A row in JSON, its object copied from the cached bytes. */
export function rowBytes(view: TableView, source: Source): Uint8Array {
  const cells = UTF8.encode(`{"cells":${JSON.stringify(cellsOf(view, source))},"object":`);
  if (view.include === "None") return concat([cells, UTF8.encode("null}")]);
  const kind = view.served.kind;
  const whole = view.include === "Object";
  const form = formOf(kind.apiVersion, "json", whole ? "object" : "metadata");
  const prefix = whole ? typePrefix(kind.apiVersion, kind.kind) : typePrefix(view.apiVersion, "PartialObjectMetadata");
  return concat([cells, prefix, formBytes(view.api.scheme, source, form).subarray(1), CLOSE]);
}
const CLOSE = UTF8.encode("}");

/** Cells as last computed; what is printed of a version of an object never changes, but for ages. */
const CELLS = new WeakMap<Entry, { resource: Resource; cells: Cell[] }>();

function cellsOf(view: TableView, source: Source): Json[] {
  const now = view.api.rules.now();
  return rawCells(view, source).map((c): Json => isAge(c) ? age(c.since, now) : c);
}

function rawCells(view: TableView, source: Source): Cell[] {
  if (!("revision" in source)) return view.printer.cells(source.object);
  const held = CELLS.get(source);
  if (held && held.resource === view.served.resource) return held.cells;
  const cells = view.printer.cells(source.peek() as Obj);
  CELLS.set(source, { resource: view.served.resource, cells });
  return cells;
}

const isAge = (c: Cell): c is Age => c instanceof Age;

function age(since: string | undefined, now: number): string {
  return since ? humanDuration(now - Date.parse(since)) : "<unknown>";
}
