/** The application in this process, called as the listener calls it. */
import type { Backend } from "../../server/storage/backend.ts";
import { startTestServer } from "../../tests/fixture/server.ts";
import { configMap, configMaps } from "./context.ts";

/** Bytes at rest of what {@linkcode Application.create} makes. */
export const AT_REST = 1_426;

/** See the top of the file. */
export interface Application {
  /** Makes a config map of 1 KB. */
  create(): Promise<void>;
  stop(): Promise<void>;
}

/** Starts it on a store, which stays open. */
export async function startApplication(backend: Backend): Promise<Application> {
  const server = await startTestServer([], { backend });
  const path = `https://localhost${configMaps("default")}`;
  const headers = { "content-type": "application/json", "accept": "application/json" };
  let made = 0;
  return {
    async create() {
      const body = configMap(`object-${++made}`);
      const length = { "content-length": String(body.length) };
      const answer = await server.server.app.fetch(
        new Request(path, { method: "POST", headers: { ...headers, ...length }, body }),
      );
      // The runtime keeps answers that nobody sends or looks into until a full collection; the listener sends each.
      void answer.headers;
      if (answer.status !== 201) throw new Error(`create: ${answer.status}`);
    },
    stop: () => server.stop(),
  };
}
