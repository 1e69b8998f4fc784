/** Fields that the server's own controllers write have owners, as the public server's do. */
import assert from "node:assert/strict";
import type { JsonMap, Obj } from "../../schema/model/types.ts";
import { productOf } from "../../schema/product.ts";
import { definition, version } from "../customresources/_crd.ts";
import { until, World } from "./_world.ts";

/** Who writes something of an object, how, and what of it. */
interface Row {
  /** Public path of the object. */
  readonly at: string;
  /** Where it is made, and as what; absent where it comes by itself. */
  readonly made?: readonly [collection: string, object: JsonMap];
  readonly by: readonly [manager: string, operation: string, subresource?: string];
  readonly owned: string;
}

const AGGREGATION = "rbac.authorization.k8s.io/v1/clusterroles";
const condition = (type: string, ...members: readonly string[]) =>
  `k:{"type":"${type}"}:{.,f:lastTransitionTime,f:message,${members.map((m) => `f:${m},`).join("")}f:status,f:type}`;

const ROWS: Readonly<Record<string, Row>> = {
  "names and conditions of a definition": {
    at: "/apis/apiextensions.k8s.io/v1/customresourcedefinitions/things.example.com",
    made: ["/apis/apiextensions.k8s.io/v1/customresourcedefinitions", definition([version({})])],
    by: ["kube-apiserver", "Update", "status"],
    owned: `f:status:{f:acceptedNames:{f:kind,f:listKind,f:plural,f:shortNames,f:singular},f:conditions:{${
      condition("Established", "reason")
    },${condition("NamesAccepted", "reason")}}}`,
  },
  "the level of a flow schema": {
    at: "/apis/flowcontrol.apiserver.k8s.io/v1/flowschemas/one",
    made: ["/apis/flowcontrol.apiserver.k8s.io/v1/flowschemas", {
      metadata: { name: "one" },
      spec: { priorityLevelConfiguration: { name: "none" } },
    }],
    by: ["api-priority-and-fairness-config-consumer-v1", "Apply", "status"],
    owned: `f:status:{f:conditions:{${condition("Dangling", "reason")}}}`,
  },
  "the level of a flow schema of the first content": {
    at: "/apis/flowcontrol.apiserver.k8s.io/v1/flowschemas/exempt",
    by: ["api-priority-and-fairness-config-consumer-v1", "Apply", "status"],
    owned: `f:status:{f:conditions:{${condition("Dangling", "reason")}}}`,
  },
  "the default range of services": {
    at: "/apis/networking.k8s.io/v1/servicecidrs/kubernetes",
    by: ["kubernetes-service-cidr-controller", "Apply", "status"],
    owned: `f:status:{f:conditions:{${condition("Ready")}}}`,
  },
  "what a policy's expressions say": {
    at: "/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicies/one",
    made: ["/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicies", {
      metadata: { name: "one" },
      spec: {
        matchConstraints: {
          resourceRules: [{ apiGroups: [""], apiVersions: ["v1"], operations: ["CREATE"], resources: ["configmaps"] }],
        },
        validations: [{ expression: "object.foo == 1" }],
      },
    }],
    by: ["validatingadmissionpolicy-status", "Apply", "status"],
    owned: "f:status:{f:observedGeneration,f:typeChecking:{f:expressionWarnings}}",
  },
  "rules that a role gathers": {
    at: `/apis/${AGGREGATION}/view`,
    by: ["clusterrole-aggregation-controller", "Apply"],
    owned: "f:rules",
  },
  "what a quota counts": {
    at: "/api/v1/namespaces/default/resourcequotas/one",
    made: ["/api/v1/namespaces/default/resourcequotas", {
      metadata: { name: "one" },
      spec: { hard: { configmaps: "5" } },
    }],
    by: ["kube-controller-manager", "Update", "status"],
    owned: "f:status:{f:hard:{.,f:configmaps},f:used:{.,f:configmaps}}",
  },
  "the authority in a namespace": {
    at: "/api/v1/namespaces/default/configmaps/kube-root-ca.crt",
    by: ["kube-controller-manager", "Update"],
    owned: "f:data:{.,f:ca.crt},f:metadata:{f:annotations:{.,f:kubernetes.io/description}}",
  },
  "the address of a service": {
    at: "/apis/networking.k8s.io/v1/ipaddresses/10.0.0.77",
    made: ["/api/v1/namespaces/default/services", {
      metadata: { name: "one" },
      spec: { clusterIP: "10.0.0.77", ports: [{ port: 80 }] },
    }],
    by: ["kube-apiserver", "Update"],
    owned: "f:metadata:{f:labels:{.,f:ipaddress.kubernetes.io/ip-family,f:ipaddress.kubernetes.io/managed-by}}," +
      "f:spec:{f:parentRef:{.,f:name,f:namespace,f:resource}}",
  },
};

/** Fields in few words, in order of their names. */
function told(fields: JsonMap): string {
  const names = Object.keys(fields).sort((a, b) => a < b ? -1 : 1);
  return names.map((name) => {
    const below = told(fields[name] as JsonMap);
    return below === "" ? name : `${name}:{${below}}`;
  }).join(",");
}

const entryOf = (obj: Obj | undefined, [manager, operation, subresource]: Row["by"]) =>
  obj?.metadata.managedFields?.find((e) =>
    e.manager === manager && e.operation === operation && e.subresource === subresource
  );

for (const dialect of ["kubernetes", "orch"] as const) {
  Deno.test(`what the server writes by itself has owners, in dialect ${dialect}`, async (t) => {
    const { local, localTree } = productOf(dialect);
    const files = { servingCa: () => "ca" } as const;
    const world = await World.start("*", [`--api-dialect=${dialect}`], { moreFiles: files });
    for (const [what, { at, made, by: [manager, ...how], owned }] of Object.entries(ROWS)) {
      await t.step(what, async () => {
        if (made) await world.create(local(made[0]), localTree(made[1]));
        let found: ReturnType<typeof entryOf>;
        const path = at.split("/").map(local).join("/");
        await until(`${at} is written`, async () => {
          found = entryOf(await world.get(path), [local(manager), ...how]);
          return found !== undefined;
        });
        assert.equal(told(found!.fieldsV1 as JsonMap), local(owned));
      });
    }
    await world.stop();
  });
}

Deno.test("a namespace that cannot end has conditions of the controllers', and its labels stay whose they are", async () => {
  const world = await World.start("*");
  await world.namespace("one");
  await world.thing("one", "held", { finalizers: ["example.com/hold"] });
  await world.remove("/api/v1/namespaces/one");
  const by: Row["by"] = ["kube-controller-manager", "Update", "status"];
  let obj: Obj | undefined;
  await until("its conditions are told", async () => !!entryOf(obj = await world.get("/api/v1/namespaces/one"), by));
  const fields = entryOf(obj, by)!.fieldsV1 as JsonMap;
  assert.match(told(fields), /^f:status:\{f:conditions:\{\.,k:\{"type":"NamespaceContentRemaining"\}:\{\./);
  assert.equal(obj!.metadata.managedFields!.length, 2);
  await world.stop();
});
