/** Objects of a running server of this API, read as a client reads them, into a file of objects. */
import { parseJson } from "../../../schema/codec/json.ts";
import { isMap } from "../../../schema/model/members.ts";
import type { JsonMap } from "../../../schema/model/types.ts";
import { apiVersionOf } from "../../../schema/scheme.ts";
import type { Connection } from "../../../schema/connection.ts";
import { StorageError } from "../backend.ts";
import { ObjectsWriter } from "./file.ts";
import { DEFINITIONS, type Places } from "./places.ts";
import { RemoteClient, type RemoteTimes } from "./remote_client.ts";

/** Objects of one answer. */
const PAGE = 500;

const TIMES: RemoteTimes = { firstMs: 15_000, quietMs: 75_000 };

/** What was read. */
export interface RemoteReport {
  /** The version that all lists are of, but for those in `later`. */
  readonly revision: number;
  readonly objects: number;
  /** Lists that were no longer, or not, to be had of that version: they are newer. */
  readonly later: readonly string[];
  /** Resources of that server that are not known here. */
  readonly leftOut: readonly string[];
}

/** A resource to be read. */
interface Wanted {
  /** `/apis/apps/v1/deployments`. */
  readonly path: string;
  readonly apiVersion: string;
  readonly kind: string;
}

/** What a server lists under a group version. */
interface Listed {
  readonly apiVersion: string;
  readonly name: string;
  readonly kind: string;
}

class Refused extends Error {
  constructor(readonly status: number, text: string, private readonly body: Uint8Array) {
    super(text);
  }

  /** Where a list goes on whose version is no longer to be had; empty: nowhere, or it is no answer of the API. */
  get rest(): string {
    try {
      return this.status === 410 ? continueOf(parseJson(this.body).tree) : "";
    } catch {
      return "";
    }
  }
}

/**
 * Reads everything that can be listed and stored, of one version as far as that server has it.
 * @throws StorageError `unavailable` when the server does not answer or refuses, `format` for one of the other dialect
 */
export async function readRemote(
  connection: Connection,
  places: Places,
  write: (bytes: Uint8Array) => Promise<void>,
  times: RemoteTimes = TIMES,
): Promise<RemoteReport> {
  const client = new RemoteClient(connection, times), remote = new Remote(client);
  try {
    const listed = await remote.listed();
    refuseOther(listed, places);
    const revision = await remote.revision();
    const writer = await ObjectsWriter.start(write, { dialect: places.product.dialect, revision });
    const later: string[] = [];
    const read = async (wanted: Wanted, each: (object: JsonMap) => void = () => {}) => {
      const exact = await remote.list(wanted, revision, async (object) => {
        if (isOwn(object, places)) return;
        each(object);
        await writer.put({ object });
      });
      if (!exact) later.push(wanted.path);
    };
    const definitions = places.catalog.resource(DEFINITIONS)!;
    await read(builtIn(definitions, listed)!, (object) => places.learn(object));
    for (const resource of places.stored()) {
      const wanted = resource === definitions ? undefined : builtIn(resource, listed);
      if (wanted) await read(wanted);
    }
    for (const d of places.defined()) {
      const version = d.versions[0];
      if (version === undefined) continue;
      await read({
        path: `/apis/${d.group}/${version}/${d.plural}`,
        apiVersion: `${d.group}/${version}`,
        kind: d.kind,
      });
    }
    await writer.end();
    return { revision, objects: writer.lines, later, leftOut: strangers(listed, places) };
  } catch (e) {
    if (e instanceof StorageError) throw e;
    throw new StorageError("unavailable", `${connection.server}: ${e instanceof Error ? e.message : e}`, { cause: e });
  } finally {
    client.close();
  }
}

/** In the stored version, if that server has it, else in the first one that it has. */
function builtIn(resource: ReturnType<Places["stored"]>[number], listed: readonly Listed[]): Wanted | undefined {
  const { name, storageKind, served, group } = resource;
  const versions = [storageKind.apiVersion, ...served.map((s) => apiVersionOf(group, s.version))];
  for (const apiVersion of versions) {
    if (!listed.some((l) => l.name === name && l.apiVersion === apiVersion)) continue;
    const path = `${apiVersion.includes("/") ? "/apis" : "/api"}/${apiVersion}/${name}`;
    return { path, apiVersion, kind: storageKind.kind };
  }
  return undefined;
}

/** Descriptions of that server's own groups: each server makes them for itself. */
function isOwn({ kind, metadata }: JsonMap, { product }: Places): boolean {
  const labels = isMap(metadata) && isMap(metadata.labels) ? metadata.labels : {};
  return kind === "APIService" && product.local("kube-aggregator.kubernetes.io/automanaged") in labels;
}

function refuseOther(listed: readonly Listed[], { product }: Places): void {
  const group = product.local("apiextensions.k8s.io");
  if (listed.some((l) => l.apiVersion.startsWith(`${group}/`))) return;
  throw new StorageError("format", `the server serves no group ${group}: has it another --api-dialect?`);
}

/** Resources with lists that neither the tables here nor definitions know, once each. */
function strangers(listed: readonly Listed[], places: Places): string[] {
  const known = new Set<string>([...places.defined()].map((d) => `${d.plural}.${d.group}`));
  for (const { group, name } of places.catalog.resources()) known.add(`${name}.${group}`);
  const all = listed.map(({ apiVersion, name }) =>
    `${name}.${apiVersion.includes("/") ? apiVersion.split("/")[0] : ""}`
  );
  return [...new Set(all)].filter((name) => !known.has(name));
}

class Remote {
  constructor(private readonly client: RemoteClient) {}

  async get(path: string): Promise<JsonMap> {
    const { status, bytes } = await this.client.get(path);
    if (status < 200 || status >= 300) {
      const text = new TextDecoder().decode(bytes.subarray(0, 500));
      throw new Refused(status, `GET ${path} answered ${status}: ${text}`, bytes);
    }
    const { tree } = parseJson(bytes);
    if (!isMap(tree)) throw new Error(`GET ${path} answered no object`);
    return tree;
  }

  /** All resources that can be listed and created. */
  async listed(): Promise<Listed[]> {
    const versions = ["/api/v1"];
    for (const group of maps((await this.get("/apis")).groups)) {
      for (const { groupVersion } of maps(group.versions)) versions.push(`/apis/${String(groupVersion)}`);
    }
    const out: Listed[] = [];
    for (const path of versions) {
      // A group whose own server is away is left out, as all clients do.
      const list: JsonMap = await this.get(path).catch((e) =>
        e instanceof Refused && e.status >= 500 ? {} : Promise.reject(e)
      );
      for (const { name, kind, verbs } of maps(list.resources)) {
        const can = Array.isArray(verbs) ? verbs : [];
        if (String(name).includes("/") || !can.includes("list") || !can.includes("create")) continue;
        out.push({ apiVersion: String(list.groupVersion), name: String(name), kind: String(kind) });
      }
    }
    return out;
  }

  /** The newest version there is. */
  async revision(): Promise<number> {
    const { metadata } = await this.get("/api/v1/namespaces?limit=1");
    return Number(isMap(metadata) ? metadata.resourceVersion : NaN) || 0;
  }

  /** Every object of a list; whether it was of the version. */
  async list(wanted: Wanted, revision: number, take: (object: JsonMap) => Promise<void>): Promise<boolean> {
    const exact = `&resourceVersion=${revision}&resourceVersionMatch=Exact`;
    let page: JsonMap;
    let asked = true;
    try {
      page = await this.get(`${wanted.path}?limit=${PAGE}${exact}`);
    } catch (e) {
      if (!(e instanceof Refused) || ![400, 410, 500, 504].includes(e.status)) throw e;
      asked = false;
      page = await this.get(`${wanted.path}?limit=${PAGE}`);
    }
    for (;;) {
      for (const item of maps(page.items)) await take({ apiVersion: wanted.apiVersion, kind: wanted.kind, ...item });
      const next = continueOf(page);
      if (next === "") return asked;
      page = await this.#next(wanted, next).catch((e) => {
        if (!(e instanceof Refused) || e.rest === "") throw e;
        asked = false;
        return this.#next(wanted, e.rest);
      });
    }
  }

  #next({ path }: Wanted, from: string): Promise<JsonMap> {
    return this.get(`${path}?limit=${PAGE}&continue=${encodeURIComponent(from)}`);
  }
}

/** Where a list goes on; empty: it is at its end. */
function continueOf(tree: unknown): string {
  const next = isMap(tree) && isMap(tree.metadata) ? tree.metadata.continue : undefined;
  return typeof next === "string" ? next : "";
}

function maps(tree: unknown): JsonMap[] {
  return Array.isArray(tree) ? tree.filter(isMap) : [];
}
