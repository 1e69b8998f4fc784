/** Tells others on the host of the node's pods (`v1alpha1.Pods`, gate PodsAPI). */
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { GrpcError } from "../../schema/grpc/status.ts";
import type { Table } from "../../schema/grpc/wire.ts";
import { paced } from "../grpc_pace.ts";
import { type GrpcServer, type Method, serveGrpc, type StreamMethod } from "../grpc_server.ts";
import type { Clock } from "../types.ts";
import type { PodChanges } from "./changes.ts";

/** What it tells from. */
export interface PodServiceParts {
  readonly rootDir: string;
  readonly changes: PodChanges;
  /** Whether each source of pods has said what it has. */
  readonly ready: () => boolean;
  readonly clock: Clock;
}

// What tools look for, in every dialect.
const DIRECTORY = "pods-api", SOCKET = "pods-api.sock", SERVICE = "/v1alpha1.Pods";

const NOTHING: Table = [];
const EVENT: Table = [
  [1, "type", { words: ["UNSPECIFIED", "ADDED", "MODIFIED", "DELETED", "INITIAL_SYNC_COMPLETE"] }],
  [2, "pod", "bytes"],
];

/** Serves it. @throws Error: it cannot */
export async function servePods(parts: PodServiceParts): Promise<GrpcServer> {
  const directory = join(parts.rootDir, DIRECTORY);
  await mkdir(directory, { recursive: true, mode: 0o750 });
  return serveGrpc(join(directory, SOCKET), methodsOf(parts));
}

function methodsOf({ changes, ready, clock }: PodServiceParts): readonly (Method | StreamMethod)[] {
  const mayAsk = paced(clock);
  const checkReady = () => {
    if (!ready()) throw new GrpcError("FailedPrecondition", "Kubelet is initializing");
  };
  const check = () => {
    if (!mayAsk()) throw new GrpcError("ResourceExhausted", "rejected by rate limit");
    checkReady();
  };
  return [
    {
      path: `${SERVICE}/ListPods`,
      request: NOTHING,
      response: [[1, "pods", "bytes", "repeated"]],
      answer: () => {
        check();
        return { pods: changes.list() };
      },
    },
    {
      path: `${SERVICE}/GetPod`,
      request: [[1, "podUID", "string"]],
      response: [[1, "pod", "bytes"]],
      answer: ({ podUID }: { podUID: string }) => {
        check();
        const pod = changes.get(podUID);
        if (!pod) throw new GrpcError("NotFound", `pod with UID ${podUID} not found`);
        return { pod };
      },
    },
    {
      path: `${SERVICE}/WatchPods`,
      request: NOTHING,
      response: EVENT,
      stream: async (_: unknown, send, signal) => {
        checkReady();
        const following = changes.follow();
        signal.addEventListener("abort", () => following.close(), { once: true });
        try {
          for (const pod of following.initial) await send({ type: "ADDED", pod });
          await send({ type: "INITIAL_SYNC_COMPLETE" });
          for (let next = await following.next(); next; next = await following.next()) {
            for (const change of next) await send(change);
          }
        } catch (e) {
          throw e instanceof GrpcError ? e : new GrpcError("ResourceExhausted", (e as Error).message);
        } finally {
          following.close();
        }
      },
    },
  ];
}
