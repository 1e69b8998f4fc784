/** Admission plugin PodSecurity: see _table.ts. */
import { obj, pod, table } from "./_table.ts";
import type { Loose } from "../../fixture/loose.ts";

const LEVEL = (level: string, more = {}) => ({ "pod-security.kubernetes.io/enforce": level, ...more });
const hostNetwork = pod({ hostNetwork: true });
const good = pod({
  securityContext: { runAsNonRoot: true, seccompProfile: { type: "RuntimeDefault" } },
  containers: [{
    name: "c",
    image: "i",
    securityContext: { allowPrivilegeEscalation: false, capabilities: { drop: ["ALL"] } },
  }],
});
const workload = obj("apps/v1", "Deployment", "d", {
  spec: { selector: { matchLabels: { a: "b" } }, template: { metadata: { labels: { a: "b" } }, spec: good.spec } },
});
const bareWorkload = {
  ...workload,
  spec: { ...workload.spec, template: { ...workload.spec.template, spec: pod().spec } },
};
const relabel = (labels: Loose) => ({
  method: "PATCH",
  path: "/api/v1/namespaces/{ns}",
  type: "application/merge-patch+json",
  body: { metadata: { labels } },
});
const ephemeral = (securityContext: Loose) => ({
  method: "PATCH",
  path: "/api/v1/namespaces/{ns}/pods/p/ephemeralcontainers",
  type: "application/strategic-merge-patch+json",
  body: { spec: { ephemeralContainers: [{ name: "e", image: "i", securityContext }] } },
});
const asRoot = { runAsUser: 0 };
const STRICT = { labels: LEVEL("restricted") };
const template = { metadata: { labels: { a: "b" } }, spec: pod().spec };
const selector = { matchLabels: { a: "b" } };
const once = { ...template, spec: { ...template.spec, restartPolicy: "Never" } };
/** Each workload with a pod that is not restricted. */
const WORKLOADS = [
  obj("v1", "PodTemplate", "w", { template }),
  obj("v1", "ReplicationController", "w", { spec: { selector: selector.matchLabels, template } }),
  obj("apps/v1", "ReplicaSet", "w", { spec: { selector, template } }),
  obj("apps/v1", "StatefulSet", "w", { spec: { selector, template, serviceName: "s" } }),
  obj("apps/v1", "DaemonSet", "w", { spec: { selector, template } }),
  obj("batch/v1", "Job", "w", { spec: { template: once } }),
  obj("batch/v1", "CronJob", "w", { spec: { schedule: "* * * * *", jobTemplate: { spec: { template: once } } } }),
];
const CONFIG = `
- name: PodSecurity
  configuration:
    apiVersion: pod-security.admission.config.k8s.io/v1
    kind: PodSecurityConfiguration
    defaults: {enforce: baseline, warn: restricted, warn-version: v1.30}
    exemptions: {usernames: [root], namespaces: [default], runtimeClasses: [sandbox]}
`;

table("PodSecurity", {
  on: {
    "baseline refuses power over the node": {
      labels: LEVEL("baseline"),
      post: hostNetwork,
      says: /^pods "p" is forbidden: violates PodSecurity "baseline:latest": host namespaces \(hostNetwork=true\)$/,
    },
    "restricted says what is missing": {
      labels: LEVEL("restricted"),
      post: pod(),
      says:
        /violates PodSecurity "restricted:latest": allowPrivilegeEscalation != false \(container "c" must set securityContext\.allowPrivilegeEscalation=false\), unrestricted capabilities \(container "c" must set securityContext\.capabilities\.drop=\["ALL"\]\), runAsNonRoot != true \(pod or container "c" must set securityContext\.runAsNonRoot=true\), seccompProfile \(pod or container "c" must set securityContext\.seccompProfile\.type to "RuntimeDefault" or "Localhost"\)/,
    },
    "warnings, by version": {
      labels: { "pod-security.kubernetes.io/warn": "restricted", "pod-security.kubernetes.io/warn-version": "v1.20" },
      post: pod(),
      warns: [/would violate PodSecurity "restricted:v1\.20": allowPrivilegeEscalation/],
    },
    "an old version asks for less": {
      labels: LEVEL("baseline", { "pod-security.kubernetes.io/enforce-version": "v1.30" }),
      post: pod({ securityContext: { sysctls: [{ name: "net.ipv4.tcp_rmem", value: "1" }] } }),
      says: /violates PodSecurity "baseline:v1\.30": forbidden sysctls \(net\.ipv4\.tcp_rmem\)/,
    },
    "a workload is made, with a warning": {
      labels: LEVEL("restricted"),
      post: bareWorkload,
      warns: [/would violate PodSecurity "restricted:latest"/],
    },
    "a bad label is refused": {
      request: relabel(LEVEL("bogus")),
      status: 422,
      says:
        /metadata\.labels\[pod-security\.kubernetes\.io\/enforce\]: Invalid value: "bogus": must be one of privileged/,
    },
  },
  edge: {
    ...Object.fromEntries(WORKLOADS.map((w) => [`a pod within: ${w.kind}`, {
      ...STRICT,
      post: w,
      warns: [/would violate PodSecurity "restricted:latest": allowPrivilegeEscalation != false/],
    }])),
    "a container that is added to a running pod": {
      ...STRICT,
      given: [good],
      request: ephemeral({ ...good.spec.containers[0].securityContext, ...asRoot }),
      status: 403,
      says: /violates PodSecurity "restricted:latest": runAsUser=0 \(container "e" must not set runAsUser=0\)/,
    },
    "one that is as it should be": {
      ...STRICT,
      given: [good],
      request: ephemeral(good.spec.containers[0].securityContext),
      warns: [],
    },
    "a lower level tells of no pods": { ...STRICT, given: [good], request: relabel(LEVEL("baseline")), warns: [] },
    "another version of the level tells of pods that are there": {
      labels: LEVEL("baseline", { "pod-security.kubernetes.io/enforce-version": "v1.37" }),
      given: [pod({ securityContext: { sysctls: [{ name: "net.ipv4.tcp_rmem", value: "1" }] } })],
      request: relabel({ "pod-security.kubernetes.io/enforce-version": "v1.30" }),
      warns: [/violate the new PodSecurity enforce level "baseline:v1\.30"/, /p: forbidden sysctls/],
    },
    "without labels everything goes": { post: hostNetwork, warns: [] },
    "restricted takes a pod that does it right": { labels: LEVEL("restricted"), post: good, warns: [] },
    "a good workload without": { labels: LEVEL("restricted"), post: workload, warns: [] },
    "raising the level tells of pods that are there": {
      given: [hostNetwork, pod({ hostNetwork: true }, {}, "q")],
      request: relabel(LEVEL("baseline")),
      warns: [
        /existing pods in namespace "\w+" violate the new PodSecurity enforce level "baseline:latest"/,
        /p \(and 1 other pod\): host namespaces/,
      ],
    },
    "a namespace that cannot be looked up": {
      flags: ["--disable-admission-plugins=NamespaceLifecycle,ServiceAccount"],
      in: "absent",
      post: good,
      says: /^pods "p" is forbidden: failed to lookup namespace "\{ns\}"$/,
    },
    "the status of a workload is nobody's template": {
      ...STRICT,
      given: [bareWorkload],
      request: {
        method: "PATCH",
        path: "/apis/apps/v1/namespaces/{ns}/deployments/d/status",
        type: "application/merge-patch+json",
        body: { status: { observedGeneration: 1 } },
      },
      warns: [],
    },
    "profiles in annotations of a template": {
      labels: LEVEL("baseline"),
      post: obj("v1", "PodTemplate", "w", {
        template: {
          ...template,
          metadata: { annotations: { "container.apparmor.security.beta.kubernetes.io/c": "unconfined" } },
        },
      }),
      warns: [/deprecated since/, /would violate PodSecurity "baseline:latest": forbidden AppArmor profile/],
    },
    "user namespaces relax what they make harmless": {
      labels: LEVEL("baseline"),
      post: pod({
        hostUsers: false,
        containers: [{ name: "c", image: "i", securityContext: { procMount: "Unmasked" } }],
      }),
    },
  },
  config: {
    "configured defaults": { config: CONFIG, post: hostNetwork, says: /violates PodSecurity "baseline:latest"/ },
    "configured warnings": { config: CONFIG, post: pod(), warns: [/would violate PodSecurity "restricted:v1\.30"/] },
    "an exempt runtime class": {
      config: CONFIG,
      given: [obj("node.k8s.io/v1", "RuntimeClass", "sandbox", { handler: "h" })],
      post: pod({ hostNetwork: true, runtimeClassName: "sandbox" }),
      warns: [],
    },
    "another runtime class": {
      config: CONFIG,
      given: [obj("node.k8s.io/v1", "RuntimeClass", "boxed", { handler: "h" })],
      post: pod({ hostNetwork: true, runtimeClassName: "boxed" }),
      says: /violates PodSecurity "baseline:latest": host namespaces/,
    },
    "an exempt namespace": { config: CONFIG, in: "default", post: hostNetwork, warns: [] },
    "a workload of an exempt runtime class": {
      config: CONFIG,
      post: {
        ...workload,
        spec: { selector, template: { ...template, spec: { ...template.spec, runtimeClassName: "sandbox" } } },
      },
      warns: [],
    },
    "labels of an exempt namespace say what is not done": {
      config: CONFIG,
      request: { ...relabel(LEVEL("restricted")), path: "/api/v1/namespaces/default" },
      warns: [
        /namespace "default" is exempt from Pod Security, and the policy \(enforce=restricted:latest\) will be ignored/,
      ],
    },
    "an exempt user": {
      config: CONFIG,
      as: { name: "root", groups: ["system:masters"] },
      post: hostNetwork,
      warns: [],
    },
  },
  dryRun: {
    "several findings, in order": {
      flags: ["--allow-privileged"],
      labels: LEVEL("baseline"),
      post: pod({
        hostPID: true,
        containers: [{ name: "c", image: "i", securityContext: { privileged: true } }],
        volumes: [{ name: "v", hostPath: { path: "/" } }],
      }),
      says:
        /host namespaces \(hostPID=true\), hostPath volumes \(volume "v"\), privileged \(container "c" must not set securityContext\.privileged=true\)/,
    },
  },
  off: {
    "everything goes": { labels: LEVEL("restricted"), post: hostNetwork, warns: [] },
  },
});
