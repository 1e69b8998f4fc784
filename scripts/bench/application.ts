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
  const body = bodies();
  const headers = {
    "content-type": "application/json",
    "accept": "application/json",
    "content-length": String(body().length),
  };
  return {
    async create() {
      const answer = await server.server.app.fetch(new Request(path, { method: "POST", headers, body: body() }));
      // The runtime keeps answers that nobody sends or looks into until a full collection; the listener sends each.
      void answer.headers;
      if (answer.status !== 201) throw new Error(`create: ${answer.status}`);
    },
    stop: () => server.stop(),
  };
}

/** Config maps of other names: what comes from a client is bytes already, and costs the server nothing to make. */
function bodies(): () => Uint8Array<ArrayBuffer> {
  const name = "0".repeat(9), text = configMap(`object-${name}`);
  const last = text.indexOf(name) + name.length - 1, bytes = new TextEncoder().encode(text);
  return () => {
    for (let at = last; ++bytes[at]! > ZERO + 9; at--) bytes[at] = ZERO;
    return bytes;
  };
}

const ZERO = 48;
