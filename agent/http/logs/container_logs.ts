/** `/containerLogs/{podNamespace}/{podID}/{containerName}`. */
import { type Answer, type Out, textAnswer } from "../answer.ts";
import { containerNamed } from "../../pods/spec.ts";
import { runtimeId } from "../containers.ts";
import type { Ask } from "../routes.ts";
import type { HttpParts } from "../types.ts";
import { chooseContainer } from "./choose.ts";
import { BadLogQuery, type LogOptions, readLogOptions } from "./options.ts";
import { readLog } from "./read.ts";

type Parts = Pick<HttpParts, "pods" | "runtime" | "clock" | "gate">;

/** See the top of the file. What cannot be read of a log that was begun is told in its text, as the public agent does. */
export const containerLogs = (parts: Parts) => ({ params, query, incoming }: Ask): Answer => {
  const { podNamespace = "", podID: name = "", containerName: container = "" } = params;
  let options: LogOptions, id: string;
  try {
    options = readLogOptions(query, parts.clock.now(), parts.gate("PodLogsQuerySplitStreams"));
  } catch (e) {
    if (e instanceof BadLogQuery) return textAnswer(e.status, e.message);
    throw e;
  }
  const pod = parts.pods.find(podNamespace, name);
  if (!pod) return textAnswer(404, `pod "${name}" does not exist`);
  if (!containerNamed(pod, container)) return textAnswer(404, `container "${container}" not found in pod "${name}"`);
  try {
    id = chooseContainer(pod, container, options.previous);
  } catch (e) {
    return textAnswer(400, (e as Error).message);
  }
  const body = async (out: Out) => {
    try {
      await readLog(parts, await logPath(parts, id), runtimeId(id), options, out, incoming.signal);
    } catch (e) {
      if (!incoming.signal.aborted) await out.write((e as Error).message);
    }
  };
  return { status: 200, headers: { "content-type": "text/plain; charset=utf-8" }, body };
};

async function logPath({ runtime }: Parts, id: string): Promise<string> {
  try {
    return (await runtime.containerStatus(runtimeId(id))).logPath;
  } catch (cause) {
    throw new Error(`unable to retrieve container logs for ${id}`, { cause });
  }
}
