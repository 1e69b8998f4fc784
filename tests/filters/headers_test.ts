/** CORS and HSTS headers (specification, "API server serving options"). */
import assert from "node:assert/strict";
import { served } from "./_server.ts";

Deno.test("without options no such header is sent", () =>
  served([], async (s) => {
    const { headers } = await s.fetch("/version", { headers: { origin: "https://a.example" } });
    assert.equal(headers.get("access-control-allow-origin"), null);
    assert.equal(headers.get("strict-transport-security"), null);
  }));

Deno.test("HSTS directives are on every answer, errors too", () =>
  served(["--strict-transport-security-directives=max-age=31536000,includeSubDomains"], async (s) => {
    for (const path of ["/version", "/api/v1/namespaces/none", "/nothing"]) {
      const { headers } = await s.fetch(path);
      assert.equal(headers.get("strict-transport-security"), "max-age=31536000; includeSubDomains", path);
    }
  }));

Deno.test("no answer is to be kept, but documents that say for how long", () =>
  served([], async (s) => {
    for (const path of ["/", "/version", "/metrics", "/readyz/none", "/nothing", "/statusz", "/api/v1/namespaces"]) {
      assert.equal((await s.fetch(path)).headers.get("cache-control"), "no-cache, private", path);
    }
    const accept = "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList";
    const discovery = await s.fetch("/apis", { headers: { accept } });
    assert.equal(discovery.headers.get("cache-control"), "public");
  }));

const CORS = ["--cors-allowed-origins=^https://[a-z]+[.]example$"];

Deno.test("an origin that matches is named, with an error too", () =>
  served(CORS, async (s) => {
    for (const path of ["/version", "/api/v1/namespaces/none"]) {
      const { headers } = await s.fetch(path, { headers: { origin: "https://a.example" } });
      assert.equal(headers.get("access-control-allow-origin"), "https://a.example");
      assert.equal(headers.get("access-control-allow-credentials"), "true");
    }
  }));

Deno.test("so is one that matches any of several patterns", () =>
  served(["--cors-allowed-origins=^https://a$,^https://b$"], async (s) => {
    for (const origin of ["https://a", "https://b"]) {
      const { headers } = await s.fetch("/version", { headers: { origin } });
      assert.equal(headers.get("access-control-allow-origin"), origin);
    }
  }));

Deno.test("another origin is not", () =>
  served(CORS, async (s) => {
    const { headers, status } = await s.fetch("/version", { headers: { origin: "https://a.example.evil" } });
    assert.equal(status, 200);
    assert.equal(headers.get("access-control-allow-origin"), null);
  }));

Deno.test("nor is none, whatever the pattern", () =>
  served(["--cors-allowed-origins=^.*$"], async (s) => {
    const { headers, status } = await s.fetch("/version");
    assert.deepEqual([status, headers.get("access-control-allow-origin")], [200, null]);
  }));

Deno.test("what an answer varies by is told whole: the origin, beside what it varies by itself", () =>
  served(CORS, async (s) => {
    const maps = "/api/v1/namespaces/default/configmaps", data = { x: "x".repeat(200_000) };
    assert.equal((await s.fetch(maps, { body: { metadata: { name: "large" }, data } })).status, 201);
    for (const path of ["/version", "/api/v1/namespaces/none", "/openapi/v3", "/apis", `${maps}/large`]) {
      const [own, both] = await Promise.all(
        [{}, { origin: "https://a.example" }].map(async (more) => {
          const { headers } = await s.open(path, { headers: { "accept-encoding": "gzip", ...more } });
          return (headers.get("vary") ?? "").split(", ").filter((name) => name !== "");
        }),
      );
      if (path.endsWith("/large")) assert.deepEqual(own, ["Accept-Encoding"]);
      assert.deepEqual(both!.toSorted(), [...own!, "Origin"].sort(), path);
    }
  }));

Deno.test("an audit ID is the client's, or one of the server's where that is none or too long", () =>
  served([], async (s) => {
    const idOf = async (given: string) =>
      (await s.fetch("/version", { headers: { "audit-id": given } })).headers.get("audit-id")!;
    for (const given of ["mine", "a".repeat(256)]) assert.equal(await idOf(given), given);
    for (const given of ["", "a".repeat(257)]) assert.match(await idOf(given), /^[0-9a-f-]{36}$/);
  }));

Deno.test("a preflight is answered before anybody is known", () =>
  served(CORS, async (s) => {
    const { status, headers } = await s.fetch("/api/v1/pods", {
      method: "OPTIONS",
      headers: { origin: "https://a.example" },
    });
    assert.equal(status, 204);
    assert.match(headers.get("access-control-allow-methods")!, /PATCH/);
  }));

Deno.test("a pattern that is none is refused at start", async () => {
  await assert.rejects(served(["--cors-allowed-origins=("], async () => {}), /cors-allowed-origins/);
});
