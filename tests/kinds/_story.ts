/** The life of one object, told request by request; what is wrong is gathered, not thrown. */
import { decodeFields } from "../../schema/merge/fields_v1.ts";
import { encodeObject, type MediaKind } from "../../schema/codec/mod.ts";
import type { Json, JsonMap, Kind } from "../../schema/model/types.ts";
import type { ServedResource } from "../../server/catalog/types.ts";
import type { TestServer } from "../fixture/server.ts";
import { difference, encodeUtf8, withoutOwn } from "./_compare.ts";
import { Client, type Reply, type Sent, type Told, Watch } from "./_client.ts";
import type { Sample } from "./objects.ts";
import type { Loose } from "../fixture/loose.ts";

export const NAMESPACE = "life";
const PATCHES: readonly (readonly [string, (n: string) => Json])[] = [
  ["json-patch", (n) => [{ op: "add", path: `/metadata/labels`, value: { [n]: "1" } }]],
  ["merge-patch", (n) => ({ metadata: { labels: { [n]: "1" } } })],
  ["strategic-merge-patch", (n) => ({ metadata: { labels: { [n]: "1" } } })],
];

/** Tells the story of a kind. */
export class Story {
  readonly problems: string[] = [];
  readonly #c: Client;
  readonly #sample: Sample;
  readonly #name: string;
  readonly #medias: readonly MediaKind[];
  readonly #id: string;

  constructor(t: TestServer, served: ServedResource, sample: Sample, cbor: boolean) {
    this.#c = new Client(t, served, NAMESPACE);
    this.#id = served.resource.id;
    this.#sample = t.server.catalog.scheme.product.localTree(sample);
    this.#name = this.#sample.name ?? `life-${served.resource.singular}`;
    this.#medias = ["json", "yaml", "protobuf", ...(cbor ? ["cbor"] as const : [])];
  }

  /** From the first dry run to the last 404. */
  async tell(): Promise<string[]> {
    await this.#empty();
    await this.#bodies();
    const version = (await this.#ok("list", this.#c.path())).json.metadata.resourceVersion;
    const watches = await Promise.all(
      this.#medias.filter((m) => m !== "yaml").map((m) => Watch.open(this.#c, m, version, this.#name)),
    );
    const created = await this.#ok("create", this.#c.path(), { body: this.#object() }, 201);
    if (created.status !== 201) {
      for (const w of watches) await w.close();
      return this.problems;
    }
    await this.#again();
    await this.#reads();
    await this.#lists();
    await this.#noop();
    await this.#patches();
    await this.#apply();
    await this.#roundTrip();
    await this.#status();
    await this.#generated();
    const gone = await this.#delete();
    if (gone) await this.#events(watches);
    else for (const w of watches) await w.close();
    return this.problems;
  }

  #object(name = this.#name): JsonMap {
    const { kind } = this.#c.served;
    const { object } = this.#sample;
    return {
      apiVersion: kind.apiVersion,
      kind: kind.kind,
      ...object,
      metadata: { ...object["metadata"] as JsonMap, name },
    };
  }

  #say(text: string): void {
    this.problems.push(`${this.#id}: ${text}`);
  }

  #same(what: string, got: Json, wanted: Json): void {
    const parted = difference(got, wanted);
    if (parted) this.#say(`${what}: ${parted}`);
  }

  async #ok(what: string, path: string, sent: Sent = {}, wanted = 200): Promise<Reply> {
    const reply = await this.#c.send(path, sent);
    if (reply.status !== wanted) {
      this.#say(`${what}: ${reply.status}, not ${wanted}: ${new TextDecoder().decode(reply.bytes).slice(0, 400)}`);
    }
    return reply;
  }

  async #get(): Promise<Loose> {
    return (await this.#ok("get", this.#c.path(this.#name))).json;
  }

  /** An object of a name only is refused when the kind asks for more; nothing stays of a dry run. */
  async #empty(): Promise<void> {
    const { apiVersion, kind } = this.#c.served.kind;
    const body = { apiVersion, kind, metadata: { name: this.#name } };
    const reply = await this.#c.send(`${this.#c.path()}?dryRun=All`, { body });
    const wanted = this.#sample.bare ? 201 : 422;
    if (reply.status !== wanted) this.#say(`bare object: ${reply.status}, not ${wanted}: ${reply.json?.message}`);
    if (wanted === 422 && !reply.json?.details?.causes?.length) this.#say("bare object: no causes");
  }

  /** What is posted is the same object in whatever encoding and version. */
  async #bodies(): Promise<void> {
    const { scheme } = this.#c.t.server.catalog;
    const first = this.#c.decode(encodeUtf8(this.#object()), "json");
    let wanted: Json | undefined;
    for (const { kind, version } of this.#c.served.resource.served) {
      const object = scheme.convert(first, kind);
      for (const media of this.#medias) {
        const sent = { body: encodeObject(object, kind, media), type: this.#c.media(media) };
        const what = `create of ${version} in ${media}`;
        const reply = await this.#ok(what, `${this.#c.path("", "", version)}?dryRun=All`, sent, 201);
        if (reply.status !== 201) continue;
        const got = withoutOwn(scheme.convert(this.#c.decode(reply.bytes, "json", kind), this.#c.served.kind));
        if (wanted === undefined) wanted = got;
        else this.#same(what, got, wanted);
      }
    }
    const left = await this.#c.send(this.#c.path(this.#name));
    if (left.status !== 404) this.#say(`after dry runs: ${left.status}`);
  }

  async #again(): Promise<void> {
    const [code, reason] = this.#sample.taken ? [422, "Invalid"] as const : [409, "AlreadyExists"] as const;
    const reply = await this.#ok("second create", this.#c.path(), { body: this.#object() }, code);
    if (reply.json?.reason !== reason) this.#say(`second create: ${reply.json?.reason}`);
  }

  /** The object in each version and encoding, and as a row and as metadata. */
  async #reads(): Promise<void> {
    const { scheme } = this.#c.t.server.catalog;
    const whole = await this.#ok("get", this.#c.path(this.#name));
    const wanted = this.#c.decode(whole.bytes, "json") as JsonMap;
    this.#managed("create", whole.json);
    for (const { kind, version } of this.#c.served.resource.served) {
      const path = this.#c.path(this.#name, "", version);
      for (const media of this.#medias) {
        const reply = await this.#ok(`get ${version} ${media}`, path, { accept: this.#c.media(media) });
        if (reply.type.split(";")[0] !== this.#c.media(media)) this.#say(`get ${version} ${media}: is ${reply.type}`);
        const object = this.#c.decode(reply.bytes, media, kind);
        if (object.apiVersion !== kind.apiVersion) this.#say(`get ${version} ${media}: ${object.apiVersion}`);
        const back = scheme.convert(object, this.#c.served.kind) as JsonMap;
        this.#same(`get ${version} ${media}`, back, wanted);
      }
      for (const as of ["Table", "PartialObjectMetadata"]) await this.#as(as, version, wanted);
    }
    if (!this.#medias.includes("cbor")) {
      await this.#ok("get in cbor", this.#c.path(this.#name), { accept: "application/cbor" }, 406);
    }
  }

  async #as(as: string, version: string, whole: JsonMap): Promise<void> {
    const wanted = withoutMembers(whole);
    const group = this.#c.t.server.catalog.scheme.product.local("meta.k8s.io");
    const accept = `application/json;as=${as};v=v1;g=${group}`;
    const { json } = await this.#ok(`get as ${as}`, this.#c.path(this.#name, "", version), { accept });
    if (json?.kind !== as || json.apiVersion !== `${group}/v1`) this.#say(`get as ${as}: is ${json?.kind}`);
    else if (as === "PartialObjectMetadata") this.#same(`get as ${as}`, json.metadata, wanted["metadata"]!);
    else {
      const { columnDefinitions: columns, rows } = json;
      if (rows.length !== 1 || rows[0].cells.length !== columns.length + (this.#sample.spareCells ?? 0)) {
        this.#say(`get as ${as}: cells and columns differ`);
      }
      if (rows[0].cells[0] !== this.#name && columns[0].name === "Name") this.#say(`get as ${as}: first cell`);
      this.#same(`get as ${as}`, rows[0].object.metadata, wanted["metadata"]!);
    }
    if (this.#medias.includes("cbor") || as === "Table") return;
    const type = this.#c.media("protobuf");
    const reply = await this.#ok(`get as ${as} in protobuf`, this.#c.path(this.#name, "", version), {
      accept: `${type};as=${as};v=v1;g=${group}`,
    });
    const kind = this.#c.t.server.catalog.scheme.kind(`${group}/v1`, as)!;
    this.#same(
      `get as ${as} in protobuf`,
      this.#c.decode(reply.bytes, "protobuf", kind).metadata as JsonMap,
      wanted["metadata"]!,
    );
  }

  async #lists(): Promise<void> {
    const { scheme } = this.#c.t.server.catalog;
    const wanted = await this.#get();
    const query = `fieldSelector=metadata.name%3D${this.#name}`;
    for (const { kind, version } of this.#c.served.resource.served) {
      const list = scheme.kind(kind.apiVersion, kind.list ?? `${kind.kind}List`) as Kind;
      for (const media of this.#medias) {
        const what = `list ${version} ${media}`;
        const path = `${this.#c.path("", "", version)}?${query}`;
        const reply = await this.#ok(what, path, { accept: this.#c.media(media) });
        const got = this.#c.decode(reply.bytes, media, list) as Loose;
        if (got.kind !== list.kind || got.items?.length !== 1) {
          this.#say(`${what}: ${got.kind} of ${got.items?.length} items`);
          continue;
        }
        const item = { ...got.items[0], apiVersion: kind.apiVersion, kind: kind.kind };
        const back = scheme.convert(item, this.#c.served.kind);
        const typed = this.#c.decode(encodeUtf8(wanted), "json");
        this.#same(what, back as JsonMap, typed as JsonMap);
      }
    }
  }

  /** What was read can be written back, in each version and encoding, and changes nothing. */
  async #noop(): Promise<void> {
    let before = await this.#get();
    if (this.#sample.filledIn) {
      const { json } = await this.#ok("first put", this.#c.path(this.#name), { method: "PUT", body: before });
      if (json.metadata.resourceVersion === before.metadata.resourceVersion) this.#say("first put: stored nothing");
      before = await this.#get();
    }
    for (const { version } of this.#c.served.resource.served) {
      for (const media of this.#medias) {
        const path = this.#c.path(this.#name, "", version);
        const read = await this.#ok(`get ${version}`, path, { accept: this.#c.media(media) });
        const sent = { method: "PUT", body: read.bytes, type: this.#c.media(media) };
        const reply = await this.#ok(`put ${version} ${media}`, path, sent);
        if (reply.status !== 200) continue;
        const after = await this.#get();
        if (after.metadata.resourceVersion !== before.metadata.resourceVersion) {
          this.#same(`put back ${version} ${media}`, after, before);
          return;
        }
      }
    }
    const stale = { ...before, metadata: { ...before.metadata, resourceVersion: "1", labels: { stale: "1" } } };
    await this.#ok("stale put", this.#c.path(this.#name), { method: "PUT", body: stale }, 409);
  }

  async #patches(): Promise<void> {
    for (const [type, body] of PATCHES) {
      const before = await this.#get();
      const sent = { method: "PATCH", type: `application/${type}+json`, body: body(type) };
      const dry = await this.#ok(`dry ${type}`, `${this.#c.path(this.#name)}?dryRun=All`, sent);
      if (dry.json?.metadata?.labels?.[type] !== "1") this.#say(`dry ${type}: label`);
      this.#same(`dry ${type}`, await this.#get(), before);
      const { json: after } = await this.#ok(type, this.#c.path(this.#name), sent);
      this.#changed(type, before, after);
      if (after?.metadata?.labels?.[type] !== "1") this.#say(`${type}: label is missing`);
      const { json: again } = await this.#ok(`${type} again`, this.#c.path(this.#name), sent);
      this.#same(`${type} again`, again, after);
    }
  }

  /** Metadata moved on, the generation not, and the rest is as it was. */
  #changed(what: string, before: Loose, after: Loose): void {
    const [a, b] = [before.metadata, after?.metadata ?? {}];
    if (!(Number(b.resourceVersion) > Number(a.resourceVersion))) this.#say(`${what}: version ${b.resourceVersion}`);
    const moved = this.#sample.labelsCount ? 1 : 0;
    if (a.generation !== undefined && a.generation + moved !== b.generation) {
      this.#say(`${what}: generation ${a.generation} became ${b.generation}`);
    }
    this.#same(`${what}: all but metadata`, { ...after, metadata: {} }, { ...before, metadata: {} });
    this.#managed(what, after);
  }

  async #apply(): Promise<void> {
    const { apiVersion, kind } = this.#c.served.kind;
    const body = { apiVersion, kind, metadata: { name: this.#name, labels: { second: "2" } } };
    const before = await this.#get();
    const type = "application/apply-patch+yaml";
    const path = `${this.#c.path(this.#name)}?fieldManager=second`;
    const { json: after } = await this.#ok("apply", path, { method: "PATCH", type, body });
    this.#changed("apply", before, after);
    const entry = after?.metadata?.managedFields?.find((m: Loose) => m.manager === "second");
    this.#same("apply: fields", entry?.fieldsV1 ?? null, { "f:metadata": { "f:labels": { "f:second": {} } } });
    const { json: again } = await this.#ok("apply again", path, { method: "PATCH", type, body });
    this.#same("apply again", again, after);
    const other = { ...body, metadata: { name: this.#name, labels: { second: "3" } } };
    const clash = `${this.#c.path(this.#name)}?fieldManager=third`;
    await this.#ok("apply in conflict", clash, { method: "PATCH", type, body: other }, 409);
    const none = { apiVersion, kind, metadata: { name: this.#name } };
    const { json: left } = await this.#ok("apply nothing", path, { method: "PATCH", type, body: none });
    if (left?.metadata?.labels?.second !== undefined) this.#say("apply nothing: the label stays");
    const first = { ...this.#object(), metadata: { name: this.#name, labels: { whole: "1" } } };
    const whole = `${this.#c.path(this.#name)}?fieldManager=whole&force=true`;
    const { json: applied } = await this.#ok("apply whole", whole, { method: "PATCH", type, body: first });
    const { json: twice } = await this.#ok("apply whole again", whole, { method: "PATCH", type, body: first });
    this.#same("apply whole again", twice, applied);
  }

  #managed(what: string, object: Loose): void {
    const entries = object?.metadata?.managedFields ?? [];
    if (entries.length === 0 && !this.#sample.unowned) this.#say(`${what}: nobody manages anything`);
    for (const m of entries) {
      if (!m.manager || !m.apiVersion || !m.time || m.fieldsType !== "FieldsV1" || !m.operation) {
        this.#say(`${what}: managed fields ${JSON.stringify({ ...m, fieldsV1: undefined })}`);
      }
      decodeFields(m.fieldsV1);
    }
  }

  /** Owners are not lost on a way through a binary encoding. */
  async #roundTrip(): Promise<void> {
    const before = await this.#get();
    for (const media of this.#medias) {
      const path = this.#c.path(this.#name);
      const read = await this.#ok(`get ${media}`, path, { accept: this.#c.media(media) });
      await this.#ok(`put ${media}`, path, { method: "PUT", body: read.bytes, type: this.#c.media(media) });
      this.#same(`put back after all in ${media}`, await this.#get(), before);
    }
  }

  /** Status is written by its own path and by no other. */
  async #status(): Promise<void> {
    const { status } = this.#sample;
    if (status === undefined || !this.#c.served.subresources.has("status")) return;
    const path = this.#c.path(this.#name, "status");
    const before = await this.#get();
    this.#same("get status", (await this.#ok("get status", path)).json, before);
    const changed = { ...before, status: { ...before.status, ...status } };
    await this.#ok("put of status", this.#c.path(this.#name), { method: "PUT", body: changed });
    this.#same("put of status to the object", (await this.#get()).status ?? null, before.status ?? null);
    const { json: after } = await this.#ok("put status", path, { method: "PUT", body: changed });
    if (after?.metadata?.generation !== before.metadata.generation) this.#say("put status: generation");
    this.#same("put status: spec", after?.spec ?? null, before.spec ?? null);
    for (const [key, value] of Object.entries(status)) this.#holds(`put status: ${key}`, after?.status?.[key], value!);
    if (Object.keys(status).length === 0) return;
    const other = after?.metadata?.managedFields?.some((m: Loose) => m.subresource === "status");
    const same = difference(after?.status ?? null, before.status ?? null) === undefined;
    if (!other && !same && !this.#sample.unowned) this.#say("put status: no manager of it");
    const patch = { method: "PATCH", type: "application/merge-patch+json", body: { status } };
    const { json: again } = await this.#ok("patch status", path, patch);
    this.#same("patch status", again, after);
  }

  #holds(what: string, got: Json | undefined, wanted: Json): void {
    if (typeof wanted !== "object" || wanted === null) {
      if (got !== wanted) this.#say(`${what}: ${JSON.stringify(got)} is not ${JSON.stringify(wanted)}`);
      return;
    }
    for (const [k, v] of Object.entries(wanted)) this.#holds(`${what}.${k}`, (got as JsonMap | undefined)?.[k], v);
  }

  /** The server makes a name where it is asked to. */
  async #generated(): Promise<void> {
    if (this.#sample.name !== undefined) return;
    const object = this.#object() as Loose;
    object.metadata = { ...object.metadata, name: undefined, generateName: `${this.#name}-` };
    if (object.spec?.clusterIP) object.spec = { ...object.spec, clusterIP: "10.0.0.78" };
    if (object.spec?.cidrs) object.spec = { ...object.spec, cidrs: ["10.89.0.0/24"] };
    const dry = await this.#ok("dry generated", `${this.#c.path()}?dryRun=All`, { body: object }, 201);
    if (!new RegExp(`^${this.#name}-[a-z0-9]{5}$`).test(dry.json?.metadata?.name)) this.#say("dry generated: name");
  }

  /** Deletes; finalizers, where there are any, are taken off in a second step. */
  async #delete(): Promise<boolean> {
    const path = this.#c.path(this.#name);
    await this.#ok("dry delete", `${path}?dryRun=All`, { method: "DELETE" });
    await this.#get();
    const guard = "guard.example.com/life";
    const body = { metadata: { finalizers: [guard] } };
    await this.#ok("guard", path, { method: "PATCH", type: "application/merge-patch+json", body });
    const options = { kind: "DeleteOptions", apiVersion: "v1", gracePeriodSeconds: 0 };
    await this.#ok("delete", path, { method: "DELETE", body: options });
    const going = await this.#get();
    if (!going?.metadata?.deletionTimestamp) this.#say("delete with a finalizer: no deletion time");
    const stale = { ...options, preconditions: { uid: "another" } };
    await this.#ok("delete of another", path, { method: "DELETE", body: stale }, 409);
    await this.#free(path, going);
    if (this.#c.served.subresources.has("finalize")) {
      const current = await this.#get();
      const finalized = { ...current, spec: { finalizers: [] } };
      await this.#ok("finalize", this.#c.path(this.#name, "finalize"), { method: "PUT", body: finalized });
    }
    const gone = await this.#ok("get after deletion", path, {}, 404);
    const { name, group } = this.#c.served.resource;
    const { json } = gone;
    const wanted = { name: this.#name, ...(group ? { group } : {}), kind: name };
    if (json?.kind !== "Status" || json.reason !== "NotFound" || json.code !== 404) {
      this.#say("get after deletion: status");
    }
    this.#same("get after deletion", json?.details ?? null, wanted);
    return gone.status === 404;
  }

  /** Takes away what holds an object that is going. Who cleans up after it may write at the same time. */
  async #free(path: string, going: Loose): Promise<void> {
    for (let left = 5;; left--) {
      const body = { ...going, metadata: { ...going.metadata, finalizers: [] } };
      const { status } = await this.#c.send(path, { method: "PUT", body });
      if (status !== 409 || left === 0) return void (status === 200 || this.#say(`free: ${status}, not 200`));
      going = await this.#get();
    }
  }

  /** Watches of all encodings tell the same story. */
  async #events(watches: readonly Watch[]): Promise<void> {
    const [a, ...others] = await Promise.all(watches.map((w) => w.toDeletion())) as [Told[], ...Told[][]];
    const types = a.map((e) => e.type);
    if (types[0] !== "ADDED" || types.at(-1) !== "DELETED" || !types.slice(1, -1).every((t) => t === "MODIFIED")) {
      this.#say(`watch: ${types}`);
    }
    for (const b of others) this.#same("watches", b as unknown as Json, a as unknown as Json);
    let last = 0;
    for (const { object } of a) {
      const version = Number(object.metadata.resourceVersion);
      if (!(version > last)) this.#say(`watch: ${version} after ${last}`);
      last = version;
    }
  }
}

/** An object without the member of a daemon set that stands among its annotations, which its metadata alone do not have. */
function withoutMembers(whole: JsonMap): JsonMap {
  const { annotations, ...rest } = whole["metadata"] as { annotations?: JsonMap };
  const { "deprecated.daemonset.template.generation": member, ...others } = annotations ?? {};
  if (member === undefined) return whole;
  return { ...whole, metadata: Object.keys(others).length > 0 ? { ...rest, annotations: others } : rest as JsonMap };
}
