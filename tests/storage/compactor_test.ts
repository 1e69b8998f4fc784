import assert from "node:assert/strict";
import { Compactor } from "../../server/storage/compactor.ts";
import { memoryBackend } from "../../server/storage/memory.ts";
import { bytes, put } from "./tools.ts";

Deno.test("compactor: keeps what is younger than a turn, and leaves it to another that does it", async () => {
  const backend = memoryBackend();
  const [one, two] = [new Compactor(backend), new Compactor(backend)];
  let calls = 0;
  const compact = backend.compact.bind(backend);
  backend.compact = (below) => {
    calls++;
    return compact(below);
  };
  const turn = async () => {
    await put(backend, { key: "k/a", value: bytes(`${backend.revision()}`) });
    await one.tick();
    await two.tick();
    return backend.revision();
  };
  const first = await turn();
  assert.equal(calls, 0);
  await turn();
  assert.equal(backend.compacted(), first);
  await turn();
  await turn();
  assert.equal(calls, 3);
  // The first one is gone: the second takes over at its next turn but one.
  const left = backend.revision();
  await two.tick();
  await two.tick();
  assert.equal(backend.compacted(), left);
  await backend.close();
});

Deno.test("compactor: an interval of a year is no interval of a millisecond, and one of 0 is none", async () => {
  const backend = memoryBackend();
  let turns = 0;
  const { revision } = backend;
  backend.revision = () => {
    turns++;
    return revision.call(backend);
  };
  const compactors = [0, 365 * 24 * 3_600_000].map((interval) => {
    const compactor = new Compactor(backend);
    compactor.start(interval);
    return compactor;
  });
  await new Promise((resolve) => setTimeout(resolve, 50));
  for (const compactor of compactors) compactor.stop();
  assert.equal(turns, 0);
  await backend.close();
});
