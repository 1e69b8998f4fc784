/** Contents of a namespace that extension servers hold. */
import assert from "node:assert/strict";
import type { User } from "../../server/request.ts";
import type { Contents } from "../../server/controllers/namespace_conditions.ts";
import { removeFromExtensions } from "../../server/controllers/namespace_extensions.ts";
import type { ControllerContext } from "../../server/controllers/types.ts";

const USER: User = { name: "c", groups: [] };

Deno.test("an object is deleted whatever its name, where a server deletes one at a time", async () => {
  const names = ["a:b", "what?", "50%", "a#b"], there = new Set(names), asked: string[] = [];
  const registration = { name: "v1.e", group: "e", version: "v1" };
  const ask = (_r: unknown, path: string, _h: unknown, _ms: number, { method }: { method: string }) => {
    const url = new URL(path, "https://e");
    if (method === "GET") {
      const items = [...there].map((name) => ({ metadata: { name } }));
      return Promise.resolve({ status: 200, text: JSON.stringify({ items }) });
    }
    asked.push(url.pathname);
    there.delete(decodeURIComponent(url.pathname.split("/").at(-1)!));
    return Promise.resolve({ status: 200, text: "{}" });
  };
  const document = { resources: [{ resource: "things", scope: "Namespaced", verbs: ["list", "delete"] }] };
  const extensions = {
    registrations: { any: true, others: () => [registration] },
    discovery: { document: () => document },
    reach: { ask },
  };
  const contents: Contents = { left: new Map(), finalizers: new Map(), failures: [], undiscovered: [] };
  await removeFromExtensions({ extensions } as unknown as ControllerContext, USER, "team", contents);
  assert.deepEqual([[...there], contents.failures, asked.length], [[], [], names.length]);
});
