/** What gRPC clients need of this process. Connections are the runtime's own: those of `node:net` are closed twice (docs/limits.md). */
import { Duplex } from "node:stream";
import type { Platform } from "../../schema/grpc/http2.ts";

/** See the top of the file. Hosts without HTTP/2 load this file too. */
export const UNIX: Platform = {
  dial: (path) => Deno.connect({ transport: "unix", path }),
  http2: async () => {
    const { connect } = await import("node:http2");
    return (stream) =>
      connect("http://localhost", { createConnection: () => new Duplex(stream), settings: { enablePush: false } });
  },
};
