/** docs/kinds.md is what the tables say. */
import { equal } from "node:assert/strict";
import { readFileSync } from "node:fs";
import { kindsPage } from "../../scripts/docs_kinds.ts";

Deno.test("docs/kinds.md is current", () => {
  equal(readFileSync(new URL("../../docs/kinds.md", import.meta.url), "utf8"), kindsPage());
});
