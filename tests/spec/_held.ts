/** Servers whose store does not answer yet: caches that are not loaded, writes that do not end. */
import { memoryBackend } from "../../server/storage/memory.ts";
import type { Backend } from "../../server/storage/backend.ts";
import { startTestServer, type TestServer } from "../fixture/server.ts";
import { createMaps } from "./_spec.ts";

/** A store, and what lets it go on. */
export interface Held {
  readonly backend: Backend;
  release(): void;
}

/** A store whose calls wait, where `waits` says so, until they are let go. */
export function held(inner: Backend, waits: (method: string, args: readonly unknown[]) => boolean): Held {
  let release = () => {};
  let open = false;
  const gate = new Promise<void>((done) => release = done);
  const backend = new Proxy(inner, {
    get(target, name) {
      const value = Reflect.get(target, name);
      if (name === "scan") return undefined;
      if (typeof value !== "function") return value;
      return (...args: unknown[]) => {
        const call = () => value.apply(target, args);
        return !open && waits(String(name), args) ? gate.then(call) : call();
      };
    },
  });
  return {
    backend,
    release() {
      open = true;
      release();
    },
  };
}

/** A server with a config map `a`, whose caches are not loaded yet; they are after `release`. */
export async function unready(
  run: (t: TestServer, release: () => void) => Promise<void>,
  flags: readonly string[] = [],
): Promise<void> {
  const inner = memoryBackend();
  const before = await startTestServer([], { backend: inner });
  await createMaps(before, "default", "a");
  await before.stop();
  // What fills a cache is a range of many; a client's list asks for few.
  const { backend, release } = held(
    inner,
    (method, [, page]) => method === "range" && ((page as { limit?: number } | undefined)?.limit ?? Infinity) >= 1000,
  );
  const t = await startTestServer(flags, { backend, wait: false });
  try {
    await run(t, release);
  } finally {
    release();
    await t.server.cacher.whenReady();
    await t.stop();
    await inner.close();
  }
}
