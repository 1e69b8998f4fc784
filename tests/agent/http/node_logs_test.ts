/** `/logs/?query=…`: what is refused, files, services of files and of the journal, and the way through the API server. */
import assert from "node:assert/strict";
import { gunzipSync } from "node:zlib";
import type { Out } from "../../../agent/http/answer.ts";
import { logFile } from "../../../agent/http/log_files.ts";
import { journalArguments } from "../../../agent/http/node_logs/journal.ts";
import { readNodeLogQuery } from "../../../agent/http/node_logs/query.ts";
import { HERE, node, withCluster } from "../../agents/_cluster.ts";
import { AGENT_PAIR } from "../../fixture/agent.ts";
import { get, withServers } from "./_parts.ts";

/** In the place of `journalctl`: it knows one unit, and says what it is asked. */
const STAND_IN = `#!/bin/sh
if [ "$1" = --field ]; then echo cron.service; exit; fi
for a in "$@"; do printf '<%s>' "$a"; done
echo fault >&2
echo ' and more'
exit 1
`;

interface Place {
  readonly port: number;
  readonly dir: string;
  ask(query: string): Promise<string>;
}

async function withLogs(run: (place: Place) => Promise<void>, pair?: typeof AGENT_PAIR): Promise<void> {
  const dir = await Deno.makeTempDir();
  const root = `${dir}/log`, journalctl = `${dir}/journalctl`;
  await Deno.writeTextFile(journalctl, STAND_IN, { mode: 0o755 });
  await Deno.mkdir(`${root}/web`, { recursive: true });
  await Deno.writeTextFile(`${root}/plain`, "of plain\n");
  await Deno.writeTextFile(`${root}/one.log`, "of one\n");
  await Deno.writeTextFile(`${root}/web/web.log`, "of web\n");
  await Deno.symlink(journalctl, `${root}/away.log`);
  const own = { logPlaces: { root, journalctl }, ...(pair ? { pair: () => pair } : {}) };
  try {
    await withServers(own, { enableSystemLogQuery: true }, ({ port }) =>
      run({
        port,
        dir,
        ask: async (query) => {
          const { status, text } = await get(port, `/logs/${query}`);
          return `${status} ${text}`;
        },
      }));
  } finally {
    await Deno.remove(dir, { recursive: true });
  }
}

Deno.test("node logs: queries that cannot be answered are refused in the public words", async () => {
  const long = "a".repeat(257), five = "?query=a&query=b&query=c&query=d&query=e";
  const rows: readonly (readonly [string, string])[] = [
    ["?query=+", `400 query: Invalid value: [" "]: may not be empty\n`],
    ["?query=a&sinceTime=2019-12-04", `400 sinceTime: Invalid value: "2019-12-04": invalid time format\n`],
    ["?query=a&boot=x", `400 boot: Invalid value: "x": strconv.Atoi: parsing "x": invalid syntax\n`],
    [
      "?query=a&tailLines=9999999999999999999",
      `400 tailLines: Invalid value: "9999999999999999999": strconv.Atoi: parsing "9999999999999999999": value out of range\n`,
    ],
    ["one.log?query=a", "406 path not allowed in query mode\n"],
    ["?boot=0", "406 query: Required value: cannot be empty with options\n"],
    [`?query=${long}`, `406 query: Invalid value: "${long}": length must be less than 256\n`],
    ["?query=$(id)", `406 query: Invalid value: "$(id)": input contains unsupported characters\n`],
    [five, "406 query: Too many: 5: must have at most 4 items\n"],
    ["?query=/a&query=b", `406 query: Invalid value: "[/a], [b]": cannot specify a file and service\n`],
    ["?query=/a&query=/b", `406 query: Invalid value: ["/a","/b"]: cannot specify more than one file\n`],
    ["?query=/one.log&boot=0", `406 query: Invalid value: ["/one.log"]: cannot specify file with options\n`],
    ["?query=a/b", `406 query: Invalid value: ["a/b"]: statat a/b: no such file or directory\n`],
    ["?query=/../x", `406 query: Invalid value: ["/../x"]: statat /../x: path escapes from parent\n`],
    [
      "?query=../log/plain",
      `406 query: Invalid value: ["../log/plain"]: statat ../log/plain: path escapes from parent\n`,
    ],
    [
      "?query=/../journalctl",
      `406 query: Invalid value: ["/../journalctl"]: statat /../journalctl: path escapes from parent\n`,
    ],
    [
      "?query=a&boot=1&tailLines=-1&pattern=(",
      "406 [boot: Invalid value: 1: must be less than 1, tailLines: Invalid value: -1: must be between 0 and 100000, inclusive, " +
      'pattern: Invalid value: "(": error parsing regexp: missing closing ): `(`]\n',
    ],
    [
      "?query=a&sinceTime=2026-01-02T00:00:00Z&untilTime=2026-01-02T01:00:00%2B02:00",
      '406 untilTime: Invalid value: "2026-01-02T01:00:00+02:00": must be after `sinceTime`\n',
    ],
  ];
  await withLogs(async ({ port, ask }) => {
    for (const [query, answer] of rows) assert.equal(await ask(query), answer, query);
    assert.equal((await get(port, "/logs/?query=a", { method: "POST" })).status, 405);
  });
});

Deno.test("node logs: files are served in parts, and only where they are news", () =>
  withLogs(async ({ port, ask }) => {
    assert.equal(await ask("?query=web/../plain"), "200 of plain\n");
    const asked = async (path: string, headers: Record<string, string> = {}) => {
      const got = await get(port, `/logs/${path}`, { headers });
      return [got.status, got.headers.location ?? got.headers["content-range"], got.text];
    };
    const whole = await get(port, "/logs/plain"), modified = whole.headers["last-modified"]!;
    assert.deepEqual([whole.status, whole.headers["accept-ranges"], whole.text], [200, "bytes", "of plain\n"]);
    const ranges: readonly (readonly [string, readonly unknown[]])[] = [
      ["bytes=0-1", [206, "bytes 0-1/9", "of"]],
      ["bytes=3-99", [206, "bytes 3-8/9", "plain\n"]],
      ["bytes=-6", [206, "bytes 3-8/9", "plain\n"]],
      ["bytes=9-", [416, "bytes */9", "invalid range: failed to overlap\n"]],
      ["bytes=2-1", [200, undefined, "of plain\n"]],
      ["lines=1-2", [200, undefined, "of plain\n"]],
    ];
    for (const [range, answer] of ranges) assert.deepEqual(await asked("plain", { range }), answer, range);
    assert.deepEqual(await asked("plain", { "if-modified-since": modified }), [304, undefined, ""]);
    assert.deepEqual(await asked("plain/?a=b"), [301, "../plain?a=b", ""]);
    assert.deepEqual(await asked("web?a=b"), [301, "web/?a=b", ""]);
    assert.equal((await asked("%2e%2e/journalctl"))[0], 404);
  }));

Deno.test("node logs: files by their names, and services by the files that are theirs", async () => {
  await withLogs(async ({ ask }) => {
    assert.equal(await ask("one.log?unknown=1"), "200 of one\n");
    assert.equal(await ask("?query=/one.log"), "200 of one\n");
    assert.equal(await ask("?query=web/web.log"), "200 of web\n");
    assert.match(await ask("?query=web/"), /<a href="web.log">/);
    assert.equal(await ask("?query=plain&query=one&query=web"), "200 of plain\nof one\nof web\n");
    assert.equal(await ask("?query=none"), "200 \nlog not found for none\n");
    assert.equal(await ask("?query=away"), "200 \nerror getting log for away: path escapes from parent\n");
    const resolved = "options present and query resolved to log files for [one web]";
    assert.equal(await ask("?query=one&query=web&boot=0"), `200 \n${resolved}\ntry without specifying options\n`);
  });
});

Deno.test("node logs: the journal's command is given its arguments as they are, and what it says is passed on", async () => {
  const query = "query=cron&tailLines=3&boot=-1&pattern=a+$(id)%3B'&sinceTime=2026-01-02T01:02:03%2B02:00";
  const asked = readNodeLogQuery(new URLSearchParams(query))!;
  const given = ["--utc", "--no-pager", "--output=short-precise", "--since=2026-01-01 23:02:03 UTC", "--pager-end"];
  given.push("--lines=3", "--unit=cron", "--grep=a $(id);'", "--boot=-1");
  assert.deepEqual(journalArguments(asked.services, asked.options), given);
  const said = given.map((a) => `<${a}>`).join("");
  await withLogs(async ({ port, ask }) => {
    assert.equal(await ask(`?${query}`), `200 ${said}fault\n and more\n`);
    assert.match(await ask("?query=cron&query=one"), /<--unit=cron>[^]*of one\n$/);
    const { headers } = await get(port, "/logs/?query=one", { headers: { "accept-encoding": "gzip" }, method: "GET" });
    assert.deepEqual([headers["content-encoding"], headers["content-type"]], ["gzip", "text/plain;charset=UTF-8"]);
  });
});

Deno.test("host logs: an answer is cut off where its file becomes shorter meanwhile", async () => {
  const dir = await Deno.makeTempDir();
  await Deno.writeTextFile(`${dir}/a.log`, "of one\nof two\n");
  const { body } = await logFile(dir, "a.log", "/logs/a.log");
  await Deno.truncate(`${dir}/a.log`, 7);
  let text = "";
  const write = (bytes: Uint8Array | string) =>
    Promise.resolve(void (text += new TextDecoder().decode(bytes as Uint8Array)));
  await assert.rejects((body as (out: Out) => Promise<void>)({ write }), /shorter/);
  assert.equal(text, "of one\n");
  await Deno.remove(dir, { recursive: true });
});

Deno.test("host logs: what is put in a file's place meanwhile does not lead out of the directory", async () => {
  const dir = await Deno.makeTempDir(), root = `${dir}/log`;
  await Deno.mkdir(`${root}/web`, { recursive: true });
  await Deno.writeTextFile(`${root}/web/a.log`, "of one\n");
  await Deno.writeTextFile(`${dir}/a.log`, "secret\n");
  const { body } = await logFile(root, "web/a.log", "/logs/web/a.log");
  await Deno.remove(`${root}/web`, { recursive: true });
  await Deno.symlink(dir, `${root}/web`);
  const write = () => Promise.reject(new Error("something was told"));
  await assert.rejects((body as (out: Out) => Promise<void>)({ write }), { message: "path escapes from parent" });
  await Deno.remove(dir, { recursive: true });
});

Deno.test("node logs: by the API server's proxy of the node", async () => {
  await withLogs(
    ({ port }) =>
      withCluster({}, async ({ t }) => {
        await node(t, "node-b", [{ type: "InternalIP", address: HERE }], port);
        const path = "/api/v1/nodes/node-b/proxy/logs/?query=one&query=web";
        assert.equal((await t.fetch(path)).text, "of one\nof web\n");
        const zipped = await t.open(path, { headers: { "accept-encoding": "gzip" } });
        assert.equal(new TextDecoder().decode(gunzipSync(await zipped.bytes())), "of one\nof web\n");
      }),
    AGENT_PAIR,
  );
});
