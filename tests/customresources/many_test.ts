/** Many definitions: what one of them costs does not grow with the others. */
import assert from "node:assert/strict";
import { FollowedResources } from "../../server/controllers/followed.ts";
import type { Answer } from "../fixture/server.ts";
import type { Loose } from "../fixture/loose.ts";
import { define, definition, DEFINITIONS, established, patch, until, version, withThings } from "./_crd.ts";

const CRDS = "customresourcedefinitions.apiextensions.k8s.io";
const THINGS = "things.example.com", OTHERS = "others.example.com";
const THING_NAMES = definition([])["spec"].names;
const names = { plural: "others", singular: "other", kind: "Other", listKind: "OtherList" };
const other = (more: Record<string, unknown> = {}) => ({
  ...definition([version({})], { names: { ...names, ...more } }),
  metadata: { name: OTHERS },
});

Deno.test("the names of a definition are settled without reading the others of its group", () =>
  withThings(definition([version({})]), async (s) => {
    const entry = s.server.cacher.cache(CRDS)!.get("", THINGS)!;
    let read = 0;
    const peek = entry.peek.bind(entry);
    entry.peek = () => (read++, peek());
    await define(s, other());
    await s.fetch(`${DEFINITIONS}/${OTHERS}`, { method: "DELETE" });
    await until(() => s.fetch(`${DEFINITIONS}/${OTHERS}`), (a) => a.status === 404);
    assert.equal(read, 0);
  }));

/** Names that another definition has, and what is told of it. */
const TAKEN: readonly (readonly [names: Record<string, unknown>, reason: string, message: string])[] = [
  [{ singular: "thing" }, "SingularConflict", `"thing" is already in use`],
  [{ shortNames: ["o", "th"] }, "ShortNamesConflict", `"th" is already in use`],
  [{ shortNames: ["tg", "th", "tg"] }, "ShortNamesConflict", `["tg" is already in use, "th" is already in use]`],
  [{ kind: "Thing" }, "KindConflict", `"Thing" is already in use`],
  [{ listKind: "ThingList" }, "ListKindConflict", `"ThingList" is already in use`],
];

Deno.test("of names that another definition has the last is told, of short ones all", () =>
  withThings(definition([version({})], { names: { ...THING_NAMES, shortNames: ["th", "tg"] } }), async (s) => {
    const at = `${DEFINITIONS}/${OTHERS}`;
    for (const [more, reason, message] of TAKEN) {
      await s.fetch(DEFINITIONS, { body: other(more) });
      const { body } = await until(() => s.fetch(at), (a) => a.body.status?.conditions?.length > 0);
      const { type, reason: is, message: told } = body.status.conditions[0];
      assert.deepEqual([type, is, told], ["NamesAccepted", reason, message]);
      await s.fetch(at, { method: "DELETE" });
      await until(() => s.fetch(at), (a) => a.status === 404);
    }
  }));

Deno.test("a definition that asks for names of another keeps those that it has, and is served by them", () =>
  withThings(definition([version({})]), async (s) => {
    const at = `${DEFINITIONS}/${OTHERS}`;
    await define(s, other({ shortNames: ["o"] }));
    const had = (await s.fetch(at)).body.status.acceptedNames;
    const change = { spec: { names: { singular: "thing", shortNames: ["p", "th"], listKind: "ThingList" } } };
    assert.equal((await patch(s, at, change)).status, 200);
    const { body } = await until(
      () => s.fetch(at),
      (a) => a.body.status.conditions.some((c: Loose) => c.reason === "ListKindConflict"),
    );
    assert.deepEqual([body.status.acceptedNames, established({ body } as Answer)], [had, true]);
    const [served] = (await s.fetch("/apis/example.com/v1")).body.resources;
    assert.deepEqual([served.name, served.singularName, served.shortNames], ["others", "other", ["o"]]);
  }));

Deno.test("names that a definition gives back, by a change or by its end, go to who waits for them", () =>
  withThings(definition([version({})]), async (s) => {
    const at = `${DEFINITIONS}/${OTHERS}`;
    const accepted =
      (status: string) => (a: { body: { status?: { conditions?: { type: string; status: string }[] } } }) =>
        a.body.status?.conditions?.some((c) => c.type === "NamesAccepted" && c.status === status) ?? false;
    assert.equal((await s.fetch(DEFINITIONS, { body: other({ shortNames: ["th"] }) })).status, 201);
    await until(() => s.fetch(at), accepted("False"));
    const change = { spec: { names: { shortNames: [] } } };
    const headers = { "content-type": "application/merge-patch+json" };
    await s.fetch(`${DEFINITIONS}/${THINGS}`, { method: "PATCH", headers, body: change });
    await until(() => s.fetch(at), accepted("True"));
    const third = definition([version({})], {
      names: { ...names, plural: "thirds", kind: "Third", listKind: "Thirds" },
    });
    assert.equal(
      (await s.fetch(DEFINITIONS, { body: { ...third, metadata: { name: "thirds.example.com" } } })).status,
      201,
    );
    await until(() => s.fetch(`${DEFINITIONS}/thirds.example.com`), accepted("False"));
    await s.fetch(at, { method: "DELETE" });
    await until(() => s.fetch(`${DEFINITIONS}/thirds.example.com`), accepted("True"));
  }));

Deno.test("a resource that comes or goes leaves the registries of others as they are, and nobody looks at those", () =>
  withThings(definition([version({})]), async (s) => {
    const { catalog, registries } = s.server, pods = registries.byId("pods"), things = registries.byId(THINGS);
    const asked = new Set<string>(), end = new AbortController();
    const followed = new FollowedResources({ catalog, registries }, ({ id }) => !!asked.add(id), () => () => {});
    followed.start(end.signal);
    assert.ok(asked.has("pods"));
    asked.clear();
    await define(s, other());
    await s.fetch(`${DEFINITIONS}/${OTHERS}`, { method: "DELETE" });
    await until(() => s.fetch(`${DEFINITIONS}/${OTHERS}`), (a) => a.status === 404);
    end.abort();
    assert.deepEqual([...asked], [OTHERS]);
    assert.equal(registries.byId("pods"), pods);
    assert.equal(registries.byId(THINGS), things);
    assert.equal(registries.byId(OTHERS), undefined);
  }));
