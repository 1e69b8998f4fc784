import assert from "node:assert/strict";
import { unread } from "../../scripts/options_in_use.ts";

Deno.test("options that are called effective are read by something", () => assert.deepEqual(unread(), []));
