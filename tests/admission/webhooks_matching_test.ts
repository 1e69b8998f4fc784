/** Which requests webhooks are called for, in which version, and what they are told. */
import { generateKeyPairSync, sign } from "node:crypto";
import { APPLY, type Case, map, MAPS, MERGE, NO, pod, PODS, rules, table } from "./_hooks.ts";
import type { Loose } from "../fixture/loose.ts";

const POST = ["POST", MAPS, map()] as const;
const GIVEN = [[MAPS, map()]] as const;
const HPA = "/namespaces/{ns}/horizontalpodautoscalers";
const V1 = `/apis/autoscaling/v1${HPA}`, V2 = `/apis/autoscaling/v2${HPA}`;
const hpa = {
  metadata: { name: "h" },
  spec: {
    maxReplicas: 3,
    targetCPUUtilizationPercentage: 50,
    scaleTargetRef: { kind: "Deployment", name: "d", apiVersion: "apps/v1" },
  },
};
const deployment = {
  metadata: { name: "d" },
  spec: {
    replicas: 1,
    selector: { matchLabels: { a: "b" } },
    template: { ...pod(), metadata: { labels: { a: "b" } } },
  },
};
const DEPLOYMENTS = "/apis/apps/v1/namespaces/{ns}/deployments";
const kind = (group: string, version: string, kind: string) => ({ group, version, kind });
const resource = (group: string, version: string, resource: string) => ({ group, version, resource });

/** Whether a webhook is called for a request. */
const called = (yes: boolean, hook: Loose, send: Case["send"] = [POST], rest: Partial<Case> = {}): Case => ({
  hooks: [{ hook }],
  send,
  called: yes ? ["h0"] : [],
  ...rest,
});
const listed = (yes: boolean, ...resources: string[]) => called(yes, rules({ resources }));
const status = [["PATCH", `${PODS}/p/status`, { status: { reason: "r" } }, MERGE]] as const;
const part = (yes: boolean, ...resources: string[]) =>
  called(yes, rules({ resources }), status, { given: [[PODS, pod()]], status: 200 });
const labels = { metadata: { labels: { a: "b" } } };
const selected = { objectSelector: { matchLabels: { a: "b" } } };
const met = (yes: boolean, ...conditions: string[]) =>
  called(yes, { matchConditions: conditions.map((expression, i) => ({ name: `c${i}`, expression })) });

/** A namespace that is made by the beginning of its name, which a mutating webhook is asked before it is known. */
const named = (yes: boolean, labels: Loose): Case => ({
  hooks: [{
    mutating: true,
    hook: { ...rules({ resources: ["namespaces"], scope: "*" }), namespaceSelector: { matchLabels: { a: "b" } } },
  }],
  send: [["POST", "/api/v1/namespaces", { metadata: { generateName: "g-", labels } }]],
  called: yes ? ["h0"] : [],
});

/** Costs close to what one expression may. */
const DEAR = "lists.range(400).all(a, lists.range(400).all(b, b >= 0))";

table("rules and selectors of webhooks", {
  "a resource": listed(true, "configmaps"),
  "all resources": listed(true, "*"),
  "all and their subresources": listed(true, "*/*"),
  "a resource and its subresources": listed(true, "configmaps/*"),
  "another resource": listed(false, "secrets", "pods/*", "*/status"),
  "a subresource of all": part(true, "*/status"),
  "a subresource": part(true, "pods/status"),
  "all subresources": part(true, "pods/*"),
  "a resource is not its subresource": part(false, "pods", "*"),
  "a group": called(true, rules({ apiGroups: [""] })),
  "another group": called(false, rules({ apiGroups: ["apps"] })),
  "an operation": called(true, rules({ operations: ["DELETE", "CREATE"] })),
  "another operation": called(false, rules({ operations: ["DELETE", "UPDATE"] })),
  "the scope of namespaces": called(true, rules({ scope: "Namespaced" })),
  "the scope of the cluster": called(false, rules({ scope: "Cluster" })),
  "labels of another namespace": called(false, { namespaceSelector: { matchLabels: { ns: "x" } } }),
  "a namespace whose name is yet to come, by its labels": named(true, { a: "b" }),
  "a namespace whose name is yet to come, without the labels": named(false, { a: "c" }),
  "labels of an object": called(true, selected, [["POST", MAPS, map("a", labels)]]),
  "without the labels": called(false, selected),
  "labels that come": called(true, selected, [["PATCH", `${MAPS}/a`, labels, MERGE]], {
    given: [...GIVEN],
    status: 200,
  }),
  "labels that go": called(true, selected, [["PUT", `${MAPS}/a`, map()]], {
    given: [[MAPS, map("a", labels)]],
    status: 200,
  }),
  "labels that an Eviction does not have": called(
    true,
    { objectSelector: { matchExpressions: [{ key: "no", operator: "DoesNotExist" }] } },
    [["POST", `${PODS}/p/eviction`, { metadata: { name: "p" } }]],
    { given: [[PODS, pod()]] },
  ),
  "what has no labels at all": called(
    false,
    { objectSelector: { matchExpressions: [{ key: "no", operator: "DoesNotExist" }] } },
    [["POST", `${PODS}/p/exec?command=x`]],
    { given: [[PODS, pod()]], status: 400 },
  ),
  "conditions": met(true, "object.metadata.name == 'a'", "oldObject == null", "namespaceObject == null"),
  "the request": met(true, "request.kind.kind == 'ConfigMap' && request.operation == 'CREATE'"),
  "the authorizer": met(true, "authorizer.group('').resource('pods').check('get').allowed()"),
  "one that is not met": met(false, "true", "false"),
  "one that is not met, and one that fails": met(false, "object.no == 1", "false"),
  "one that fails": { ...met(false, "object.no == 1"), status: 403, reason: "Forbidden", message: /resulted in error/ },
  "as dear as they may be": met(true, DEAR, DEAR),
  "dearer than they may be together": {
    ...met(false, DEAR, DEAR, DEAR),
    status: 403,
    reason: "Forbidden",
    message: /out of cost budget/,
  },
  "one that fails, ignored": called(false, {
    failurePolicy: "Ignore",
    matchConditions: [{ name: "c", expression: "object.no == 1" }],
  }),
});

const version = (yes: boolean, apiVersions: string[], hook: Loose, asked: Loose = {}) =>
  called(yes, { ...hook, ...rules({ apiGroups: ["autoscaling"], apiVersions }) }, [["POST", V1, hpa]], { asked });

table("versions of webhooks", {
  "its own": version(true, ["v1"], {}, { kind: kind("autoscaling", "v1", "HorizontalPodAutoscaler") }),
  "an equivalent one": version(true, ["v2"], {}, {
    kind: kind("autoscaling", "v2", "HorizontalPodAutoscaler"),
    resource: resource("autoscaling", "v2", "horizontalpodautoscalers"),
    requestKind: kind("autoscaling", "v1", "HorizontalPodAutoscaler"),
    requestResource: resource("autoscaling", "v1", "horizontalpodautoscalers"),
    "object.apiVersion": "autoscaling/v2",
    "object.spec.metrics.0.resource.target.averageUtilization": 50,
  }),
  "exactly": version(false, ["v2"], { matchPolicy: "Exact" }),
  "a patch in another version": {
    hooks: [{
      mutating: true,
      says: { patch: [{ op: "replace", path: "/spec/targetCPUUtilizationPercentage", value: 70 }] },
      hook: rules({ apiVersions: ["v1"], apiGroups: ["autoscaling"] }),
    }],
    send: [["POST", V1, hpa], ["PATCH", `${V2}/h`, { spec: { maxReplicas: 5 } }, MERGE]],
    status: 200,
    shows: { "spec.metrics.0.resource.target.averageUtilization": 70, "spec.maxReplicas": 5 },
    asked: { "object.spec.maxReplicas": 5, "object.apiVersion": "autoscaling/v1" },
  },
  "a resource of two groups": called(true, rules({ apiGroups: ["events.k8s.io"] }), [
    ["POST", "/api/v1/namespaces/{ns}/events", { metadata: { name: "e" }, involvedObject: { namespace: "{ns}" } }],
  ], {
    asked: {
      kind: kind("events.k8s.io", "v1", "Event"),
      requestKind: kind("", "v1", "Event"),
      "object.apiVersion": "events.k8s.io/v1",
    },
  }),
  "reviews of old": {
    hooks: [{
      hook: { admissionReviewVersions: ["v9", "v1beta1", "v1"] },
      says: { review: { kind: undefined, apiVersion: undefined } },
    }],
    send: [POST],
    called: ["h0"],
  },
  "reviews of old that tell a part of their type": {
    hooks: [
      { hook: { admissionReviewVersions: ["v1beta1"] }, says: { review: { kind: "" } } },
      { hook: { admissionReviewVersions: ["v1beta1"] }, says: { review: { apiVersion: undefined } } },
    ],
    send: [POST],
    called: ["h0", "h1"],
  },
});

const told = (send: Case["send"][number], asked: Loose, rest: Partial<Case> = {}): Case => ({
  hooks: [{}],
  send: [send],
  asked,
  ...rest,
});
const options = (kind: string, more = {}) => ({ kind, apiVersion: "meta.k8s.io/v1", ...more });
const podPart = (path: string, asked: Loose, rest: Partial<Case> = {}): Case =>
  told(["POST", `${PODS}/p/${path}`], { operation: "CONNECT", options: null, ...asked }, {
    given: [[PODS, pod()]],
    status: 400,
    ...rest,
  });

table("what webhooks are told", {
  "a creation": told(["POST", `${MAPS}?fieldManager=m`, map()], {
    name: "a",
    namespace: "{ns}",
    operation: "CREATE",
    kind: kind("", "v1", "ConfigMap"),
    resource: resource("", "v1", "configmaps"),
    "object.data": { k: "v" },
    oldObject: null,
    dryRun: false,
    subResource: undefined,
    options: options("CreateOptions", { fieldManager: "m" }),
    "userInfo.username": "admin",
    "userInfo.groups": ["system:masters", "system:authenticated"],
  }),
  "a name to be made, while it is not": {
    hooks: [{ mutating: true }],
    send: [["POST", MAPS, { metadata: { generateName: "g-" } }]],
    asked: { name: undefined, "object.metadata.name": undefined, "object.metadata.uid": undefined },
  },
  "a namespace is in itself": {
    hooks: [{
      hook: {
        ...rules({ resources: ["namespaces"], scope: "*" }),
        namespaceSelector: { matchLabels: labels.metadata.labels },
      },
    }],
    send: [["POST", "/api/v1/namespaces", { metadata: { ...labels.metadata, name: "told" } }]],
    asked: { name: "told", namespace: "told" },
  },
  "nothing of what the server gives an object, though it is sent": {
    hooks: [{ mutating: true }],
    send: [["POST", MAPS, {
      metadata: {
        name: "a",
        uid: "u",
        creationTimestamp: "2026-01-01T00:00:00Z",
        deletionTimestamp: "2026-01-01T00:00:00Z",
        deletionGracePeriodSeconds: 1,
      },
    }]],
    asked: {
      "object.metadata.uid": undefined,
      "object.metadata.creationTimestamp": undefined,
      "object.metadata.deletionTimestamp": undefined,
      "object.metadata.deletionGracePeriodSeconds": undefined,
    },
  },
  "an update": told(["PUT", `${MAPS}/a?dryRun=All`, map("a", { data: {} })], {
    operation: "UPDATE",
    "object.data": undefined,
    "oldObject.data": { k: "v" },
    dryRun: true,
    options: options("UpdateOptions", { dryRun: ["All"] }),
  }, { given: [...GIVEN], status: 200 }),
  "a patch": told(["PATCH", `${MAPS}/a?fieldManager=m`, {}, MERGE], {
    operation: "UPDATE",
    options: options("UpdateOptions", { fieldManager: "m" }),
  }, { given: [...GIVEN], status: 200 }),
  "an apply that creates": told(
    ["PATCH", `${MAPS}/a?fieldManager=m&force=true`, { apiVersion: "v1", kind: "ConfigMap", ...map() }, APPLY],
    { operation: "CREATE", options: options("CreateOptions", { fieldManager: "m" }) },
  ),
  "a deletion": told(["DELETE", `${MAPS}/a?propagationPolicy=Orphan`], {
    name: "a",
    operation: "DELETE",
    object: null,
    "oldObject.data": { k: "v" },
    options: options("DeleteOptions", { propagationPolicy: "Orphan" }),
  }, { given: [...GIVEN], status: 200 }),
  "a deletion of a namespace, held to the one that is there": {
    hooks: [{
      hook: rules({ resources: ["namespaces"], scope: "*" }),
      says: ({ options: o, oldObject: { metadata } }) => ({
        response: { allowed: o.preconditions.uid === metadata.uid },
      }),
    }],
    send: [["DELETE", "/api/v1/namespaces/{ns}"]],
    status: 200,
    called: ["h0"],
  },
  "a deletion that is dry by its body and by its query": told(
    ["DELETE", `${MAPS}/a?dryRun=All`, { kind: "DeleteOptions", apiVersion: "v1", dryRun: ["All"] }],
    { options: options("DeleteOptions", { dryRun: ["All"] }) },
    { given: [...GIVEN], status: 200 },
  ),
  "a deletion of all": told(["DELETE", MAPS], { name: undefined, "oldObject.metadata.name": "a" }, {
    given: [...GIVEN],
    status: 200,
  }),
  "a deletion with the grace that a pod has": told(["DELETE", `${PODS}/p`], {
    options: options("DeleteOptions", { gracePeriodSeconds: 30 }),
  }, { given: [[PODS, pod("p", { spec: { nodeName: "n" } })]], status: 200 }),
  "a deletion of a pod that has no node": told(["DELETE", `${PODS}/p?gracePeriodSeconds=5`], {
    options: options("DeleteOptions", { gracePeriodSeconds: 0 }),
  }, { given: [[PODS, pod()]], status: 200 }),
  "no deletion of what only waits for its end": {
    given: [[PODS, pod("p", { spec: { nodeName: "n" } })]],
    hooks: [{}],
    send: [["DELETE", `${PODS}/p`], ["DELETE", `${PODS}/p`]],
    status: 200,
    called: ["h0"],
  },
  "of all, one is refused": {
    given: [...GIVEN],
    hooks: [{ says: NO }],
    send: [["DELETE", MAPS]],
    status: 400,
  },
  "a status": told(status[0], {
    subResource: "status",
    requestSubResource: "status",
    kind: kind("", "v1", "Pod"),
    "object.status.reason": "r",
    "oldObject.status.reason": undefined,
  }, { given: [[PODS, pod()]], status: 200 }),
  "a Scale": told(["PUT", `${DEPLOYMENTS}/d/scale`, { metadata: { name: "d" }, spec: { replicas: 3 } }], {
    subResource: "scale",
    kind: kind("autoscaling", "v1", "Scale"),
    resource: resource("apps", "v1", "deployments"),
    "object.spec.replicas": 3,
    "object.status.selector": "a=b",
    "oldObject.spec.replicas": 1,
    "object.metadata.managedFields": undefined,
  }, { given: [[DEPLOYMENTS, deployment]], status: 200 }),
  "an Eviction": told(["POST", `${PODS}/p/eviction`, { metadata: { name: "p" } }], {
    subResource: "eviction",
    kind: kind("policy", "v1", "Eviction"),
    resource: resource("", "v1", "pods"),
    name: "p",
  }, { given: [[PODS, pod()]] }),
  "a Binding": told(["POST", `${PODS}/p/binding`, { metadata: { name: "p" }, target: { kind: "Node", name: "n" } }], {
    subResource: "binding",
    kind: kind("", "v1", "Binding"),
    "object.target.name": "n",
    "object.metadata.managedFields.0.fieldsV1": { "f:target": {} },
  }, { given: [[PODS, pod()]] }),
  "a Binding of old": told(
    ["POST", "/api/v1/namespaces/{ns}/bindings", { metadata: { name: "p" }, target: { kind: "Node", name: "n" } }],
    { subResource: undefined, resource: resource("", "v1", "bindings") },
    { given: [[PODS, pod()]] },
  ),
  "an exec": podPart("exec?command=a&command=b&stdin=true&tty=false&container=c", {
    subResource: "exec",
    kind: kind("", "v1", "PodExecOptions"),
    object: { kind: "PodExecOptions", apiVersion: "v1", stdin: true, container: "c", command: ["a", "b"] },
    oldObject: null,
    name: "p",
  }),
  "an exec of nothing": podPart("exec", { object: { kind: "PodExecOptions", apiVersion: "v1", command: null } }),
  "an attach": podPart("attach?stdout=true", {
    object: { kind: "PodAttachOptions", apiVersion: "v1", stdout: true },
  }),
  "a port forwarding": podPart("portforward?ports=80&ports=81", {
    object: { kind: "PodPortForwardOptions", apiVersion: "v1", ports: [80, 81] },
  }),
  "a proxy": podPart("proxy/a/b?x=y", { object: { kind: "PodProxyOptions", apiVersion: "v1", path: "/a/b" } }),
  "a proxy of a folder": podPart("proxy/a/", { object: { kind: "PodProxyOptions", apiVersion: "v1", path: "/a/" } }),
  "a proxy of the root": podPart("proxy/", { object: { kind: "PodProxyOptions", apiVersion: "v1", path: "/" } }),
  "a proxy of the root, unended": podPart("proxy", { object: { kind: "PodProxyOptions", apiVersion: "v1" } }),
  "a proxy of a service": told(["GET", "/api/v1/namespaces/{ns}/services/s:80/proxy/x"], {
    name: "s:80",
    object: { kind: "ServiceProxyOptions", apiVersion: "v1", path: "/x" },
  }, { status: 404 }),
  "a connection is refused before the pod is looked for": {
    hooks: [{ says: NO, hook: rules({ operations: ["CONNECT"] }) }],
    send: [["GET", `${PODS}/no/exec?command=x`]],
    status: 400,
  },
  "a log is no connection": {
    ...told(["GET", `${PODS}/p/log`], {}, { given: [[PODS, pod()]], status: 204 }),
    called: [],
  },
  "a token": told(["POST", "/api/v1/namespaces/{ns}/serviceaccounts/a/token", { spec: { audiences: ["x"] } }], {
    subResource: "token",
    kind: kind("authentication.k8s.io", "v1", "TokenRequest"),
    name: "a",
    "object.spec.expirationSeconds": 3600,
  }, {
    given: [["/api/v1/namespaces/{ns}/serviceaccounts", { metadata: { name: "a" } }]],
    hooks: [{ mutating: true }],
    status: 404,
  }),
  "reviews of access are spared": {
    ...told(["POST", "/apis/authorization.k8s.io/v1/namespaces/{ns}/localsubjectaccessreviews", {
      metadata: { namespace: "{ns}" },
      spec: { user: "u", resourceAttributes: { namespace: "{ns}", verb: "get", resource: "pods" } },
    }], {}),
    called: [],
  },
});

const LOCAL = "/apis/authorization.k8s.io/v1/namespaces/{ns}/localsubjectaccessreviews";

table("webhooks of the version before are asked about access", {
  "a review": told(["POST", LOCAL, {
    metadata: { namespace: "{ns}" },
    spec: { user: "u", resourceAttributes: { namespace: "{ns}", verb: "get", resource: "pods" } },
  }], { kind: kind("authorization.k8s.io", "v1", "LocalSubjectAccessReview"), namespace: "{ns}" }),
}, ["--emulated-version=1.36"]);

table("webhooks in the other dialect", {
  "reviews have its names": {
    hooks: [{ mutating: true, says: ({ kind }) => ({ response: { allowed: kind.group === "apps" } }) }],
    send: [["POST", DEPLOYMENTS, deployment]],
    asked: { "options.apiVersion": "meta.orch.io/v1" },
  },
}, ["--api-dialect=orch"]);

const pair = generateKeyPairSync("ed25519");
const KEY = pair.publicKey.export({ format: "der", type: "spki" }).toString("base64");
const PROOF = sign(null, new TextEncoder().encode("u"), pair.privateKey).toString("base64");

table("what a webhook's version has no member for stays when it changes the rest", {
  "keys and proofs of requests of old": {
    hooks: [{
      mutating: true,
      says: (request) => {
        const { kind, object: { spec } } = request;
        const told = [kind.version, Object.hasOwn(spec, "pkixPublicKey")];
        return { patch: [{ op: "add", path: "/metadata/annotations", value: { told: JSON.stringify(told) } }] };
      },
      hook: rules({ apiGroups: ["certificates.k8s.io"], apiVersions: ["v1"], resources: ["podcertificaterequests"] }),
    }],
    send: [["POST", "/apis/certificates.k8s.io/v1beta1/namespaces/{ns}/podcertificaterequests", {
      metadata: { name: "old" },
      spec: {
        signerName: "example.com/signer",
        podName: "p",
        podUID: "u",
        serviceAccountName: "a",
        serviceAccountUID: "v",
        nodeName: "n",
        nodeUID: "w",
        pkixPublicKey: KEY,
        proofOfPossession: PROOF,
      },
    }]],
    shows: {
      "metadata.annotations": { told: '["v1",false]' },
      "spec.pkixPublicKey": KEY,
      "spec.proofOfPossession": PROOF,
    },
  },
}, ["--runtime-config=certificates.k8s.io/v1beta1=true"]);
