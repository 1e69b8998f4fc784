/** The paths of the servers. */
import { faultAnswer, jsonAnswer, NO_SNIFFING } from "./answer.ts";
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

const GET = ["GET"], JSON_TYPE = ["application/json"];
/** Where public agents look. */
const PLACES: LogPlaces = { root: "/var/log", journalctl: "journalctl" };

/** What answers where something is turned off. */
const off = (text: string): Handler => () => faultAnswer(405, text);

/** Paths of both the server that asks who it is, and the one that does not. */
export function sharedRoutes(parts: HttpParts, options: HttpOptions): readonly Route[] {
  const { routes, observe } = metricsRoutes(parts, options);
  return [
    ...healthRoutes(parts.health, observe),
    { path: "/pods", tree: "/pods", methods: GET, produces: JSON_TYPE, handler: () => podList(parts.pods.pods()) },
    ...routes,
  ];
}

/** Paths that only the former has, by what they begin with. */
const DEBUGGING = ["run", "exec", "attach", "portForward", "containerLogs", "runningpods", "debug/pprof", "logs"];
const DISABLED: readonly Route[] = DEBUGGING.map((name) => ({
  path: `/${name}/*`,
  tree: `/${name}/`,
  handler: off("Debug endpoints are disabled."),
}));

/** Of the server that does not ask who it is. */
export const readOnlyRoutes = (shared: readonly Route[]): readonly Route[] => [...shared, ...DISABLED];

/** Of the server that does. */
export function fullRoutes(parts: HttpParts, options: HttpOptions, shared: readonly Route[]): readonly Route[] {
  if (!options.enableDebuggingHandlers) return readOnlyRoutes(shared);
  const logs = options.enableSystemLogHandler ?? true, profiling = options.enableProfilingHandler ?? true;
  const running = async () => podList(await runningPods(parts.runtime));
  const routes: Route[] = [
    ...shared,
    ...parts.gate("ContainerCheckpoint") ? [checkpoints(parts, options)] : [],
    ...parts.gate("KubeletAllocatedPodsEndpoint") ? allocatedRoutes(() => parts.pods.allocated()) : [],
    ...streamRoutes(parts, options.streamingConnectionIdleTimeout, socketCounter(parts.metrics)),
    {
      path: "/containerLogs/{podNamespace}/{podID}/{containerName}",
      tree: "/containerLogs",
      methods: GET,
      produces: [],
      handler: containerLogs(parts),
    },
    { path: "/configz", handler: () => jsonAnswer({ kubeletconfig: parts.configz() }, NO_SNIFFING) },
    { path: "/runningpods", tree: "/runningpods/", methods: GET, produces: JSON_TYPE, handler: running },
    logs
      ? { path: "/logs/{logpath:*}", tree: "/logs/", methods: GET, produces: [], handler: hostLogs(parts, options) }
      : { path: "/logs/*", tree: "/logs/", handler: off("logs endpoint is disabled.") },
    profiling
      ? { path: "/debug/pprof/{profile:*}", tree: "/debug/pprof/", methods: GET, produces: [], handler: profiles }
      : { path: "/debug/pprof/*", tree: "/debug/pprof/", handler: off("profiling endpoint is disabled.") },
    ...pageRoutes(parts, options, () => routes.map(({ path }) => path)),
  ];
  return routes;
}

const checkpoints = (parts: HttpParts, { rootDir }: HttpOptions): Route => ({
  path: "/checkpoint/{podNamespace}/{podID}/{containerName}",
  tree: "/checkpoint/",
  methods: ["POST"],
  produces: JSON_TYPE,
  handler: checkpoint(parts, rootDir),
});

/** Files of the host, and where the configuration says so logs of its services. */
const hostLogs = ({ gate, clock, logPlaces = PLACES }: HttpParts, { enableSystemLogQuery }: HttpOptions): Handler =>
  enableSystemLogQuery && gate("NodeLogQuery") ? nodeLogs(logPlaces, clock) : logFiles(logPlaces.root);
