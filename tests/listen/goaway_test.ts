/** Runtimes after 2.9.3 died of this; a newer one is taken when these pass. */
import { drill } from "./_drill.ts";

Deno.test("runtime: the listener lives through clients that close busy connections with GOAWAY", () =>
  drill("_goaway_drill.ts", "server"));

Deno.test("runtime: the gRPC client lives through a server that sends GOAWAY under load", () =>
  drill("_goaway_drill.ts", "grpc"));
