/** Probes and hooks `exec`: a command in the container. */
import type { ExecAction } from "../../schema/api/core_v1.ts";
import { expanding } from "../environment/expand.ts";
import { faultText } from "../runtime/fault_text.ts";
import { type Runtime, RuntimeError } from "../runtime/types.ts";
import type { ContainerTarget } from "../types.ts";
import { errored, failure, MAX_OUTPUT, type Outcome, secondsText, success } from "./outcome.ts";

/** Runs a probe's command; its exit code says how it went. */
export async function askExec(
  runtime: Pick<Runtime, "execSync">,
  action: ExecAction,
  target: ContainerTarget,
  seconds: number,
  signal: AbortSignal,
): Promise<Outcome> {
  const command = expanded(action.command ?? [], target.container);
  try {
    const { stdout, stderr, exitCode } = await runtime.execSync(target.id, command, seconds, signal);
    const output = text(stdout, stderr);
    return exitCode === 0 ? success(output) : failure(output);
  } catch (e) {
    if (!(e instanceof RuntimeError && e.code === "DeadlineExceeded")) return errored(faultText(e));
    const said = JSON.stringify(command.join(" "));
    return failure(`command timed out: ${said} timed out after ${secondsText(seconds)}`);
  }
}

/** Runs a hook's command, as it is written. Its output is told beside the fault. */
export async function runHook(
  runtime: Pick<Runtime, "execSync">,
  { command = [] }: ExecAction,
  { id }: ContainerTarget,
  signal: AbortSignal,
): Promise<Outcome> {
  const failed = (why: string, output = "") => failure(`${why}, message: ${JSON.stringify(output)}`);
  try {
    const { stdout, stderr, exitCode } = await runtime.execSync(id, command, 0, signal);
    const output = text(stdout, stderr);
    if (exitCode === 0) return success(output);
    return failed(`command '${command.join(" ")}' exited with ${exitCode}: ${text(stderr)}`, output);
  } catch (e) {
    return failed(faultText(e));
  }
}

function text(stdout: Uint8Array, stderr: Uint8Array = new Uint8Array()): string {
  const out = stdout.subarray(0, MAX_OUTPUT);
  const rest = stderr.subarray(0, MAX_OUTPUT - out.length);
  return new TextDecoder().decode(out) + new TextDecoder().decode(rest);
}

/** Only what the container itself says: variables from elsewhere are empty here, as nobody looks them up for a probe. */
function expanded(command: readonly string[], container: ContainerTarget["container"]): string[] {
  const values = new Map(container.env?.map((e) => [e.name, e.value ?? ""]));
  return command.map(expanding((name) => values.get(name)));
}
