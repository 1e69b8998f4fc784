/** Tells of every `APIService` whether its server can be asked (condition `Available`). */
import type { JsonMap, Obj } from "../../schema/model/types.ts";
import { items } from "../../schema/rules/tree.ts";
import { isNotFound } from "../../schema/status.ts";
import { nowTime } from "../../schema/values/time.ts";
import { NoAddress } from "../admission/webhooks/address.ts";
import { API_SERVICES, type Registration } from "../aggregation/registrations.ts";
import type { Entry } from "../cache/mod.ts";
import { follow } from "./follow.ts";
import { workQueue } from "./queue.ts";
import type { Controller, ControllerContext } from "./types.ts";

const SERVICES = "services";
const SLICES = "endpointslices.discovery.k8s.io";
/** A server that answers is asked again after so long; one that does not, from the first to the last of growing waits, ms. */
const AGAIN_MS = 30_000;
const RETRY_MS = 50;
/** Within this time a server answers, and how many are asked at once where the first does not: endpoints differ. */
const LIMIT_MS = 5000;
const MORE = 4;

/** What is known of a server. */
interface Verdict {
  readonly status: "True" | "False";
  readonly reason: string;
  readonly message: string;
}

/** A server that did not answer: to be asked again soon. The status tells of it, no log line. */
class NoAnswer extends Error {}

const LOCAL: Verdict = { status: "True", reason: "Local", message: "Local APIServices are always available" };
const PASSED: Verdict = { status: "True", reason: "Passed", message: "all checks passed" };
const no = (reason: string, message: string): Verdict => ({ status: "False", reason, message });

/** Makes the controller; undefined where no extension servers are reached. */
export function apiAvailability(ctx: ControllerContext): Controller | undefined {
  const { registries, extensions } = ctx;
  const services = registries.byId(API_SERVICES);
  if (!services || !extensions) return undefined;
  return {
    start(signal) {
      const queue = workQueue(ctx, "api-availability", {
        workers: 5,
        retryMs: RETRY_MS,
        retryMaxMs: AGAIN_MS,
        onError: (name, e) => {
          if (!(e instanceof NoAnswer)) ctx.log("warn", `whether ${name} is available is told later`, e);
        },
        work: (name) => settle(ctx, name),
      });
      queue.start(signal);
      follow(services, signal, (entry, deleted) => {
        if (!deleted && entry.readable()) queue.add(entry.name);
      });
      const behind = (namespace: string, service: string) => {
        for (const r of extensions.registrations.others()) {
          if (r.service.namespace === namespace && r.service.name === service) queue.add(r.name);
        }
      };
      const label = ctx.product.local("kubernetes.io/service-name");
      follow(registries.byId(SERVICES), signal, (entry) => behind(entry.namespace, entry.name));
      follow(registries.byId(SLICES), signal, (entry) => {
        if (extensions.registrations.any) behind(entry.namespace, serviceOf(entry, label));
      });
    },
  };
}

const serviceOf = (entry: Entry, label: string): string => entry.readable()?.metadata.labels?.[label] ?? "";

async function settle(ctx: ControllerContext, name: string): Promise<number | void> {
  const object = ctx.registries.lister.get(API_SERVICES, "", name);
  if (!object) return;
  const registration = ctx.extensions!.registrations.named(name);
  if (!registration) return object["spec"]?.service ? undefined : await write(ctx, object, LOCAL);
  const verdict = judge(ctx, registration) ?? await asked(ctx, registration);
  await write(ctx, object, verdict);
  if (verdict.reason === "FailedDiscoveryCheck") throw new NoAnswer(verdict.message);
  return AGAIN_MS;
}

/** What the service and its endpoints tell already. */
function judge({ registries, product }: ControllerContext, { service: ref }: Registration): Verdict | undefined {
  const { lister } = registries,
    { namespace, name, port } = ref,
    where = `service/${name} in ${JSON.stringify(namespace)}`;
  const service = lister.get(SERVICES, namespace, name);
  if (!service) return no("ServiceNotFound", `${where} is not present`);
  if (service["spec"]?.type !== "ClusterIP") return undefined;
  const own = items(service["spec"]?.ports).find((p) => p["port"] === port);
  if (!own) return no("ServicePortError", `${where} is not listening on port ${port}`);
  const label = product.local("kubernetes.io/service-name");
  const slices = lister.list(SLICES, namespace).filter((s) => s.metadata.labels?.[label] === name);
  if (slices.length === 0) return no("EndpointsNotFound", `cannot find endpointslices for ${where}`);
  const portName: string = own["name"] ?? "";
  if (slices.some((s) => hasEndpoint(s, portName))) return undefined;
  const text = `endpointslices for ${where} have no addresses with port name ${JSON.stringify(portName)}`;
  return no("MissingEndpoints", text);
}

const hasEndpoint = (slice: Obj, portName: string): boolean =>
  items(slice["endpoints"]).some((e) => e["conditions"]?.ready !== false) &&
  items(slice["ports"]).some((p) => (p["name"] ?? "") === portName && typeof p["port"] === "number");

/** Asks the server for what it must serve: one of several endpoints is enough. */
async function asked(ctx: ControllerContext, registration: Registration): Promise<Verdict> {
  const { reach } = ctx.extensions!, path = `/apis/${registration.group}/${registration.version}`;
  const where = whereOf(ctx, registration, path);
  if (where instanceof NoAddress) return no("FailedDiscoveryCheck", where.message);
  const once = async () => {
    const { status } = await reach.ask(registration, path, [], LIMIT_MS);
    if (status < 200 || status >= 300) throw new Error(`bad status from ${where}: ${status}`);
  };
  try {
    await once().catch(() => Promise.any(Array.from({ length: MORE }, once)));
    return PASSED;
  } catch (e) {
    const last = e instanceof AggregateError ? e.errors.at(-1) : e;
    return no("FailedDiscoveryCheck", `failing or missing response from ${where}: ${last.message}`);
  }
}

function whereOf({ extensions }: ControllerContext, registration: Registration, path: string): string | NoAddress {
  try {
    return `https://${extensions!.reach.target(registration, path).authority}${path}`;
  } catch (e) {
    if (e instanceof NoAddress) return e;
    throw e;
  }
}

async function write(ctx: ControllerContext, object: Obj, verdict: Verdict): Promise<void> {
  if (!toldAnew(ctx, object, verdict)) return;
  const change = (current: Obj) => toldAnew(ctx, current, verdict);
  try {
    await ctx.registries.live.update(API_SERVICES, "", object.metadata.name!, change, { subresource: "status" });
  } catch (e) {
    if (!isNotFound(e)) throw e;
  }
}

/** The object with its condition; undefined when it says so already. */
function toldAnew(ctx: ControllerContext, object: Obj, verdict: Verdict): Obj | undefined {
  const conditions = (object["status"]?.conditions ?? []) as JsonMap[];
  const old = conditions.find((c) => c["type"] === "Available");
  if (old && Object.entries(verdict).every(([k, v]) => old[k] === v)) return undefined;
  const lastTransitionTime = old && old["status"] === verdict.status ? old["lastTransitionTime"]! : nowTime(ctx.now());
  const now: JsonMap = { type: "Available", ...verdict, lastTransitionTime };
  const next = old ? conditions.map((c) => c === old ? now : c) : [...conditions, now];
  return { ...object, status: { ...object["status"], conditions: next } };
}
