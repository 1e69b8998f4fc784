/** Probes `grpc`: the public health service, in clear text or by TLS. */
import { callOf } from "../../schema/grpc/call.ts";
import { type ClientOptions, GrpcClient } from "../../schema/grpc/client.ts";
import { GrpcError } from "../../schema/grpc/status.ts";
import { reach } from "../grpc.ts";
import type { GRPCAction } from "../../schema/api/core_v1.ts";
import { hostPort } from "../../schema/values/host_port.ts";
import type { ContainerTarget } from "../types.ts";
import { hostOf } from "./address.ts";
import { failure, MAX_OUTPUT, type Outcome, secondsText, success } from "./outcome.ts";

const CHECK = {
  ...callOf<{ service: string }, { status?: number }>(
    "/grpc.health.v1.Health/Check",
    [[1, "service", "string"]],
    [[1, "status", "enum"]],
  ),
  headers: { "user-agent": "kube-probe/1.37" },
};
/** By number. */
const STATUSES = ["UNKNOWN", "SERVING", "NOT_SERVING", "SERVICE_UNKNOWN"];
const SERVING = STATUSES.indexOf("SERVING");

const OPTIONS: ClientOptions = {
  backOff: { first: 100, most: 2_000 },
  waits: true,
  limits: { received: MAX_OUTPUT, sent: MAX_OUTPUT },
};

/** Asks for the health of the service, by a connection of its own. @param secure by TLS, whoever answers @throws Error: the handler leads nowhere */
export async function askGrpc(
  action: GRPCAction,
  target: ContainerTarget,
  secure: boolean,
  seconds: number,
  signal: AbortSignal,
): Promise<Outcome> {
  const host = hostOf(undefined, target), { port } = action, address = hostPort(host, port);
  const client = new GrpcClient(address, reach({ host, port }, secure), OPTIONS);
  try {
    if (!await connected(client, signal)) {
      const why = `failed to connect service ${JSON.stringify(address)} within ${secondsText(seconds)}`;
      return failure(`timeout: ${why}: context deadline exceeded`);
    }
    const { status = 0 } = await client.call(CHECK, { service: action.service ?? "" }, { signal });
    return outcomeOf(status);
  } catch (e) {
    if (!(e instanceof GrpcError)) throw e;
    return failure(faultText(e, seconds, signal));
  } finally {
    client.close();
  }
}

/** False: the time was over first. */
const connected = (client: GrpcClient, signal: AbortSignal): Promise<boolean> =>
  client.connect({ signal }).then(() => true, () => false);

function outcomeOf(status: number): Outcome {
  if (status === SERVING) return success("service healthy");
  return failure(`service unhealthy (responded with ${JSON.stringify(STATUSES[status] ?? String(status))})`);
}

function faultText({ status, details }: GrpcError, seconds: number, signal: AbortSignal): string {
  if (signal.aborted) return `timeout: health rpc did not complete within ${secondsText(seconds)}`;
  if (status === "Unimplemented") {
    const what = "error: this server does not implement the grpc health protocol (grpc.health.v1.Health)";
    return `${what}: ${details}`;
  }
  return `error: health rpc probe failed: rpc error: code = ${status} desc = ${details}`;
}
