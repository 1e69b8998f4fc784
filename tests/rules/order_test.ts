/** The order of causes, and what is looked at first: through a whole server, where clients see it. */
import assert from "node:assert/strict";
import type { Loose } from "../fixture/loose.ts";
import { startTestServer } from "../fixture/server.ts";

interface Row {
  readonly name: string;
  readonly path: string;
  readonly body: Record<string, unknown>;
  /** As `<field> <reason>`; none: created. */
  readonly causes: readonly string[];
}

const EMBEDDED = "x-kubernetes-embedded-resource";
const CORE = "/api/v1/namespaces/default";
const probe = { httpGet: { port: 80 }, successThreshold: 2, terminationGracePeriodSeconds: 1 };
const container = { name: "c", image: "i" };
const selector = { matchExpressions: [{ key: "a", operator: "x" }] };

const schema = {
  type: "object",
  properties: { b: {}, a: { type: "array" }, c: { [EMBEDDED]: true, additionalProperties: true } },
};
const AT = "spec.validation.openAPIV3Schema.properties";

const ROWS: readonly Row[] = [
  {
    name: "what keeps a schema from being structural is told in the order of places",
    path: "/apis/apiextensions.k8s.io/v1/customresourcedefinitions",
    body: {
      metadata: { name: "foos.x.io" },
      spec: {
        group: "x.io",
        scope: "Cluster",
        names: { plural: "foos", singular: "foo", kind: "Foo", listKind: "FooList" },
        versions: [{ name: "v1", served: true, storage: true, schema: { openAPIV3Schema: schema } }],
      },
    },
    causes: [
      `${AT}[a].items Required`,
      `${AT}[b].type Required`,
      `${AT}[c].additionalProperties Forbidden`,
      `${AT}[c].properties Required`,
      `${AT}[c].type Required`,
    ],
  },
  {
    name: "what does not fit a flow schema's subject is told users first",
    path: "/apis/flowcontrol.apiserver.k8s.io/v1/flowschemas",
    body: {
      metadata: { name: "x" },
      spec: {
        priorityLevelConfiguration: { name: "p" },
        matchingPrecedence: 9,
        rules: [{
          subjects: [{
            kind: "ServiceAccount",
            serviceAccount: { name: "s", namespace: "n" },
            user: { name: "u" },
            group: { name: "g" },
          }],
          nonResourceRules: [{ verbs: ["get"], nonResourceURLs: ["/"] }],
        }],
      },
    },
    causes: ["spec.rules[0].subjects[0].user Forbidden", "spec.rules[0].subjects[0].group Forbidden"],
  },
  {
    name: "addresses of a service come before everything else, and alone",
    path: `${CORE}/services`,
    body: { metadata: { name: "A" }, spec: { ports: [], clusterIP: "10.0.0.1", clusterIPs: ["10.0.0.2"], type: "x" } },
    causes: ["spec.clusterIPs Invalid"],
  },
  {
    name: "ports of a slice come before its endpoints",
    path: "/apis/discovery.k8s.io/v1/namespaces/default/endpointslices",
    body: {
      metadata: { name: "x" },
      addressType: "IPv4",
      endpoints: [{ addresses: ["x"] }],
      ports: [{ name: "A", port: 80 }],
    },
    causes: ["ports[0].name Invalid", "endpoints[0].addresses[0] Invalid"],
  },
  {
    name: "the name of a binding's parameters comes before its selector",
    path: "/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicybindings",
    body: {
      metadata: { name: "x" },
      spec: {
        policyName: "p",
        validationActions: ["Deny"],
        paramRef: { name: "n", selector, parameterNotFoundAction: "Deny" },
      },
    },
    causes: [
      "spec.paramRef.name Forbidden",
      "spec.paramRef.selector.matchExpressions[0].operator Invalid",
      "spec.paramRef.selector Forbidden",
    ],
  },
  {
    name: "the form of a daemon set's limits is looked at before their size",
    path: "/apis/apps/v1/namespaces/default/daemonsets",
    body: {
      metadata: { name: "x" },
      spec: {
        selector: { matchLabels: { a: "b" } },
        template: { metadata: { labels: { a: "b" } }, spec: { containers: [container] } },
        updateStrategy: { rollingUpdate: { maxUnavailable: "200%", maxSurge: "x" } },
      },
    },
    causes: [
      "spec.updateStrategy.rollingUpdate.maxSurge Invalid",
      "spec.updateStrategy.rollingUpdate.maxUnavailable Invalid",
    ],
  },
  {
    name: "probes stand in the order of the kind's fields",
    path: `${CORE}/pods`,
    body: {
      metadata: { name: "x" },
      spec: { containers: [{ ...container, livenessProbe: probe, startupProbe: probe, readinessProbe: probe }] },
    },
    causes: [
      "spec.containers[0].livenessProbe.successThreshold Invalid",
      "spec.containers[0].readinessProbe.terminationGracePeriodSeconds Invalid",
      "spec.containers[0].startupProbe.successThreshold Invalid",
    ],
  },
  {
    name: "so does what an ephemeral container must not have",
    path: `${CORE}/podtemplates`,
    body: {
      metadata: { name: "x" },
      template: {
        spec: {
          containers: [container],
          ephemeralContainers: [{
            ...container,
            name: "e",
            lifecycle: { preStop: { sleep: { seconds: 1 } } },
            resources: { limits: { cpu: "1" } },
            ports: [{ containerPort: 80 }],
          }],
        },
      },
    },
    causes: ["[0].ports", "[0].resources", "[0].lifecycle", ""].map((m) =>
      `template.spec.ephemeralContainers${m} Forbidden`
    ),
  },
  {
    name:
      "ports of a service that may not have a node port come before those that have one twice, and these before others",
    path: `${CORE}/services`,
    body: {
      metadata: { name: "x" },
      spec: {
        ports: [
          { name: "a", port: 80, nodePort: 1 },
          { name: "b", port: 80, nodePort: 1 },
          { name: "c", port: 81, nodePort: 1 },
        ],
      },
    },
    causes: [
      "spec.ports[0].nodePort Forbidden",
      "spec.ports[1].nodePort Forbidden",
      "spec.ports[2].nodePort Forbidden",
      "spec.ports[1].nodePort Duplicate",
      "spec.ports[2].nodePort Duplicate",
      "spec.ports[1] Duplicate",
    ],
  },
  {
    name: "that claims are given a bound comes before the names of ratios",
    path: `${CORE}/limitranges`,
    body: {
      metadata: { name: "x" },
      spec: {
        limits: [{ type: "PersistentVolumeClaim", maxLimitRequestRatio: { "a b": "1" }, default: { "c d": "1" } }],
      },
    },
    causes: [
      "spec.limits[0].default[c d] Invalid",
      "spec.limits[0].limits Required",
      "spec.limits[0].maxLimitRequestRatio[a b] Invalid",
    ],
  },
  {
    name: "what an inline volume may not have stands in the order of volumes",
    path: "/apis/storage.k8s.io/v1/volumeattachments",
    body: {
      metadata: { name: "x" },
      spec: {
        attacher: "d",
        nodeName: "n",
        source: {
          inlineVolumeSpec: {
            capacity: { storage: "1Gi" },
            csi: { driver: "d" },
            nodeAffinity: {},
            persistentVolumeReclaimPolicy: "Delete",
            storageClassName: "c",
            volumeMode: "Block",
          },
        },
      },
    },
    causes: [
      "capacity Forbidden",
      "accessModes Required",
      "persistentVolumeReclaimPolicy Forbidden",
      "nodeAffinity Forbidden",
      "csi.volumeHandle Required",
      "storageClassName Forbidden",
      "volumeMode Forbidden",
    ].map((c) => `spec.source.inlineVolumeSpec.${c}`),
  },
  {
    name: "a slash alone is no version: the endpoint's is taken",
    path: `${CORE}/configmaps`,
    body: { apiVersion: "/", kind: "ConfigMap", metadata: { name: "x" } },
    causes: [],
  },
  {
    name: "a claim's source in another namespace is dropped while its gate is off, and then the source of old",
    path: `${CORE}/persistentvolumeclaims`,
    body: {
      metadata: { name: "x" },
      spec: {
        accessModes: ["ReadWriteOnce"],
        resources: { requests: { storage: "1Gi" } },
        dataSource: { apiGroup: "A!", kind: "k", name: "n" },
        dataSourceRef: { apiGroup: "A!", kind: "k", name: "n", namespace: "N!" },
      },
    },
    causes: [],
  },
];

interface Change {
  readonly name: string;
  readonly path: string;
  readonly body: Record<string, unknown>;
  readonly set: Record<string, unknown>;
  readonly causes: readonly string[];
}

const CHANGES: readonly Change[] = [
  {
    name: "what a service may not change comes before what is wrong with it",
    path: `${CORE}/services`,
    body: { metadata: { name: "s" }, spec: { clusterIP: "10.0.0.7", ports: [{ port: 80 }] } },
    set: { spec: { clusterIP: "10.0.0.8", sessionAffinity: "x" } },
    causes: ["spec.clusterIPs[0] Invalid", "spec.sessionAffinity NotSupported"],
  },
  {
    name: "a volume is looked at before its mount options, and again before what it may not change",
    path: "/api/v1/persistentvolumes",
    body: {
      metadata: { name: "v" },
      spec: { accessModes: ["ReadWriteOnce"], capacity: { storage: "1Gi" }, hostPath: { path: "/a" } },
    },
    set: {
      metadata: { annotations: { "volume.beta.kubernetes.io/mount-options": "x" } },
      spec: { accessModes: ["x"], hostPath: { path: "/b" } },
    },
    causes: [
      "spec.accessModes NotSupported",
      "metadata.annotations.volume.beta.kubernetes.io/mount-options Forbidden",
      "spec.accessModes NotSupported",
      "spec.persistentvolumesource Forbidden",
    ],
  },
  {
    name: "what a secret may not change comes before what is wrong with it",
    path: `${CORE}/secrets`,
    body: { metadata: { name: "s" }, immutable: true },
    set: { type: "kubernetes.io/tls", data: { "a b": "" } },
    causes: [
      "type Invalid",
      "data Forbidden",
      "data[a b] Invalid",
      "data[tls.crt] Required",
      "data[tls.key] Required",
    ],
  },
  {
    name: "what a config map may not change comes before what is wrong with it",
    path: `${CORE}/configmaps`,
    body: { metadata: { name: "m" }, immutable: true },
    set: { data: { "a b": "" } },
    causes: ["data Forbidden", "data[a b] Invalid"],
  },
];

const told = (body: Loose): string[] =>
  (body.details?.causes ?? []).map((c: { field: string; reason: string }) =>
    `${c.field} ${c.reason.replace("FieldValue", "")}`
  );

Deno.test("causes of updates: their order", async (test) => {
  const server = await startTestServer(["--disable-admission-plugins=ServiceAccount"]);
  try {
    for (const { name, path, body, set, causes } of CHANGES) {
      await test.step(name, async () => {
        const made = await server.fetch(path, { body });
        assert.equal(made.status, 201, made.text);
        const { status, body: answer } = await server.fetch(`${path}/${made.body.metadata.name}`, {
          method: "PATCH",
          headers: { "content-type": "application/merge-patch+json" },
          body: set,
        });
        assert.deepEqual([status, told(answer)], [422, causes], JSON.stringify(answer));
      });
    }
  } finally {
    await server.stop();
  }
});

Deno.test("causes: their order, and what is looked at first", async (test) => {
  const server = await startTestServer(["--disable-admission-plugins=ServiceAccount"]);
  try {
    for (const { name, path, body, causes } of ROWS) {
      await test.step(name, async () => {
        const { status, body: answer } = await server.fetch(`${path}?dryRun=All`, { body });
        assert.deepEqual(told(answer), causes, JSON.stringify(answer));
        assert.equal(status, causes.length ? 422 : 201, JSON.stringify(answer));
      });
    }
  } finally {
    await server.stop();
  }
});
