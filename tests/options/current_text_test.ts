import assert from "node:assert/strict";
import { currentText } from "../../server/options/current_text.ts";
import { parseBundle } from "../../server/pki/mod.ts";
import { authority } from "../listen/_fixture.ts";

Deno.test("authorities of a file are read again after a minute, and taken when they are some", async () => {
  const path = await Deno.makeTempFile(), [first, second] = [authority("first").cert, authority("second").cert];
  let now = 0;
  const opened = () => currentText("client-ca-file", path, parseBundle, () => now);
  try {
    assert.throws(opened, /^Error: --client-ca-file: cannot use /);
    assert.equal(currentText("client-ca-file", "", parseBundle, () => now), undefined);
    Deno.writeTextFileSync(path, first);
    const text = opened()!;
    Deno.writeTextFileSync(path, "no PEM");
    now += 60_000;
    assert.equal(text(), first, "what is none changes nothing");
    Deno.writeTextFileSync(path, first + second);
    assert.equal(text(), first, "not looked at yet");
    now += 60_000;
    assert.equal(text(), first + second);
  } finally {
    await Deno.remove(path);
  }
});
