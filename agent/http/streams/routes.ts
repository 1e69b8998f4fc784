/** `/exec`, `/attach`, `/portForward` and `/run`: processes and ports of containers. */
import type { Pod } from "../../../schema/api/core_v1.ts";
import { concat } from "../../../schema/values/bytes.ts";
import { LABEL } from "../../pods/names.ts";
import { faultText } from "../../runtime/fault_text.ts";
import { RuntimeError } from "../../runtime/types.ts";
import { type Answer, jsonAnswer, textAnswer } from "../answer.ts";
import { containerNamed } from "../../pods/spec.ts";
import { runningId } from "../containers.ts";
import type { Ask, Handler, Route } from "../routes.ts";
import type { HttpParts } from "../types.ts";
import { wantedPorts, wantedStreams } from "./options.ts";
import { tunnelPorts, tunnelProtocol } from "./port_tunnel.ts";
import { Refused } from "./refused.ts";
import { PROTOCOL, translate } from "./translate.ts";
import { tunnel } from "./tunnel.ts";
import { offered } from "./websocket.ts";

type Parts = Pick<HttpParts, "pods" | "runtime" | "gate">;

/** How long the runtime keeps a URL for its client, seconds. */
const RETRY_AFTER = "60";

/** A process that was begun, or that there is. */
interface Process {
  /** Of the runtime's streaming server. */
  readonly url: string;
  readonly streams: ReturnType<typeof wantedStreams>;
}

/** The routes. @param idleMs `--streaming-connection-idle-timeout`; @param count told of WebSockets that are translated */
export function streamRoutes(parts: Parts, idleMs: number, count: (what: string) => void): readonly Route[] {
  const extended = parts.gate("ExtendWebSocketsToKubelet");
  /** A process: its URL and streams. */
  const process = (what: string, open: (ask: Ask) => Promise<Process>) =>
    answered(async (ask) => {
      const { url, streams } = await open(ask), { incoming } = ask;
      if (!extended || !offered(incoming).includes(PROTOCOL)) return await tunnel(incoming, url, idleMs);
      count(what);
      return await translate(incoming, url, streams, idleMs);
    });
  const exec = process("exec", async (ask) => {
    const streams = wantedStreams(ask.query);
    const request = { ...streams, ...await running(parts, ask), cmd: ask.query.getAll("command") };
    return { url: await parts.runtime.exec(request), streams };
  });
  const attach = process("attach", async (ask) => {
    const missing = (name: string, pod: string) => `container ${name} not found in pod ${pod}`;
    const container = await running(parts, ask, missing),
      spec = containerNamed(podOf(parts, ask), ask.params["containerName"]!);
    // Whether a process has a terminal was settled as it began.
    const asked = wantedStreams(ask.query), tty = spec?.tty === true;
    const streams = { ...asked, tty, stderr: asked.stderr && !tty };
    return { url: await parts.runtime.attach({ ...streams, ...container }), streams };
  });
  const portForward = answered(async (ask) => {
    const { incoming } = ask, protocol = extended ? tunnelProtocol(incoming) : undefined;
    const ports = protocol === undefined ? wantedPorts(ask.query, incoming.request) : [];
    const url = await parts.runtime.portForward(await sandboxOf(parts, podOf(parts, ask)), ports);
    if (protocol === undefined) return await tunnel(incoming, url, idleMs);
    count("portforward");
    return await tunnelPorts(incoming, protocol, url, idleMs);
  });
  const run = answered(async (ask) => {
    const { containerId } = await running(parts, ask);
    const cmd = (ask.query.get("cmd") ?? "").split(" ");
    const { stdout, stderr, exitCode } = await parts.runtime.execSync(containerId, cmd, 0, ask.incoming.signal);
    if (exitCode === 0) return { ...jsonAnswer(""), body: concat([stdout, stderr]) };
    throw new Refused(500, `command '${cmd.join(" ")}' exited with ${exitCode}: ${new TextDecoder().decode(stderr)}`);
  });
  const both = ["GET", "POST"];
  return [
    ...branches("/run", "/{containerName}", ["POST"], run),
    ...branches("/exec", "/{containerName}", both, exec),
    ...branches("/attach", "/{containerName}", both, attach),
    ...branches("/portForward", "", both, portForward),
  ];
}

/** Of pods by their names, with or without their uids. */
const branches = (tree: string, rest: string, methods: readonly string[], handler: Handler): Route[] =>
  ["", "/{uid}"].map((uid) => ({
    path: `${tree}/{podNamespace}/{podID}${uid}${rest}`,
    tree,
    methods,
    produces: [],
    handler,
  }));

/** Has what is thrown answered. */
const answered = (handler: (ask: Ask) => Promise<Answer | undefined>): Handler => async (ask) => {
  try {
    return await handler(ask);
  } catch (e) {
    if (e instanceof Refused) return textAnswer(e.status, e.message);
    if (!(e instanceof RuntimeError)) throw e;
    const text = faultText(e);
    if (e.code === "ResourceExhausted") return textAnswer(429, text, { "retry-after": RETRY_AFTER });
    return textAnswer(e.code === "NotFound" ? 404 : 500, text);
  }
};

/** @throws Refused 404 */
function podOf({ pods }: Parts, { params }: Ask): Pod {
  const { podNamespace = "", podID: name = "", uid } = params;
  const found = pods.find(podNamespace, name);
  if (!found) throw new Refused(404, "pod does not exist");
  if (uid !== undefined && found.metadata?.uid !== uid) throw new Refused(404, "pod not found");
  return found;
}

/** @throws Refused 404, and 500 when the container does not run */
async function running(
  parts: Parts,
  ask: Ask,
  missing = (name: string, _pod: string) => `container not found ("${name}")`,
): Promise<{ containerId: string }> {
  const name = ask.params["containerName"] ?? "", pod = podOf(parts, ask);
  const containerId = await runningId(parts.runtime, pod, name);
  if (containerId === undefined) throw new Refused(500, missing(name, fullName(pod)));
  return { containerId };
}

const fullName = ({ metadata }: Pod): string => `${metadata?.name}_${metadata?.namespace}`;

/** The pod's newest sandbox that is ready. @throws Refused 500 */
async function sandboxOf({ runtime }: Parts, pod: Pod): Promise<string> {
  const all = await runtime.listPodSandboxes({ [LABEL.uid]: pod.metadata?.uid ?? "" });
  const ready = all.filter(({ state }) => state === "READY");
  const newest = ready.reduce((a, b) => a && a.createdAt > b.createdAt ? a : b, ready[0]);
  if (!newest) throw new Refused(500, `pod not found ("${fullName(pod)}")`);
  return newest.id;
}
