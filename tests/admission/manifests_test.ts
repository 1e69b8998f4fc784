/** Webhooks and policies that stand in folders of the server (`staticManifestsDir`, gate ManifestBasedAdmissionControlConfig). */
import assert from "node:assert/strict";
import { HOOK_CA, HookServer, TO_HOOKS } from "../fixture/hooks.ts";
import { startTestServer, type TestServer } from "../fixture/server.ts";
import type { Loose } from "../fixture/loose.ts";
import { map, NO } from "./_hooks.ts";
import { until } from "../controllers/_world.ts";

const GROUP = "admissionregistration.k8s.io", API = `/apis/${GROUP}/v1`;
const MAPS = "/api/v1/namespaces/default/configmaps";
const VALIDATING = `${API}/validatingwebhookconfigurations`;

/** What is in the folder of a plugin: texts, or objects as JSON, by file. */
type Folder = Record<string, string | Loose>;

const KINDS: Record<string, string> = {
  MutatingAdmissionWebhook: "WebhookAdmissionConfiguration",
  ValidatingAdmissionWebhook: "WebhookAdmissionConfiguration",
  MutatingAdmissionPolicy: "MutatingAdmissionPolicyConfiguration",
  ValidatingAdmissionPolicy: "ValidatingAdmissionPolicyConfiguration",
};

/** Folders of one test, and the flag of the file that names them. */
class Folders {
  readonly root = Deno.makeTempDirSync();
  readonly plugins = new Set<string>();

  /** Puts files in place of those that a plugin has. */
  write(plugin: string, files: Folder): this {
    this.plugins.add(plugin);
    const dir = `${this.root}/${plugin}`;
    Deno.mkdirSync(dir, { recursive: true });
    for (const { name } of Deno.readDirSync(dir)) Deno.removeSync(`${dir}/${name}`);
    for (const [name, content] of Object.entries(files)) {
      Deno.writeTextFileSync(`${dir}/${name}`, typeof content === "string" ? content : JSON.stringify(content));
    }
    return this;
  }

  flag(group = "apiserver.config.k8s.io"): string {
    const plugins = [...this.plugins].map((name) => ({
      name,
      configuration: { apiVersion: `${group}/v1`, kind: KINDS[name], staticManifestsDir: `${this.root}/${name}` },
    }));
    Deno.writeTextFileSync(
      `${this.root}/admission.json`,
      JSON.stringify({ apiVersion: `${group}/v1`, kind: "AdmissionConfiguration", plugins }),
    );
    return `--admission-control-config-file=${this.root}/admission.json`;
  }

  [Symbol.dispose](): void {
    Deno.removeSync(this.root, { recursive: true });
  }
}

const start = (folders: Folders, flags: string[] = [], now?: () => number): Promise<TestServer> =>
  startTestServer([folders.flag(), "--disable-admission-plugins=ServiceAccount", ...flags], {
    outside: TO_HOOKS,
    ...(now ? { now } : {}),
  });

const RULE = { apiGroups: [""], apiVersions: ["v1"], resources: ["configmaps"], operations: ["CREATE"] };

const hooks = (name: string, url: string, rules: Loose[] = [RULE], kind = "ValidatingWebhookConfiguration"): Loose => ({
  apiVersion: `${GROUP}/v1`,
  kind,
  metadata: { name },
  webhooks: [{
    name: `${name.split(".")[0]}.test.io`,
    clientConfig: { url, caBundle: btoa(HOOK_CA) },
    rules,
    sideEffects: "None",
    admissionReviewVersions: ["v1"],
  }],
});

const policy = (name: string, expression: string, rules: Loose[] = [RULE]): Loose => ({
  apiVersion: `${GROUP}/v1`,
  kind: "ValidatingAdmissionPolicy",
  metadata: { name },
  spec: { matchConstraints: { resourceRules: rules }, validations: [{ expression }] },
});

const binding = (name: string, policyName: string, spec: Loose = { validationActions: ["Deny"] }): Loose => ({
  apiVersion: `${GROUP}/v1`,
  kind: "ValidatingAdmissionPolicyBinding",
  metadata: { name },
  spec: { policyName, ...spec },
});

/** A policy that marks what is created with its name, and its binding. */
const marking = (name: string): Loose[] => [{
  apiVersion: `${GROUP}/v1`,
  kind: "MutatingAdmissionPolicy",
  metadata: { name },
  spec: {
    matchConstraints: { resourceRules: [RULE] },
    reinvocationPolicy: "Never",
    mutations: [{
      patchType: "ApplyConfiguration",
      applyConfiguration: { expression: `Object{metadata: Object.metadata{labels: {'mark': '${name}'}}}` },
    }],
  },
}, { ...binding(name, name, {}), kind: "MutatingAdmissionPolicyBinding" }];

const yaml = (...docs: Loose[]) => docs.map((d) => JSON.stringify(d, null, 1)).join("\n--- # next\n");

Deno.test("webhooks of manifests come before others, and are asked about webhooks and policies too", async () => {
  using folders = new Folders();
  const server = await new HookServer().start();
  const about = [RULE, { ...RULE, apiGroups: [GROUP], resources: ["*"], operations: ["*"] }];
  const called: string[] = [];
  const on = (name: string) => server.on(`/${name}`, () => (called.push(name), {}));
  folders.write("MutatingAdmissionWebhook", {
    "b.yaml": yaml(
      hooks("z.static.k8s.io", on("z"), about, "MutatingWebhookConfiguration"),
      {
        kind: "List",
        apiVersion: "v1",
        items: [hooks("a.static.k8s.io", on("a"), about, "MutatingWebhookConfiguration")],
      },
    ),
    "a.JSON": { ...hooks("m.static.k8s.io", on("m"), about, "MutatingWebhookConfiguration") },
    "notes.txt": "nothing",
    "later.yml": "# nothing yet\r\n--- # next\r\n---\r\n",
  });
  const t = await start(folders);
  try {
    const own = hooks("api", on("api"), about, "MutatingWebhookConfiguration");
    assert.equal((await t.fetch(`${API}/mutatingwebhookconfigurations`, { body: own })).status, 201);
    assert.deepEqual(called.splice(0), ["a", "m", "z"]);
    assert.equal((await t.fetch(MAPS, { body: map() })).status, 201);
    assert.deepEqual(called.splice(0), ["a", "m", "z", "api"]);
    const held = policy("p", "true");
    assert.equal((await t.fetch(`${API}/validatingadmissionpolicies`, { body: held })).status, 201);
    assert.deepEqual(called, ["a", "m", "z"]);
    const listed = await t.fetch(`${API}/mutatingwebhookconfigurations`);
    assert.deepEqual(listed.body.items.map((c: Loose) => c.metadata.name), ["api"]);
  } finally {
    await t.stop();
    await server.stop();
  }
});

Deno.test("a webhook of a manifest guards what no other may: webhooks themselves", async () => {
  using folders = new Folders();
  const server = await new HookServer().start();
  const guard = { ...RULE, apiGroups: [GROUP], resources: ["validatingwebhookconfigurations"], operations: ["DELETE"] };
  folders.write("ValidatingAdmissionWebhook", {
    "guard.yml": {
      kind: "ValidatingWebhookConfigurationList",
      apiVersion: `${GROUP}/v1`,
      items: [
        {
          ...hooks("guard.static.k8s.io", server.on("/no", () => NO), [guard]),
          kind: undefined,
          apiVersion: undefined,
        },
      ],
    },
  });
  const t = await start(folders);
  try {
    assert.equal((await t.fetch(VALIDATING, { body: hooks("kept", "https://127.0.0.1:1/x") })).status, 201);
    assert.equal((await t.fetch(`${VALIDATING}/kept`, { method: "DELETE" })).status, 400);
    assert.equal((await t.fetch(`${VALIDATING}/kept`)).status, 200);
  } finally {
    await t.stop();
    await server.stop();
  }
});

Deno.test("policies of manifests check and change, policies among it", async () => {
  using folders = new Folders();
  const guard = { ...RULE, apiGroups: [GROUP], resources: ["validatingadmissionpolicies"], operations: ["DELETE"] };
  folders.write("ValidatingAdmissionPolicy", {
    "size.yaml": yaml(
      policy("size.static.k8s.io", "!has(object.data) || object.data.size() < 2"),
      binding("size.static.k8s.io", "size.static.k8s.io"),
    ),
    "guard.yaml": yaml(
      binding("guard.static.k8s.io", "guard.static.k8s.io"),
      policy("guard.static.k8s.io", "oldObject.metadata.name != 'kept'", [guard]),
      policy("unbound.static.k8s.io", "false"),
    ),
  }).write("MutatingAdmissionPolicy", {
    "mark.yaml": yaml(...["z.static.k8s.io", "a.static.k8s.io"].flatMap(marking)),
  });
  const t = await start(folders);
  try {
    const made = await t.fetch(MAPS, { body: map() });
    assert.equal(made.status, 201, made.text);
    assert.equal(made.body.metadata.labels.mark, "z.static.k8s.io", "the last one by its name");
    const refused = await t.fetch(MAPS, { body: { metadata: { name: "two" }, data: { a: "1", b: "2" } } });
    assert.equal(refused.status, 422);
    assert.match(
      refused.body.message,
      /ValidatingAdmissionPolicy 'size.static.k8s.io' with binding 'size.static.k8s.io'/,
    );
    const path = `${API}/validatingadmissionpolicies`;
    for (const name of ["kept", "gone"]) {
      assert.equal((await t.fetch(path, { body: policy(name, "true") })).status, 201);
    }
    assert.equal((await t.fetch(`${path}/gone`, { method: "DELETE" })).status, 200);
    assert.equal((await t.fetch(`${path}/kept`, { method: "DELETE" })).status, 422);
    // What is asked of authorizers is nothing for them either.
    const review = { spec: { resourceAttributes: { verb: "get", resource: "pods" } } };
    const asked = await t.fetch("/apis/authorization.k8s.io/v1/selfsubjectaccessreviews", { body: review });
    assert.equal(asked.status, 201);
  } finally {
    await t.stop();
  }
});

Deno.test("in the other dialect manifests name their versions in either", async () => {
  using folders = new Folders();
  const name = "p.static.orch.io", own = { apiVersion: `${GROUP.replace("k8s", "orch")}/v1` };
  folders.write("ValidatingAdmissionPolicy", {
    "p.yaml": yaml(policy(name, "object.metadata.name == 'a'"), { ...binding(name, name), ...own }),
  });
  const flags = ["--api-dialect=orch", "--disable-admission-plugins=ServiceAccount"];
  const t = await startTestServer([folders.flag("apiserver.config.orch.io"), ...flags]);
  try {
    for (const [name, status] of [["a", 201], ["b", 422]] as const) {
      assert.equal((await t.fetch(MAPS, { body: { metadata: { name } } })).status, status);
    }
  } finally {
    await t.stop();
  }
});

Deno.test("manifests are read again, and what cannot be used changes nothing", async () => {
  using folders = new Folders();
  const PLUGIN = "ValidatingAdmissionPolicy", name = "p.static.k8s.io";
  const files = (expression: string) => ({ "p.yaml": yaml(policy(name, expression), binding(name, name)) });
  let time = 1_800_000_000_000;
  const t = await start(folders.write(PLUGIN, files("object.metadata.name == 'first'")), [], () => time);
  const status = async (name: string) => {
    time += 1_001;
    return (await t.fetch(`${MAPS}?dryRun=All`, { body: { metadata: { name } } })).status;
  };
  const reloads = async (status: string) => {
    const { text } = await t.fetch("/metrics");
    const line = text.split("\n").find((l) =>
      l.startsWith(`apiserver_manifest_admission_config_controller_automatic_reloads_total{status="${status}"`)
    );
    if (line) assert.match(line, /plugin="ValidatingAdmissionPolicy",apiserver_id_hash="sha256:/);
    return line?.split(" ").at(-1);
  };
  try {
    assert.equal(await status("first"), 201);
    assert.equal(await status("second"), 422);
    assert.deepEqual([await reloads("success"), await reloads("failure")], ["1", undefined]);
    folders.write(PLUGIN, files("object.metadata.name == 'second'"));
    assert.equal(await status("first"), 422);
    assert.equal(await status("second"), 201);
    folders.write(PLUGIN, files("nonsense("));
    assert.equal(await status("first"), 422);
    assert.equal(await status("second"), 201);
    assert.deepEqual([await reloads("success"), await reloads("failure")], ["2", "1"]);
    folders.write(PLUGIN, {});
    assert.equal(await status("first"), 201);
    assert.match(
      (await t.fetch("/metrics")).text,
      /config_controller_last_config_info\{plugin="Validating.*hash="sha256:/,
    );
    folders.write(PLUGIN, files("object.metadata.name == 'third'"));
    time += 1_001;
    await until("the folder is read", async () => await reloads("success") === "4");
    assert.equal(await status("first"), 422);
  } finally {
    await t.stop();
  }
});

const S = "x.static.k8s.io";
const WRONG: readonly (readonly [string, string, Folder, RegExp])[] = [
  [
    "a name without the ending",
    "ValidatingAdmissionWebhook",
    { "a.yaml": hooks("x", "https://h/") },
    /"a.yaml": name "x" must end with ".static.k8s.io"/,
  ],
  [
    "a name twice",
    "ValidatingAdmissionPolicy",
    { "a.yaml": policy(S, "true"), "b.yaml": policy(S, "true") },
    /"b.yaml": ValidatingAdmissionPolicy "x.static.k8s.io" is there twice/,
  ],
  ["a service", "ValidatingAdmissionWebhook", {
    "a.yaml": {
      ...hooks(S, ""),
      webhooks: [
        ...hooks("y", "https://h/").webhooks,
        { ...hooks(S, "").webhooks[0], clientConfig: { service: { name: "s", namespace: "n" } } },
      ],
    },
  }, /"x.test.io": clientConfig.service cannot be used here/],
  ["no object", "ValidatingAdmissionWebhook", { "a.yaml": "[1]" }, /"a.yaml": is no object/],
  [
    "no object in a list",
    "ValidatingAdmissionWebhook",
    { "a.yaml": { kind: "List", apiVersion: "v1", items: [1] } },
    /"a.yaml": is no object/,
  ],
  [
    "an object that does not say what it is",
    "ValidatingAdmissionWebhook",
    { "a.yaml": { metadata: { name: S } } },
    /"a.yaml": an object without a kind of "" is not supported/,
  ],
  [
    "a key twice",
    "ValidatingAdmissionPolicy",
    { "a.yaml": `apiVersion: ${GROUP}/v1\nkind: ValidatingAdmissionPolicy\nkind: ValidatingAdmissionPolicy` },
    /"a.yaml": line 3: key "kind" already set in map/,
  ],
  [
    "no YAML",
    "ValidatingAdmissionWebhook",
    { "a.yaml": "{" },
    /manifests of ValidatingAdmissionWebhook: "a.yaml": yaml/,
  ],
  [
    "another plugin's kind",
    "MutatingAdmissionWebhook",
    { "a.yaml": hooks(S, "https://h/") },
    /ValidatingWebhookConfiguration is not supported here, but MutatingWebhookConfiguration/,
  ],
  [
    "another kind",
    "ValidatingAdmissionPolicy",
    { "a.yaml": "apiVersion: v1\nkind: Pod" },
    /Pod of v1 is not supported/,
  ],
  [
    "an unknown member",
    "ValidatingAdmissionPolicy",
    { "a.yaml": { ...policy(S, "true"), more: 1 } },
    /strict decoding error: unknown field "more"/,
  ],
  [
    "what no request could make",
    "ValidatingAdmissionPolicy",
    { "a.yaml": policy(S, "nonsense(") },
    /"x.static.k8s.io": spec.validations\[0\].expression: /,
  ],
  ["parameters of a policy", "ValidatingAdmissionPolicy", {
    "a.yaml": {
      ...policy(S, "true"),
      spec: { ...policy(S, "true").spec, paramKind: { apiVersion: "v1", kind: "ConfigMap" } },
    },
  }, /spec.paramKind cannot be used here/],
  ["parameters of a binding", "ValidatingAdmissionPolicy", {
    "a.yaml": yaml(
      policy(S, "true"),
      binding(S, S, { validationActions: ["Deny"], paramRef: { name: "x", parameterNotFoundAction: "Deny" } }),
    ),
  }, /spec.paramRef cannot be used here/],
  [
    "a binding of the API's policies",
    "ValidatingAdmissionPolicy",
    { "a.yaml": binding(S, "x") },
    /spec.policyName "x" must end with/,
  ],
  [
    "a binding of nothing",
    "ValidatingAdmissionPolicy",
    { "a.yaml": binding(S, S) },
    /there is no policy "x.static.k8s.io" beside it/,
  ],
];

Deno.test("a server does not start with manifests that it cannot use", async (t) => {
  for (const [what, plugin, files, message] of WRONG) {
    await t.step(what, async () => {
      using folders = new Folders();
      await assert.rejects(start(folders.write(plugin, files)), message);
    });
  }
  await t.step("a folder that is not there", async () => {
    using folders = new Folders();
    folders.write("ValidatingAdmissionPolicy", {});
    Deno.removeSync(`${folders.root}/ValidatingAdmissionPolicy`);
    await assert.rejects(start(folders), /--admission-control-config-file: cannot read the folder ".*AdmissionPolicy"/);
  });
  await t.step("without the gate", async () => {
    using folders = new Folders();
    const off = "--feature-gates=ManifestBasedAdmissionControlConfig=false";
    await assert.rejects(
      start(folders.write("ValidatingAdmissionPolicy", {}), [off]),
      /needs the feature gate Manifest/,
    );
  });
});

Deno.test("names of manifests are refused in requests, and warned of without the gate", async () => {
  const one = (dialect: string, ending: string, gate: boolean) =>
    startTestServer([`--api-dialect=${dialect}`, `--feature-gates=ManifestBasedAdmissionControlConfig=${gate}`]).then(
      async (t) => {
        try {
          const group = dialect === "orch" ? GROUP.replace("k8s", "orch") : GROUP;
          const body = { ...policy(`mine${ending}`, "true"), apiVersion: `${group}/v1` };
          const path = `/apis/${group}/v1/validatingadmissionpolicies`, made = await t.fetch(path, { body });
          const again = await t.fetch(`${path}/mine${ending}`, {
            method: "PATCH",
            headers: { "content-type": "application/merge-patch+json" },
            body: { metadata: { labels: { a: "b" } } },
          });
          return { made, again };
        } finally {
          await t.stop();
        }
      },
    );
  const why = (ending: string) => `names that end with "${ending}" are those of manifests, which no request makes`;
  for (const [dialect, ending] of [["kubernetes", ".static.k8s.io"], ["orch", ".static.orch.io"]] as const) {
    const on = await one(dialect, ending, true);
    assert.equal(on.made.status, 422);
    assert.deepEqual(on.made.body.details.causes, [{
      reason: "FieldValueInvalid",
      field: "metadata.name",
      message: `Invalid value: "mine${ending}": ${why(ending)}`,
    }]);
    const off = await one(dialect, ending, false);
    assert.equal(off.made.status, 201);
    assert.deepEqual(off.made.warnings, [`metadata.name: ${why(ending)}`]);
    assert.deepEqual([off.again.status, off.again.warnings], [200, off.made.warnings]);
  }
});
