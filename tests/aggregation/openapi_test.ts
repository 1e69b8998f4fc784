import assert from "node:assert/strict";
import type { Loose } from "../fixture/loose.ts";
import type { TestServer } from "../fixture/server.ts";
import { until } from "../listen/_fixture.ts";
import { withExtension } from "./_servers.ts";

const PATH = "apis/shop.example/v1", CARTS = `/${PATH}/carts`;
const OLD_PROTOBUF = "application/com.github.proto-openapi.spec.v2.v1.0+protobuf";

const index = async (t: TestServer): Promise<Loose> => JSON.parse((await t.fetch("/openapi/v3")).text).paths;
const version2 = async (t: TestServer): Promise<Loose> =>
  (await t.fetch("/openapi/v2", { headers: { accept: "application/json" } })).body.paths;

Deno.test("of an extension server's OpenAPI documents either is taken without the other", async () => {
  for (const [absent, path, there] of [["/openapi/v2", PATH, index], ["/openapi/v3", CARTS, version2]] as const) {
    const before = ({ url }: Request) =>
      new URL(url).pathname === absent ? new Response("broken", { status: 500 }) : undefined;
    await withExtension([], async (t) => {
      await until(`${path} is there`, async () => path in await there(t));
      const [other, others] = there === index ? [CARTS, version2] as const : [PATH, index] as const;
      assert.ok(!(other in await others(t)));
    }, { before });
  }
});

/** Answers that are no such documents, by their paths. */
const BROKEN: readonly (readonly [path: string, document: unknown])[] = [
  ["/openapi/v3", { paths: { [PATH]: 5 } }],
  ["/openapi/v3", { paths: { [PATH]: { serverRelativeURL: {} } } }],
  ["/openapi/v3", { paths: "text" }],
  ["/openapi/v3", null],
  ["/openapi/v2", null],
  ["/openapi/v2", { paths: { [CARTS]: { get: "x" } } }],
  ["/openapi/v2", { paths: { [CARTS]: { get: { parameters: {} } } } }],
  ["/openapi/v2", { paths: { [CARTS]: { get: { operationId: 5 } } } }],
  ["/openapi/v2", { paths: { [CARTS]: {} }, definitions: { a: { type: 5 } } }],
  ["/openapi/v2", { paths: { [CARTS]: {} }, definitions: { a: { required: true } } }],
  ["/openapi/v2", { paths: { [CARTS]: {} }, definitions: { a: 5 } }],
];

Deno.test("OpenAPI documents of an extension server that are none are left out, and all others are there", async () => {
  for (const [broken, document] of BROKEN) {
    const before = ({ url }: Request) => new URL(url).pathname === broken ? Response.json(document) : undefined;
    const [path, paths, others] = broken === "/openapi/v3"
      ? [PATH, index, version2] as const
      : [CARTS, version2, index] as const;
    await withExtension([], async (t) => {
      const isItsOwn = (p: string) => p.includes("shop.example");
      await until("the other is there", async () => Object.keys(await others(t)).some(isItsOwn));
      const said = JSON.stringify(document);
      assert.ok(!(path in await paths(t)), said);
      assert.equal((await t.fetch("/openapi/v2", { headers: { accept: OLD_PROTOBUF } })).status, 200, said);
    }, { before });
  }
});

Deno.test("a document of version 2 that is another is merged anew", async () => {
  await withExtension([], async (t, extension) => {
    await until("the first is there", async () => CARTS in await version2(t));
    const moved = `/${PATH}/moved`, document = { paths: { [moved]: {} } };
    extension.before = ({ url }) => new URL(url).pathname === "/openapi/v2" ? Response.json(document) : undefined;
    await t.fetch("/apis/apiregistration.k8s.io/v1/apiservices/v1.shop.example", {
      method: "PATCH",
      headers: { "content-type": "application/merge-patch+json" },
      body: { metadata: { labels: { read: "anew" } } },
    });
    await until("the other is there", async () => moved in await version2(t));
    assert.ok(!(CARTS in await version2(t)));
  });
});
