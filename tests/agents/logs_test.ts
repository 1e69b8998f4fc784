import assert from "node:assert/strict";
import { POD, pod, withCluster } from "./_cluster.ts";
import { soon, until } from "../listen/_fixture.ts";

Deno.test("A log is asked of the pod's agent, with all that the client asks for", async () => {
  await withCluster({}, async ({ t, agent }) => {
    agent.handle = (_, response) => void response.writeHead(200, { "content-type": "text/html" }).end("one\ntwo\n");
    const rows: [query: string, asked: string][] = [
      ["", ""],
      ["?container=main&pretty=true", ""],
      ["?follow=true&previous=1&timestamps=false", "?follow=true&previous=true"],
      ["?tailLines=0&limitBytes=7", "?limitBytes=7&tailLines=0"],
      ["?sinceSeconds=60&timestamps", "?sinceSeconds=60&timestamps=true"],
      ["?sinceTime=2024-01-01T01:00:00%2B01:00", "?sinceTime=2024-01-01T00%3A00%3A00Z"],
    ];
    for (const [query, asked] of rows) {
      const { status, text, headers } = await t.fetch(`${POD}/log${query}`);
      assert.deepEqual([status, text, headers.get("content-type")], [200, "one\ntwo\n", "text/plain"], query);
      const { method, url, client } = agent.asked.at(-1)!;
      assert.deepEqual([method, url, client], ["GET", `/containerLogs/default/web/main${asked}`, "the-server"]);
    }
  });
});

Deno.test("A log's stream is chosen where the gate is on", async () => {
  await withCluster({ flags: ["--feature-gates=PodLogsQuerySplitStreams=true"] }, async ({ t, agent }) => {
    agent.handle = (_, response) => void response.end();
    for (const [query, asked] of [["", "All"], ["?stream=Stderr", "Stderr"]]) {
      assert.equal((await t.fetch(`${POD}/log${query}`)).status, 200);
      assert.equal(agent.asked.at(-1)!.url, `/containerLogs/default/web/main?stream=${asked}`);
    }
    assert.equal((await t.fetch(`${POD}/log?stream=Stdout&tailLines=1`)).status, 422);
  });
});

Deno.test("A log that is followed comes as it is written, and ends with its client", async () => {
  await withCluster({}, async ({ front, client, agent }) => {
    let gone = false;
    let write = (_: string) => {};
    agent.handle = (request, response) => {
      response.write("one\n");
      write = (text) => void response.write(text);
      request.socket.once("close", () => gone = true);
    };
    const leave = new AbortController();
    const { body } = await fetch(`${front.url}${POD}/log?follow=true`, { client, signal: leave.signal });
    const reader = body!.pipeThrough(new TextDecoderStream()).getReader();
    assert.equal((await soon(reader.read(), "the first line")).value, "one\n");
    write("two\n");
    assert.equal((await soon(reader.read(), "the second line")).value, "two\n");
    leave.abort();
    await until("the agent is told", () => gone);
  });
});

Deno.test("The end of the server's lasting requests ends a log that is followed", async () => {
  await withCluster({}, async ({ t, agent }) => {
    let gone = false;
    agent.handle = (request, response) => {
      response.write("one\n");
      request.socket.once("close", () => gone = true);
    };
    const { body } = await t.open(`${POD}/log?follow=true`);
    const reader = body!.pipeThrough(new TextDecoderStream()).getReader();
    assert.equal((await soon(reader.read(), "the first line")).value, "one\n");
    t.server.endLasting();
    assert.equal((await soon(reader.read(), "the end")).done, true);
    await until("the agent is told", () => gone);
  });
});

Deno.test("An agent that is not at ease is told of with its own words", async () => {
  const rows: [said: number, code: number, reason: string | undefined, kind: string | undefined][] = [
    [400, 400, "BadRequest", undefined],
    [401, 401, "Unauthorized", "pods/log"],
    [403, 403, "Forbidden", "pods/log"],
    [404, 404, "NotFound", "pods/log"],
    [418, 418, undefined, "pods/log"],
    [500, 500, "InternalError", undefined],
    [502, 502, "InternalError", "pods/log"],
    [302, 500, undefined, undefined],
    [999, 500, undefined, undefined],
  ];
  await withCluster({}, async ({ t, agent }) => {
    for (const [said, code, reason, kind] of rows) {
      agent.handle = (_, response) => void response.writeHead(said, { location: "/elsewhere" }).end("what went wrong");
      const { status, body } = await t.fetch(`${POD}/log`);
      assert.deepEqual([status, body.code, body.reason, body.details?.kind], [code, code, reason, kind], `${said}`);
      if (said >= 400 && said < 600) assert.match(body.message, /what went wrong/);
    }
  });
});

Deno.test("An agent is verified where its authority is known, but for logs that say that they do not mind", async () => {
  const strangers = { ca: (await import("../listen/_fixture.ts")).ca.cert };
  await withCluster({ agents: strangers }, async ({ t, agent }) => {
    agent.handle = (_, response) => void response.end("text");
    const refused = await t.fetch(`${POD}/log`);
    assert.deepEqual([refused.status, refused.body.reason], [500, undefined]);
    assert.equal((await t.fetch(`${POD}/log?insecureSkipTLSVerifyBackend=true`)).text, "text");
    assert.equal((await t.fetch(`${POD}/log`)).status, 500);
    assert.equal(agent.asked.length, 1);
  });
  await withCluster({ agents: {} }, async ({ t, agent }) => {
    agent.handle = (_, response) => void response.end("text");
    assert.equal((await t.fetch(`${POD}/log`)).text, "text");
    assert.equal(agent.asked[0]!.client, "");
  });
});

Deno.test("A log of several containers needs a name, whatever annotations say", async () => {
  await withCluster({}, async ({ t, agent }) => {
    agent.handle = (_, response) => void response.end("text");
    await pod(t, "two", { nodeName: "node-a", containers: ["a", "b"] });
    const path = "/api/v1/namespaces/default/pods/two/log";
    const { status, body } = await t.fetch(path);
    assert.deepEqual([status, body.reason], [400, "BadRequest"]);
    assert.match(body.message, /\[a b\]/);
    assert.equal((await t.fetch(`${path}?container=c`)).status, 400);
    assert.equal((await t.fetch(`${path}?container=b`)).status, 200);
  });
});

Deno.test("Of a log from a time and for seconds at once only that is said", async () => {
  await withCluster({}, async ({ t }) => {
    const { status, body } = await t.fetch(`${POD}/log?sinceSeconds=0&sinceTime=2024-01-01T00:00:00Z&limitBytes=0`);
    assert.equal(status, 422);
    const causes = body.details.causes.map((c: { field: string; reason: string }) => [c.field, c.reason]);
    assert.deepEqual(causes, [["[]", "FieldValueForbidden"], ["limitBytes", "FieldValueInvalid"]]);
  });
});
