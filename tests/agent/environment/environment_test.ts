import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import type { Container, EnvVar } from "../../../schema/api/core_v1.ts";
import { readInside } from "../../../agent/environment/env_file.ts";
import { createEnvironments } from "../../../agent/environment/mod.ts";
import { Services } from "../../../agent/environment/services.ts";
import { type TestServer, withServer } from "../../fixture/server.ts";
import { withDirectory } from "../../fixture/directory.ts";
import { partsOf, podOf, StandingClock, until } from "../volumes/_fixture.ts";

const NS = "/api/v1/namespaces/default";
const FACTS = { hostIPs: ["192.0.2.1", "2001:db8::1"], podIPs: ["2001:DB8:0::5", "10.1.2.3"] };

interface Room {
  readonly t: TestServer;
  readonly services: Services;
  /** The environment, as `NAME=value`. */
  of(container: Partial<Container>, pod?: ReturnType<typeof podOf>): Promise<string[]>;
}

async function room(run: (room: Room) => Promise<void>, volume = "/none"): Promise<void> {
  await withServer([], async (t) => {
    const parts = partsOf(t, new StandingClock());
    const end = new AbortController();
    const services = new Services(parts.api!, end.signal);
    const environments = createEnvironments({
      objects: parts.objects,
      services,
      allocatable: parts.node.allocatable,
      volumePath: (_uid, name) => name === "v" ? volume : undefined,
      product: parts.product,
    });
    await until(async () => services.known);
    try {
      await run({
        t,
        services,
        of: async (container, pod = podOf("u", { enableServiceLinks: false })) => {
          const made = await environments.of(pod, { name: "c", image: "i", ...container }, FACTS);
          return made.map(({ key, value }) => `${key}=${value}`);
        },
      });
    } finally {
      end.abort();
      parts.objects.close();
    }
  });
}

/** Without what every pod is told of the API's own service. */
const own = (all: string[]) => all.filter((v) => !v.startsWith("KUBERNETES_"));

Deno.test("variables come from objects, then from the list; the last of a name counts", () =>
  room(async ({ t, of }) => {
    await t.fetch(`${NS}/configmaps`, { body: { metadata: { name: "m" }, data: { A: "a", "x.y": "$(A)", B: "b" } } });
    await t.fetch(`${NS}/secrets`, { body: { metadata: { name: "s" }, data: { K: btoa("hidden") } } });
    const env: EnvVar[] = [
      { name: "B", value: "$(A)-$(C)-$$(A)-$(S_K)" },
      { name: "C", valueFrom: { configMapKeyRef: { name: "m", key: "x.y" } } },
      { name: "D", valueFrom: { secretKeyRef: { name: "s", key: "K" } } },
      { name: "A", value: "$(A)$(A)" },
      { name: "E" },
      { name: "F", valueFrom: { secretKeyRef: { name: "none", key: "K", optional: true } } },
      { name: "G", valueFrom: { configMapKeyRef: { name: "m", key: "none", optional: true } } },
    ];
    const envFrom = [
      { configMapRef: { name: "m" } },
      { prefix: "S_", secretRef: { name: "s" } },
      { configMapRef: { name: "none", optional: true } },
    ];
    assert.deepEqual(own(await of({ env, envFrom })), [
      "A=aa",
      "B=a-$(C)-$(A)-hidden",
      "x.y=$(A)",
      "S_K=hidden",
      "C=$(A)",
      "D=hidden",
      "E=",
    ]);
    const faults: readonly [Partial<Container>, string][] = [
      [{ envFrom: [{ configMapRef: { name: "none" } }] }, 'configmap "none" not found'],
      [{ env: [{ name: "A", valueFrom: { secretKeyRef: { name: "none", key: "k" } } }] }, 'secret "none" not found'],
      [
        { env: [{ name: "A", valueFrom: { configMapKeyRef: { name: "m", key: "k" } } }] },
        "couldn't find key k in ConfigMap default/m",
      ],
      [
        { env: [{ name: "A", valueFrom: { secretKeyRef: { name: "s", key: "k" } } }] },
        "couldn't find key k in Secret default/s",
      ],
    ];
    for (const [container, message] of faults) await assert.rejects(of(container), { message });
  }));

Deno.test("variables that are each twice the one before come to an end", () =>
  room(async ({ of }) => {
    const doubled = (i: number) => ({ name: `V${i + 1}`, value: `$(V${i})$(V${i})` });
    const env = [{ name: "V0", value: "0123456789abcdef" }, ...Array.from({ length: 60 }, (_, i) => doubled(i))];
    await assert.rejects(of({ env }), { message: / come to more than 16777216 characters$/ });
  }));

Deno.test("variables have room for so much together, however often one object is named", () =>
  room(async ({ t, of }) => {
    await t.fetch(`${NS}/configmaps`, { body: { metadata: { name: "m" }, data: { A: "a".repeat(900_000) } } });
    const times = (count: number) => Array.from({ length: count }, (_, i) => `V${i}_`);
    const message = "environment variables come to more than 16777216 characters";
    await t.fetch(`${NS}/secrets`, { body: { metadata: { name: "s" }, data: { A: btoa("a".repeat(600_000)) } } });
    const hidden = times(30).map((name) => ({ name, valueFrom: { secretKeyRef: { name: "s", key: "A" } } }));
    await assert.rejects(of({ env: hidden }), { message });
    const keyed = times(20).map((name) => ({ name, valueFrom: { configMapKeyRef: { name: "m", key: "A" } } }));
    await assert.rejects(of({ env: keyed }), { message });
    const whole = (count: number) => times(count).map((prefix) => ({ prefix, configMapRef: { name: "m" } }));
    await assert.rejects(of({ envFrom: whole(20) }), { message });
    assert.equal(own(await of({ envFrom: whole(18) })).length, 18);
  }));

Deno.test("variables tell of the pod, the node and the container's limits", () =>
  room(async ({ of }) => {
    const pod = podOf("u", { nodeName: "n", serviceAccountName: "sa", enableServiceLinks: false });
    pod.spec!.containers!.push({ name: "other", image: "i", resources: { limits: { cpu: "250m" } } });
    pod.spec!.resources = { limits: { memory: "32Mi" } };
    const fields = [
      "metadata.name",
      "metadata.uid",
      "metadata.annotations['note']",
      "spec.nodeName",
      "spec.serviceAccountName",
      "status.hostIP",
      "status.hostIPs",
      "status.podIP",
      "status.podIPs",
    ];
    const env: EnvVar[] = fields.map((fieldPath, i) => ({ name: `F${i}`, valueFrom: { fieldRef: { fieldPath } } }));
    const resources = [
      { resource: "limits.cpu" },
      { resource: "limits.memory", divisor: "1Mi" },
      { resource: "requests.memory" },
      { resource: "limits.cpu", containerName: "other", divisor: "1m" },
      { resource: "limits.ephemeral-storage", divisor: "1Mi" },
    ];
    env.push(...resources.map((resourceFieldRef, i) => ({ name: `R${i}`, valueFrom: { resourceFieldRef } })));
    const values = own(await of({ env }, pod)).map((v) => v.slice(v.indexOf("=") + 1));
    const told = [
      "p",
      "u",
      'a "b"\n',
      "n",
      "sa",
      "192.0.2.1",
      "192.0.2.1,2001:db8::1",
      "10.1.2.3",
      "10.1.2.3,2001:db8::5",
    ];
    assert.deepEqual(values, [...told, "2", "32", "0", "250", "1024"]);
    await assert.rejects(
      of({ env: [{ name: "A", valueFrom: { fieldRef: { fieldPath: "spec.tolerations" } } }] }, pod),
      {
        message: "unsupported fieldPath: spec.tolerations",
      },
    );
  }));

Deno.test("services of the namespace are told, and the API's own always", () =>
  room(async ({ t, services, of }) => {
    const service = (name: string, ports: object[], more = {}) =>
      t.fetch(`${NS}/services`, { body: { metadata: { name }, spec: { selector: { a: "b" }, ports, ...more } } });
    await service("my-db", [{ name: "sql", port: 5432 }, { name: "dns", port: 53, protocol: "UDP" }], {
      clusterIP: "10.0.0.77",
    });
    await service("none", [{ port: 1 }], { clusterIP: "None" });
    await t.fetch("/api/v1/namespaces", { body: { metadata: { name: "other" } } });
    const hidden = { metadata: { name: "hidden" }, spec: { ports: [{ port: 1 }] } };
    await t.fetch("/api/v1/namespaces/other/services", { body: hidden });
    await until(async () => services.variables("other", "kubernetes", true).some((v) => v.key.startsWith("HIDDEN")));
    const linked = podOf("u", {});
    await until(async () => services.variables("default", "kubernetes", true).some((v) => v.key.startsWith("MY_DB")));
    assert.deepEqual(own(await of({ env: [{ name: "AT", value: "$(MY_DB_SERVICE_HOST)" }] }, linked)), [
      "AT=10.0.0.77",
      "MY_DB_SERVICE_HOST=10.0.0.77",
      "MY_DB_SERVICE_PORT=5432",
      "MY_DB_SERVICE_PORT_SQL=5432",
      "MY_DB_SERVICE_PORT_DNS=53",
      "MY_DB_PORT=tcp://10.0.0.77:5432",
      "MY_DB_PORT_5432_TCP=tcp://10.0.0.77:5432",
      "MY_DB_PORT_5432_TCP_PROTO=tcp",
      "MY_DB_PORT_5432_TCP_PORT=5432",
      "MY_DB_PORT_5432_TCP_ADDR=10.0.0.77",
      "MY_DB_PORT_53_UDP=udp://10.0.0.77:53",
      "MY_DB_PORT_53_UDP_PROTO=udp",
      "MY_DB_PORT_53_UDP_PORT=53",
      "MY_DB_PORT_53_UDP_ADDR=10.0.0.77",
    ]);
    const port = own(await of({ env: [{ name: "MY_DB_SERVICE_PORT", value: "1" }] }, linked));
    assert.deepEqual(port.filter((v) => v.startsWith("MY_DB_SERVICE_PORT=")), ["MY_DB_SERVICE_PORT=1"]);
    await until(async () => (await of({})).includes("KUBERNETES_SERVICE_HOST=10.0.0.1"));
    assert.deepEqual(own(await of({})), []);
    await t.fetch(`${NS}/services/my-db`, { method: "DELETE" });
    await until(async () => own(await of({}, linked)).length === 0);
  }));

Deno.test("variables come from files of volumes, and from nowhere else", () =>
  withDirectory((dir) =>
    room(async ({ of }) => {
      Deno.writeTextFileSync(join(dir, "env"), "# said\nA='1'\nB='two\nlines' # more\n\n  C=''\n");
      Deno.symlinkSync("/etc/passwd", join(dir, "out"));
      const env = (key: string, path = "env", optional = false, volumeName = "v"): Partial<Container> => ({
        env: [{ name: "X", valueFrom: { fileKeyRef: { volumeName, path, key, optional } } }],
      });
      assert.deepEqual(own(await of(env("B"))), ["X=two\nlines"]);
      assert.deepEqual(own(await of(env("C", "env", true))), []);
      await assert.rejects(of(env("Z")), { message: `environment variable key "Z" not found in file "${dir}/env"` });
      await assert.rejects(of(env("root", "out")), { message: "couldn't parse env file" });
      await assert.rejects(of(env("A", "env", false, "w")), {
        message: 'cannot find the volume "w" referenced by FileKeyRef',
      });
    }, dir)
  ));

/** A file of megabytes that is said to be empty, as is one that a container fills while it is read. */
const GROWN = "/proc/kallsyms";

Deno.test({
  name: "a file of variables is not read beyond its largest size, whatever size it was said to have",
  ignore: !existsSync(GROWN), // no such file on this machine
  fn: () => assert.rejects(readInside(dirname(GROWN), basename(GROWN)), /kallsyms is no file of at most 1048576 bytes/),
});
