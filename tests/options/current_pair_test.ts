import assert from "node:assert/strict";
import { currentPair } from "../../server/options/current_pair.ts";
import { authority } from "../listen/_fixture.ts";

Deno.test("a pair of files is read again after a minute, and taken when its halves fit", async () => {
  const directory = await Deno.makeTempDir();
  try {
    const ca = authority("front"), leaf = () => ca.leaf({ subject: { commonName: "front" }, usage: "client" });
    const [first, second] = [leaf(), leaf()];
    const cert = { option: "a", path: `${directory}/c` }, key = { option: "b", path: `${directory}/k` };
    Deno.writeTextFileSync(cert.path, first.cert);
    assert.throws(() => currentPair(cert, key, () => 0), /--b/);
    for (const wrong of ["no key", second.key]) {
      Deno.writeTextFileSync(key.path, wrong);
      assert.throws(() => currentPair(cert, key, () => 0), /^Error: --a and --b: no certificate with its key in PEM$/);
    }
    Deno.writeTextFileSync(key.path, first.key);
    let now = 0;
    const pair = currentPair(cert, key, () => now);
    Deno.writeTextFileSync(cert.path, second.cert);
    assert.deepEqual(pair(), first);
    now += 60_000;
    assert.deepEqual(pair(), first, "the key is still the old one");
    Deno.writeTextFileSync(key.path, second.key);
    assert.deepEqual(pair(), first, "not looked at yet");
    now += 60_000;
    assert.deepEqual(pair(), second);
    Deno.removeSync(key.path);
    now += 60_000;
    assert.deepEqual(pair(), second);
  } finally {
    await Deno.remove(directory, { recursive: true });
  }
});
