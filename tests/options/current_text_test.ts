import assert from "node:assert/strict";
import { currentText } from "../../server/options/current_text.ts";
import { CaBundle } from "../../server/authentication/ca_bundle.ts";
import { parseBundle } from "../../pki/mod.ts";
import { authority } from "../listen/_fixture.ts";

Deno.test("authorities of a file are read again after a second, and taken when they are some", async () => {
  const path = await Deno.makeTempFile(), [first, second] = [authority("first").cert, authority("second").cert];
  let now = 0;
  const failed: unknown[] = [];
  const opened = () => currentText("client-ca-file", path, parseBundle, () => now, (e) => failed.push(e));
  try {
    assert.throws(opened, /^Error: --client-ca-file: cannot use /);
    assert.equal(currentText("client-ca-file", "", parseBundle, () => now), undefined);
    Deno.writeTextFileSync(path, first);
    const text = opened()!;
    Deno.writeTextFileSync(path, "no PEM");
    for (let i = 0; i < 3; i++) {
      now += 1_000;
      assert.equal(text(), first, "what is none changes nothing");
    }
    assert.match(String(failed), /^Error: --client-ca-file: cannot use ".*": Cannot read a certificate bundle/);
    assert.equal(failed.length, 1, "and is told once");
    Deno.writeTextFileSync(path, first + second);
    assert.equal(text(), first, "not looked at yet");
    now += 1_000;
    assert.equal(text(), first + second);
    Deno.writeTextFileSync(path, "no PEM");
    now += 1_000;
    assert.equal(text(), first + second);
    assert.equal(failed.length, 2);
  } finally {
    await Deno.remove(path);
  }
});

Deno.test("authorities that were seen while they were written are whole a second later", async () => {
  const path = await Deno.makeTempFile(), [first, second] = [authority("first").cert, authority("second").cert];
  try {
    let now = 0;
    Deno.writeTextFileSync(path, first);
    const bundle = new CaBundle(currentText("client-ca-file", path, parseBundle, () => now)!);
    Deno.writeTextFileSync(path, second + first.slice(0, 100));
    now += 1_000;
    assert.equal(bundle.current().length, 1, "a part of them");
    Deno.writeTextFileSync(path, second + first);
    now += 1_000;
    assert.equal(bundle.current().length, 2);
  } finally {
    await Deno.remove(path);
  }
});
