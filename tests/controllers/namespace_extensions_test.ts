/** Contents of a namespace that extension servers hold. */
import assert from "node:assert/strict";
import type { User } from "../../server/request.ts";
import type { Contents } from "../../server/controllers/namespace_conditions.ts";
import { removeFromExtensions } from "../../server/controllers/namespace_extensions.ts";
import type { ControllerContext } from "../../server/controllers/types.ts";

const USER: User = { name: "c", groups: [] };

type Asked = { readonly method: string; readonly body?: string };
type Deleting = (path: string, body: string | undefined) => void;

/** What is found of a server that holds things of these names, in one namespace, and is asked to delete some. */
async function removed(
  verbs: readonly string[],
  there: Iterable<string>,
  deleting: Deleting,
  versions = ["v1"],
): Promise<Contents> {
  const registrations = versions.map((version) => ({ name: `${version}.e`, group: "e", version }));
  const ask = (_r: unknown, path: string, _h: unknown, _ms: number, { method, body }: Asked) => {
    if (method === "DELETE") deleting(new URL(path, "https://e").pathname, body);
    const items = [...there].map((name) => ({ metadata: { name, finalizers: ["a.example/b"] } }));
    return Promise.resolve({ status: 200, text: JSON.stringify({ items }) });
  };
  const extensions = {
    registrations: { any: true, others: () => registrations },
    discovery: { document: () => ({ resources: [{ resource: "things", scope: "Namespaced", verbs }] }) },
    reach: { ask },
  };
  const contents: Contents = { left: new Map(), finalizers: new Map(), failures: [], undiscovered: [] };
  await removeFromExtensions({ extensions } as unknown as ControllerContext, USER, "team", contents);
  return contents;
}

Deno.test("an object is deleted whatever its name, where a server deletes one at a time", async () => {
  const names = ["a:b", "what?", "50%", "a#b"], there = new Set(names);
  let asked = 0;
  const { failures } = await removed(["list", "delete"], there, (path) => {
    asked++;
    there.delete(decodeURIComponent(path.split("/").at(-1)!));
  });
  assert.deepEqual([[...there], failures, asked], [[], [], names.length]);
});

Deno.test("what extension servers delete they delete in the background, as this one does", async () => {
  const background = { kind: "DeleteOptions", apiVersion: "v1", propagationPolicy: "Background" };
  const all = "/apis/e/v1/namespaces/team/things";
  for (const [verb, asked] of [["delete", `${all}/a`], ["deletecollection", all]] as const) {
    const deletions: unknown[] = [];
    await removed(["list", verb], ["a"], (path, body = "{}") => void deletions.push([path, JSON.parse(body)]));
    assert.deepEqual(deletions, [[asked, background]]);
  }
});

Deno.test("what extension servers serve in several versions is deleted and counted once", async () => {
  const asked: string[] = [];
  const contents = await removed(["list", "delete"], ["a"], (path) => void asked.push(path), ["v1", "v1beta1"]);
  assert.deepEqual(asked, ["/apis/e/v1/namespaces/team/things/a"]);
  assert.deepEqual([[...contents.left], [...contents.finalizers]], [[["things.e", 1]], [["a.example/b", 1]]]);
});
