/** Connections that gRPC goes by: to a host or a Unix socket, through a proxy or not, by TLS or not. */
import type { Duplex } from "node:stream";
import { beginning, plain, UNIX } from "../../host/grpc.ts";
import type { Platform } from "../../schema/grpc/http2.ts";
import { connectionOf } from "../../schema/grpc/socket.ts";
import type { Target } from "../../schema/grpc/target.ts";
import { hostPort } from "../../schema/values/host_port.ts";
import type { Material } from "./tls.ts";

/** Opens a connection to a host (an IPv6 address without brackets) and port through a proxy. @throws Error when there is none in time */
export type Dial = (host: string, port: number) => Promise<Duplex>;

/** How a target is reached. */
export interface Way {
  /** TLS; without, there is none. */
  readonly tls?: Material;
  /** Without, it is reached directly. */
  readonly dial?: Dial | undefined;
}

/** What a client of the target needs. */
export function reach(target: Target, { tls, dial }: Way = {}): Platform {
  if ("path" in target) return { ...UNIX, dial: () => UNIX.dial(target.path.replace(/^@/, "\0")) };
  const { host, port } = target;
  return {
    dial: async () => {
      if (!tls) return dial ? connectionOf(await dial(host, port)) : await plain(host, port);
      const { secured } = await import("./tls.ts");
      return connectionOf(await secured(host, port, tls, await dial?.(host, port)));
    },
    http2: beginning(`${tls ? "https" : "http"}://${hostPort(host, port)}`),
  };
}
