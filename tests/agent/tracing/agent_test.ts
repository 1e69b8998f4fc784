/** A whole agent that is told to trace. */
import assert from "node:assert/strict";
import { containerdMissing, startContainerd } from "../../fixture/containerd.ts";
import { IMAGES } from "../../fixture/busybox_image.ts";
import { noAgent, withAgent } from "../../spec/_orchlet.ts";
import { Collector } from "../../tracing/_collector.ts";
import { withDirectory } from "../../fixture/directory.ts";

const missing = noAgent ?? containerdMissing();
if (missing) console.log(`traces of containers are not tested: ${missing}`);

/** What a configuration file takes for granted, and an agent without an API server does not have. */
const ALONE = ["--authentication-token-webhook=false", "--authorization-mode=AlwaysAllow", "--eviction-hard="];

const manifest = JSON.stringify({
  apiVersion: "v1",
  kind: "Pod",
  metadata: { name: "web", namespace: "default" },
  spec: {
    hostNetwork: true,
    terminationGracePeriodSeconds: 1,
    containers: [{ name: "main", image: IMAGES[0], imagePullPolicy: "Never", command: ["sleep", "1000"] }],
  },
});

Deno.test({
  name: "traces: a pod that begins is one, with what the runtime is asked for it",
  ignore: missing !== undefined, // no containerd, root or Linux on this machine
  sanitizeOps: false,
  sanitizeResources: false,
  fn: () =>
    withDirectory(async (dir) => {
      const collector = new Collector(), containerd = await startContainerd();
      const config = {
        apiVersion: "kubelet.config.k8s.io/v1beta1",
        kind: "KubeletConfiguration",
        tracing: { endpoint: await collector.start(), samplingRatePerMillion: 1_000_000 },
      };
      await Deno.writeTextFile(`${dir}/config.json`, JSON.stringify(config));
      await Deno.mkdir(`${dir}/manifests`);
      await Deno.writeTextFile(`${dir}/manifests/web.json`, manifest);
      try {
        // Unused images are looked for only where some may have to go.
        const collects = "--image-gc-high-threshold=99";
        const flags = [`--config=${dir}/config.json`, `--pod-manifest-path=${dir}/manifests`, collects];
        let uid: string | undefined;
        await withAgent([...flags, ...ALONE], async ({ pod }) => {
          uid = (await pod("web-localhost", ({ status }) => status?.phase === "Running")).metadata!.uid;
        }, { containerd });
        const service = "runtime.v1.RuntimeService/";
        const made = collector.one(`${service}RunPodSandbox`);
        const sync = collector.spans.find(({ spanId }) => spanId === made.parentId)!;
        assert.deepEqual([sync.name, sync.parentId, sync.attributes], ["syncPod", "", {
          "k8s.pod.uid": uid,
          "k8s.pod": "default/web-localhost",
          "k8s.pod.name": "web-localhost",
          "k8s.pod.update_type": "create",
          "k8s.namespace.name": "default",
        }]);
        for (const name of ["Containers", "Images"]) {
          assert.ok(collector.spans.some((span) => span.name === `${name}/GarbageCollect`), name);
        }
        const parts = collector.spans.filter(({ traceId, parentId }) =>
          traceId === sync.traceId && parentId === sync.spanId
        );
        for (const name of ["CreateContainer", "StartContainer"]) {
          assert.ok(parts.some((part) => part.name === service + name), parts.map((part) => part.name).join());
        }
      } finally {
        collector.stop();
        await containerd.stop();
      }
    }),
});
