/** Plugins that give credentials: their configuration, what they are asked, and how long an answer is kept. */
import assert from "node:assert/strict";
import type { Pod, ServiceAccount } from "../../../schema/api/core_v1.ts";
import { productOf } from "../../../schema/product.ts";
import { readPlugins } from "../../../agent/images/plugin_config.ts";
import { Plugins } from "../../../agent/images/plugins.ts";
import { TestClock } from "./_fixture.ts";

const V1 = "credentialprovider.kubelet.k8s.io/v1";

/** A directory with a plugin `helper` that keeps what it was asked and answers what lies in `answer`. */
async function withHelper(work: (directory: string, asked: () => string[]) => Promise<void>): Promise<void> {
  const directory = await Deno.makeTempDir();
  const script = `#!/bin/sh\ncat >> ${directory}/asked; echo >> ${directory}/asked\n. ${directory}/answer\n`;
  await Deno.writeTextFile(`${directory}/helper`, script, { mode: 0o755 });
  await Deno.writeTextFile(`${directory}/asked`, "");
  try {
    await work(directory, () => Deno.readTextFileSync(`${directory}/asked`).split("\n").filter(Boolean));
  } finally {
    await Deno.remove(directory, { recursive: true });
  }
}

const answer = (more: object) => {
  const login = { username: "u", password: "p" };
  const response = { apiVersion: V1, kind: "CredentialProviderResponse", auth: { "*.example.com": login }, ...more };
  return `cat <<'END'\n${JSON.stringify(response)}\nEND\n`;
};

const pod = (name: string, serviceAccountName?: string): Pod => ({
  metadata: { name, namespace: "shop", uid: `uid-${name}` },
  spec: { containers: [], ...(serviceAccountName ? { serviceAccountName } : {}) },
});

const plugin = { name: "helper", apiVersion: V1, matchImages: ["*.example.com"], defaultCacheDuration: "1m" };

function opened(directory: string, more: object = {}, limit?: number) {
  const clock = new TestClock(), faults: string[] = [];
  const account: ServiceAccount = { metadata: { name: "builder", uid: "1", annotations: { role: "r", other: "o" } } };
  const plugins = new Plugins([{ ...plugin, ...more }], {
    binDir: directory,
    clock,
    log: (_level, _text, e) => void faults.push((e as Error).message),
    accounts: {
      find: async () => account,
      token: async (owner, audience, { name }) => `${owner.name} for ${audience} in ${name}`,
    },
    signal: new AbortController().signal,
    ...(limit === undefined ? {} : { limit }),
  });
  const users = async (image: string, of = pod("a")) =>
    (await plugins.keyring(image, of)).lookup(image).map((c) => c.username);
  return { clock, faults, users, plugins };
}

Deno.test("an answer is kept for the image, the registry or all, and as long as it says", () =>
  withHelper(async (directory, asked) => {
    const say = (more: object) => Deno.writeTextFile(`${directory}/answer`, answer(more));
    const rows: readonly (readonly [object, asks: readonly number[]])[] = [
      [{ cacheKeyType: "Image" }, [1, 1, 2, 3]],
      [{ cacheKeyType: "Registry" }, [1, 1, 1, 2]],
      [{ cacheKeyType: "Global", cacheDuration: null }, [1, 1, 1, 1]],
      [{ cacheKeyType: "Global", cacheDuration: "0s" }, [1, 2, 3, 4]],
    ];
    for (const [how, asks] of rows) {
      const { clock, users } = opened(directory);
      await say(how);
      const before = asked().length;
      const images = ["a.example.com/x", "a.example.com/x", "a.example.com/y", "b.example.com/x"];
      for (const [i, image] of images.entries()) {
        assert.deepEqual(await users(image), ["u"]);
        assert.equal(asked().length - before, asks[i], `${JSON.stringify(how)} ${image}`);
      }
      clock.at += 60_001;
      await users(images[0]!);
      assert.equal(asked().length - before, asks[3]! + 1);
      assert.deepEqual(await users("example.com/x"), []);
      assert.equal(asked().length - before, asks[3]! + 1);
    }
    // Those who ask at a time share the answer.
    await say({ cacheKeyType: "Image", cacheDuration: "0s" });
    const { users } = opened(directory), before = asked().length;
    await Promise.all([users("a.example.com/x"), users("a.example.com/x")]);
    assert.equal(asked().length - before, 1);
  }));

Deno.test("a plugin that fails gives nothing, and the log says why, without secrets", () =>
  withHelper(async (directory) => {
    const rows: readonly (readonly [script: string, fault: RegExp])[] = [
      ["echo oops >&2; exit 3", /^error execing credential provider plugin helper for image .*: exit status 3: oops/],
      ["kill -9 $$", /signal: SIGKILL/],
      ["echo secret", /^error decoding credential provider plugin response from stdout$/],
      [answer({ cacheKeyType: "Image", auth: { x: { username: 1 } } }), /^error decoding/],
      [answer({ kind: "Other" }), /^error decoding/],
      [answer({ apiVersion: "v9" }), /expected apiVersion:credentialprovider.*, actual apiVersion:v9/],
      [answer({ cacheKeyType: "toString" }), /did not return a valid cacheKeyType: toString/],
      ["yes", /signal: SIGKILL/],
    ];
    const { users, faults } = opened(directory);
    for (const [script, fault] of rows) {
      await Deno.writeTextFile(`${directory}/answer`, script);
      assert.deepEqual(await users("a.example.com/x"), []);
      assert.match(faults.pop()!, fault);
    }
    await Deno.remove(`${directory}/helper`);
    assert.deepEqual(await users("a.example.com/x"), []);
    assert.equal(faults.length, 1);
  }));

Deno.test("a plugin that wants them gets tokens of the pod's service account", () =>
  withHelper(async (directory, asked) => {
    const tokenAttributes = {
      serviceAccountTokenAudience: "registry",
      cacheType: "ServiceAccount",
      requireServiceAccount: true,
      requiredServiceAccountAnnotationKeys: ["role"],
      optionalServiceAccountAnnotationKeys: ["none"],
    } as const;
    await Deno.writeTextFile(`${directory}/answer`, answer({ cacheKeyType: "Image" }));
    const by = opened(directory, { tokenAttributes });
    const image = "a.example.com/x";
    assert.deepEqual(await by.users(image, pod("a")), []);
    const [credential] = (await by.plugins.keyring(image, pod("a", "builder"))).lookup(image);
    assert.deepEqual(credential!.owner, { kind: "ServiceAccount", namespace: "shop", name: "builder", uid: "1" });
    assert.deepEqual(JSON.parse(asked()[0]!), {
      apiVersion: V1,
      kind: "CredentialProviderRequest",
      image,
      serviceAccountToken: "builder for registry in a",
      serviceAccountAnnotations: { role: "r" },
    });
    await by.users(image, pod("b", "builder"));
    assert.equal(asked().length, 1);
    const byToken = opened(directory, { tokenAttributes: { ...tokenAttributes, cacheType: "Token" } });
    await byToken.users(image, pod("a", "builder"));
    await byToken.users(image, pod("b", "builder"));
    assert.equal(asked().length, 3);
    const other = opened(directory, {
      tokenAttributes: { ...tokenAttributes, requiredServiceAccountAnnotationKeys: ["missing"] },
    });
    assert.deepEqual(await other.users(image, pod("a", "builder")), []);
    assert.deepEqual([...by.faults, ...other.faults], []);
    const echo = { username: "u", password: "builder for registry in a" };
    await Deno.writeTextFile(`${directory}/answer`, answer({ cacheKeyType: "Image", auth: { "*.example.com": echo } }));
    const careless = opened(directory, { tokenAttributes });
    assert.deepEqual(await careless.users(image, pod("a", "builder")), []);
    assert.match(careless.faults[0]!, /cacheType must be Token/);
  }));

Deno.test("the configuration is one file or those of a directory, and all that is wrong with one is told", () =>
  withHelper(async (directory) => {
    const read = (dialect: "orch" | "kubernetes", path = `${directory}/c`) =>
      readPlugins(path, directory, productOf(dialect));
    const file = (more: object, group = "kubelet.config.k8s.io") =>
      JSON.stringify({ apiVersion: `${group}/v1`, kind: "CredentialProviderConfig", providers: [plugin], ...more });
    await Deno.mkdir(`${directory}/c`);
    await assert.rejects(read("kubernetes"), /no configuration files found/);
    await assert.rejects(read("kubernetes", `${directory}/none`), {
      message: `cannot read "${directory}/none": no such file or directory`,
    });
    await Deno.writeTextFile(`${directory}/text`, "hello");
    await assert.rejects(read("kubernetes", `${directory}/text`), {
      message: `${directory}/text: should be an object`,
    });
    await Deno.writeTextFile(`${directory}/c/b.yaml`, file({}, "orchlet.config.orch.io"));
    await Deno.writeTextFile(`${directory}/c/other.txt`, "no");
    assert.deepEqual(await read("orch"), [plugin]);
    await assert.rejects(read("kubernetes"), /b\.yaml: it is no CredentialProviderConfig/);
    await Deno.writeTextFile(`${directory}/c/b.yaml`, file({}));
    await Deno.writeTextFile(`${directory}/c/a.json`, file({}));
    await assert.rejects(read("kubernetes"), /duplicate provider name "helper"/);
    await Deno.writeTextFile(`${directory}/c/a.json`, file({ providers: [{ ...plugin, name: "absent" }] }));
    await assert.rejects(read("kubernetes"), /plugin binary executable .*\/absent did not exist/);

    const rows: readonly (readonly [object, fault: RegExp])[] = [
      [{ providers: [] }, /at least 1 item/],
      [{ more: 1 }, /unknown field "more"/],
      [{ providers: [{ ...plugin, name: "../x" }] }, /providers\[0\]\.name: invalid value/],
      [{ providers: [{ ...plugin, matchImages: [] }] }, /providers\[0\]\.matchImages: invalid value/],
      [{ providers: [{ ...plugin, defaultCacheDuration: "-1s" }] }, /defaultCacheDuration: invalid value/],
      [{ providers: [{ ...plugin, defaultCacheDuration: undefined }] }, /defaultCacheDuration: it is required/],
      [{ providers: [{ ...plugin, apiVersion: "v2" }] }, /apiVersion: supported are credentialprovider/],
      [{ providers: [{ ...plugin, toString: 1 }] }, /providers\[0\]\.toString: unknown field/],
      [{ providers: [null] }, /providers\[0\]: it is no object/],
      [
        { providers: [{ ...plugin, tokenAttributes: { cacheType: "No" } }] },
        /serviceAccountTokenAudience: it is required; .*cacheType: invalid value; .*requireServiceAccount: it is required/,
      ],
    ];
    for (const [more, fault] of rows) {
      await Deno.writeTextFile(`${directory}/one.json`, file(more));
      await assert.rejects(read("kubernetes", `${directory}/one.json`), fault);
    }
  }));

Deno.test("what a plugin leaves running with its output keeps nobody waiting", () =>
  withHelper(async (directory) => {
    const said = answer({ cacheKeyType: "Image" });
    await Deno.writeTextFile(`${directory}/answer`, `sleep 1000 &\necho $! > ${directory}/left\n${said}`);
    const { users, faults } = opened(directory, {}, 60_000);
    assert.deepEqual([await users("a.example.com/x"), faults], [["u"], []]);
    Deno.kill(Number(Deno.readTextFileSync(`${directory}/left`)), "SIGKILL");
  }));
