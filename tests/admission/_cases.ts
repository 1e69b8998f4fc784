/** Tables of cases about admission plugins: what is there, what is asked for, what comes of it. */
import assert from "node:assert/strict";
import type { User } from "../../server/request.ts";
import { ADMIN, type Answer, startTestServer, type TestServer } from "../fixture/server.ts";
import type { Loose } from "../fixture/loose.ts";

/** One case. `{ns}` in texts is a namespace of its own. */
export interface Case {
  /** Objects that are there before, created by an administrator. */
  readonly given?: readonly Loose[];
  /** The plugin does not run. */
  readonly off?: boolean;
  /** More flags. */
  readonly flags?: readonly string[];
  /** The plugins' configurations: the list `plugins` of an AdmissionConfiguration, in YAML. */
  readonly config?: string;
  /** Labels and annotations of the namespace. */
  readonly labels?: Record<string, string>;
  /** A namespace that is there already; default one of its own. */
  readonly in?: string;
  readonly annotations?: Record<string, string>;
  /** The object to create; or another request. */
  readonly post?: Loose;
  readonly request?: { readonly method: string; readonly path: string; readonly body?: Loose; readonly type?: string };
  readonly dry?: boolean;
  readonly as?: User;
  /** Expected: the status (default 201, or 403 with `says`), what the message says, members of the answer, warnings. */
  readonly status?: number;
  readonly says?: RegExp;
  readonly shows?: Record<string, unknown>;
  readonly warns?: readonly RegExp[];
  /** Members of another object afterwards, by path of the object. */
  readonly after?: Record<string, Record<string, unknown>>;
}

/** A namespaced or cluster-wide object in few words. */
export const obj = (apiVersion: string, kind: string, name: string, rest: Loose = {}): Loose => {
  const { metadata, ...others } = rest;
  return { apiVersion, kind, metadata: { name, ...metadata }, ...others };
};

/** A pod with one container. */
export const pod = (spec: Loose = {}, metadata: Loose = {}, name = "p"): Loose =>
  obj("v1", "Pod", name, { metadata, spec: { containers: [{ name: "c", image: "img" }], ...spec } });

/** A container with requests and limits. */
export const container = (resources: Loose, name = "c"): Loose => ({ name, image: "img", resources });

/** Kinds that have no namespace, among those that the tests use. */
const CLUSTER = new Set([
  "Namespace",
  "Node",
  "PriorityClass",
  "RuntimeClass",
  "StorageClass",
  "IngressClass",
  "PersistentVolume",
  "VolumeAttributesClass",
  "CertificateSigningRequest",
  "ClusterTrustBundle",
  "ClusterRole",
  "ClusterRoleBinding",
  "CSINode",
  "CSIDriver",
  "ResourceSlice",
  "DeviceClass",
  "ValidatingAdmissionPolicy",
  "ValidatingAdmissionPolicyBinding",
  "MutatingAdmissionPolicy",
  "MutatingAdmissionPolicyBinding",
]);
const PLURALS: Record<string, string> = {
  PriorityClass: "priorityclasses",
  RuntimeClass: "runtimeclasses",
  StorageClass: "storageclasses",
  IngressClass: "ingressclasses",
  VolumeAttributesClass: "volumeattributesclasses",
  Ingress: "ingresses",
  DeviceClass: "deviceclasses",
  ValidatingAdmissionPolicy: "validatingadmissionpolicies",
  MutatingAdmissionPolicy: "mutatingadmissionpolicies",
};

/** Path of an object's collection. */
export function pathOf(body: Loose, ns: string): string {
  const { apiVersion, kind } = body;
  const plural = PLURALS[kind] ?? `${kind.toLowerCase()}s`;
  const root = apiVersion.includes("/") ? `/apis/${apiVersion}` : `/api/${apiVersion}`;
  return CLUSTER.has(kind) ? `${root}/${plural}` : `${root}/namespaces/${ns}/${plural}`;
}

/** A member of an answer: `spec.containers.0.image`; a backslash keeps the dot after it. */
export function member(body: Loose, path: string): unknown {
  return path.split(/(?<!\\)\./).map((p) => p.replaceAll("\\.", "."))
    .reduce((v, key) => v === undefined || v === null ? undefined : v[key], body);
}

/** Sends an object to its collection. */
export async function create(s: TestServer, ns: string, body: Loose, user = ADMIN, query = ""): Promise<Answer> {
  return await s.fetch(pathOf(body, ns) + query, { body }, user);
}

let counter = 0;

/** A namespace of its own. */
export async function namespace(s: TestServer, metadata: Loose = {}): Promise<string> {
  const name = `t${++counter}`;
  const made = await create(s, "", obj("v1", "Namespace", name, { metadata }));
  assert.equal(made.status, 201, made.text);
  return name;
}

/** One test a plugin, one step a case. `plugin` runs unless a case says `off`; the ServiceAccount plugin only in its own table. */
export function table(plugin: string, isDefault: boolean, cases: Record<string, Case>): void {
  Deno.test(`admission plugin ${plugin}`, async (t) => {
    const servers = new Map<string, TestServer>();
    try {
      for (const [name, c] of Object.entries(cases)) {
        await t.step(name, async () => {
          const key = JSON.stringify([c.off, c.flags, c.config]);
          let s = servers.get(key);
          if (!s) servers.set(key, s = await serverFor(plugin, isDefault, c));
          await runCase(s, c);
        });
      }
    } finally {
      for (const s of servers.values()) await s.stop();
    }
  });
}

async function serverFor(plugin: string, isDefault: boolean, c: Case): Promise<TestServer> {
  const disabled = [
    ...(plugin === "ServiceAccount" ? [] : ["ServiceAccount"]),
    ...(isDefault && c.off ? [plugin] : []),
  ];
  const flags = [
    ...(disabled.length ? [`--disable-admission-plugins=${disabled.join(",")}`] : []),
    ...(!isDefault && !c.off ? [`--enable-admission-plugins=${plugin}`] : []),
    ...(c.flags ?? []),
  ];
  // The clock stands: what has too much of something in a second has it on a slow machine, too.
  const at = Date.now(), now = () => at;
  if (c.config === undefined) return await startTestServer(flags, { now });
  const file = await Deno.makeTempFile({ suffix: ".yaml" });
  try {
    await Deno.writeTextFile(
      file,
      `apiVersion: apiserver.config.k8s.io/v1\nkind: AdmissionConfiguration\nplugins:\n${c.config}`,
    );
    return await startTestServer([...flags, `--admission-control-config-file=${file}`], { now });
  } finally {
    await Deno.remove(file);
  }
}

async function runCase(s: TestServer, c: Case): Promise<void> {
  const ns = c.in ?? await namespace(s, { labels: c.labels, annotations: c.annotations });
  const fill = (v: Loose): Loose => JSON.parse(JSON.stringify(v).replaceAll("{ns}", ns));
  for (const body of c.given ?? []) {
    const made = await create(s, ns, fill(body));
    assert.ok(made.status === 201 || made.status === 409, `given ${body.kind}: ${made.text}`);
    const status = body.status && await s.fetch(`${pathOf(body, ns)}/${body.metadata.name}/status`, {
      method: "PATCH",
      headers: { "content-type": "application/merge-patch+json" },
      body: fill({ status: body.status }),
    });
    if (status) assert.equal(status.status, 200, `given status of ${body.kind}: ${status.text}`);
  }
  const query = c.dry ? "?dryRun=All" : "";
  const { request } = c;
  const answer = request
    ? await s.fetch(fill(request.path) + query, {
      method: request.method,
      ...(request.body === undefined ? {} : { body: fill(request.body) }),
      ...(request.body === undefined ? {} : { headers: { "content-type": request.type ?? "application/json" } }),
    }, c.as)
    : await create(s, ns, fill(c.post), c.as, query);
  expect(c, answer, ns);
  for (const [path, members] of Object.entries(c.after ?? {})) {
    const found = await s.fetch(path.replaceAll("{ns}", ns));
    for (const [at, value] of Object.entries(members)) assert.deepEqual(member(found.body, at), value, found.text);
  }
}

function expect(c: Case, answer: Answer, ns: string): void {
  const wanted = c.status ?? (c.says ? 403 : c.request ? 200 : 201);
  assert.equal(answer.status, wanted, answer.text);
  if (c.says) assert.match(answer.body.message.replaceAll(ns, "{ns}"), c.says);
  for (const [at, value] of Object.entries(c.shows ?? {})) {
    assert.deepEqual(member(answer.body, at), value, `${at} of ${answer.text}`);
  }
  if (c.warns) {
    assert.equal(answer.warnings.length, c.warns.length, answer.warnings.join("\n"));
    c.warns.forEach((w, i) => assert.match(answer.warnings[i]!, w));
  }
}
