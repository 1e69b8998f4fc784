/** Objects of the sizes that speeds are stated for. */
import type { JsonMap } from "../../schema/model/types.ts";

function container(name: string, envs: number): JsonMap {
  return {
    name,
    image: `registry.example/${name}:1.2.3`,
    args: ["--listen=:8080", "--verbose=2", `--name=${name}`],
    ports: [{ name: "http", containerPort: 8080, protocol: "TCP" }, {
      name: "dns",
      containerPort: 53,
      protocol: "UDP",
    }],
    env: Array.from({ length: envs }, (_, i) => ({ name: `VARIABLE_${i}`, value: `value of ${i} in ${name}` })),
    resources: { limits: { cpu: "500m", memory: "256Mi" }, requests: { cpu: "100m", memory: "128Mi" } },
    volumeMounts: Array.from({ length: 4 }, (_, i) => ({ name: `volume-${i}`, mountPath: `/mnt/${name}/${i}` })),
    livenessProbe: {
      httpGet: { path: "/livez", port: "http", scheme: "HTTP" },
      periodSeconds: 10,
      failureThreshold: 3,
    },
    terminationMessagePath: "/dev/termination-log",
    terminationMessagePolicy: "File",
    imagePullPolicy: "IfNotPresent",
  };
}

/** A Deployment of about `bytes` as JSON. */
export function largeDeployment(bytes: number): JsonMap {
  const containers: JsonMap[] = [];
  const object: JsonMap = {
    apiVersion: "apps/v1",
    kind: "Deployment",
    metadata: { name: "large", namespace: "default", uid: "u", labels: { app: "large" } },
    spec: {
      replicas: 3,
      selector: { matchLabels: { app: "large" } },
      template: {
        metadata: { labels: { app: "large" } },
        spec: {
          containers,
          volumes: Array.from({ length: 4 }, (_, i) => ({ name: `volume-${i}`, emptyDir: {} })),
          restartPolicy: "Always",
          dnsPolicy: "ClusterFirst",
          securityContext: {},
          schedulerName: "default-scheduler",
        },
      },
      strategy: { type: "RollingUpdate", rollingUpdate: { maxSurge: "25%", maxUnavailable: "25%" } },
    },
    status: {},
  };
  while (JSON.stringify(object).length < bytes) containers.push(container(`container-${containers.length}`, 20));
  return object;
}
