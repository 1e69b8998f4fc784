/** Who only starts the server fetches nothing of what only tests use. */
import assert from "node:assert/strict";

type Packages = Readonly<Record<string, { readonly integrity: string }>>;

async function packages(path: string): Promise<Packages> {
  return JSON.parse(await Deno.readTextFile(new URL(path, import.meta.url))).npm;
}

Deno.test("libraries of tests stand in a lock file of their own, with all of the server's as they are there", async () => {
  const own = await packages("../../deno.lock"), all = await packages("../deno.lock");
  for (const [name, { integrity }] of Object.entries(own)) assert.equal(all[name]?.integrity, integrity, name);
  const names = Object.keys(all).filter((name) => /^(@grpc\/grpc-js|@kubernetes\/client-node|cbor2)@/.test(name));
  assert.equal(names.length, 3);
  assert.deepEqual(names.filter((name) => name in own), []);
});
