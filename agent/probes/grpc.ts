/** Probes `grpc`: the public health service, in clear text or by TLS. */
import { Buffer } from "node:buffer";
import * as grpc from "@grpc/grpc-js";
import { callOf } from "../../schema/grpc/call.ts";
import type { GRPCAction } from "../../schema/api/core_v1.ts";
import type { ContainerTarget } from "../types.ts";
import { hostOf, hostPort } from "./address.ts";
import { failure, MAX_OUTPUT, type Outcome, secondsText, success } from "./outcome.ts";

const CHECK = callOf<{ service: string }, { status?: number }>(
  "/grpc.health.v1.Health/Check",
  [[1, "service", "string"]],
  [[1, "status", "enum"]],
);
/** By number. */
const STATUSES = ["UNKNOWN", "SERVING", "NOT_SERVING", "SERVICE_UNKNOWN"];
const SERVING = STATUSES.indexOf("SERVING");

const OPTIONS: grpc.ChannelOptions = {
  "grpc.primary_user_agent": "kube-probe/1.37",
  "grpc.max_receive_message_length": MAX_OUTPUT,
  "grpc.enable_retries": 0,
  "grpc.enable_http_proxy": 0,
  "grpc.initial_reconnect_backoff_ms": 100,
  // A connection of its own, closed with the probe.
  "grpc.use_local_subchannel_pool": 1,
};

/** Who answers is not looked at; an address alone is no name that TLS could ask for. */
const SECURE: grpc.ChannelOptions = { ...OPTIONS, "grpc.ssl_target_name_override": "localhost" };
const UNVERIFIED = { rejectUnauthorized: false, checkServerIdentity: () => undefined };

/** Asks for the health of the service. @param secure by TLS @throws Error: the handler leads nowhere */
export async function askGrpc(
  action: GRPCAction,
  target: ContainerTarget,
  secure: boolean,
  seconds: number,
  signal: AbortSignal,
): Promise<Outcome> {
  const address = hostPort(hostOf(undefined, target), action.port);
  const client = secure
    ? new grpc.Client(address, grpc.credentials.createSsl(null, null, null, UNVERIFIED), {
      ...SECURE,
      "grpc.default_authority": address,
    })
    : new grpc.Client(address, grpc.credentials.createInsecure(), OPTIONS);
  try {
    if (!await connected(client, signal)) {
      const why = `failed to connect service ${JSON.stringify(address)} within ${secondsText(seconds)}`;
      return failure(`timeout: ${why}: context deadline exceeded`);
    }
    return await check(client, action.service ?? "", seconds, signal);
  } finally {
    client.close();
  }
}

/** False: the time was over first. */
function connected(client: grpc.Client, signal: AbortSignal): Promise<boolean> {
  return new Promise((resolve) => {
    const late = () => resolve(false);
    signal.addEventListener("abort", late, { once: true });
    client.waitForReady(Infinity, (error) => {
      signal.removeEventListener("abort", late);
      resolve(!error && !signal.aborted);
    });
  });
}

function check(client: grpc.Client, service: string, seconds: number, signal: AbortSignal): Promise<Outcome> {
  return new Promise((resolve) => {
    const call = client.makeUnaryRequest(
      CHECK.path,
      (message: { service: string }) => Buffer.from(CHECK.encode(message)),
      (bytes: Buffer) => CHECK.decode(new Uint8Array(bytes)),
      { service },
      (error, answer) => {
        signal.removeEventListener("abort", cancel);
        resolve(error ? failure(faultText(error, seconds, signal)) : outcomeOf(answer?.status ?? 0));
      },
    );
    const cancel = () => call.cancel();
    signal.addEventListener("abort", cancel, { once: true });
  });
}

function outcomeOf(status: number): Outcome {
  if (status === SERVING) return success("service healthy");
  return failure(`service unhealthy (responded with ${JSON.stringify(STATUSES[status] ?? String(status))})`);
}

function faultText(error: grpc.ServiceError, seconds: number, signal: AbortSignal): string {
  if (signal.aborted) return `timeout: health rpc did not complete within ${secondsText(seconds)}`;
  if (error.code === grpc.status.UNIMPLEMENTED) {
    const what = "error: this server does not implement the grpc health protocol (grpc.health.v1.Health)";
    return `${what}: ${error.details}`;
  }
  const code = grpc.status[error.code]?.toLowerCase().replace(/(?:^|_)(.)/g, (_, c) => c.toUpperCase());
  return `error: health rpc probe failed: rpc error: code = ${code} desc = ${error.details}`;
}
