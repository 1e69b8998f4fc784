/** Objects that lie in the version that was stored before, while definitions convert by name alone. */
import assert from "node:assert/strict";
import type { Loose } from "../fixture/loose.ts";
import type { TestServer } from "../fixture/server.ts";
import { definition, DEFINITIONS, patch, schema, thing, THINGS, until, withThings } from "./_crd.ts";

const CRD = `${DEFINITIONS}/things.example.com`, NEW = THINGS.replace("/v1/", "/v2/");
const TABLE = { accept: "application/json;as=Table;v=v1;g=meta.k8s.io" };

/** A version of which objects have a shared member, one of its own, and a default. */
const of = (name: string, storage: boolean): Loose => ({
  name,
  served: true,
  storage,
  subresources: { status: {} },
  additionalPrinterColumns: [{ name: "Old", type: "string", jsonPath: ".spec.v1" }],
  schema: {
    openAPIV3Schema: schema({
      s: { type: "string" },
      [name]: { type: "string" },
      [`${name}default`]: { type: "string", default: name },
    }),
  },
});

/** Makes an object in the first version, then has the second one stored, and works. */
const moved = (work: (s: TestServer) => Promise<void>) =>
  withThings(definition([of("v1", true), of("v2", false)]), async (s) => {
    assert.equal((await s.fetch(THINGS, { body: thing("a", { s: "x", v1: "old" }) })).status, 201);
    await patch(s, CRD, { spec: { versions: [of("v1", false), of("v2", true)] } });
    await until(() => s.fetch(CRD), (a) => a.body.status.storedVersions.length === 2);
    await work(s);
  });

const spec = async (s: TestServer, path: string): Promise<Loose> => (await s.fetch(path)).body.spec;
const OLD = { s: "x", v1: "old", v1default: "v1" };

Deno.test("an object of the version that was stored before has its members there, and none of them elsewhere", () =>
  moved(async (s) => {
    for (const [path, expected] of [[THINGS, OLD], [NEW, { s: "x" }]] as const) {
      assert.deepEqual(await spec(s, `${path}/a`), expected, "alone");
      assert.deepEqual((await s.fetch(path)).body.items[0].spec, expected, "in a list");
      const events = await (await s.open(`${path}?watch=1&resourceVersion=0&timeoutSeconds=1`)).text();
      assert.deepEqual(JSON.parse(events.split("\n")[0]!).object.spec, expected, "in an event");
      const { rows } = (await s.fetch(path, { headers: TABLE })).body;
      assert.equal(rows[0].cells[1], path === THINGS ? "old" : null, "in a Table");
    }
  }));

const WRITES: readonly [name: string, path: string, body: Loose, generation: number][] = [
  ["nothing, in the old version", `${THINGS}/a`, {}, 1],
  ["nothing, in the new one", `${NEW}/a`, {}, 2],
  ["a label, in the old version", `${THINGS}/a`, { metadata: { labels: { a: "b" } } }, 1],
  ["a status, in the old version", `${THINGS}/a/status`, { status: { x: 1 } }, 1],
  ["a status, in the new one", `${NEW}/a/status`, { status: { x: 1 } }, 1],
];

for (const [name, path, body, generation] of WRITES) {
  Deno.test(`a write makes an object one of the version that is stored: ${name}`, () =>
    moved(async (s) => {
      const written = await patch(s, path, body);
      assert.deepEqual([written.status, written.body.metadata.generation], [200, generation], written.text);
      assert.deepEqual(await spec(s, `${THINGS}/a`), { s: "x" });
      assert.deepEqual(await spec(s, `${NEW}/a`), { s: "x", v2default: "v2" });
    }));
}
