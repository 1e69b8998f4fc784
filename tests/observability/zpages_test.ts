/** `/statusz` and `/flagz` as objects, for programs. */
import assert from "node:assert/strict";
import { parseYaml } from "../../schema/codec/yaml.ts";
import { type Zpage, zpageForm } from "../../schema/zpages.ts";
import { withServer } from "../fixture/server.ts";

const PAGE: Zpage = { kind: "Statusz", group: "config.k8s.io" };
const AS = "as=Statusz;v=v1beta1;g=config.k8s.io";
const FORMS: readonly [accept: string | null, form: string | undefined][] = [
  [null, "text/plain"],
  [" ", "text/plain"],
  ["*/*", "text/plain"],
  ["text/*", "text/plain"],
  ["text/plain;charset=utf-8", "text/plain"],
  [`text/plain;${AS}`, undefined],
  ["application/json", undefined],
  [`application/json;${AS}`, "application/json v1beta1"],
  [`application/yaml;${AS.replace("beta", "alpha")}`, "application/yaml v1alpha1"],
  [`*/*;${AS}`, "application/json v1beta1"],
  [`application/json;${AS.replace("v1beta1", "v1")}`, undefined],
  [`application/json;${AS.replace("Statusz", "Flagz")}`, undefined],
  [`application/json;${AS.replace("config", "other")}`, undefined],
  [`application/cbor;${AS}`, undefined],
  ["text/html", undefined],
  [`text/plain;q=0.1,application/yaml;q=0.5;${AS}`, "application/yaml v1beta1"],
  ["text/html,text/plain;q=0.5", "text/plain"],
  ["text/plain;q=0", undefined],
];
Deno.test("a page has the form that is asked for, or none", () => {
  for (const [accept, expected] of FORMS) {
    const form = zpageForm(PAGE, accept);
    assert.equal(form && [form.type, form.version].filter((x) => x !== undefined).join(" "), expected, String(accept));
  }
  assert.equal(zpageForm({ ...PAGE, cbor: true }, `application/cbor;${AS}`)?.type, "application/cbor");
});

Deno.test("the server tells what it is and how it was started as objects", () =>
  withServer(["--max-requests-inflight=123"], async (t) => {
    const ask = (path: string, accept: string) => t.fetch(path, { headers: { accept } });
    const status = await ask("/statusz", `application/json;${AS}`);
    assert.equal(status.headers.get("content-type"), "application/json;g=config.k8s.io;v=v1beta1;as=Statusz");
    const { startTime, uptimeSeconds, paths, ...rest } = status.body;
    assert.match(startTime, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
    assert.ok(Number.isInteger(uptimeSeconds) && uptimeSeconds >= 0);
    assert.deepEqual(paths, ["/flagz", "/healthz", "/livez", "/metrics", "/readyz", "/statusz", "/version"]);
    assert.deepEqual(rest, {
      kind: "Statusz",
      apiVersion: "config.k8s.io/v1beta1",
      metadata: { name: "apiserver" },
      goVersion: "",
      binaryVersion: "1.37",
      emulationVersion: "1.37",
    });
    assert.equal(status.headers.get("warning"), null);
    const flags = await ask("/flagz", "application/yaml;as=Flagz;v=v1alpha1;g=config.k8s.io");
    const warning = '299 - "This version of the flagz endpoint is deprecated. Please use a newer version."';
    assert.equal(flags.headers.get("warning"), warning);
    const { tree } = parseYaml(flags.text) as unknown as { tree: { kind: string; flags: Record<string, string> } };
    assert.deepEqual([tree.kind, tree.flags["max-requests-inflight"]], ["Flagz", "123"]);
    const refused = await ask("/statusz", "application/json");
    assert.equal(refused.status, 406);
    const types = "application/json, application/yaml, text/plain";
    assert.equal(refused.body.message, `only the following media types are accepted: ${types}`);
  }));
