/** Requests of any kind to a whole server: each is answered, none with a fault of the server, refusals with a Status that says why. */
import assert from "node:assert/strict";
import type { Json, JsonMap } from "../../../schema/model/types.ts";
import { startTestServer, type TestServer } from "../../fixture/server.ts";
import { SAMPLES } from "../../kinds/objects.ts";
import { target } from "./target.ts";
import { Random } from "../../fixture/random.ts";

interface Sent {
  readonly method: string;
  readonly path: string;
  readonly headers: Record<string, string>;
  readonly body?: string;
}

interface Resource {
  readonly path: string;
  readonly apiVersion: string;
  readonly kind: string;
  readonly namespaced: boolean;
  readonly sample: JsonMap;
  readonly name: string;
}

const NAMESPACE = "fuzz";
const NAMES = ["a", "b", "c", "d-1", "A", "x_y", "a%2Fb", "a.b", "%00", "ü", "-", "a".repeat(64)];
const ODD: readonly Json[] = [
  ...[null, true, 0, -1, 1.5, 2 ** 31, 2 ** 53, "", " ", "a", "A_b", "10.0.0.1", "::1", "1Gi", "-5", "50%", "1e3", "*"],
  ...[
    "a/b",
    "9999999999999999999",
    "2026-01-01T00:00:00Z",
    "x".repeat(300),
    "é",
    "\u0000",
    "self.x > 1",
    "/",
    "..",
    "AA==",
  ],
  ...[[], {}, [null], [[]], [{}], ["a", "a"], { a: null }, { "": "" }, { a: { b: {} } }, { __proto__x: 1 }, [{
    name: "a",
  }, { name: "a" }]],
];
const QUERIES: Readonly<Record<string, readonly string[]>> = {
  dryRun: ["All", "", "None", "All&dryRun=All"],
  fieldManager: ["m", "", "x".repeat(129), "\u0001"],
  force: ["true", "false", "x"],
  fieldValidation: ["Strict", "Warn", "Ignore", "x"],
  pretty: ["true", "0"],
  limit: ["1", "2", "0", "-1", "x", "99999999999999999999"],
  continue: ["", "x", "AAAA"],
  resourceVersion: ["0", "1", "", "x", "-1", "00"],
  resourceVersionMatch: ["Exact", "NotOlderThan", "x", ""],
  labelSelector: ["a=b", "a in (b", "!a", "a>1", ",", "a=b,c!=d"],
  fieldSelector: ["metadata.name=a", "x=y", "=", "metadata.namespace!=a"],
  watch: ["1", "true", "x"],
  timeoutSeconds: ["0", "1", "x", "-1"],
  allowWatchBookmarks: ["true", "x"],
  sendInitialEvents: ["true", "false", "x"],
  propagationPolicy: ["Orphan", "Foreground", "Background", "x"],
  gracePeriodSeconds: ["0", "-1", "x", "30"],
  orphanDependents: ["true", "x"],
};
const TYPES = [
  "application/json",
  "application/yaml",
  "application/vnd.kubernetes.protobuf",
  "application/cbor",
  "text/plain",
  "application/json;charset=x",
  "",
  "x",
];
const PATCHES = [
  "application/merge-patch+json",
  "application/json-patch+json",
  "application/strategic-merge-patch+json",
  "application/apply-patch+yaml",
  "application/json",
];
const ACCEPTS = [
  ...TYPES,
  "*/*",
  "application/json;as=Table;g=meta.k8s.io;v=v1",
  "application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1",
  "application/vnd.kubernetes.protobuf;as=Table;g=meta.k8s.io;v=v1",
  "application/json;q=0.1,application/yaml;q=x",
  "application/json;stream=watch",
];

/** Subresources that lead to a node's agent, which is not there. */
const AGENTS = new Set(["proxy", "exec", "attach", "log", "portforward"]);

/** A tree with one to three of its values replaced, dropped, doubled or put elsewhere. */
function spoilt(random: Random, good: Json): Json {
  const tree = structuredClone(good);
  for (let n = random.below(4) - 1; n > 0; n--) {
    const place = placeIn(random, tree);
    if (!place) return structuredClone(random.pick(ODD));
    const { holder, key } = place;
    const what = random.below(6);
    if (Array.isArray(holder)) {
      if (what === 0) holder.splice(Number(key), 1);
      else if (what === 1) holder.push(structuredClone(holder[Number(key)]!));
      else holder[Number(key)] = structuredClone(random.pick(ODD));
    } else if (what === 0) delete holder[key];
    else if (what === 1) {
      holder[random.pick(["x", "", "name", "spec", "kind", "items"])] = structuredClone(holder[key]!);
    } else holder[key] = structuredClone(random.pick(ODD));
  }
  return tree;
}

function placeIn(random: Random, tree: Json): { holder: JsonMap | Json[]; key: string } | undefined {
  let at: Json = tree, found: { holder: JsonMap | Json[]; key: string } | undefined;
  for (let depth = 0; depth < 12 && typeof at === "object" && at !== null; depth++) {
    const keys = Object.keys(at);
    if (keys.length === 0) break;
    found = { holder: at as JsonMap, key: random.pick(keys) };
    if (random.once(6)) break;
    at = (at as JsonMap)[found.key]!;
  }
  return found;
}

/** What discovery lists, with a valid object of each where there is one. */
async function resourcesOf(server: TestServer): Promise<Resource[]> {
  const groups = (await server.fetch("/apis")).body.groups as { versions: { groupVersion: string }[] }[];
  const versions = ["v1", ...groups.flatMap((g) => g.versions.map((v) => v.groupVersion))];
  const out: Resource[] = [];
  for (const apiVersion of versions) {
    const base = apiVersion === "v1" ? "/api/v1" : `/apis/${apiVersion}`;
    for (
      const r of (await server.fetch(base)).body.resources as { name: string; kind: string; namespaced: boolean }[]
    ) {
      const [plural, sub] = r.name.split("/"), group = apiVersion.includes("/") ? apiVersion.split("/")[0]! : "";
      const sample = SAMPLES[group ? `${plural}.${group}` : plural!];
      if (!sample || AGENTS.has(sub ?? "")) continue;
      out.push({
        path: `${base}${r.namespaced ? `/namespaces/${NAMESPACE}` : ""}/${plural}${sub ? `/{}/${sub}` : ""}`,
        apiVersion,
        kind: r.kind,
        namespaced: r.namespaced,
        sample: sample.object,
        name: sample.name ?? "a",
      });
    }
  }
  return out;
}

function requestOf(random: Random, resource: Resource): Sent {
  const name = random.once(3) ? random.pick(NAMES) : random.once(2) ? resource.name : "b";
  const sub = resource.path.includes("{}");
  const whole = !sub && random.once(2);
  const method = random.pick(
    whole
      ? ["POST", "POST", "POST", "GET", "DELETE"]
      : sub
      ? ["GET", "PUT", "PATCH", "POST"]
      : ["PUT", "PATCH", "PATCH", "GET", "DELETE"],
  );
  const query = Array.from({ length: random.once(2) ? 0 : random.below(4) }, () => {
    const key = random.pick(Object.keys(QUERIES));
    return `${key}=${encodeURIComponent(random.pick(QUERIES[key]!)).replaceAll("%26", "&").replaceAll("%3D", "=")}`;
  });
  // A collection that is deleted would leave nothing to do for the others.
  if (method === "DELETE" && whole) query.push("dryRun=All");
  const path = sub ? resource.path.replace("{}", name) : whole ? resource.path : `${resource.path}/${name}`;
  const headers: Record<string, string> = random.once(2) ? {} : { accept: random.pick(ACCEPTS) };
  if (method === "GET") return { method, path: `${path}?${query.join("&")}`, headers };
  return {
    method,
    path: `${path}?${query.join("&")}`,
    headers: { ...headers, "content-type": typeOf(random, method) },
    body: bodyOf(random, resource, method, name),
  };
}

const typeOf = (random: Random, method: string) =>
  random.once(12) ? random.pick(TYPES) : method === "PATCH" ? random.pick(PATCHES) : "application/json";

function bodyOf(random: Random, resource: Resource, method: string, name: string): string {
  const { apiVersion, kind, sample } = resource;
  const metadata = { ...(sample.metadata as JsonMap | undefined), name };
  const object = { apiVersion, kind, ...sample, metadata };
  const options = { kind: "DeleteOptions", apiVersion: "v1", preconditions: { uid: "x" }, gracePeriodSeconds: 0 };
  if (method === "DELETE") return random.once(2) ? "" : JSON.stringify(spoilt(random, options));
  if (method === "PATCH" && random.once(3)) {
    const path = random.pick(["/metadata/labels", "/spec", "/status", "/data", "/metadata/name", "/spec/x"]);
    return JSON.stringify([{ op: random.pick(["add", "replace", "remove", "test"]), path, value: random.pick(ODD) }]);
  }
  const text = JSON.stringify(spoilt(random, object));
  return random.once(40) ? text.slice(0, random.below(text.length)) : text;
}

/** Requests to one server, in the order of the seed. */
export const requests = target(4_000, async (seed) => {
  // Pods would wait for an account that no controller makes.
  const faults: unknown[] = [], random = new Random(seed);
  const server = await startTestServer(["--disable-admission-plugins=ServiceAccount"], {
    log: (level, text, detail) => void (level === "error" && faults.push(text, detail)),
  });
  await server.fetch("/api/v1/namespaces", { body: { metadata: { name: NAMESPACE } } });
  const resources = await resourcesOf(server);
  return {
    next: () => requestOf(random, random.pick(resources)),
    async try({ method, path, headers, body }) {
      const response = await server.open(path, { method, headers, ...(body === undefined ? {} : { body }) });
      const { status } = response;
      if (/[?&]watch=/.test(path) && status === 200) return await response.body?.cancel(), true;
      const text = await response.text();
      if (status < 400) return true;
      // What no client caused is in the log; other answers above 500 say what the server cannot do.
      assert.deepEqual(faults, []);
      assert.notEqual(status, 501, text);
      if (/json/.test(response.headers.get("content-type") ?? "")) {
        const told = JSON.parse(text);
        assert.deepEqual([told.kind, told.status, told.code], ["Status", "Failure", status]);
        assert.ok(told.message, text);
      }
      return false;
    },
    close: () => server.stop(),
  };
});
