/** Rules of OpenAPI documents: what members, operations and parameters say, in either flavour. */
import { deepEqual, equal, ok } from "node:assert/strict";
import { withServer } from "../fixture/server.ts";
import type { Loose } from "../fixture/loose.ts";
import { mute } from "./_mute.ts";

const SCHEMAS = "#/components/schemas/";
const META = "io.k8s.apimachinery.pkg.apis.meta.v1.";
const CORE = "io.k8s.api.core.v1.";

const wrapped = (name: string, more: Loose = {}) => ({ allOf: [{ $ref: SCHEMAS + name }], ...more });

Deno.test("members that are always there have the zero of their type as default", () =>
  withServer([], async ({ fetch }) => {
    const { schemas } = (await fetch("/openapi/v3/api/v1")).body.components;
    const rows: [string, string, Loose][] = [
      [`${CORE}EnvVar`, "name", { type: "string", default: "" }],
      [`${CORE}EnvVar`, "value", { type: "string" }],
      [`${CORE}EnvVar`, "valueFrom", wrapped(`${CORE}EnvVarSource`)],
      [`${CORE}ContainerStatus`, "ready", { type: "boolean", default: false }],
      [`${CORE}ContainerStatus`, "restartCount", { type: "integer", format: "int32", default: 0 }],
      [`${CORE}ContainerStatus`, "state", wrapped(`${CORE}ContainerState`, { default: {} })],
      [`${CORE}Pod`, "metadata", wrapped(`${META}ObjectMeta`, { default: {} })],
      [`${CORE}PodCondition`, "lastProbeTime", wrapped(`${META}Time`)],
      [`${CORE}HTTPGetAction`, "port", wrapped("io.k8s.apimachinery.pkg.util.intstr.IntOrString")],
      [`${CORE}Service`, "spec", wrapped(`${CORE}ServiceSpec`, { default: {} })],
      [`${CORE}ServiceSpec`, "clusterIPs", {
        type: "array",
        items: { type: "string" },
        "x-kubernetes-list-type": "atomic",
      }],
      [`${META}LabelSelector`, "matchLabels", {
        type: "object",
        additionalProperties: { type: "string" },
      }],
      [`${CORE}ConfigMap`, "binaryData", {
        type: "object",
        additionalProperties: { type: "string", format: "byte" },
      }],
      [`${CORE}ResourceQuotaSpec`, "hard", {
        type: "object",
        additionalProperties: { $ref: `${SCHEMAS}io.k8s.apimachinery.pkg.api.resource.Quantity` },
      }],
    ];
    for (const [name, member, expected] of rows) {
      deepEqual(mute(schemas[name].properties[member]), expected, name + member);
    }
    const { definitions } = (await fetch("/openapi/v2")).body;
    deepEqual(mute(definitions[`${CORE}EnvVar`].properties.name), { type: "string" });
    deepEqual(definitions[`${CORE}PodSpec`].properties.containers.items, { $ref: `#/definitions/${CORE}Container` });
    deepEqual(mute(definitions[`${CORE}Pod`].properties.metadata), { $ref: `#/definitions/${META}ObjectMeta` });
  }));

Deno.test("required members stand as declared; metadata tells no values of words", () =>
  withServer([], async ({ fetch }) => {
    const { schemas } = (await fetch("/openapi/v3/api/v1")).body.components;
    deepEqual(schemas[`${CORE}ISCSIVolumeSource`].required, ["targetPortal", "iqn", "lun"]);
    deepEqual(schemas[`${META}WatchEvent`].required, ["type", "object"]);
    equal(schemas[`${META}ManagedFieldsEntry`].properties.operation.enum, undefined);
    const statuses = schemas[`${CORE}PersistentVolumeClaimStatus`].properties.allocatedResourceStatuses;
    ok(statuses.additionalProperties.enum.includes("NodeResizePending"));
  }));

Deno.test("unions are told of messages that are some, with and without a discriminator", () =>
  withServer(["--runtime-config=api/all=true"], async ({ fetch }) => {
    const core = (await fetch("/openapi/v3/api/v1")).body.components.schemas;
    deepEqual(core[`${CORE}PodSchedulingGroup`]["x-kubernetes-unions"], [
      { "fields-to-discriminateBy": { podGroupName: "PodGroupName" } },
    ]);
    const { schemas } = (await fetch("/openapi/v3/apis/flowcontrol.apiserver.k8s.io/v1")).body.components;
    deepEqual(schemas["io.k8s.api.flowcontrol.v1.LimitResponse"]["x-kubernetes-unions"], [
      { discriminator: "type", "fields-to-discriminateBy": { queuing: "Queuing" } },
    ]);
    const admission = (await fetch("/openapi/v3/apis/admissionregistration.k8s.io/v1")).body.components.schemas;
    equal(admission["io.k8s.api.admissionregistration.v1.Mutation"]["x-kubernetes-unions"], undefined);
  }));

Deno.test("kinds of every group are told of the document's own and of the first", () =>
  withServer([], async ({ fetch }) => {
    const of = (schemas: Loose, name: string) =>
      schemas[META + name]["x-kubernetes-group-version-kind"].map((k: Loose) => `${k.group}/${k.version}`);
    const apps = (await fetch("/openapi/v3/apis/apps/v1")).body.components.schemas;
    deepEqual(of(apps, "DeleteOptions"), ["/v1", "apps/v1"]);
    deepEqual(of(apps, "WatchEvent"), ["/v1", "apps/v1"]);
    deepEqual(of(apps, "Status"), ["/v1"]);
    const core = (await fetch("/openapi/v3/api/v1")).body.components.schemas;
    deepEqual(of(core, "DeleteOptions"), ["/v1"]);
    const { definitions } = (await fetch("/openapi/v2")).body;
    const all = of(definitions, "WatchEvent");
    ok(all.includes("batch/v1") && all.includes("imagepolicy.k8s.io/v1alpha1"));
    equal(all.some((k: string) => /^(meta|audit|apidiscovery)\.k8s\.io/.test(k)), false);
  }));

Deno.test("a path takes what all its operations take, by name", () =>
  withServer([], async ({ fetch }) => {
    const { paths } = (await fetch("/openapi/v3/api/v1")).body;
    const names = (parameters: Loose[]) => parameters.map((p) => p.name);
    const binding = paths["/api/v1/namespaces/{namespace}/bindings"];
    deepEqual(names(binding.parameters), ["dryRun", "fieldManager", "fieldValidation", "namespace", "pretty"]);
    equal(binding.post.parameters, undefined);
    const pods = paths["/api/v1/pods"];
    equal(pods.get.parameters, undefined);
    ok(names(pods.parameters).includes("shardSelector"));
    const log = paths["/api/v1/namespaces/{namespace}/pods/{name}/log"];
    equal(names(log.parameters).includes("sinceTime"), false);
    const proxy = paths["/api/v1/nodes/{name}/proxy/{path}"].parameters;
    deepEqual(proxy.map((p: Loose) => [p.name, p.in]), [["name", "path"], ["path", "path"], ["path", "query"]]);
    const pod = paths["/api/v1/namespaces/{namespace}/pods/{name}"];
    const patch = pod.patch.requestBody.content["application/merge-patch+json"].schema;
    deepEqual(patch, { $ref: `${SCHEMAS}${META}Patch` });
    const namespace = paths["/api/v1/namespaces/{name}"].delete.responses["200"].content["application/json"];
    deepEqual(namespace.schema, { $ref: `${SCHEMAS}${META}Status` });
  }));

Deno.test("lists and what is asked of them are told in words", () =>
  withServer([], async ({ fetch }) => {
    const { parameters, definitions } = (await fetch("/openapi/v2")).body;
    const items = (kind: string) => definitions[`${CORE}${kind}List`].properties.items.description;
    deepEqual(["Service", "Endpoints", "PersistentVolumeClaim", "ComponentStatus"].map(items), [
      "List of services.",
      "List of endpoints.",
      "List of persistent volume claims.",
      "List of component statuses.",
    ]);
    const silent = Object.values(parameters as Loose).filter((p: Loose) => p.in === "query" && !p.description);
    const listed = ["watch", "limit", "continue", "labelSelector", "fieldSelector", "resourceVersion"];
    deepEqual(silent.filter((p: Loose) => listed.includes(p.name)), []);
  }));

Deno.test("version 2 tells shared parameters once", () =>
  withServer([], async ({ fetch }) => {
    const { paths, parameters, definitions } = (await fetch("/openapi/v2")).body;
    deepEqual(mute(definitions[`${META}Patch`]), { type: "object" });
    const refs = new Set(JSON.stringify(paths).matchAll(/"#\/parameters\/([^"]+)"/g).map((m) => m[1]!));
    deepEqual([...refs].sort(), Object.keys(parameters).sort());
    const { patch, put, parameters: own } = paths["/api/v1/namespaces/{namespace}/pods/{name}"];
    deepEqual(own[0].name, "name");
    ok(own.slice(1).every((p: Loose) => p.$ref));
    ok(patch.parameters[0].$ref.startsWith("#/parameters/body-"));
    equal(put.parameters[0].schema.$ref, `#/definitions/${CORE}Pod`);
    // By these, older clients tell what the server can do.
    for (const name of ["dryRun", "fieldValidation"]) ok(patch.parameters.some((p: Loose) => p.name === name), name);
  }));

Deno.test("what is no resource: media types, version, keys of tokens", () =>
  withServer(["--feature-gates=CBORServingAndStorage=true"], async ({ fetch }) => {
    const { paths, definitions, info } = (await fetch("/openapi/v2")).body;
    equal(info.version, "1.37");
    const cbor = "application/cbor";
    for (const path of ["/api/", "/apis/", "/apis/apps/", "/apis/apps/v1/"]) {
      ok(paths[path].get.produces.includes(cbor), path);
      ok(paths[path].get.consumes.includes(cbor), path);
    }
    equal(paths["/version/"].get.produces.includes(cbor), false);
    ok(paths["/api/v1/pods"].get.produces.includes("application/cbor-seq"));
    ok(paths["/api/v1/componentstatuses"].get.produces.includes("application/json;stream=watch"));
    deepEqual(paths["/version/"].get.consumes, ["application/json"]);
    equal(definitions["io.k8s.apimachinery.pkg.version.Info"].required[0], "major");
    const version = (await fetch("/version")).body;
    for (const name of definitions["io.k8s.apimachinery.pkg.version.Info"].required) ok(name in version, name);
  }));
