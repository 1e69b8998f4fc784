/** The paths of the servers. */
import { faultAnswer, jsonAnswer } from "./answer.ts";
import { checkpoint } from "./checkpoint.ts";
import { healthRoutes } from "./health.ts";
import { logFiles } from "./log_files.ts";
import { containerLogs } from "./logs/container_logs.ts";
import { metricsRoutes } from "./metrics/routes.ts";
import { socketCounter } from "./metrics/requests.ts";
import { pageRoutes, profiles } from "./pages.ts";
import { allocatedRoutes, podList, runningPods } from "./pods.ts";
import { nodeLogs } from "./node_logs/handler.ts";
import type { LogPlaces } from "./node_logs/places.ts";
import type { Handler, Route } from "./routes.ts";
import { streamRoutes } from "./streams/routes.ts";
import type { HttpOptions, HttpParts } from "./types.ts";

const GET = ["GET"];
/** Where public agents look. */
const PLACES: LogPlaces = { root: "/var/log", journalctl: "journalctl" };

/** What answers where something is turned off. */
const off = (text: string): Handler => () => faultAnswer(405, text);

/** Paths of both the server that asks who it is, and the one that does not. */
export function sharedRoutes(parts: HttpParts, options: HttpOptions): readonly Route[] {
  const { routes, observe } = metricsRoutes(parts, options);
  return [
    ...healthRoutes(parts.health, observe),
    { path: "/pods", methods: GET, handler: () => podList(parts.pods.pods()) },
    ...routes,
  ];
}

/** Paths that only the former has, by what they begin with. */
const DEBUGGING = ["run", "exec", "attach", "portForward", "containerLogs", "runningpods", "debug/pprof", "logs"];
const DISABLED: readonly Route[] = DEBUGGING.map((path) => ({
  path: `/${path}/*`,
  handler: off("Debug endpoints are disabled."),
}));

/** Of the server that does not ask who it is. */
export const readOnlyRoutes = (shared: readonly Route[]): readonly Route[] => [...shared, ...DISABLED];

/** Of the server that does. */
export function fullRoutes(parts: HttpParts, options: HttpOptions, shared: readonly Route[]): readonly Route[] {
  if (!options.enableDebuggingHandlers) return readOnlyRoutes(shared);
  const logs = options.enableSystemLogHandler ?? true;
  const routes: Route[] = [
    ...shared,
    ...parts.gate("ContainerCheckpoint") ? [checkpoints(parts, options)] : [],
    ...parts.gate("KubeletAllocatedPodsEndpoint") ? allocatedRoutes(() => parts.pods.allocated()) : [],
    ...streamRoutes(parts, options.streamingConnectionIdleTimeout, socketCounter(parts.metrics)),
    { path: "/containerLogs/{podNamespace}/{podID}/{containerName}", methods: GET, handler: containerLogs(parts) },
    { path: "/configz", handler: () => jsonAnswer({ kubeletconfig: parts.configz() }) },
    { path: "/runningpods", methods: GET, handler: async () => podList(await runningPods(parts.runtime)) },
    logs
      ? { path: "/logs/{logpath:*}", methods: GET, handler: hostLogs(parts, options) }
      : { path: "/logs/*", handler: off("logs endpoint is disabled.") },
    options.enableProfilingHandler ?? true
      ? { path: "/debug/pprof/{profile:*}", methods: GET, handler: profiles }
      : { path: "/debug/pprof/*", handler: off("profiling endpoint is disabled.") },
    ...pageRoutes(parts, options, () => routes.map(({ path }) => path)),
  ];
  return routes;
}

const checkpoints = (parts: HttpParts, { rootDir }: HttpOptions): Route => ({
  path: "/checkpoint/{podNamespace}/{podID}/{containerName}",
  methods: ["POST"],
  handler: checkpoint(parts, rootDir),
});

/** Files of the host, and where the configuration says so logs of its services. */
const hostLogs = ({ gate, clock, logPlaces = PLACES }: HttpParts, { enableSystemLogQuery }: HttpOptions): Handler =>
  enableSystemLogQuery && gate("NodeLogQuery") ? nodeLogs(logPlaces, clock) : logFiles(logPlaces.root);
