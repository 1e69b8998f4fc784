/**
 * A socket of this process's own for a server that is reached through a proxy: clients that connect by themselves (gRPC) connect to
 * the socket. It lies in a directory that nobody else may enter.
 */
import { createServer, type Socket } from "node:net";
import type { Duplex } from "node:stream";
import { type Dial, heldBack } from "./egress_dial.ts";

/** See the top of the file. */
export interface Relay {
  /** Path of the socket. */
  readonly path: string;
  /** Ends it and its connections. */
  close(): void;
}

/** Opens relays by a way. */
export const leader = (dial: Dial) => (host: string, port: number): Promise<Relay> => openRelay(dial, host, port);

/** Opens one for a server. @throws Error when no socket can be made */
export async function openRelay(dial: Dial, host: string, port: number): Promise<Relay> {
  const directory = await Deno.makeTempDir({ prefix: "orch-" });
  const path = `${directory}/s`, open = new Set<Duplex>();
  const server = createServer({ allowHalfOpen: true }, (near) => {
    hold(open, near);
    dial(host, port).then(
      (far) => near.destroyed ? far.destroy() : join(open, near, heldBack(far)),
      () => near.destroy(),
    );
  });
  await new Promise<void>((resolve, reject) => server.once("error", reject).listen(path, resolve));
  return {
    path,
    close() {
      server.close();
      for (const socket of open) socket.destroy();
      Deno.remove(directory, { recursive: true }).catch(() => {});
    },
  };
}

function join(open: Set<Duplex>, near: Socket, far: Duplex): void {
  hold(open, far);
  near.once("close", () => far.destroy());
  far.once("close", () => near.destroy());
  near.pipe(far);
  far.pipe(near);
}

function hold(open: Set<Duplex>, socket: Duplex): void {
  open.add(socket);
  socket.on("error", () => socket.destroy());
  socket.once("close", () => open.delete(socket));
}
