import assert from "node:assert/strict";
import { join } from "node:path";
import { ClaimStore } from "../../../agent/claims/store.ts";
import { withDirectory } from "../../fixture/directory.ts";

Deno.test("a damaged file of claims is named", () =>
  withDirectory((dir) => {
    const path = join(dir, "state");
    new ClaimStore(path).keep();
    assert.deepEqual(new ClaimStore(path).all(), []);
    for (const text of ["", "{}", '{"Data":"","Checksum":0}', Deno.readTextFileSync(path).slice(0, -9)]) {
      Deno.writeTextFileSync(path, text);
      assert.throws(() => new ClaimStore(path), {
        message: `the checkpoint file ${path} is corrupted: drain this node and remove it`,
      });
    }
    return Promise.resolve();
  }));
