/** What is read of a client's first message: however it is cut, and whatever else comes. */
import assert from "node:assert/strict";
import { offeredGroups } from "../../server/listen/client_hello.ts";
import { clientHello, records } from "./_hello.ts";

Deno.test("groups are read in whatever pieces and records they come", () => {
  for (const size of [1, 7, 1000]) {
    const all = records(clientHello([29, 4588, 23]), size);
    for (let length = 0; length < all.length; length++) {
      assert.equal(offeredGroups(all.subarray(0, length)), undefined, `${length} of ${all.length}`);
    }
    assert.deepEqual(offeredGroups(all), [29, 4588, 23]);
  }
});

Deno.test("what is no first message, is cut within or does not end offers nothing", () => {
  const hello = clientHello([29]);
  const other = hello.slice();
  other[0] = 2;
  const cut = records(hello.slice(0, 60));
  cut.set([0, 0, 56], 6); // as if it were whole
  const endless = records(new Uint8Array(20_000).fill(255, 1, 4).fill(1, 0, 1));
  const text = new TextEncoder().encode("SSH-2.0-x\r\n");
  for (const bytes of [records(other), cut, endless, text, new Uint8Array(5)]) {
    assert.deepEqual(offeredGroups(bytes), []);
  }
});
