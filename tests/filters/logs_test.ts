/** `/logs` (`--enable-logs-handler`). */
import assert from "node:assert/strict";
import { logFiles } from "../../server/options/log_files.ts";
import type { LogDirectory } from "../../server/endpoints/logs.ts";
import { startTestServer } from "../fixture/server.ts";
import { served } from "./_server.ts";

Deno.test("log files: pages of links, whole files, nothing from elsewhere", async () => {
  const dir = await Deno.makeTempDir({ prefix: "orch-logs-" });
  try {
    await Deno.mkdir(`${dir}/log/sub`, { recursive: true });
    await Deno.writeTextFile(`${dir}/log/a & b.log`, "line\n".repeat(50_000));
    await Deno.writeTextFile(`${dir}/log/empty`, "");
    await Deno.writeTextFile(`${dir}/log/x:1?2#3%34`, "here");
    await Deno.writeTextFile(`${dir}/secret`, "secret");
    await Deno.symlink(`${dir}/secret`, `${dir}/log/sub/out`);
    await served([], async (s) => {
      const page = await s.fetch("/logs/");
      assert.equal(page.headers.get("content-type"), "text/html; charset=utf-8");
      const links = page.text.match(/<a [^]*?<\/a>/g);
      assert.deepEqual(links, [
        '<a href="a%20&amp;%20b.log">a &amp; b.log</a>',
        '<a href="empty">empty</a>',
        '<a href="sub/">sub/</a>',
        '<a href="x%3A1%3F2%233%2534">x:1?2#3%34</a>',
      ]);
      assert.equal((await s.fetch("/logs")).headers.get("location"), "logs/");
      assert.equal((await s.fetch("/logs/sub?a=b")).headers.get("location"), "sub/?a=b");
      assert.equal((await s.fetch("/logs/", { method: "POST" })).status, 405);
      assert.equal((await s.fetch("/logs/a%20&%20b.log")).text.length, 250_000);
      assert.equal((await s.fetch("/logs/empty")).text, "");
      assert.equal((await s.fetch("/logs/x%3A1%3F2%233%2534")).text, "here");
      for (const path of ["none", "sub/out", "empty/x", "%ff", "%00", "%252e%252e%252fsecret"]) {
        assert.equal((await s.fetch(`/logs/${path}`)).status, 404, path);
      }
    }, { logs: logFiles(`${dir}/log`) });
    await served([], async (s) => assert.equal((await s.fetch("/logs/")).status, 404));
    await nothingAbove(logFiles(`${dir}/log`));
  } finally {
    await Deno.remove(dir, { recursive: true });
  }
});

/** Who may read what lies in one directory reads nothing beside it: no path is looked up but that which was authorized. */
async function nothingAbove(logs: LogDirectory): Promise<void> {
  const t = await startTestServer([], { logs });
  const user = { name: "jane", groups: ["system:authenticated"] };
  const rules = [{ nonResourceURLs: ["/logs/sub/*"], verbs: ["get"] }];
  const roleRef = { apiGroup: "rbac.authorization.k8s.io", kind: "ClusterRole", name: "sub" };
  const create = (resource: string, body: unknown) =>
    t.fetch(`/apis/rbac.authorization.k8s.io/v1/${resource}`, { method: "POST", body });
  await create("clusterroles", { metadata: { name: "sub" }, rules });
  await create("clusterrolebindings", {
    metadata: { name: "sub" },
    roleRef,
    subjects: [{ kind: "User", name: "jane", apiGroup: "rbac.authorization.k8s.io" }],
  });
  try {
    assert.equal((await t.fetch("/logs/sub/none", {}, user)).status, 404);
    assert.equal((await t.fetch("/logs/empty", {}, user)).status, 403);
    // With plain slashes the client resolves them.
    for (const up of ["..", "%2e%2e", "%2E.", "x%2f..%2f.."]) {
      const { status, text } = await t.fetch(`/logs/sub/${up}%2fempty`, {}, user);
      assert.deepEqual([status, text], [400, "invalid URL path\n"], up);
    }
  } finally {
    await t.stop();
  }
}
