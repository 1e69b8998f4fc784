/** Figures of rooms, as their pages tell them. */
import assert from "node:assert/strict";
import { Registry } from "prom-client";
import { clientFigures, servingFigures } from "../../agent/certificates/metrics.ts";
import { ClientMetrics } from "../../agent/client/metrics.ts";
import { promised } from "../../agent/http/metrics/stability.ts";
import { ImageMetrics } from "../../agent/images/metrics.ts";
import { NodeStartup } from "../../agent/node/startup.ts";
import { VolumeMetrics } from "../../agent/volumes/metrics.ts";
import { serving } from "../listen/_fixture.ts";

/** Lines of a registry's page, without texts and buckets. */
const lines = async (registry: Registry): Promise<string[]> =>
  promised(await registry.metrics()).split("\n").filter((line) => line !== "" && !/^#|_bucket/.test(line));

Deno.test("a page tells what is promised of each metric, by name, and bounds as public programs write them", () => {
  const page = promised(
    '# HELP b B.\n# TYPE b histogram\nb_bucket{le="1048576"} 1\n\n# HELP none N.\n# TYPE none gauge\n\n# HELP process_x P.\n# TYPE process_x gauge\nprocess_x 1\n# HELP kubernetes_build_info A.\n# TYPE kubernetes_build_info gauge\nkubernetes_build_info 1\n',
  );
  assert.equal(
    page,
    '# HELP b [ALPHA] B.\n# TYPE b histogram\nb_bucket{le="1.048576e+06"} 1\n# HELP kubernetes_build_info [BETA] A.\n# TYPE kubernetes_build_info gauge\nkubernetes_build_info 1\n# HELP process_x P.\n# TYPE process_x gauge\nprocess_x 1\n',
  );
});

Deno.test("requests to the API server are counted by what they came to", async () => {
  const registry = new Registry(), metrics = new ClientMetrics(registry);
  const answered = metrics.begin("https://api.test:6443", "GET", 0);
  answered.answered(200);
  answered.over(300);
  metrics.begin("https://api.test:6443", "POST", 5).over(undefined);
  const told = await lines(registry);
  assert.ok(told.includes('rest_client_requests_total{code="200",host="api.test:6443",method="GET"} 1'), told.join());
  assert.ok(told.includes('rest_client_requests_total{code="<error>",host="api.test:6443",method="POST"} 1'));
  assert.ok(told.includes('rest_client_request_duration_seconds_count{host="api.test:6443",verb="GET"} 1'));
  assert.ok(told.includes('rest_client_response_size_bytes_sum{host="api.test:6443",verb="GET"} 300'));
  assert.ok(told.includes('rest_client_request_size_bytes_sum{host="api.test:6443",verb="POST"} 5'));
});

Deno.test("images are told by their size, and why they went", async () => {
  const registry = new Registry(), metrics = new ImageMetrics(registry);
  for (const bytes of [0, 5, 2 * 1024 ** 3]) metrics.pulled(bytes, 2_000);
  metrics.collected("age");
  metrics.wanted("IfNotPresent", { present: true, pull: false });
  metrics.wanted("Never", {});
  assert.deepEqual(await lines(registry), [
    'kubelet_image_garbage_collected_total{reason="age"} 1',
    'kubelet_image_manager_ensure_image_requests_total{present_locally="true",pull_policy="ifnotpresent",pull_required="false"} 1',
    'kubelet_image_manager_ensure_image_requests_total{present_locally="unknown",pull_policy="never",pull_required="unknown"} 1',
    ...["N/A", "0-10MB", "1GB-5GB"].flatMap((size) =>
      ["sum", "count"].map((what) =>
        `kubelet_image_pull_duration_seconds_${what}{image_size_in_bytes="${size}"} ${what === "sum" ? 2 : 1}`
      )
    ),
  ]);
});

Deno.test("a node's start is told once it is over, of one that was not there before", async () => {
  const registry = new Registry();
  let now = 10_000;
  const startup = new NodeStartup(registry, () => now, 10_000, 0);
  startup.ready();
  now = 11_000;
  startup.attempted();
  assert.deepEqual(await lines(registry), []);
  now = 14_000;
  startup.registered();
  now = 20_000;
  startup.ready();
  now = 30_000;
  startup.registered();
  startup.ready();
  const name = (of: string, value: number) => `kubelet_node_startup_${of}duration_seconds ${value}`;
  assert.deepEqual(await lines(registry), [
    name("", 20),
    name("post_registration_", 6),
    name("pre_kubelet_", 10),
    name("pre_registration_", 1),
    name("registration_", 3),
  ]);
});

Deno.test("certificates tell how long they are good for, and how long they were", async () => {
  const registry = new Registry(), now = Date.now();
  const client = clientFigures(registry, () => now, () => undefined);
  const server = servingFigures(registry, () => now, () => serving.cert);
  client.failed();
  server.renewed(undefined);
  server.renewed(serving.cert);
  const told = await lines(registry);
  assert.ok(told.includes("kubelet_certificate_manager_client_ttl_seconds +Inf"), told.join());
  assert.ok(told.includes("kubelet_certificate_manager_client_expiration_renew_errors 1"));
  assert.ok(told.includes("kubelet_certificate_manager_server_rotation_seconds_count 1"));
  assert.ok(told.includes("kubelet_server_expiration_renew_errors 0"));
  assert.ok(told.some((line) => /^kubelet_certificate_manager_server_ttl_seconds \d+$/.test(line)));
});

Deno.test("volumes are counted by plugin, those that are there and those that are wanted", async () => {
  const registry = new Registry(), made: string[] = [], metrics = new VolumeMetrics(registry, () => made);
  const making = { uid: "u", name: "a", dir: "kubernetes.io~configmap", isDisk: false };
  await metrics.making(making, async () => void made.push("kubernetes.io~configmap"));
  await assert.rejects(metrics.making({ ...making, name: "b", isDisk: true }, () => Promise.reject(new Error("no"))));
  const operation = (name: string, status: string) =>
    `storage_operation_duration_seconds_count{migrated="false",operation_name="${name}",volume_plugin="kubernetes.io/configmap",status="${status}"} 1`;
  const count = (state: string, value: number) =>
    `volume_manager_total_volumes{plugin_name="kubernetes.io/configmap",state="${state}_state_of_world"} ${value}`;
  const told = await lines(registry);
  for (const line of [operation("volume_mount", "success"), operation("map_volume", "fail-unknown")]) {
    assert.ok(told.includes(line), told.join("\n"));
  }
  assert.ok(told.includes(count("desired", 2)) && told.includes(count("actual", 1)), told.join("\n"));
  metrics.forget("u");
  assert.ok(!(await lines(registry)).some((line) => line.includes("desired")));
});
