/** Images of pods: pulled from a registry by containerd when they must be, with the credentials that fit. */
import assert from "node:assert/strict";
import type { Runtime } from "../../../agent/runtime/types.ts";
import { PAUSE_IMAGE } from "../../fixture/busybox_image.ts";
import { type Containerd, containerdMissing, startContainerd } from "../../fixture/containerd.ts";
import { Registry } from "../../fixture/registry.ts";
import { ensure, faultOf, open, podOf, secretOf } from "./_fixture.ts";

const ignore = containerdMissing() !== undefined; // no containerd on this machine

async function withRegistry(work: (parts: { runtime: Runtime; registry: Registry; rootDir: string }) => Promise<void>) {
  const registry = await new Registry().start();
  let containerd: Containerd | undefined;
  try {
    containerd = await startContainerd();
    await work({ runtime: containerd.runtime(), registry, rootDir: `${containerd.directory}/agent` });
  } finally {
    await containerd?.stop();
    await registry.stop();
  }
}

Deno.test(
  { name: "images are pulled as their policy says, and it is told", ignore },
  () =>
    withRegistry(async ({ runtime, registry, rootDir }) => {
      const agent = await open(runtime, rootDir);
      const at = "at spec.containers{main}";
      const app = `${registry.host}/team/app`;

      assert.deepEqual(await faultOf(agent, podOf("never", `${app}:1`, { imagePullPolicy: "Never" })), [
        "ErrImageNeverPull",
        `Container image "${app}:1" is not present with pull policy of Never`,
      ]);
      assert.deepEqual(agent.told(), [
        `Warning ErrImageNeverPull Container image "${app}:1" is not present with pull policy of Never ${at}`,
      ]);
      assert.deepEqual(await faultOf(agent, podOf("bad", "No/Such:Name:x")), [
        "InvalidImageName",
        'Failed to apply default image tag "No/Such:Name:x": couldn\'t parse image name "No/Such:Name:x": ' +
        "invalid reference format: repository name (Such) must be lowercase",
      ]);
      assert.match(agent.told()[0]!, /^Warning InspectFailed Failed to apply default image tag/);
      assert.deepEqual(registry.asked, []);

      const ref = await ensure(agent, podOf("a", `${app}:1`));
      assert.match(ref, /^sha256:/);
      const [pulling, pulled] = agent.told();
      assert.equal(pulling, `Normal Pulling Pulling image "${app}:1" ${at}`);
      const size = (await runtime.imageStatus({ image: ref }))!.size;
      assert.equal(
        pulled,
        `Normal Pulled Successfully pulled image "${app}:1" in 0s (0s including waiting). Image size: ${size} bytes. ${at}`,
      );
      const asked = registry.asked.length;
      assert.equal(await ensure(agent, podOf("b", `${app}:1`)), ref);
      assert.deepEqual(agent.told(), [
        `Normal Pulled Container image "${app}:1" already present on machine and can be accessed by the pod ${at}`,
      ]);
      assert.equal(registry.asked.length, asked);
      // As a volume it is the same image, told of the pod itself.
      const sandbox = { metadata: { name: "v", namespace: "shop", uid: "u" } };
      const volume = (reference: string, pullPolicy?: "Never") =>
        agent.images.ensureVolume(podOf("v", ""), { reference, ...(pullPolicy ? { pullPolicy } : {}) }, sandbox);
      assert.equal(await volume(`${app}:1`), ref);
      assert.match(agent.told()[0]!, /already present on machine and can be accessed by the pod$/);
      await assert.rejects(volume(`${app}:7`, "Never"), { reason: "ErrImageNeverPull" });
      agent.told();
      // Without a tag, or as `latest`, it is always asked for.
      await ensure(agent, podOf("c", app));
      await ensure(agent, podOf("d", app));
      assert.equal(agent.told().filter((line) => line.startsWith("Normal Pulling")).length, 2);
      // What was there before the agent is for all.
      assert.match(await ensure(agent, podOf("e", PAUSE_IMAGE)), /^sha256:/);
      agent.end();
    }),
);

Deno.test(
  { name: "a pull that failed is tried again after pauses that grow", ignore },
  () =>
    withRegistry(async ({ runtime, registry, rootDir }) => {
      const agent = await open(runtime, rootDir);
      registry.empty = true;
      const image = `${registry.host}/gone:1`, pod = podOf("gone", image);
      const [reason, message] = await faultOf(agent, pod);
      assert.equal(reason, "ErrImagePull");
      assert.match(
        message,
        /^rpc error: code = NotFound desc = failed to pull and unpack image "127\.0\.0\.1:\d+\/gone:1"/,
      );
      assert.deepEqual(agent.told().map((line) => line.split(" at ")[0]), [
        `Normal Pulling Pulling image "${image}"`,
        `Warning Failed Failed to pull image "${image}": ${message}`,
      ]);
      for (const pause of [10, 20, 40, 80, 160, 300, 300]) {
        agent.clock.at += pause * 1000 - 1;
        assert.deepEqual(await faultOf(agent, pod), [
          "ImagePullBackOff",
          `Back-off pulling image "${image}": ErrImagePull: ${message}`,
        ]);
        assert.deepEqual(agent.told().map((line) => line.split(" at ")[0]), [
          `Normal BackOff Back-off pulling image "${image}"`,
        ]);
        agent.clock.at += 1;
        assert.equal((await faultOf(agent, pod))[0], "ErrImagePull");
        agent.told();
      }
      // Another pod begins by itself; a long quiet time begins anew.
      assert.equal((await faultOf(agent, podOf("other", image)))[0], "ErrImagePull");
      agent.clock.at += 600_001;
      assert.equal((await faultOf(agent, pod))[0], "ErrImagePull");
      agent.clock.at += 10_000;
      registry.empty = false;
      assert.match(await ensure(agent, pod), /^sha256:/);
      agent.end();
    }),
);

Deno.test(
  { name: "pulls begin at the pace of the registry's options", ignore },
  () =>
    withRegistry(async ({ runtime, registry, rootDir }) => {
      const agent = await open(runtime, rootDir, { registryQps: 1, registryBurst: 2, serializeImagePulls: false });
      const pull = (name: string) => ensure(agent, podOf(name, `${registry.host}/${name}:1`));
      await Promise.all([pull("a"), pull("b")]);
      assert.deepEqual(await faultOf(agent, podOf("c", `${registry.host}/c:1`)), ["ErrImagePull", "pull QPS exceeded"]);
      agent.clock.at += 1000;
      await pull("d");
      agent.end();
    }),
);

Deno.test(
  { name: "a pod's secrets open registries, and what they opened is for those who have them", ignore },
  () =>
    withRegistry(async ({ runtime, registry, rootDir }) => {
      registry.users.set("joe", "secret");
      const agent = await open(runtime, rootDir);
      const image = `${registry.host}/private/app:1`;
      agent.secrets.set("shop/good", secretOf("good", registry.host, "joe", "secret", true));
      agent.secrets.set("shop/older", secretOf("older", `${registry.host}/private`, "joe", "secret", false));
      agent.secrets.set("shop/wrong", secretOf("wrong", registry.host, "joe", "guess", true));
      agent.secrets.set("shop/torn", { ...agent.secrets.get("shop/good")!, data: { ".dockerconfigjson": btoa("{") } });
      agent.secrets.set("shop/other", secretOf("other", "example.com", "joe", "secret", true));
      const pod = (name: string, ...secrets: string[]) => podOf(name, image, { secrets });

      assert.equal((await faultOf(agent, pod("none", "missing", "other")))[0], "ErrImagePull");
      assert.equal(
        agent.told()[0],
        "Warning FailedToRetrieveImagePullSecret Unable to retrieve some image pull secrets (missing); " +
          "attempting to pull the image may not succeed.",
      );
      assert.equal((await faultOf(agent, pod("torn", "torn")))[0], "ErrImagePull");
      // One after the other, until one opens it.
      await ensure(agent, pod("a", "wrong", "older"));
      assert.equal(registry.asked.at(-1), "joe private/app:1");
      agent.told();

      const isThere = /already present on machine/;
      await ensure(agent, pod("b", "older"));
      await ensure(agent, pod("c", "good")); // the same credentials from another object
      assert.ok(agent.told().every((line) => isThere.test(line)));
      const asked = registry.asked.length;
      assert.equal((await faultOf(agent, pod("d")))[0], "ErrImagePull");
      assert.ok(registry.asked.length > asked);
      const never = { ...podOf("e", image, { imagePullPolicy: "Never" }) };
      assert.equal((await faultOf(agent, never))[0], "ErrImageNeverPull");
      agent.end();

      // The next start of the agent knows it too.
      const next = await open(runtime, rootDir);
      next.secrets.set("shop/good", agent.secrets.get("shop/good")!);
      await ensure(next, pod("f", "good"));
      assert.match(next.told().join(), isThere);
      assert.equal((await faultOf(next, pod("g")))[0], "ErrImagePull");
      next.end();
      const lax = await open(runtime, rootDir, { imagePullCredentialsVerificationPolicy: "NeverVerify" });
      await ensure(lax, pod("h"));
      lax.end();
    }),
);

Deno.test(
  { name: "plugins and the node's own file open registries", ignore },
  () =>
    withRegistry(async ({ runtime, registry, rootDir }) => {
      registry.users.set("plugged", "in").set("node", "file");
      const files = `${rootDir}/plugins`;
      await Deno.mkdir(files, { recursive: true });
      await Deno.writeTextFile(
        `${files}/helper`,
        `#!/bin/sh
cat >> ${files}/asked
echo " $WHO $1" >> ${files}/asked
echo '{"apiVersion":"credentialprovider.kubelet.k8s.io/v1","kind":"CredentialProviderResponse",
"cacheKeyType":"Registry","cacheDuration":"1m","auth":{"${registry.host}":{"username":"plugged","password":"in"}}}'
`,
        { mode: 0o755 },
      );
      const config = {
        apiVersion: "kubelet.config.k8s.io/v1",
        kind: "CredentialProviderConfig",
        providers: [{
          name: "helper",
          apiVersion: "credentialprovider.kubelet.k8s.io/v1",
          matchImages: [`127.*.0.1:${registry.host.split(":")[1]}/private`],
          defaultCacheDuration: "0s",
          args: ["first"],
          env: [{ name: "WHO", value: "agent" }],
        }],
      };
      const path = `${files}/config.yaml`;
      await Deno.writeTextFile(path, JSON.stringify(config));
      const options = { imageCredentialProviderConfig: path, imageCredentialProviderBinDir: files };
      const agent = await open(runtime, rootDir, options);
      await ensure(agent, podOf("a", `${registry.host}/private/a:1`));
      await ensure(agent, podOf("b", `${registry.host}/private/b:1`));
      const asked = () => Deno.readTextFileSync(`${files}/asked`).trim().split("\n");
      assert.deepEqual(asked(), [
        `{"apiVersion":"credentialprovider.kubelet.k8s.io/v1","kind":"CredentialProviderRequest",` +
        `"image":"${registry.host}/private/a"} agent first`,
      ]);
      agent.clock.at += 60_001;
      await ensure(agent, podOf("c", `${registry.host}/private/c:1`));
      assert.equal(asked().length, 2);
      agent.end();

      await Deno.writeTextFile(
        `${rootDir}/config.json`,
        JSON.stringify({ auths: { [registry.host]: { auth: btoa("node:file") } } }),
      );
      const plain = await open(runtime, rootDir);
      await ensure(plain, podOf("d", `${registry.host}/private/d:1`));
      assert.equal(registry.asked.at(-1), "node private/d:1");
      plain.end();
    }),
);
