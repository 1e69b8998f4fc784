import assert from "node:assert/strict";
import type { TestServer } from "../fixture/server.ts";
import { THINGS, withThings } from "./_things.ts";
import { createMaps, maps, MERGE, namespace, ok, patchOf, refused, sharedServer, spec } from "./_spec.ts";

const server = sharedServer();

/** A namespace with a, b and c, made at known versions, and the version of the list now. */
async function three(t: TestServer) {
  const ns = await namespace(t);
  const versions = await createMaps(t, ns, "a", "b", "c");
  return { ns, path: maps(ns), versions, now: versions[2]! };
}

/** How clients compare versions: the longer is greater, then the later in the order of characters. */
const compareVersions = (a: string, b: string): number =>
  a === b ? 0 : a.length === b.length ? (a < b ? -1 : 1) : a.length < b.length ? -1 : 1;

spec("Resource version rules", {
  "rule 1": async () => {
    const t = await server();
    const [one, other] = [await namespace(t), await namespace(t)];
    const [a] = await createMaps(t, one, "a");
    const [b] = await createMaps(t, other, "b");
    const [c] = await createMaps(t, one, "c");
    assert.deepEqual([compareVersions(a!, b!), compareVersions(b!, c!)], [-1, -1]);
  },
  "rule 2": async () => {
    const t = await server();
    const { path, versions } = await three(t);
    for (const v of versions) assert.match(v, /^[1-9][0-9]*$/);
    assert.match((await ok(t, path)).body.metadata.resourceVersion, /^[1-9][0-9]*$/);
    // Of any size: refused as being ahead, not as being no number.
    await refused(t, 504, `${path}/a?resourceVersion=${"9".repeat(200)}`);
  },
  "rule 3": async () => {
    const t = await server();
    const { path } = await three(t);
    // The server orders as clients do, over a change of length and past every size of integer.
    const versions: string[] = [];
    for (let i = 0; i < 1000 && !(versions.at(-1)?.length === 4); i++) {
      versions.push((await ok(t, `${path}/a`, patchOf(MERGE, { data: { i: `${i}` } }))).body.metadata.resourceVersion);
    }
    assert.deepEqual(versions.toSorted(compareVersions), versions);
    for (const text of ["18446744073709551617", `${2 ** 63}`, "9007199254740993"]) {
      assert.equal(compareVersions(text, versions.at(-1)!), 1);
      await refused(t, 504, `${path}?resourceVersion=${text}`);
    }
  },
  "rule 4": async () => {
    const t = await server();
    const { path } = await three(t);
    await refused(t, 400, `${path}?resourceVersion=abc`); // this is no extension server: its versions are decimal
  },
  "rule 5": async () => {
    const t = await server();
    const { versions } = await three(t);
    const sorted = [...versions].sort((x, y) => compareVersions(x, y));
    assert.deepEqual(sorted, versions);
    await withThings(t, async () => {
      const own: string[] = [];
      for (let size = 2; size < 6; size++) {
        own.push((await ok(t, `${THINGS}/a`, patchOf(MERGE, { spec: { size } }))).body.metadata.resourceVersion);
      }
      for (const v of own) assert.match(v, /^[1-9][0-9]*$/);
      assert.deepEqual(own.toSorted(compareVersions), own);
    });
  },
});
