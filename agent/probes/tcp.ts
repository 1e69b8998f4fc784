/** Probes `tcpSocket`: a connection that opens is enough. */
import { connect } from "node:net";
import type { TCPSocketAction } from "../../schema/api/core_v1.ts";
import { hostPort } from "../../schema/values/host_port.ts";
import type { ContainerTarget } from "../types.ts";
import { dialText, hostOf, portOf } from "./address.ts";
import { failure, type Outcome, success } from "./outcome.ts";

/** Opens a connection and closes it. @throws Error: the handler leads nowhere */
export function askTcp(action: TCPSocketAction, target: ContainerTarget, signal: AbortSignal): Promise<Outcome> {
  const port = portOf(action.port, target.container);
  const host = hostOf(action.host, target);
  const address = hostPort(host, port);
  return new Promise((resolve) => {
    const socket = connect({ host, port });
    const end = (outcome: Outcome) => {
      signal.removeEventListener("abort", late);
      socket.destroy();
      resolve(outcome);
    };
    const late = () => end(failure(`dial tcp ${address}: i/o timeout`));
    signal.addEventListener("abort", late, { once: true });
    socket.once("connect", () => end(success()));
    socket.on("error", (error) => end(failure(dialText(address, error))));
  });
}
