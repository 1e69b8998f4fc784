/** Admission plugin ServiceAccount: see _table.ts. */
import type { Loose } from "../../fixture/loose.ts";
import { obj, pod, table } from "./_table.ts";

const account = (rest = {}) => obj("v1", "ServiceAccount", "default", rest);
const BOUNDING = account({ metadata: { annotations: { "kubernetes.io/enforce-mountable-secrets": "true" } } });
const ofSecret = { secretKeyRef: { name: "s", key: "k" } };
const mirror = { annotations: { "kubernetes.io/config.mirror": "x" } };

const MOUNT = "/var/run/secrets/kubernetes.io/serviceaccount";
const bare = (name: string, more = {}) => ({ name, image: "i", ...more });
const own = { volumeMounts: [{ name: "own", mountPath: MOUNT }] };
const projected = (source: Loose) => [{ name: "v", projected: { sources: [source] } }];
const named = { ...BOUNDING, secrets: [{ name: "s" }] };
const readsSecret = {
  containers: [bare("c", { env: [{ name: "E", valueFrom: ofSecret }], envFrom: [{ secretRef: { name: "s" } }] })],
  volumes: [{ name: "v", secret: { secretName: "s" } }],
};

table("ServiceAccount", {
  on: {
    "account, token and pull secrets": {
      given: [account({ imagePullSecrets: [{ name: "a" }] })],
      post: pod(),
      shows: {
        "spec.serviceAccountName": "default",
        "spec.serviceAccount": "default",
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
    "who mounts something there keeps it, the others get the token": {
      given: [account()],
      post: pod({
        volumes: [{ name: "own", emptyDir: {} }],
        initContainers: [bare("first")],
        containers: [bare("c", own)],
      }),
      shows: {
        "spec.containers.0.volumeMounts": [{ name: "own", mountPath: MOUNT }],
        "spec.initContainers.0.volumeMounts.0.mountPath": MOUNT,
        "spec.volumes.1.projected.defaultMode": 420,
      },
    },
    "where all mount something there": {
      given: [account()],
      post: pod({ volumes: [{ name: "own", emptyDir: {} }], containers: [bare("c", own)] }),
      shows: { "spec.volumes": [{ name: "own", emptyDir: {} }] },
    },
    "a volume of the token that is there already": {
      given: [account()],
      post: pod({ volumes: [{ name: "kube-api-access-own", emptyDir: {} }] }),
      shows: {
        "spec.volumes": [{ name: "kube-api-access-own", emptyDir: {} }],
        "spec.containers.0.volumeMounts.0.name": "kube-api-access-own",
      },
    },
    "the pod's own pull secrets": {
      given: [account({ imagePullSecrets: [{ name: "a" }] })],
      post: pod({ imagePullSecrets: [{ name: "b" }] }),
      shows: { "spec.imagePullSecrets": [{ name: "b" }] },
    },
    "an account without a token": {
      given: [account({ automountServiceAccountToken: false })],
      post: pod(),
      shows: { "spec.volumes": undefined },
    },
    "a mirror pod that names a secret": {
      post: pod({ nodeName: "n", volumes: [{ name: "v", secret: { secretName: "s" } }] }, mirror),
      says: /a mirror pod may not reference secrets$/,
    },
    "a mirror pod that asks for a token": {
      post: pod({ nodeName: "n", volumes: projected({ serviceAccountToken: { path: "t" } }) }, mirror),
      says: /a mirror pod may not use ServiceAccountToken volume projections$/,
    },
    "a mirror pod is left as it is": { post: pod({ nodeName: "n" }, mirror), shows: { "spec.volumes": undefined } },
  },
  config: {
    "secrets that an account names": { given: [named], post: pod(readsSecret) },
    "which its pods do not pull images by": {
      given: [named],
      post: pod({ imagePullSecrets: [{ name: "s" }] }),
      says: /imagePullSecrets\[0\]\.name="s" is not allowed/,
    },
    "those that they pull images by": {
      given: [{ ...BOUNDING, imagePullSecrets: [{ name: "s" }] }],
      post: pod({ imagePullSecrets: [{ name: "s" }] }),
    },
    "containers that are added to a running pod": {
      given: [BOUNDING, pod()],
      request: {
        method: "PATCH",
        path: "/api/v1/namespaces/{ns}/pods/p/ephemeralcontainers",
        type: "application/strategic-merge-patch+json",
        body: { spec: { ephemeralContainers: [bare("e", { env: [{ name: "E", valueFrom: ofSecret }] })] } },
      },
      status: 403,
      says: /ephemeral container e with envVar E referencing secret\.secretName="s" is not allowed/,
    },
    ...Object.fromEntries(
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
  },
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
