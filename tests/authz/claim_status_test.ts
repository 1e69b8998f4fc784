/** Who may write which part of the status of a resource claim. */
import assert from "node:assert/strict";
import type { JsonMap } from "../../schema/model/types.ts";
import { startTestServer } from "../fixture/server.ts";

const GROUP = "resource.k8s.io", RBAC = "/apis/rbac.authorization.k8s.io/v1";
const CLAIMS = `/apis/${GROUP}/v1/namespaces/default/resourceclaims`;
const result = (driver: string) => ({ request: "r", driver, pool: "p", device: "d" });
const FIELD = { key: "metadata.name", operator: "In", values: ["n1"] };
const ALLOCATION = {
  devices: { results: [result("one.example"), result("two.example")] },
  nodeSelector: { nodeSelectorTerms: [{ matchFields: [FIELD] }] },
};
const status = (...drivers: string[]) => ({
  allocation: ALLOCATION,
  devices: drivers.map((driver) => ({ driver, pool: "p", device: "d" })),
});
const ACCOUNT = "system:serviceaccount:default:agent";
const onNode = (name: string) => ({ "Impersonate-Extra-authentication.kubernetes.io%2fnode-name": name });

Deno.test("what binds a claim and what its drivers tell take permissions of their own", async () => {
  const t = await startTestServer(["--disable-admission-plugins=ServiceAccount", "--authorization-mode=RBAC"]);
  try {
    const may = async (user: string, ...more: JsonMap[]) => {
      const name = `may-${user.replaceAll(":", "-")}`;
      const base = { resources: ["resourceclaims", "resourceclaims/status"], verbs: ["get", "update"] };
      const rules = [base, ...more].map((r) => ({ apiGroups: [GROUP], ...r }));
      const roleRef = { apiGroup: "rbac.authorization.k8s.io", kind: "ClusterRole", name };
      const subjects = [{ kind: "User", apiGroup: "rbac.authorization.k8s.io", name: user }];
      const of = (kind: string) => ({ apiVersion: "rbac.authorization.k8s.io/v1", kind, metadata: { name } });
      assert.equal((await t.fetch(`${RBAC}/clusterroles`, { body: { ...of("ClusterRole"), rules } })).status, 201);
      const body = { ...of("ClusterRoleBinding"), roleRef, subjects };
      assert.equal((await t.fetch(`${RBAC}/clusterrolebindings`, { body })).status, 201);
    };
    await may("plain");
    await may("binder", { resources: ["resourceclaims/binding"], verbs: ["update"] });
    const driver = { resources: ["resourceclaims/driver"], resourceNames: ["one.example"] };
    await may("driver", { ...driver, verbs: ["arbitrary-node:update"] });
    await may(ACCOUNT, { ...driver, verbs: ["associated-node:update"] });
    const spec = { devices: { requests: [{ name: "r", exactly: { deviceClassName: "c" } }] } };
    const claim = { apiVersion: `${GROUP}/v1`, kind: "ResourceClaim", metadata: { name: "c" }, spec };
    assert.equal((await t.fetch(CLAIMS, { body: claim })).status, 201);

    const binding = "FieldValueForbidden status.allocation", devices = "FieldValueForbidden status.devices";
    const rows: [user: string, status: JsonMap, causes: string[], headers?: Record<string, string>][] = [
      ["plain", { allocation: ALLOCATION }, [binding]],
      ["plain", { allocation: ALLOCATION, reservedFor: [{ resource: "pods", name: "", uid: "u" }] }, [
        binding,
        "FieldValueRequired status.reservedFor[0].name",
      ]],
      ["driver", { allocation: ALLOCATION }, [binding]],
      ["binder", { allocation: ALLOCATION }, []],
      ["binder", status("one.example"), [devices]],
      ["driver", status("one.example"), []],
      ["driver", status("one.example", "two.example"), [devices]],
      ["", status("one.example", "two.example"), []],
      ["driver", status("one.example"), [devices]],
      ["driver", status("two.example"), []],
      [ACCOUNT, status("one.example", "two.example"), [devices]],
      [ACCOUNT, status("one.example", "two.example"), [devices], onNode("n2")],
      [ACCOUNT, status("one.example", "two.example"), [], onNode("n1")],
      ["plain", status("one.example", "two.example"), []],
    ];
    for (const [i, [user, wanted, causes, extra]] of rows.entries()) {
      const body = { ...(await t.fetch(`${CLAIMS}/c`)).body, status: wanted };
      const headers = { ...extra, ...(user ? { "impersonate-user": user } : {}) };
      const a = await t.fetch(`${CLAIMS}/c/status`, { method: "PUT", body, headers });
      assert.equal(a.status, causes.length ? 422 : 200, `${i}: ${a.text}`);
      const told = (a.body.details?.causes ?? []).map((c: { reason: string; field: string }) =>
        `${c.reason} ${c.field}`
      );
      assert.deepEqual(told, causes, String(i));
    }
  } finally {
    await t.stop();
  }
});
