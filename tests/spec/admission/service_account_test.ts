/** Admission plugin ServiceAccount: see _table.ts. */
import { obj, pod, table } from "./_table.ts";

const account = (rest = {}) => obj("v1", "ServiceAccount", "default", rest);
const BOUNDING = account({ metadata: { annotations: { "kubernetes.io/enforce-mountable-secrets": "true" } } });
const ofSecret = { secretKeyRef: { name: "s", key: "k" } };
const mirror = { annotations: { "kubernetes.io/config.mirror": "x" } };

table("ServiceAccount", {
  on: {
    "account, token and pull secrets": {
      given: [account({ imagePullSecrets: [{ name: "a" }] })],
      post: pod(),
      shows: {
        "spec.serviceAccountName": "default",
        "spec.imagePullSecrets": [{ name: "a" }],
        "spec.volumes.0.projected.sources.0.serviceAccountToken": { expirationSeconds: 3607, path: "token" },
        "spec.volumes.0.projected.sources.1.configMap.name": "kube-root-ca.crt",
        "spec.volumes.0.projected.defaultMode": 420,
        "spec.containers.0.volumeMounts.0.mountPath": "/var/run/secrets/kubernetes.io/serviceaccount",
      },
    },
    "an account may go without a token; the pod's own word counts more": {
      given: [account({ automountServiceAccountToken: false })],
      post: pod({ automountServiceAccountToken: true }),
      shows: { "spec.volumes.0.projected.defaultMode": 420 },
    },
    "an absent account is refused": {
      post: pod({ serviceAccountName: "none" }),
      says: /error looking up service account \{ns\}\/none: serviceaccount "none" not found/,
    },
    "a mirror pod has no account": {
      post: pod({ serviceAccountName: "default", nodeName: "n" }, mirror),
      says: /a mirror pod may not reference service accounts/,
    },
  },
  edge: {
    "a pod may go without a token": {
      given: [account()],
      post: pod({ automountServiceAccountToken: false }),
      shows: { "spec.volumes": undefined },
    },
    "a mirror pod is left as it is": { post: pod({ nodeName: "n" }, mirror), shows: { "spec.volumes": undefined } },
  },
  config: Object.fromEntries(
    ([
      [
        { containers: [{ name: "c", image: "i", env: [{ name: "E", valueFrom: ofSecret }] }] },
        /^.*container c with envVar E/,
      ],
      [
        { initContainers: [{ name: "c", image: "i", envFrom: [{ secretRef: { name: "s" } }] }] },
        /init container c with envFrom/,
      ],
      [{ imagePullSecrets: [{ name: "s" }] }, /imagePullSecrets\[0\]\.name="s"/],
    ] as const).map(([spec, says], i) => [
      `the secrets of pods that an account bounds (${i})`,
      { given: [BOUNDING], post: pod(spec), says },
    ]),
  ),
  dryRun: {
    "an account may bound the secrets of its pods": {
      given: [BOUNDING],
      post: pod({ volumes: [{ name: "v", secret: { secretName: "s" } }] }),
      says: /volume with secret\.secretName="s" is not allowed because service account default does not reference that/,
    },
  },
  off: {
    "no account": { post: pod(), shows: { "spec.serviceAccountName": undefined } },
  },
});
