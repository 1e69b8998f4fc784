/** Typical objects, as clients send them. */

const container = (name: string) => ({
  name,
  image: "registry.example/shop/web:1.2.3",
  ports: [{ name: "http", containerPort: 8080 }],
  env: [{ name: "MODE", value: "production" }, {
    name: "HOST",
    valueFrom: { fieldRef: { fieldPath: "status.hostIP" } },
  }],
  resources: { requests: { cpu: "100m", memory: "128Mi" }, limits: { memory: "256Mi" } },
  livenessProbe: { httpGet: { path: "/live", port: "http" } },
  readinessProbe: { httpGet: { path: "/ready", port: "http" } },
  volumeMounts: [{ name: "data", mountPath: "/data" }, { name: "config", mountPath: "/etc/web" }],
});
const podSpec = {
  containers: [container("web"), { name: "side", image: "registry.example/side:1" }],
  volumes: [{ name: "data", emptyDir: {} }, { name: "config", configMap: { name: "web" } }],
  tolerations: [{
    key: "node.kubernetes.io/not-ready",
    operator: "Exists",
    effect: "NoExecute",
    tolerationSeconds: 60,
  }],
  securityContext: { runAsNonRoot: true, runAsUser: 1000 },
  automountServiceAccountToken: false,
};
const labels = { app: "web", tier: "front" };

/** By resource. */
export const TYPICAL: Readonly<Record<string, (name: string) => Record<string, unknown>>> = {
  "pods": (name) => ({ apiVersion: "v1", kind: "Pod", metadata: { name, labels }, spec: podSpec }),
  "deployments.apps": (name) => ({
    apiVersion: "apps/v1",
    kind: "Deployment",
    metadata: { name, labels },
    spec: { replicas: 3, selector: { matchLabels: labels }, template: { metadata: { labels }, spec: podSpec } },
  }),
  "configmaps": (name) => ({ apiVersion: "v1", kind: "ConfigMap", metadata: { name }, data: { k: "x".repeat(1_000) } }),
};
