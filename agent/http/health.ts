/** `/healthz` and below. */
import { type Answer, faultAnswer, textAnswer } from "./answer.ts";
import type { Route } from "./routes.ts";
import type { HealthCheck } from "./types.ts";

/** Told of every outcome. */
export type HealthObserver = (name: string, ok: boolean) => void;

const well = (): Promise<undefined> => Promise.resolve(undefined);
/** A server that answers has them. */
const PING: HealthCheck = { name: "ping", check: well }, LOG: HealthCheck = { name: "log", check: well };

/** Routes of the checks. */
export const healthRoutes = (checks: readonly HealthCheck[], observe: HealthObserver): readonly Route[] =>
  routesOf([PING, LOG, ...checks], observe);

/** Routes of a server that says only that the agent runs. */
export const pingRoutes: readonly Route[] = routesOf([PING], () => {});

/** All together, with `verbose` and `exclude`, and each alone. */
function routesOf(checks: readonly HealthCheck[], observe: HealthObserver): readonly Route[] {
  return [
    { path: "/healthz", handler: ({ query }) => together(checks, query, observe) },
    ...checks.map((check): Route => ({ path: `/healthz/${check.name}`, handler: () => alone(check) })),
  ];
}

/** What is wrong; a check that fails to tell is unwell. */
async function faultOf(check: HealthCheck): Promise<string | undefined> {
  try {
    return await check.check();
  } catch (e) {
    return e instanceof Error ? e.message : String(e);
  }
}

async function together(
  checks: readonly HealthCheck[],
  query: URLSearchParams,
  observe: HealthObserver,
): Promise<Answer> {
  const excluded = new Set(query.getAll("exclude"));
  let lines = "", failed = false;
  for (const check of checks) {
    const { name } = check;
    if (excluded.delete(name)) {
      lines += `[+]${name} excluded: ok\n`;
      continue;
    }
    const ok = await faultOf(check) === undefined;
    observe(name, ok);
    failed ||= !ok;
    lines += ok ? `[+]${name} ok\n` : `[-]${name} failed: reason withheld\n`;
  }
  if (excluded.size > 0) {
    const names = [...excluded].sort().map((n) => JSON.stringify(n)).join(",");
    lines += `warn: some health checks cannot be excluded: no matches for ${names}\n`;
  }
  if (failed) return faultAnswer(500, `${lines}healthz check failed`);
  const body = query.has("verbose") ? `${lines}healthz check passed\n` : "ok";
  return textAnswer(200, body, { "x-content-type-options": "nosniff" });
}

async function alone(check: HealthCheck): Promise<Answer> {
  const fault = await faultOf(check);
  return fault === undefined ? textAnswer(200, "ok") : faultAnswer(500, `internal server error: ${fault}`);
}
