/** Paths that are no resource: discovery, documents, health, metrics, pages for operators. */
import type { PathHandler } from "./app_types.ts";
import type { Catalog } from "./catalog/catalog.ts";
import type { OtherGroups } from "./catalog/discovery.ts";
import type { ServerInputs } from "./inputs.ts";
import { fixedKeys } from "./authentication/key_source.ts";
import type { Fairness } from "./flowcontrol/fairness.ts";
import type { HealthMetrics } from "./metrics/slis.ts";
import { aboutPaths, versionInfo } from "./endpoints/about.ts";
import { type DebugHandler, debugPaths } from "./endpoints/debug.ts";
import { debugFlagPaths } from "./endpoints/debug_flags.ts";
import { debugFlowPaths } from "./endpoints/debug_flow.ts";
import { discoveryPaths, type PeerDocuments } from "./endpoints/discovery.ts";
import { type HealthCheck, healthPaths } from "./endpoints/health.ts";
import { logPaths } from "./endpoints/logs.ts";
import { type MetricsPage, metricsPage } from "./endpoints/metrics.ts";
import { openIdPaths, undiscoverable } from "./endpoints/openid.ts";
import type { MediaType } from "./negotiation/media.ts";
import { openApiPaths, type OtherDocuments } from "./openapi/mod.ts";
import { flagTexts } from "../schema/flags/texts.ts";
import { hostPort, parseHostPort } from "../schema/values/host_port.ts";
import { ROWS } from "./options/table.ts";
import { BINARY_VERSION } from "./options/mod.ts";
import type { RequestScope } from "./request.ts";

/** What the paths show. */
export interface PathParts {
  readonly inputs: ServerInputs;
  readonly catalog: Catalog;
  readonly media: readonly MediaType[];
  /** ms since the epoch */
  readonly startedAt: number;
  /** Whether a deletion of the resource, by its public id, answers with the object in a version. */
  returnsDeleted(id: string, version: string): boolean;
  readonly peers: PeerDocuments;
  checks(): HealthCheck[];
  readonly metrics: MetricsPage;
  readonly slis: HealthMetrics;
  /** Undefined with `--enable-priority-and-fairness=false`. */
  readonly fairness: Fairness<RequestScope> | undefined;
  /** Extension servers: what they serve, and their documents. */
  readonly others: { readonly discovery: OtherGroups; readonly openApi: OtherDocuments };
}

/** Handlers of all paths that are no resource. */
export function serverPaths(parts: PathParts): Map<string, PathHandler> {
  const { inputs, catalog, media, slis, others } = parts;
  const { options, address, log, logs, files, signer } = inputs;
  const issuer = options.serviceAccountIssuer[0];
  const keys = signer?.keys ?? fixedKeys(files.serviceAccountKeys);
  const fault = issuer && undiscoverable(issuer);
  if (fault) log("warn", `--service-account-issuer: ${JSON.stringify(issuer)} ${fault}: its discovery is not served`);
  const openId = issuer !== undefined && !fault && keys.published().length > 0;
  const outer = options.externalHostname;
  const here = parseHostPort(outer) ? outer : hostPort(outer || address.host, address.port);
  const jwksUri = options.serviceAccountJwksUri || `https://${here}/openid/v1/jwks`;
  const page = { resets: options.profiling, startedAt: parts.startedAt };
  const failed = (name: string, e: unknown) =>
    log("warn", `health check ${name} failed: ${e instanceof Error ? e.message : String(e)}`);
  const paths = new Map<string, PathHandler>([
    ...discoveryPaths({
      catalog,
      media,
      address: here,
      peers: parts.peers,
      others: others.discovery,
      hashes: options.gates.enabled("StorageVersionHash"),
    }),
    ...openApiPaths({
      catalog,
      version: `${BINARY_VERSION.major}.${options.versions.emulated}`,
      media,
      now: inputs.now,
      openId,
      enums: options.gates.enabled("OpenAPIEnums"),
      returnsDeleted: parts.returnsDeleted,
      others: others.openApi,
    }),
    ...healthPaths(parts.checks, failed, slis.observe),
    ["/metrics", metricsPage(parts.metrics, page)],
    ["/metrics/slis", metricsPage(slis, page)],
    ...(logs ? logPaths(logs) : []),
    ...(openId ? openIdPaths({ issuer, jwksUri, keys }) : []),
  ]);
  const shown = () =>
    [...paths.keys()].filter((p) => !p.endsWith("/*") && p !== "/" && p !== "/index.html")
      .concat(groupPaths(catalog, others.discovery));
  const pages = [
    ...serverDebugPaths(inputs, parts.startedAt, shown, options.profiling),
    ...(parts.fairness ? debugFlowPaths(parts.fairness) : []),
    ...aboutPaths(versionInfo(options, inputs.platform), () => indexOf(shown(), parts.checks())),
  ];
  for (const [path, handler] of pages) paths.set(path, handler);
  return paths;
}

/** Pages for operators. `paths` are those that the status page lists; `profiling`: whether those that profile are among them. */
export function serverDebugPaths(
  { options, now, memory, timeProfile, verbosity }: ServerInputs,
  startedAt: number,
  paths: () => readonly string[],
  profiling: boolean,
): Map<string, DebugHandler> {
  const { major, minor } = BINARY_VERSION;
  const pages = debugPaths({
    component: "apiserver",
    version: `${major}.${minor}`,
    emulated: `${major}.${options.versions.emulated}`,
    startedAt,
    group: options.product.local("config.k8s.io"),
    cbor: options.gates.enabled("CBORServingAndStorage"),
    statusz: options.gates.enabled("ComponentStatusz"),
    flagz: options.gates.enabled("ComponentFlagz"),
    profiling,
    now,
    paths,
    flags: () => flagTexts(ROWS, options),
    memory,
    timeProfile,
  });
  const flags = profiling && verbosity ? debugFlagPaths(verbosity) : [];
  return new Map([...pages, ...flags]);
}

/** What `/` lists: single health checks too, and discovery in both spellings; pages that profile are not told of. */
const indexOf = (shown: readonly string[], checks: readonly HealthCheck[]): string[] => [
  ...shown.filter((path) => !path.startsWith("/debug/")),
  "/apis/",
  "/openapi/v3/",
  ...checks.flatMap(({ name, of }) => of.map((endpoint) => `/${endpoint}/${name}`)),
];

function groupPaths(catalog: Catalog, others: OtherGroups): string[] {
  const own = catalog.groups().flatMap(({ name, versions }) =>
    name === "" ? versions.map((v) => `/api/${v}`) : [`/apis/${name}`, ...versions.map((v) => `/apis/${name}/${v}`)]
  );
  const behind = Array.from(others.versions(), ({ group, version }) => [`/apis/${group}`, `/apis/${group}/${version}`]);
  return [...new Set([...own, ...behind.flat()])];
}
