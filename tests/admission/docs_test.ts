import assert from "node:assert/strict";
import { admissionPage } from "../../scripts/docs_admission.ts";

Deno.test("docs/admission.md is what the plugin table says", async () => {
  const page = await Deno.readTextFile(new URL("../../docs/admission.md", import.meta.url));
  assert.equal(page, admissionPage(), "run scripts/docs_admission.ts");
});
