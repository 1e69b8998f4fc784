/** `dryRun=All&explain=admission`: instead of the object, what every admission plugin did to it. */
import { stringifyJson } from "../../schema/codec/json.ts";
import type { Json, Obj } from "../../schema/model/types.ts";
import { badRequest, StatusError } from "../../schema/status.ts";
import { Explanation } from "../admission/explanation.ts";
import { callerWith } from "../registry/caller_with.ts";
import type { Caller } from "../registry/context.ts";
import type { WriteOptions } from "./query.ts";

const PARAMETER = "explain";
const GROUP = "explain.orch.io/v1alpha1";

/** The explanation that a request asks for. @throws StatusError 400 when it is no dry run */
export function explanationOf(query: URLSearchParams, options: WriteOptions): Explanation | undefined {
  const asked = query.get(PARAMETER);
  if (asked === null) return undefined;
  if (asked !== "admission") throw badRequest(`query parameter ${PARAMETER}: "${asked}" should be admission`);
  if (!options.dryRun) throw badRequest(`query parameter ${PARAMETER}: needs dryRun=All`);
  return new Explanation();
}

/** Who writes, heard by the explanation where there is one. */
export function heard(explanation: Explanation | undefined, caller: Caller): Caller {
  if (!explanation) return caller;
  const warn = (text: string): void => {
    explanation.warned(text);
    caller.warn(text);
  };
  return callerWith(caller, { recorder: explanation, warn });
}

/** Answers with the explanation of a write: 200, whatever became of it. */
export async function explained(explanation: Explanation, write: () => Promise<Obj>): Promise<Response> {
  let result: Obj | StatusError;
  try {
    result = await write();
  } catch (e) {
    if (!(e instanceof StatusError)) throw e;
    result = e;
  }
  const text = stringifyJson(explanation.answer(GROUP, result) as unknown as Json, true);
  return new Response(text + "\n", { headers: { "content-type": "application/json" } });
}
