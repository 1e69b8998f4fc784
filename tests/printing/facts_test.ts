/** Columns and cells as they were recorded of the public server, when the record stands beside the project. */
import { deepEqual, equal } from "node:assert/strict";
import { readFileSync } from "node:fs";
import type { Json, Obj } from "../../schema/model/types.ts";
import { splitApiVersion, storageVersion } from "../../schema/scheme.ts";
import { builtinCatalog, idOf } from "../../server/catalog/catalog.ts";
import { printerFor } from "../../server/printing/mod.ts";
import { Age, type Cell, type Column } from "../../server/printing/types.ts";
import { HAVE_FACTS, samples, scheme, unmask } from "../rules/_facts.ts";

interface Row {
  group: string;
  version: string;
  resource: string;
  columns: Omit<Column, "description">[];
  examples?: { id: string; cells: Json[] }[];
}
const rows = (): Row[] =>
  JSON.parse(readFileSync(new URL("../../../shared/facts/columns.json", import.meta.url), "utf8")).resources;

const catalog = builtinCatalog(scheme, { enabled: () => true }, "/registry");
const resourceOf = (r: Row) => catalog.resource(idOf(r.group, r.resource))!;
const printerOf = (r: Row) => printerFor(resourceOf(r), scheme.product);

/** Recorded after a controller wrote the status that the recorded object does not have yet. */
const LATER = new Set(["flowschema-min"]);

/** What the record masks, masked here too. */
function masked(cell: Cell): Json {
  if (cell instanceof Age) return "<age>";
  if (typeof cell !== "string") return cell;
  return cell.replace(/^10\.0\.0\.\d+$/, "<cluster-ip>").replace(/:31\d{3}\//, "<:node-port>/")
    .replace(/[0-9a-f]{8}-[0-9a-f-]{27}/, "<uid>").replace(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/, "<time>");
}

Deno.test({ name: "columns are those of the public server", ignore: !HAVE_FACTS /* needs the record */ }, () => {
  for (const row of rows()) {
    const got = printerOf(row).columns.map(({ description: _, ...rest }) => rest);
    deepEqual(got, row.columns, `${row.group}/${row.version} ${row.resource}`);
  }
});

Deno.test({ name: "cells are those of the public server", ignore: !HAVE_FACTS /* needs the record */ }, () => {
  const byId = new Map(samples().map((s) => [s.id, s]));
  let played = 0;
  for (const row of rows()) {
    for (const example of row.examples ?? []) {
      if (LATER.has(example.id)) continue;
      const sample = byId.get(example.id)!;
      const obj = unmask(sample.returned as Json) as Obj;
      const cells = printerOf(row).cells(stored(obj, row)).map(masked);
      deepEqual(cells, example.cells.map(masked), `${row.resource} ${example.id}`);
      played++;
    }
  }
  equal(played > 100, true);
});

/** The object as it is stored; versions that are no longer served are read as they are. */
function stored(obj: Obj, row: Row): Obj {
  const { group, version } = storageVersion(row.group, row.resource);
  const to = scheme.kindOf(group, version, obj.kind);
  const { version: from } = splitApiVersion(obj.apiVersion);
  return to && scheme.kindOf(row.group, from, obj.kind) ? scheme.convert(obj, to) : obj;
}
