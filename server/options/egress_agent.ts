/** Agents of Node's HTTP clients whose connections are made by a dialler, if it dials the host. Nothing is loaded where there is none. */
import type http from "node:http";
import type https from "node:https";
import type { Duplex } from "node:stream";
import type { ConnectionOptions } from "node:tls";
import type { SomeDial } from "./environment_proxy.ts";

type Created = (e: Error | null, socket?: Duplex) => void;
type Create = (options: ConnectionOptions, created: Created) => Duplex | undefined;
type Begin = (options: ConnectionOptions, below: Duplex) => Promise<Duplex>;

/**
 * An agent for HTTPS: TLS with the server begins on the dialled connection, and holds that back when it is paused. A connection
 * fails on which the proxy has sent something already.
 */
export function secureOver(agent: https.Agent, dial: SomeDial | undefined): https.Agent {
  return over(agent, dial, async (options, below) => {
    const [{ connect }, { pauseBelow }, { bottomOf }] = await Promise.all([
      import("node:tls"),
      import("../../host/flow.ts"),
      import("./egress_dial.ts"),
    ]);
    // The server beyond speaks second.
    const early = below.readableLength;
    if (early > 0) {
      below.destroy();
      throw new Error(`the proxy sent ${early} bytes that nobody asked for`);
    }
    const socket = connect({ ...options, socket: below });
    pauseBelow(socket, bottomOf(below));
    return socket;
  });
}

/**
 * An agent for plain HTTP. The connection was paused when it was made, and the client does not set it going; its server speaks
 * second.
 */
export function plainOver(agent: http.Agent, dial: SomeDial | undefined): http.Agent {
  return over(agent, dial, async (_options, socket) => {
    const { heldBack } = await import("./egress_dial.ts");
    return heldBack(socket).resume();
  });
}

function over<A extends http.Agent>(agent: A, dial: SomeDial | undefined, begin: Begin): A {
  if (!dial) return agent;
  const opening = agent as { createConnection: Create };
  const direct = opening.createConnection.bind(agent);
  opening.createConnection = (options, created) => {
    const dialled = dial(options.host ?? "", Number(options.port));
    if (!dialled) return direct(options, created);
    dialled.then((below) => begin(options, below)).then(
      (socket) => created(null, socket),
      (e) => created(e as Error),
    );
    return undefined;
  };
  return agent;
}
