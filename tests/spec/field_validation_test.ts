import assert from "node:assert/strict";
import { maps, namespace, ok, refused, sharedServer, spec } from "./_spec.ts";

const server = sharedServer(["--disable-admission-plugins=ServiceAccount"]);

const pod = (extra = {}) => ({ metadata: { name: "p" }, spec: { containers: [{ name: "c", image: "i" }], ...extra } });

const pods = (ns: string, query = "") => `/api/v1/namespaces/${ns}/pods${query}`;

const strict = "?fieldValidation=Strict", ignore = "?fieldValidation=Ignore";

spec("Field validation", {
  "rule 1": async () => {
    const t = await server();
    const ns = await namespace(t);
    for (const query of [strict, "", ignore]) {
      await refused(t, 400, pods(ns, query), { body: pod({ hostNetwork: "yes" }) });
      await refused(t, 422, pods(ns, query), { body: { metadata: { name: "p" }, spec: {} } });
    }
  },
  "rule 2": async () => {
    const t = await server();
    const ns = await namespace(t);
    const body = '{"metadata":{"name":"a"},"data":{"k":"v","k":"w"},"other":1}';
    const made = await ok(t, maps(ns), { method: "POST", body, headers: { "content-type": "application/json" } });
    assert.deepEqual(made.body.data, { k: "w" });
    assert.equal(made.body.other, undefined);
  },
  "rule 3": async () => {
    const t = await server();
    const ns = await namespace(t);
    const body =
      '{"metadata":{"name":"p"},"spec":{"containers":[{"name":"c","image":"i","odd":1}],"even":2,"hostNetwork":false,"hostNetwork":false}}';
    const init = { method: "POST", body, headers: { "content-type": "application/json" } };
    const fields = [
      'unknown field "spec.containers[0].odd"',
      'unknown field "spec.even"',
      'duplicate field "spec.hostNetwork"',
    ];
    assert.deepEqual((await ok(t, pods(ns, `${ignore}&dryRun=All`), init)).warnings, []);
    for (const query of ["?dryRun=All", "?dryRun=All&fieldValidation=Warn"]) {
      assert.deepEqual((await ok(t, pods(ns, query), init)).warnings.toSorted(), fields.toSorted());
    }
    const { message } = (await refused(t, 400, pods(ns, strict), init)).body;
    for (const field of fields) assert.ok(message.includes(field), message);
    const hundred = Object.fromEntries(Array.from({ length: 100 }, (_, i) => [`more${i}`, i]));
    const { warnings } = await ok(t, `${maps(ns)}?dryRun=All`, { body: { metadata: { name: "a" }, ...hundred } });
    assert.deepEqual(warnings, Object.keys(hundred).map((name) => `unknown field "${name}"`)); // one per field
  },
  "rule 4": async () => {
    const t = await server();
    const ns = await namespace(t);
    const body = { ...pod({ hostNetwork: "yes", dnsPolicy: 5 }), odd: 1 };
    const messages: string[] = [];
    for (const query of [strict, "", ignore]) {
      messages.push((await refused(t, 400, pods(ns, query), { body })).body.message);
    }
    assert.equal(new Set(messages).size, 1);
    assert.ok(!messages[0]!.includes("odd"), messages[0]!);
    assert.ok(messages[0]!.includes("hostNetwork") !== messages[0]!.includes("dnsPolicy"), messages[0]!);
  },
});
