/** The file behind `--encryption-provider-config`: read at start, followed with automatic reload. */
import assert from "node:assert/strict";
import { logger } from "../../schema/log/log.ts";
import { oneStream } from "../../schema/log/streams.ts";
import { parseOptions } from "../../server/options/mod.ts";
import { memoryBackend } from "../../server/storage/memory.ts";
import { followEncryption, openEncryption } from "../../server/storage/encryption/mod.ts";
import { fileOf, keyed, secret, text, utf8 } from "./encryption_tools.ts";

function optionsOf(...flags: string[]) {
  const parsed = parseOptions(["--api-dialect=kubernetes", "--storage-backend=memory", ...flags]);
  if (parsed.kind !== "run") throw new Error(JSON.stringify(parsed));
  return parsed.options;
}

const OUTSIDE = { serverId: "one", now: Date.now, log: () => {} };
const KEY = "/registry/secrets/default/a";

Deno.test("without the option there is no encryption; a file that is not there stops the start", async () => {
  assert.equal(await openEncryption(optionsOf(), OUTSIDE), undefined);
  const options = optionsOf("--encryption-provider-config=/nowhere/file");
  await assert.rejects(openEncryption(options, OUTSIDE), /--encryption-provider-config: cannot read .*no such file/);
});

Deno.test("a followed file is taken into use when it changes; a wrong one leaves the one before", async () => {
  const dir = await Deno.makeTempDir();
  const path = `${dir}/encryption.yaml`;
  const write = async (file: string) => {
    await Deno.writeTextFile(`${path}.new`, file);
    await Deno.rename(`${path}.new`, path);
  };
  const stop = new AbortController();
  const logged: string[] = [];
  const heard: (() => void)[] = [];
  const heed = (line: string) => {
    logged.push(line);
    heard.shift()?.();
  };
  const log = logger("text", Date.now, oneStream(heed));
  const next = () => new Promise<void>((resolve) => heard.push(resolve));
  try {
    await write(fileOf([["secrets"], keyed("aescbc", { k: secret(1) })]));
    const options = optionsOf(`--encryption-provider-config=${path}`, "--encryption-provider-config-automatic-reload");
    const encryption = (await openEncryption(options, OUTSIDE))!;
    const following = followEncryption(encryption, options, { log }, stop.signal);
    const store = memoryBackend();
    const over = encryption.over(store);
    let told = next();
    await write("kind: Pod");
    await told;
    await over.commit([{ key: KEY, value: utf8("plain") }]);
    assert.match(text((await store.get(KEY))!.value), /^k8s:enc:aescbc:v1:k:/);
    told = next();
    await write(fileOf([["secrets"], keyed("secretbox", { n: secret(2) }), keyed("aescbc", { k: secret(1) })]));
    await told;
    assert.deepEqual(logged, [
      'error: the encryption configuration stays as it was: --encryption-provider-config: kind "Pod" of "" is no ' +
      "EncryptionConfiguration (apiserver.config.k8s.io/v1)",
      "info: the encryption configuration was read again",
    ]);
    assert.equal(text((await over.get(KEY))!.value), "plain");
    await over.commit([{ key: KEY, value: utf8("plain") }]);
    assert.match(text((await store.get(KEY))!.value), /^k8s:enc:secretbox:v1:n:/);
    stop.abort();
    await following;
    encryption.close();
  } finally {
    stop.abort();
    await Deno.remove(dir, { recursive: true });
  }
});
