/** A web shop of many kinds, as people write one. */

type Manifest = Record<string, unknown> & { kind: string; metadata: { name: string } };

const of = (part: string) => ({ app: "shop", part });
const meta = (name: string, part = name) => ({ name, labels: of(part) });
const pod = (part: string, image: string, port: number) => ({
  metadata: { labels: of(part) },
  spec: {
    serviceAccountName: "shop",
    containers: [{
      name: part,
      image,
      ports: [{ name: "main", containerPort: port }],
      envFrom: [{ configMapRef: { name: "settings" } }],
      env: [{ name: "PASSWORD", valueFrom: { secretKeyRef: { name: "database", key: "password" } } }],
      resources: { requests: { cpu: "100m", memory: "64Mi" }, limits: { memory: "128Mi" } },
      readinessProbe: { httpGet: { path: "/ready", port: "main" } },
    }],
  },
});
const once = { ...pod("report", "example.com/report:1", 8080) };

/** The manifests: 16 kinds. */
export const SHOP: readonly Manifest[] = [
  { apiVersion: "v1", kind: "ServiceAccount", metadata: meta("shop") },
  {
    apiVersion: "v1",
    kind: "ConfigMap",
    metadata: meta("settings"),
    data: { CURRENCY: "EUR", "app.ini": "[shop]\nlang=de\n" },
  },
  { apiVersion: "v1", kind: "Secret", metadata: meta("database"), stringData: { password: "geheim" } },
  {
    apiVersion: "v1",
    kind: "PersistentVolumeClaim",
    metadata: meta("pictures"),
    spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1Gi" } } },
  },
  {
    apiVersion: "v1",
    kind: "Service",
    metadata: meta("web"),
    spec: { selector: of("web"), ports: [{ name: "http", port: 80, targetPort: "main" }] },
  },
  {
    apiVersion: "v1",
    kind: "Service",
    metadata: meta("database"),
    spec: { clusterIP: "None", selector: of("database"), ports: [{ name: "sql", port: 5432 }] },
  },
  {
    apiVersion: "apps/v1",
    kind: "Deployment",
    metadata: meta("web"),
    spec: { replicas: 2, selector: { matchLabels: of("web") }, template: pod("web", "example.com/web:1", 8080) },
  },
  {
    apiVersion: "apps/v1",
    kind: "StatefulSet",
    metadata: meta("database"),
    spec: {
      serviceName: "database",
      selector: { matchLabels: of("database") },
      template: pod("database", "example.com/db:1", 5432),
      volumeClaimTemplates: [{
        metadata: { name: "data" },
        spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "2Gi" } } },
      }],
    },
  },
  {
    apiVersion: "apps/v1",
    kind: "DaemonSet",
    metadata: meta("logs"),
    spec: { selector: { matchLabels: of("logs") }, template: pod("logs", "example.com/logs:1", 9000) },
  },
  {
    apiVersion: "batch/v1",
    kind: "CronJob",
    metadata: meta("report"),
    spec: {
      schedule: "0 4 * * *",
      jobTemplate: { spec: { template: { ...once, spec: { ...once.spec, restartPolicy: "OnFailure" } } } },
    },
  },
  {
    apiVersion: "batch/v1",
    kind: "Job",
    metadata: meta("migrate"),
    spec: { template: { ...once, spec: { ...once.spec, restartPolicy: "Never" } } },
  },
  {
    apiVersion: "networking.k8s.io/v1",
    kind: "Ingress",
    metadata: meta("shop"),
    spec: {
      rules: [{
        host: "shop.example.com",
        http: {
          paths: [{ path: "/", pathType: "Prefix", backend: { service: { name: "web", port: { name: "http" } } } }],
        },
      }],
    },
  },
  {
    apiVersion: "networking.k8s.io/v1",
    kind: "NetworkPolicy",
    metadata: meta("database"),
    spec: {
      podSelector: { matchLabels: of("database") },
      ingress: [{ from: [{ podSelector: { matchLabels: of("web") } }], ports: [{ port: 5432 }] }],
    },
  },
  {
    apiVersion: "autoscaling/v2",
    kind: "HorizontalPodAutoscaler",
    metadata: meta("web"),
    spec: {
      scaleTargetRef: { apiVersion: "apps/v1", kind: "Deployment", name: "web" },
      minReplicas: 2,
      maxReplicas: 9,
      metrics: [{
        type: "Resource",
        resource: { name: "cpu", target: { type: "Utilization", averageUtilization: 70 } },
      }],
    },
  },
  {
    apiVersion: "policy/v1",
    kind: "PodDisruptionBudget",
    metadata: meta("web"),
    spec: { minAvailable: 1, selector: { matchLabels: of("web") } },
  },
  {
    apiVersion: "rbac.authorization.k8s.io/v1",
    kind: "Role",
    metadata: meta("shop"),
    rules: [{ apiGroups: [""], resources: ["configmaps"], verbs: ["get", "watch"] }],
  },
  {
    apiVersion: "rbac.authorization.k8s.io/v1",
    kind: "RoleBinding",
    metadata: meta("shop"),
    roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "Role", name: "shop" },
    subjects: [{ kind: "ServiceAccount", name: "shop", namespace: "shop" }],
  },
];
