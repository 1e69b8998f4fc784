/** Log lines: formats, streams, buffers, verbosity, and the options that say so. */
import assert from "node:assert/strict";
import { logger } from "../../schema/log/log.ts";
import { splitStreams } from "../../schema/log/streams.ts";
import { Verbosity } from "../../schema/log/verbosity.ts";
import { logOf, moduleLevels } from "../../schema/log/settings.ts";
import { parseOptions } from "../../server/options/mod.ts";
import { TO_HOOKS } from "../fixture/hooks.ts";
import { startTestServer } from "../fixture/server.ts";

const errorsOf = (...flags: string[]): readonly string[] => {
  const parsed = parseOptions(flags);
  return parsed.kind === "errors" ? parsed.errors : [];
};

const optionsOf = (...flags: string[]) => {
  const parsed = parseOptions(flags);
  assert.equal(parsed.kind, "run", JSON.stringify(parsed));
  if (parsed.kind !== "run") throw new Error();
  return parsed.options;
};

/** A log whose streams are lists, and whose clock is turned by hand. */
function logged(...flags: string[]) {
  const out: string[] = [], err: string[] = [];
  const ticks: { ms: number; call: () => void }[] = [];
  const made = logOf(optionsOf(...flags), () => 7, {
    out: (l) => out.push(l),
    err: (l) => err.push(l),
    every: (ms, call) => ticks.push({ ms, call }),
  });
  return { ...made, out, err, ticks };
}

const ALPHA = "--feature-gates=LoggingAlphaOptions=true";

Deno.test("one stream takes every line at once", () => {
  const { log, out, err, ticks } = logged();
  log("info", "a");
  log("error", "b", "why");
  assert.deepEqual([out, err, ticks], [[], ["info: a", "error: b: why"], []]);
});

Deno.test("JSON: facts are members of their own, what went wrong is err", () => {
  const { log, err } = logged("--logging-format=json", "--v=3");
  log.verbose("m", 3)?.("HTTP", { URI: "/api", resp: 200 });
  log("warn", "failed", "why");
  assert.deepEqual(err.map((line) => JSON.parse(line)), [
    { ts: 7, level: "info", logger: "m", v: 3, msg: "HTTP", URI: "/api", resp: 200 },
    { ts: 7, level: "warn", msg: "failed", err: "why" },
  ]);
});

Deno.test("faults of the program are shown with their place, those of others by what they say", () => {
  class StoreError extends Error {
    override readonly name = "StoreError";
  }
  const { log, err } = logged();
  log("error", "a", new StoreError("is gone", { cause: Object.assign(new Error("no way"), { code: "ECONNREFUSED" }) }));
  log("error", "b", new TypeError("is undefined"));
  log("error", "c", new StoreError("is gone", { cause: new StoreError("NotFound: is gone") }));
  assert.equal(err[0], "error: a: StoreError: is gone; caused by Error: no way");
  assert.match(err[1]!, /^error: b: TypeError: is undefined\n +at .*logs_test\.ts/);
  assert.equal(err[2], "error: c: StoreError: is gone", "once");
});

Deno.test("split streams: errors and warnings of text go to standard error, of JSON errors alone", () => {
  const text = logged(ALPHA, "--log-text-split-stream");
  const json = logged(ALPHA, "--logging-format=json", "--log-json-split-stream");
  for (const { log } of [text, json]) for (const level of ["info", "warn", "error"] as const) log(level, level);
  assert.deepEqual([text.out, text.err], [["info: info"], ["warn: warn", "error: error"]]);
  const levels = (lines: string[]) => lines.map((l) => JSON.parse(l).level);
  assert.deepEqual([levels(json.out), levels(json.err)], [["info", "warn"], ["error"]]);
});

Deno.test("the other format's streams are not split", () => {
  const { log, out, err } = logged(ALPHA, "--log-json-split-stream");
  log("info", "a");
  assert.deepEqual([out, err], [[], ["info: a"]]);
});

const BUFFERED: readonly [format: string, flags: string[]][] = [
  ["text", ["--log-text-split-stream", "--log-text-info-buffer-size=1Ki"]],
  ["json", ["--logging-format=json", "--log-json-split-stream", "--log-json-info-buffer-size=1Ki"]],
];
for (const [format, flags] of BUFFERED) {
  Deno.test(`lines of ${format} wait in the buffer until the clock, an error or the end`, () => {
    const { log, streams, out, err, ticks } = logged(ALPHA, "--log-flush-frequency=2s", ...flags);
    log("info", "a");
    log("info", "b");
    assert.deepEqual(out, []);
    assert.deepEqual(ticks.map((t) => t.ms), [2000]);
    ticks[0]!.call();
    assert.equal(out.join().split("\n").length, 2);
    log("info", "c");
    log("error", "d");
    assert.deepEqual([out.length, err.length], [2, 1]);
    log("info", "e");
    streams.flush();
    assert.equal(out.length, 3);
    streams.flush();
    assert.equal(out.length, 3);
  });
}

Deno.test("a buffer holds no more than its size, and tears no line", () => {
  const out: string[] = [];
  const streams = splitStreams((l) => out.push(l), () => {}, 10);
  for (const line of ["1234", "5678", "9", "é".repeat(20), "z"]) streams.info(line);
  assert.deepEqual(out, ["1234\n5678", "9", "é".repeat(20)]);
  streams.flush();
  assert.equal(out.at(-1), "z");
});

Deno.test("options of streams need their gate; a size of zero is none", () => {
  for (const option of ["log-text-split-stream", "log-json-split-stream=true"]) {
    assert.match(errorsOf(`--${option}`).join(), /LoggingAlphaOptions/, option);
    assert.deepEqual(errorsOf(`--${option}`, ALPHA), []);
  }
  for (const option of ["log-text-info-buffer-size", "log-json-info-buffer-size"]) {
    assert.match(errorsOf(`--${option}=512`).join(), /LoggingAlphaOptions/, option);
    assert.deepEqual(errorsOf(`--${option}=0`), []);
    assert.deepEqual(errorsOf(`--${option}=64Ki`, ALPHA), []);
    assert.notDeepEqual(errorsOf(`--${option}=many`, ALPHA), []);
  }
  assert.match(errorsOf("--logging-format=json", "--feature-gates=LoggingBetaOptions=false").join(), /LoggingBeta/);
  for (const frequency of ["0s", "-1s"]) assert.notDeepEqual(errorsOf(`--log-flush-frequency=${frequency}`), []);
});

Deno.test("--vmodule: what it may say", () => {
  assert.deepEqual(moduleLevels(["a=1", "", "b*=0"]), [{ pattern: "a", level: 1 }, { pattern: "b*", level: 0 }]);
  for (const item of ["a", "=1", "a=", "a=-1", "a=x", "a=1=2", "a=2147483648"]) {
    assert.notDeepEqual(errorsOf(`--vmodule=${item}`), [], item);
  }
  assert.deepEqual(errorsOf("--vmodule=httplog=3,name*=4,"), []);
  assert.match(errorsOf("--vmodule=a=1", "--logging-format=json").join(), /--vmodule/);
});

const WANTED: readonly [v: number, modules: string, module: string, highest: number][] = [
  [0, "", "cache", 0],
  [2, "", "cache", 2],
  [0, "cache=4", "cache", 4],
  [0, "cache=4", "caches", 0],
  [3, "cache=1", "cache", 3],
  [0, "c*=1,cache=4", "cache", 1],
  [0, "c?che=2", "cache", 2],
  [0, "[a-d]ache=2", "cache", 2],
  [0, "[^c]ache=2", "cache", 0],
  [0, "\\cache=2", "cache", 2],
  [0, "[=2,c*=1", "cache", 1],
  [0, "[d-a]ache=2", "cache", 0],
];
for (const [v, modules, module, highest] of WANTED) {
  Deno.test(`--v=${v} --vmodule=${modules}: ${module} speaks up to ${highest}`, () => {
    const verbosity = new Verbosity(v, moduleLevels(modules.split(",")));
    const wanted = [0, 1, 2, 3, 4, 5].filter((level) => verbosity.wants(module, level));
    assert.equal(Math.max(...wanted), highest);
  });
}

Deno.test("who is not asked for has nothing to call", () => {
  const lines: string[] = [];
  const streams = splitStreams((l) => lines.push(l), () => {}, 0);
  const text = logger("text", () => 7, streams, new Verbosity(0, [{ pattern: "a", level: 2 }]));
  assert.equal(text.verbose("a", 3), undefined);
  assert.equal(text.verbose("b", 1), undefined);
  text.verbose("a", 2)!("hears", { x: 1 });
  logger("json", () => 7, streams, new Verbosity(4)).verbose("b", 4)!("speaks");
  assert.equal(lines[0], 'info: a: hears: {"x":1}');
  assert.deepEqual(JSON.parse(lines[1]!), { ts: 7, level: "info", logger: "b", v: 4, msg: "speaks" });
});

Deno.test("requests are logged for those who ask for httplog at 3", async () => {
  for (const [flags, want] of [[["--vmodule=httplog=3"], true], [["--v=3"], true], [["--v=2"], false]] as const) {
    const { log, err } = logged(...flags);
    const t = await startTestServer([...flags], { log, verbose: log.verbose });
    await t.fetch("/api/v1/namespaces/none?pretty=0", { headers: { "user-agent": "tests/1" } });
    await t.stop();
    const line = err.find((l) => l.startsWith("info: httplog: HTTP: "));
    assert.equal(line !== undefined, want, flags.join());
    if (!line) continue;
    const facts = JSON.parse(line.slice(line.indexOf("{")));
    assert.equal(typeof facts["audit-ID"], "string");
    const { verb, URI, userAgent, resp } = facts;
    assert.deepEqual({ verb, URI, userAgent, resp }, {
      verb: "GET",
      URI: "/api/v1/namespaces/none?pretty=0",
      userAgent: "tests/1",
      resp: 404,
    });
  }
});

Deno.test("who asks for authentication at 2 is told why a request was answered with 401, never the token", async () => {
  const { log, err } = logged("--vmodule=authentication=2");
  const files = { serviceAccountKeys: [], tokenFile: "known,ann,1" };
  const outside = { ...TO_HOOKS, post: () => () => Promise.reject(new Error("the webhook is away")) };
  const flags = ["--authentication-token-webhook-config-file=w", "--anonymous-auth=false"];
  const t = await startTestServer(flags, { files, outside, log, verbose: log.verbose });
  const code = async (...auth: string[]) => {
    const headers = Object.fromEntries(auth.map((token) => ["authorization", `Bearer ${token}`]));
    return (await t.fetch("/api", { headers })).status;
  };
  try {
    assert.deepEqual([await code("known"), await code("made-up"), await code()], [200, 401, 401]);
    assert.deepEqual(err.filter((l) => l.includes("authentication")), [
      "info: authentication: a request was answered with 401: the webhook is away",
      "info: authentication: a request was answered with 401: nothing in it says who asks",
    ]);
  } finally {
    await t.stop();
  }
});

Deno.test("verbosity is set at work, by PUT /debug/flags/v", async () => {
  const { log, err } = logged("--v=0");
  const t = await startTestServer([], { log, verbose: log.verbose, verbosity: log.verbosity });
  try {
    const put = async (body: string) => {
      const answer = await t.fetch("/debug/flags/v", { method: "PUT", body });
      return [answer.status, answer.text];
    };
    const said = async () => {
      const before = err.length;
      await t.fetch("/api/v1/namespaces/none");
      return err.slice(before).some((l) => l.startsWith("info: httplog: HTTP: "));
    };
    assert.equal(await said(), false);
    assert.deepEqual(await put("3"), [200, "successfully set klog.logging.verbosity to 3\n"]);
    assert.equal(await said(), true);
    for (const bad of ["", "-1", "x", "2147483648", "1 "]) assert.equal((await put(bad))[0], 400, bad);
    assert.equal((await put("1".repeat(2000)))[0], 413);
    assert.equal(await said(), true);
    assert.equal((await put("0"))[0], 200);
    assert.equal(await said(), false);
    assert.equal((await t.fetch("/debug/flags/v")).status, 406);
    for (const path of ["/debug/flags", "/debug/flags/"]) assert.match((await t.fetch(path)).text, /v: PUT/);
  } finally {
    await t.stop();
  }
  const off = await startTestServer(["--profiling=false"], { log, verbose: log.verbose, verbosity: log.verbosity });
  assert.equal((await off.fetch("/debug/flags/v", { method: "PUT", body: "3" })).status, 404);
  await off.stop();
});
