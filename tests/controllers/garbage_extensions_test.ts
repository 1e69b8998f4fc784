/** Garbage collection of what extension servers keep, and of what their objects own. The extension server is a second server of ours. */
import assert from "node:assert/strict";
import type { Obj } from "../../schema/model/types.ts";
import type { ListPart } from "../../server/controllers/garbage/extension_objects.ts";
import { type ExtensionHearing, FollowedExtensions } from "../../server/controllers/garbage/extension_follow.ts";
import type { ExtensionResources } from "../../server/controllers/garbage/extension_resources.ts";
import { condition, withExtension } from "../aggregation/_servers.ts";
import { define } from "../customresources/_crd.ts";
import { CARTS, type ExtensionServer, registration } from "../fixture/extension.ts";
import { startTestServer } from "../fixture/server.ts";
import { core, ownedBy, until, World } from "./_world.ts";

const CART = "/apis/shop.example/v1/";
const USER = "system:serviceaccount:kube-system:generic-garbage-collector";
const cart = (name: string) => `${CARTS}/${name}`;
const thing = (name: string) => core("configmaps", "team", name);

const ownedByCart = (owner: Obj, blockOwnerDeletion?: boolean) => ({
  ...ownedBy(owner, blockOwnerDeletion),
  apiVersion: "shop.example/v1",
  kind: "Cart",
});

/** The server behind: whether it answers, and what its watches are answered with instead of what happens. */
interface Behind {
  make(name: string, metadata?: unknown): Promise<Obj>;
  readonly extension: ExtensionServer;
  up: boolean;
  watches: string | undefined;
  /** Lists are answered once this has resolved. */
  listing: Promise<void> | undefined;
}

/** A server that collects, and one behind it that keeps the carts. */
async function worlds(
  run: (w: World, behind: Behind) => Promise<void>,
  { watches, listing }: Partial<Pick<Behind, "watches" | "listing">> = {},
): Promise<void> {
  const behind = await startTestServer();
  const state = { up: true, watches, listing };
  await define(behind, {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: "carts.shop.example" },
    spec: {
      group: "shop.example",
      scope: "Namespaced",
      names: { plural: "carts", singular: "cart", kind: "Cart", listKind: "CartList" },
      versions: [{ name: "v1", served: true, storage: true, schema: { openAPIV3Schema: { type: "object" } } }],
    },
  });
  await behind.fetch("/api/v1/namespaces", { body: { metadata: { name: "team" } } });
  const before = async (request: Request): Promise<Response | undefined> => {
    const { pathname, search } = new URL(request.url);
    if (!pathname.startsWith(CART)) return undefined;
    if (!state.up) return new Response("not now", { status: 503 });
    if (state.watches !== undefined && search.includes("watch=true")) return new Response(state.watches);
    if (search.includes("limit=")) await state.listing;
    const body = await request.text();
    return await behind.open(pathname + search, {
      method: request.method,
      headers: Object.fromEntries(
        ["accept", "content-type"].map((h) => [h, request.headers.get(h) ?? "application/json"]),
      ),
      ...(body ? { body } : {}),
    });
  };
  const flags = ["--controllers=apiservice-availability,garbage-collector"];
  try {
    await withExtension(flags, async (t, extension) => {
      const w = new World(t);
      const make = (name: string, metadata: unknown = {}) =>
        w.create(CARTS, { apiVersion: "shop.example/v1", kind: "Cart", metadata: { name, ...metadata as Obj } });
      assert.equal((await condition(t))?.status, "True");
      await run(w, Object.assign(state, { make, extension }));
    }, { before: before as ExtensionServer["before"] });
  } finally {
    await behind.stop();
  }
}

Deno.test("objects of extension servers go after owners here, and objects here after owners there", () =>
  worlds(async (w, { make, extension }) => {
    const owner = await w.thing("team", "owner"), owning = await make("owning");
    await make("owned", { ownerReferences: [ownedBy(owner)] });
    await make("free");
    await w.thing("team", "bought", { ownerReferences: [ownedByCart(owning)] });
    await w.thing("team", "lost", { ownerReferences: [{ ...ownedByCart(owning), uid: "another" }] });
    await w.gone(thing("lost"));
    assert.ok(await w.get(thing("bought")));
    await w.remove(thing("owner"));
    await w.gone(cart("owned"));
    await w.remove(cart("owning"));
    await w.gone(thing("bought"));
    assert.ok(await w.get(cart("free")));
    assert.equal(
      extension.asked.findLast((a) => a.method === "DELETE" && a.path === cart("owned"))!.headers.get("x-remote-user"),
      USER,
    );
  }));

Deno.test("an extension server's object that is deleted in the foreground waits for what it owns, here and there", () =>
  worlds(async (w, { make }) => {
    const owner = await make("owner");
    await w.thing("team", "held", { ownerReferences: [ownedByCart(owner, true)], finalizers: ["example.com/hold"] });
    await make("there", { ownerReferences: [ownedByCart(owner, true)] });
    await w.remove(cart("owner"), "Foreground");
    await w.gone(cart("there"));
    await until("the other is being deleted", async () => !!(await w.get(thing("held")))?.metadata.deletionTimestamp);
    assert.deepEqual((await w.get(cart("owner")))!.metadata.finalizers, ["foregroundDeletion"]);
    await w.patch(thing("held"), { metadata: { finalizers: null } });
    await w.gone(cart("owner"));
  }));

Deno.test("an extension server's object that is orphaned lets go of what it owned", () =>
  worlds(async (w, { make }) => {
    const owner = await make("owner"), other = await w.thing("team", "other");
    await w.thing("team", "child", { ownerReferences: [ownedByCart(owner)] });
    await make("there", { ownerReferences: [ownedByCart(owner), ownedBy(other)] });
    await w.remove(cart("owner"), "Orphan");
    await w.gone(cart("owner"));
    assert.equal((await w.get(thing("child")))!.metadata.ownerReferences, undefined);
    assert.deepEqual((await w.get(cart("there")))!.metadata.ownerReferences, [ownedBy(other)]);
  }));

Deno.test("an owner is not let go while it is not known what of an extension server it owns", () => {
  const { promise: listing, resolve: list } = Promise.withResolvers<void>();
  return worlds(async (w, { make }) => {
    const owner = await w.thing("team", "owner");
    await make("child", { ownerReferences: [ownedBy(owner)] });
    await w.remove(thing("owner"), "Orphan");
    // The work of the queue begins in order.
    await w.thing("team", "sign", { ownerReferences: [{ ...ownedBy(owner), uid: "another" }] });
    await w.gone(thing("sign"));
    assert.deepEqual((await w.get(thing("owner")))!.metadata.finalizers, ["orphan"]);
    list();
    await w.gone(thing("owner"));
    assert.equal((await w.get(cart("child")))!.metadata.ownerReferences, undefined);
  }, { listing });
});

Deno.test("nothing goes while its owner's extension server does not answer", () =>
  worlds(async (w, behind) => {
    const { make, extension } = behind, owner = await make("owner"), here = await w.thing("team", "here");
    behind.up = false;
    await w.thing("team", "child", { ownerReferences: [ownedByCart(owner)] });
    await w.thing("team", "orphan", { ownerReferences: [ownedByCart(owner), { ...ownedBy(here), uid: "another" }] });
    await until("the owner was asked for", () => extension.asked.filter((a) => a.path === cart("owner")).length > 3);
    assert.ok(await w.get(thing("child")));
    behind.up = true;
    await until(
      "one reference is left",
      async () => (await w.get(thing("orphan")))?.metadata.ownerReferences?.length === 1,
    );
    await w.remove(cart("owner"));
    await w.gone(thing("child"));
    await w.gone(thing("orphan"));
  }));

Deno.test("what extension servers keep is nobody's once they are not registered any more", () =>
  worlds(async (w, { make }) => {
    const owner = await w.thing("team", "owner");
    await make("owned", { ownerReferences: [ownedBy(owner, true)], finalizers: ["example.com/hold"] });
    await w.remove(thing("owner"), "Foreground");
    await until(
      "the dependant is being deleted",
      async () => !!(await w.get(cart("owned")))?.metadata.deletionTimestamp,
    );
    await w.remove("/apis/apiregistration.k8s.io/v1/apiservices/v1.shop.example");
    await w.gone(thing("owner"));
  }));

const GONE = JSON.stringify({ type: "ERROR", object: { kind: "Status", code: 410, reason: "Expired" } });

for (
  const [what, watches] of [
    ["an extension server's watch that ended is begun again where it was", ""],
    ["an extension server's objects are listed again when their versions are forgotten", GONE],
    ["an extension server's objects are listed again when a watch fails", "no events"],
  ] as const
) {
  Deno.test(what, () =>
    worlds(async (w, behind) => {
      const owner = await behind.make("owner");
      await w.thing("team", "child", { ownerReferences: [ownedByCart(owner)] });
      const asked = () => behind.extension.asked.filter((a) => a.path.includes("watch=true")).length;
      await until("it was watched", () => asked() > 0);
      await w.remove(cart("owner"));
      behind.watches = undefined;
      await w.gone(thing("child"));
      await until("it is watched again", () => asked() > 1);
    }, { watches }));
}

Deno.test("what is registered again is listed anew", () =>
  worlds(async (w, { make, extension }) => {
    const api = "/apis/apiregistration.k8s.io/v1/apiservices";
    const asked = (what: string) => extension.asked.filter((a) => a.path.startsWith(`${CART}carts?${what}`)).length;
    const owner = await w.thing("team", "owner");
    await make("owned", { ownerReferences: [ownedBy(owner, true)], finalizers: ["example.com/hold"] });
    await until("it is watched", () => asked("watch=true") > 0);
    const lists = asked("limit=");
    await w.remove(`${api}/v1.shop.example`);
    await w.create(api, registration(extension.port));
    await until("it is watched again", () => asked("limit=") > lists && asked("watch=true") > 1);
    await w.remove(thing("owner"), "Foreground");
    await until("it is being deleted", async () => !!(await w.get(cart("owned")))?.metadata.deletionTimestamp);
    assert.deepEqual((await w.get(thing("owner")))!.metadata.finalizers, ["foregroundDeletion"]);
    await w.patch(cart("owned"), { metadata: { finalizers: null } });
    await w.gone(thing("owner"));
  }));

Deno.test("nothing more is heard of a resource that goes in the midst of its list, nor is it asked for", async () => {
  const heard: string[] = [], asked: string[] = [], part = Promise.withResolvers<ListPart>();
  const carts = {
    resourceId: "carts",
    followable: true,
    list: (from: string) => (asked.push(from), part.promise),
  };
  let there: readonly unknown[] = [carts];
  const resources = { byId: () => there[0], all: () => there } as unknown as ExtensionResources;
  const hearing: ExtensionHearing = {
    changed: () => heard.push("changed"),
    relisted: () => heard.push("relisted"),
    left: () => heard.push("left"),
  };
  const end = new AbortController();
  const followed = new FollowedExtensions({ random: () => 0, verbose: () => undefined }, resources, hearing);
  followed.start(end.signal);
  await until("it is asked for", () => asked.length > 0);
  there = [];
  followed.refresh();
  part.resolve({ items: [{ uid: "u", name: "n" }], resourceVersion: "1", continue: "" });
  await new Promise((done) => setTimeout(done));
  assert.deepEqual([asked, heard], [[""], ["left"]]);
  end.abort();
});
