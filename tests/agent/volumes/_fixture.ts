/** What the agent's rooms work with in tests: the in-memory API server as {@linkcode Api}, a clock that tests set, a pod. */
import type { Pod, PodSpec } from "../../../schema/api/core_v1.ts";
import { productOf } from "../../../schema/product.ts";
import { type Api, ApiError, type ApiRequest, type Clock, type Events, type Follower } from "../../../agent/types.ts";
import type { VolumeParts } from "../../../agent/volumes/mod.ts";
import { ReferencedObjects } from "../../../agent/volumes/objects.ts";
import type { TestServer } from "../../fixture/server.ts";

const query = (q: Readonly<Record<string, string>> = {}) => `?${new URLSearchParams(q)}`;

async function* lines(body: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  let rest = "";
  for await (const text of body.pipeThrough(new TextDecoderStream() as never) as AsyncIterable<string>) {
    const parts = (rest + text).split("\n");
    rest = parts.pop()!;
    yield* parts;
  }
}

/** One list and one watch, which ends with the signal. */
async function follow<T>(
  t: TestServer,
  path: string,
  q: Readonly<Record<string, string>>,
  to: Follower<T>,
  signal: AbortSignal,
): Promise<void> {
  const list = (await t.fetch(path + query(q))).body;
  if (signal.aborted) return;
  to.replace(list.items);
  const watch = await t.open(path + query({ ...q, watch: "1", resourceVersion: list.metadata.resourceVersion }));
  signal.addEventListener("abort", () => void watch.body!.cancel().catch(() => {}));
  if (signal.aborted) return await watch.body!.cancel();
  for await (const line of lines(watch.body!)) {
    const { type, object } = JSON.parse(line);
    if (!signal.aborted && type !== "BOOKMARK") to.changed(type, object);
  }
}

/** The server as the agent sees it. `asked` counts requests and follows by path. */
export function apiOf(t: TestServer): Api & { readonly asked: Map<string, number>; readonly open: Set<string> } {
  const asked = new Map<string, number>(), open = new Set<string>();
  const count = (key: string) => asked.set(key, (asked.get(key) ?? 0) + 1);
  return {
    asked,
    open,
    async request<R>(method: string, path: string, r: ApiRequest = {}): Promise<R> {
      count(`${method} ${path}`);
      const headers: Record<string, string> = r.patch ? { "content-type": r.patch } : {};
      const { status, body } = await t.fetch(path + query(r.query), {
        method,
        headers,
        ...(r.body === undefined ? {} : { body: r.body }),
      });
      if (status >= 300) throw new ApiError(status, body.reason, body.message);
      return body;
    },
    async follow(path, q, to, signal) {
      const key = `${path}${query(q)}`;
      count(key);
      open.add(key);
      signal.addEventListener("abort", () => open.delete(key));
      await follow(t, path, q, to, signal).catch((e) => {
        if (!signal.aborted) throw e;
      });
    },
  };
}

/** A clock that stands until it is set; who waits is woken when its time has come. */
export class StandingClock implements Clock {
  #now: number;
  readonly #sleepers = new Set<{ readonly until: number; readonly wake: () => void }>();

  constructor(now = Date.parse("2026-03-04T05:06:07Z")) {
    this.#now = now;
  }
  now(): number {
    return this.#now;
  }
  ticks(): number {
    return this.#now;
  }
  advance(ms: number): void {
    this.#now += ms;
    for (const s of [...this.#sleepers]) if (s.until <= this.#now) s.wake();
  }
  wait(ms: number, signal?: AbortSignal): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const sleeper = { until: this.#now + ms, wake: () => (this.#sleepers.delete(sleeper), resolve()) };
    if (signal?.aborted) return Promise.resolve();
    signal?.addEventListener("abort", sleeper.wake);
    this.#sleepers.add(sleeper);
    return promise;
  }
}

/** Events as `reason: message`. */
export function listedEvents(): Events & { readonly said: string[] } {
  const said: string[] = [];
  return {
    said,
    pod: (_pod, type, reason, message) => void said.push(`${type} ${reason}: ${message}`),
    node: (type, reason, message) => void said.push(`${type} ${reason}: ${message}`),
  };
}

/** What volumes are made with, over a server. */
export function partsOf(t: TestServer | undefined, clock: Clock) {
  const api = t && apiOf(t);
  const events = listedEvents();
  const objects = new ReferencedObjects(api, clock);
  const node = {
    name: "here",
    status: () => ({}),
    report: () => Promise.resolve(),
    allocatable: () => ({ cpu: "2", memory: "64Mi", "ephemeral-storage": "1Gi" }),
    labels: () => ({ "kubernetes.io/hostname": "here" }),
    uid: () => "node-uid",
  };
  return {
    api,
    objects,
    node,
    clock,
    events,
    product: productOf("kubernetes"),
    random: () => 0,
    gate: () => true,
    log: () => {},
  } satisfies VolumeParts;
}

/** A pod of one container that mounts all its volumes at `/<name>`. */
export function podOf(uid: string, spec: Partial<PodSpec>): Pod {
  const mounts = (spec.volumes ?? []).map((v) => ({ name: v.name, mountPath: `/${v.name}` }));
  return {
    apiVersion: "v1",
    kind: "Pod",
    metadata: { name: "p", namespace: "default", uid, labels: { app: "web" }, annotations: { note: 'a "b"\n' } },
    spec: { enableServiceLinks: true, containers: [{ name: "c", image: "i", volumeMounts: mounts }], ...spec },
  };
}

/** Waits until something holds. */
export async function until(holds: () => Promise<boolean>): Promise<void> {
  while (!await holds()) await new Promise((wake) => setTimeout(wake, 5));
}
