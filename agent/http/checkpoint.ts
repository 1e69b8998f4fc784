/** Checkpoints of containers: what one has in memory, as a file of the host that only root may read. */
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { nowTime } from "../../schema/values/time.ts";
import { faultText } from "../runtime/fault_text.ts";
import { containerNamed } from "../pods/spec.ts";
import { jsonAnswer, textAnswer } from "./answer.ts";
import { runningId } from "./containers.ts";
import type { Handler } from "./routes.ts";
import type { HttpParts } from "./types.ts";

const DIRECTORY = "checkpoints";
const WHOLE = /^[+-]?\d{1,18}$/;

/** Has the runtime make one, and tells where it is. `timeout`: s; 0 or none: as any call's */
export function checkpoint({ pods, runtime, clock }: HttpParts, rootDir: string): Handler {
  return async ({ params, query }) => {
    const { podNamespace: namespace = "", podID: name = "", containerName: container = "" } = params;
    const pod = pods.find(namespace, name);
    if (!pod) return textAnswer(404, "pod does not exist");
    if (!containerNamed(pod, container)) return textAnswer(404, `container ${container} does not exist`);
    const seconds = query.getAll("timeout").at(-1) ?? "0";
    if (!WHOLE.test(seconds)) return textAnswer(404, "cannot parse value of timeout parameter");
    try {
      const id = await runningId(runtime, pod, container);
      if (id === undefined) throw new Error(`container ${container} not found`);
      const directory = join(rootDir, DIRECTORY);
      await mkdir(directory, { recursive: true, mode: 0o700 });
      const file = `checkpoint-${name}_${namespace}-${container}-${nowTime(clock.now())}.tar`;
      const location = join(directory, file);
      await runtime.checkpointContainer(id, location, Number(seconds));
      return jsonAnswer({ items: [location] });
    } catch (e) {
      return textAnswer(500, `checkpointing of ${namespace}/${name}/${container} failed (${faultText(e)})`);
    }
  };
}
