/** `/debug/flags/`: options that can be set while the server works. Verbosity (`v`) is the only one. */
import { pageOf } from "../../schema/pages.ts";
import { readBody } from "./body.ts";
import type { DebugHandler } from "./debug.ts";
import { textAnswer } from "./debug_text.ts";

/** Most bytes of a value. */
const MOST = 1024;
const MAX_LEVEL = 2 ** 31 - 1;

/** Handlers by path. `verbosity.level` is set by `PUT /debug/flags/v` with a whole number of 0 to 2^31-1 as its body. */
export function debugFlagPaths(verbosity: { level: number }): Map<string, DebugHandler> {
  const index: DebugHandler = () => textAnswer(pageOf("/debug/flags/", ["v: PUT sets the verbosity of the log"]));
  return new Map([
    ["/debug/flags", index],
    ["/debug/flags/*", index],
    ["/debug/flags/v", ({ request }) => setLevel(request, verbosity)],
  ]);
}

/** @throws StatusError 413, 400 for a body that is too long, or stops half-way */
async function setLevel(request: Request, verbosity: { level: number }): Promise<Response> {
  if (request.method !== "PUT") return textAnswer("unsupported http method\n", 406);
  const value = new TextDecoder().decode(await readBody(request, MOST));
  if (!/^\d+$/.test(value) || Number(value) > MAX_LEVEL) {
    const why = `${JSON.stringify(value)} should be a whole number of 0 to ${MAX_LEVEL}`;
    return textAnswer(`failed set klog.logging.verbosity ${value}: ${why}\n`, 400);
  }
  verbosity.level = Number(value);
  return textAnswer(`successfully set klog.logging.verbosity to ${value}\n`);
}
