/** A server with some controllers, and ways to write and wait. */
import type { Obj } from "../../schema/model/types.ts";
import type { Backend } from "../../server/storage/backend.ts";
import { startTestServer, type TestOptions, type TestServer } from "../fixture/server.ts";

/** A path of a collection in a namespace, or of one object. */
export const core = (resource: string, namespace: string, name = "") =>
  `/api/v1/namespaces/${namespace}/${resource}${name && `/${name}`}`;

/** What tests ask of the server. */
export class World {
  constructor(readonly test: TestServer) {}

  static async start(controllers: string, flags: string[] = [], o: TestOptions = {}): Promise<World> {
    return new World(await startTestServer([`--controllers=${controllers}`, ...flags], o));
  }

  async create(path: string, body: unknown): Promise<Obj> {
    const answer = await this.test.fetch(path, { body });
    if (answer.status !== 201) throw new Error(`${path}: ${answer.status} ${answer.text}`);
    return answer.body;
  }

  async namespace(name: string): Promise<void> {
    await this.create("/api/v1/namespaces", { apiVersion: "v1", kind: "Namespace", metadata: { name } });
  }

  /** A config map with owners and finalizers. */
  async thing(namespace: string, name: string, metadata: Record<string, unknown> = {}): Promise<Obj> {
    const body = { apiVersion: "v1", kind: "ConfigMap", metadata: { name, ...metadata } };
    return await this.create(core("configmaps", namespace), body);
  }

  async get(path: string): Promise<Obj | undefined> {
    const answer = await this.test.fetch(path);
    return answer.status === 200 ? answer.body : undefined;
  }

  async remove(path: string, propagationPolicy?: string): Promise<number> {
    const body = { apiVersion: "v1", kind: "DeleteOptions", ...(propagationPolicy ? { propagationPolicy } : {}) };
    return (await this.test.fetch(path, { method: "DELETE", body })).status;
  }

  async gone(path: string): Promise<void> {
    await until(`${path} is gone`, async () => (await this.test.fetch(path)).status === 404);
  }

  async patch(path: string, body: unknown): Promise<Obj> {
    const headers = { "content-type": "application/merge-patch+json" };
    const answer = await this.test.fetch(path, { method: "PATCH", body, headers });
    if (answer.status !== 200) throw new Error(`${path}: ${answer.status} ${answer.text}`);
    return answer.body;
  }

  stop(): Promise<void> {
    return this.test.stop();
  }
}

/** A reference to an owner. */
export const ownedBy = (owner: Obj, blockOwnerDeletion?: boolean) => ({
  apiVersion: "v1",
  kind: "ConfigMap",
  name: owner.metadata.name,
  uid: owner.metadata.uid,
  ...(blockOwnerDeletion === undefined ? {} : { blockOwnerDeletion }),
});

/** Resolves when it holds. @throws Error when it does not within a minute */
export async function until(what: string, holds: () => boolean | Promise<boolean>): Promise<void> {
  for (let i = 0; i < 3000; i++) {
    if (await holds()) return;
    await new Promise((done) => setTimeout(done, 20));
  }
  throw new Error(`not within a minute: ${what}`);
}

/** A store that tells of its changes a while after they were made. */
export function heardLate(store: Backend, more: Partial<Backend> = {}): Backend {
  const changes: Backend["changes"] = (prefix, since, deliver, signal) =>
    store.changes(prefix, since, (batch) => void setTimeout(() => signal.aborted || deliver(batch), 100), signal);
  const own: Partial<Backend> = { changes, ...more };
  return new Proxy(store, {
    get(target, name) {
      const value: unknown = Reflect.get(name in own ? own : target, name);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
}
