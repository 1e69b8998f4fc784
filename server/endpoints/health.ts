/** Health endpoints (specification, "Health endpoints"). */
import { pageNotFound } from "./plain.ts";
import type { PathHandler } from "../app_types.ts";
import type { RequestScope } from "../request.ts";

/** The three endpoints. */
export type HealthEndpoint = "livez" | "readyz" | "healthz";

/** Told of every outcome of a check. */
export type HealthObserver = (name: string, endpoint: HealthEndpoint, ok: boolean) => void;

/** One check: resolves, or throws what is wrong. The text goes to the log, and to who asks for this check alone. */
export interface HealthCheck {
  readonly name: string;
  /** Which endpoints ask it. */
  readonly of: readonly HealthEndpoint[];
  /** Endpoints that take a failure for well now. */
  readonly spared?: readonly HealthEndpoint[];
  check(signal: AbortSignal): void | Promise<void>;
}

interface Outcome {
  readonly name: string;
  readonly state: "ok" | "failed" | "excluded";
}

/** Handlers of the three endpoints over a changing list of checks. */
export function healthPaths(
  checks: () => readonly HealthCheck[],
  report: (name: string, e: unknown) => void,
  observe: HealthObserver = () => {},
) {
  const paths = new Map<string, PathHandler>();
  for (const endpoint of ["livez", "readyz", "healthz"] as const) {
    const own = () => checks().filter((c) => c.of.includes(endpoint)).map((c) => observed(c, endpoint, observe));
    paths.set(`/${endpoint}`, (scope) => all(endpoint, own(), scope, report));
    paths.set(`/${endpoint}/*`, (scope) => one(own(), scope, report));
  }
  return paths;
}

function observed(c: HealthCheck, endpoint: HealthEndpoint, observe: HealthObserver): HealthCheck {
  return {
    ...c,
    async check(signal) {
      let ok = c.spared?.includes(endpoint) === true;
      try {
        await c.check(signal);
        ok = true;
      } catch (e) {
        if (!ok) throw e;
      } finally {
        // That who asked has gone says nothing of what was asked.
        if (ok || !signal.aborted) observe(c.name, endpoint, ok);
      }
    },
  };
}

/** What is wrong, or nothing. */
async function faultOf(
  c: HealthCheck,
  scope: RequestScope,
  report: (name: string, e: unknown) => void,
): Promise<string | undefined> {
  try {
    await c.check(scope.signal);
    return undefined;
  } catch (e) {
    if (!scope.signal.aborted) report(c.name, e);
    return e instanceof Error ? e.message : String(e);
  }
}

async function all(
  endpoint: string,
  checks: readonly HealthCheck[],
  scope: RequestScope,
  report: (name: string, e: unknown) => void,
): Promise<Response> {
  const excluded = new Set(scope.query.getAll("exclude"));
  const outcomes = await Promise.all(checks.map(async (c): Promise<Outcome> => {
    if (excluded.has(c.name)) return { name: c.name, state: "excluded" };
    return { name: c.name, state: await faultOf(c, scope, report) === undefined ? "ok" : "failed" };
  }));
  const unknown = [...excluded].filter((name) => !checks.some((c) => c.name === name));
  const failed = outcomes.some((o) => o.state === "failed");
  const verbose = scope.query.has("verbose") || failed;
  if (!verbose) return text(200, "ok");
  const notes = unknown.length > 0
    ? `warn: some health checks cannot be excluded: no matches for ${quoted(unknown)}\n`
    : "";
  const end = failed ? `${endpoint} check failed\n` : "healthz check passed\n";
  return text(failed ? 500 : 200, outcomes.map(line).join("") + notes + end);
}

const LINES: Record<Outcome["state"], (name: string) => string> = {
  ok: (n) => `[+]${n} ok\n`,
  excluded: (n) => `[+]${n} excluded: ok\n`,
  failed: (n) => `[-]${n} failed: reason withheld\n`,
};
const line = (o: Outcome): string => LINES[o.state](o.name);
const quoted = (names: string[]): string => names.sort().map((n) => JSON.stringify(n)).join(",");

async function one(
  checks: readonly HealthCheck[],
  scope: RequestScope,
  report: (name: string, e: unknown) => void,
): Promise<Response> {
  const name = scope.info.path.replace(/^\/[a-z]+\//, "");
  const check = checks.find((c) => c.name === name);
  if (!check) return pageNotFound();
  const fault = await faultOf(check, scope, report);
  return fault === undefined ? text(200, "ok") : text(500, `internal server error: ${fault}\n`);
}

function text(status: number, body: string): Response {
  const headers = {
    "content-type": "text/plain; charset=utf-8",
    "x-content-type-options": "nosniff",
    "cache-control": "no-cache, private",
  };
  return new Response(body, { status, headers });
}
