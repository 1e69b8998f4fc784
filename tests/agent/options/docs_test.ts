import assert from "node:assert/strict";
import { SETTINGS } from "../../../agent/options/mod.ts";
import { camel } from "../../../schema/flags/names.ts";
import { orchletOptionsPage } from "../../../scripts/docs_orchlet_options.ts";

Deno.test("docs/orchlet-options.md is current", () => {
  const page = new URL("../../../docs/orchlet-options.md", import.meta.url);
  assert.ok(
    Deno.readTextFileSync(page) === orchletOptionsPage(),
    "make it anew: deno run --allow-write=docs scripts/docs_orchlet_options.ts",
  );
});

Deno.test("every option and field has a member of its own", () => {
  const members = SETTINGS.map((row) => camel(row.name));
  assert.equal(new Set(members).size, members.length);
  const fields = SETTINGS.flatMap((row) => row.field ?? []);
  assert.equal(new Set(fields).size, fields.length);
});
