/** What this server itself asks of extension servers, and how long and how much it takes for an answer. */
import assert from "node:assert/strict";
import { ExtensionOpenApi } from "../../server/aggregation/openapi.ts";
import { Reach, type Told } from "../../server/aggregation/reach.ts";
import { type Registration, Registrations } from "../../server/aggregation/registrations.ts";
import type { Entry } from "../../server/cache/mod.ts";
import type { ProxyTransport } from "../../server/proxy/types.ts";
import { productOf } from "../../schema/product.ts";
import { registration } from "../fixture/extension.ts";
import { soon, until } from "../listen/_fixture.ts";

const SERVICE = { namespace: "team", name: "carts", port: 443 };
const CARTS = { group: "shop.example", version: "v1", service: SERVICE, ca: "" } as Registration;

const reachBy = (send: ProxyTransport["send"]): Reach =>
  new Reach({
    product: productOf("kubernetes"),
    transport: { send, upgrade: send, close: () => {} },
    place: () => ({ host: "192.0.2.1", port: 443 }),
    identity: undefined,
    uid: true,
  });

Deno.test("an answer that is too large is not read to its end", async () => {
  const { promise: left, resolve } = Promise.withResolvers<void>();
  const body = new ReadableStream<Uint8Array>({
    pull: (controller) => controller.enqueue(new Uint8Array(1 << 20)),
    cancel: () => resolve(),
  });
  const reach = reachBy(() => Promise.resolve({ status: 200, headers: [], body }));
  await assert.rejects(reach.ask(CARTS, "/apis", [], 60_000), /larger than 16777216 bytes/);
  await soon(left, "the end behind");
});

Deno.test("a server that does not answer is waited for no longer than it may take", async () => {
  const reach = reachBy((_target, _request, signal) =>
    new Promise((_, fail) => signal.addEventListener("abort", () => fail(signal.reason)))
  );
  await assert.rejects(soon(reach.ask(CARTS, "/apis", [], 20), "the end"), /no answer within 0.02 s/);
});

const INDEX = JSON.stringify({ paths: { "apis/shop.example/v1": { serverRelativeURL: "/openapi/v3/x" } } });
const NAME = "v1.shop.example";

/** The documents of a server that answers as it is told to, and what tells of its registration. */
function documents(answer: (path: string) => Promise<Told> | Told) {
  const registrations = new Registrations("kept"), failed: string[] = [], stop = new AbortController();
  const reach = { ask: async (_: Registration, path: string) => await answer(path) } as unknown as Reach;
  const openApi = new ExtensionOpenApi({
    registrations,
    reach,
    pass: () => Promise.reject(new Error("nobody passes")),
    random: () => 0,
    log: (name) => failed.push(name),
  });
  openApi.start(stop.signal);
  const tell = (deleted = false) =>
    registrations.tell({ name: NAME, readable: () => registration(443) } as unknown as Entry, deleted);
  return { openApi, tell, failed, stop: () => stop.abort() };
}

const told = (status: number, text = ""): Told => ({ status, headers: new Map(), text });

Deno.test("what a server says of its documents after its registration has gone is let be", async () => {
  const asked = Promise.withResolvers<void>(), answered = Promise.withResolvers<Told>();
  const { openApi, tell, stop } = documents((path) => {
    if (path !== "/openapi/v3") return told(404);
    asked.resolve();
    return answered.promise;
  });
  tell();
  await asked.promise;
  tell(true);
  answered.resolve(told(200, INDEX));
  await new Promise((done) => setTimeout(done));
  assert.deepEqual(openApi.paths(), {});
  stop();
});

Deno.test("a server that does not say what documents it has keeps those that it had", async () => {
  let away = false;
  const document = { paths: { "/apis/shop.example/v1/carts": {} } };
  const { openApi, tell, failed, stop } = documents((path) =>
    away ? told(500) : told(200, path === "/openapi/v3" ? INDEX : JSON.stringify(document))
  );
  tell();
  await until("they are there", () => openApi.version2().length === 1);
  away = true;
  tell();
  await until("it does not say", () => failed.length > 0);
  assert.deepEqual(Object.keys(openApi.paths()), ["apis/shop.example/v1"]);
  assert.deepEqual(openApi.version2(), [{ prefix: "/apis/shop.example/v1/", document }]);
  stop();
});
