/** A server with flags, and users who are not administrators. */
import type { User } from "../../server/request.ts";
import { startTestServer, type TestOptions, type TestServer } from "../fixture/server.ts";

/** Somebody without special groups. */
export const somebody = (name: string): User => ({ name, groups: ["system:authenticated"] });

/** Runs with a server that lets everybody do everything. */
export async function served(
  flags: readonly string[],
  run: (server: TestServer) => Promise<void>,
  options: TestOptions = {},
): Promise<void> {
  const server = await startTestServer(["--authorization-mode=AlwaysAllow", ...flags], options);
  try {
    await run(server);
  } finally {
    await server.stop();
  }
}
