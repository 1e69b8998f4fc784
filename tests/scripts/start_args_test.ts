import assert from "node:assert/strict";
import { argsOf } from "../../scripts/start.ts";

Deno.test("defaults of a start give way to what is given", () => {
  const defaults = ["--data-dir=.d", "--authorization-mode=RBAC", "--"];
  assert.deepEqual(argsOf([...defaults, "--v=1"]), ["--data-dir=.d", "--authorization-mode=RBAC", "--v=1"]);
  assert.deepEqual(argsOf([...defaults, "--authorization_mode", "Node,RBAC"]), [
    "--data-dir=.d",
    "--authorization_mode",
    "Node,RBAC",
  ]);
  assert.deepEqual(argsOf(["--authorization-mode=ABAC"]), ["--authorization-mode=ABAC"]);
});
