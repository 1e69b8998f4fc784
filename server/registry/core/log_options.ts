/** What is asked of a log (PodLogOptions), from the query. */
import { ErrorList } from "../../../schema/rules/errors.ts";
import { badRequest, invalid } from "../../../schema/status.ts";
import { ValueError } from "../../../schema/values/error.ts";
import { canonicalTime, ZERO_TIME } from "../../../schema/values/time.ts";
import type { Call } from "../../endpoints/api.ts";
import { queryFlag } from "../../filters/request_info.ts";

const LEAST: Readonly<Record<string, number>> = { tailLines: 0, sinceSeconds: 1, limitBytes: 1 };
const FLAGS = ["follow", "previous", "timestamps"];
const STREAMS = ["All", "Stdout", "Stderr"];

/** What an agent is asked for a log, sorted by names. @throws StatusError 400, 422 for options that make no sense */
export function logQuery(call: Call): URLSearchParams {
  const { query } = call.scope;
  const errors = new ErrorList();
  const asked = new URLSearchParams();
  for (const name of FLAGS) if (queryFlag(query, name)) asked.set(name, "true");
  for (const name of Object.keys(LEAST)) {
    const number = numberOf(query, name);
    if (number !== undefined) asked.set(name, String(number));
  }
  const since = query.get("sinceTime");
  if (since !== null) asked.set("sinceTime", timeOf(since));
  checkNumbers(asked, errors);
  const stream = streamOf(call, errors);
  if (stream !== undefined) asked.set("stream", stream);
  if (!errors.empty) throw invalid("", "PodLogOptions", call.name, errors.causes);
  asked.sort();
  return asked;
}

function numberOf(query: URLSearchParams, name: string): bigint | undefined {
  const text = query.get(name);
  if (text === null) return undefined;
  if (/^[-+]?\d+$/.test(text)) {
    const number = BigInt(text.replace("+", ""));
    if (BigInt.asIntN(64, number) === number) return number;
  }
  throw badRequest(`query parameter ${name}: "${text}" is no integer of 64 bits`);
}

function timeOf(text: string): string {
  try {
    return text === "" || text === "null" ? ZERO_TIME : canonicalTime(text);
  } catch (e) {
    if (e instanceof ValueError) throw badRequest(`query parameter sinceTime: ${e.message}`);
    throw e;
  }
}

function checkNumbers(asked: URLSearchParams, errors: ErrorList): void {
  const both = asked.has("sinceSeconds") && asked.has("sinceTime");
  if (both) errors.forbidden("[]", "at most one of `sinceTime` or `sinceSeconds` may be specified");
  for (const [name, least] of Object.entries(LEAST)) {
    if (!asked.has(name) || (both && name === "sinceSeconds")) continue;
    const number = Number(asked.get(name));
    if (number < least) errors.invalid(name, number, `must be greater than or equal to ${least}`);
  }
}

/** The streams asked for; undefined where they cannot be chosen. */
function streamOf(call: Call, errors: ErrorList): string | undefined {
  const stream = call.scope.query.get("stream");
  if (!call.api.rules.gate("PodLogsQuerySplitStreams")) {
    if (stream !== null) errors.forbidden("stream", "may not be specified");
    return undefined;
  }
  if (stream === null) return "All";
  if (!STREAMS.includes(stream)) errors.notSupported("stream", stream, STREAMS);
  const lines = call.scope.query.has("tailLines");
  if (stream !== "All" && lines) errors.forbidden("[]", "`tailLines` and one stream are mutually exclusive");
  return stream;
}
