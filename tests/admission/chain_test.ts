/** The chain itself: order, choice, configuration, metrics, explanation. */
import assert from "node:assert/strict";
import { readAdmissionConfig } from "../../server/admission/config.ts";
import { AdmissionChain } from "../../server/admission/chain.ts";
import { difference } from "../../server/admission/difference.ts";
import { chosenPlugins, OFF_BY_DEFAULT, PLUGIN_NAMES } from "../../server/admission/names.ts";
import { PLUGINS } from "../../server/admission/table.ts";
import { type PluginRounds, reinvocationOf } from "../../server/admission/reinvocation.ts";
import { PluginTimes } from "../../server/admission/times.ts";
import type { Attributes, Plugin } from "../../server/admission/types.ts";
import type { Resource } from "../../server/catalog/types.ts";
import { parseOptions } from "../../server/options/mod.ts";
import { productOf } from "../../schema/product.ts";
import { startTestServer } from "../fixture/server.ts";
import { container, create, namespace, obj, pod } from "./_cases.ts";
import type { Loose } from "../fixture/loose.ts";

const resource = { id: "pods", name: "pods", group: "" } as Resource;
const attributes = { operation: "CREATE", resource, subresource: "", dryRun: false } as Attributes;

Deno.test("every plugin mutates before any validates, in the order of the table, sync or not", async () => {
  const heard: string[] = [];
  const plugin = (name: string, slow: boolean): Plugin => {
    const say = (what: string) => () =>
      slow ? Promise.resolve().then(() => void heard.push(what)) : void heard.push(what);
    return { name, handles: () => true, admit: say(`${name} admit`), validate: say(`${name} validate`) };
  };
  const chain = new AdmissionChain([plugin("a", true), plugin("b", false), plugin("c", true)]);
  await chain.admit(attributes);
  await chain.validate(attributes);
  assert.deepEqual(heard, ["a admit", "b admit", "c admit", "a validate", "b validate", "c validate"]);
});

Deno.test("a plugin that does not handle a request is not asked; one that refuses ends the chain", async () => {
  const heard: string[] = [];
  const chain = new AdmissionChain([
    { name: "other", handles: (_, r) => r.id === "nodes", admit: () => void heard.push("other") },
    {
      name: "no",
      handles: () => true,
      admit: () => {
        throw new Error("no");
      },
    },
    { name: "late", handles: () => true, admit: () => void heard.push("late") },
  ]);
  await assert.rejects(async () => await chain.admit(attributes), /^Error: no$/);
  assert.deepEqual(heard, []);
});

/** Steps of two plugins, told apart by name; each adds its letter when `changes` says so for the round. */
async function rounds(late: (rounds: PluginRounds, object: { text: string }) => void): Promise<string[]> {
  const heard: string[] = [], object = { metadata: {}, text: "" };
  const a = { ...attributes, object } as unknown as Attributes;
  const chain = new AdmissionChain([
    { name: "early", handles: () => true, admit: () => void heard.push(`early ${object.text}`) },
    {
      name: "late",
      handles: () => true,
      async admit(a) {
        const own = reinvocationOf(a).of("late");
        own.begin(a.object);
        await Promise.resolve();
        for (const step of ["x", "y", "z"]) {
          if (!own.turn(step)) continue;
          heard.push(step);
          if (step === "y" && own.round === 0) late(own, object);
          if (step !== "z") own.ran(step);
        }
        own.end(a.object);
      },
    },
    { name: "last", handles: () => true, admit: () => void heard.push("last") },
  ]);
  await chain.admit(a);
  return heard;
}

Deno.test("a change calls for one more round: of every plugin, and of steps that saw an older object", async () => {
  assert.deepEqual(await rounds(() => {}), ["early ", "x", "y", "z", "last"]);
  const changed = await rounds((own, object) => {
    object.text = "changed";
    own.changed();
  });
  assert.deepEqual(changed, ["early ", "x", "y", "z", "last", "early changed", "x", "last"]);
});

Deno.test("what others changed after a plugin's steps makes all due that may run again", async () => {
  const heard: string[] = [], object = { metadata: {}, text: "" };
  const a = { ...attributes, object } as unknown as Attributes;
  const chain = new AdmissionChain([{
    name: "steps",
    handles: () => true,
    admit(a) {
      const own = reinvocationOf(a).of("steps");
      own.begin(a.object);
      for (const step of ["x", "y"]) {
        if (!own.turn(step)) continue;
        heard.push(step);
        own.ran(step);
      }
      own.end(a.object);
    },
  }, {
    name: "other",
    handles: () => true,
    admit(a) {
      const whole = reinvocationOf(a);
      object.text += "!";
      whole.wanted = true;
    },
  }]);
  await chain.admit(a);
  assert.deepEqual([heard, object.text], [["x", "y", "x", "y"], "!!"]);
});

/** Lines of the times of plugins, or of all together. */
const linesOf = (times: PluginTimes, all = false) => times.rows()[all ? 1 : 0]!.samples("m");

Deno.test("runs are counted by plugin, phase, operation and outcome", () => {
  const times = new PluginTimes(() => 0);
  const timer = times.timer("P", "admit", "CREATE");
  timer.add(1, false);
  timer.add(30, false);
  timer.add(9000, true);
  assert.equal(times.timer("P", "admit", "CREATE"), timer);
  const samples = linesOf(times).map((s) => [s.metricName, s.labels["rejected"], s.labels["le"] ?? "", s.value]);
  assert.deepEqual(samples.filter(([, rejected, le]) => rejected === "false" && le !== "").map((s) => s[3]), [
    1,
    1,
    2,
    2,
    2,
    2,
    2,
  ]);
  assert.deepEqual(samples.at(-1), ["m_count", "true", "", 1]);
});

Deno.test("a run is timed from the end of the one before, by the clock that came in", async () => {
  let now = 1_000;
  const times = new PluginTimes(() => now);
  const takes = (name: string, ms: number, then: () => void | Promise<void> = () => {}): Plugin => ({
    name,
    handles: () => true,
    admit: () => {
      now += ms;
      return then();
    },
  });
  const late = async () => {
    await Promise.resolve();
    now += 700;
  };
  const refuse = () => {
    throw new Error("no");
  };
  const chain = new AdmissionChain([takes("A", 20), takes("B", 300, late), takes("C", 4, refuse)], times);
  await assert.rejects(Promise.try(() => chain.admit(attributes)), /no/);
  const sums = linesOf(times).filter((s) => s.metricName === "m_sum");
  assert.deepEqual(sums.map((s) => [s.labels["name"], s.labels["rejected"], s.value]), [
    ["A", "false", 0.02],
    ["B", "false", 1],
    ["C", "true", 0.004],
  ]);
  const all = linesOf(times, true).filter((s) => s.metricName === "m_sum");
  assert.deepEqual(all.map((s) => [s.labels, s.value]), [
    [{ type: "admit", operation: "CREATE", rejected: "true" }, 1.024],
  ]);
});

Deno.test("the table has every plugin of the specification once", () => {
  assert.equal(PLUGINS.length, 39);
  assert.equal(new Set(PLUGINS.map((p) => p.name)).size, 39);
  assert.equal(PLUGINS.filter((p) => p.enabledByDefault).length, 25);
  assert.ok(PLUGINS.every((p) => /^[A-Z].*\.$/.test(p.summary)), "summaries are sentences");
});

const none = { enableAdmissionPlugins: [], disableAdmissionPlugins: [], admissionControl: [] };

Deno.test("options choose plugins, whatever the order of the names", () => {
  assert.deepEqual(chosenPlugins(none), PLUGIN_NAMES.filter((n) => !OFF_BY_DEFAULT.has(n)));
  const more = chosenPlugins({ ...none, enableAdmissionPlugins: ["AlwaysDeny", "AlwaysPullImages"] });
  assert.ok(more.indexOf("AlwaysPullImages") < more.indexOf("PodSecurity"));
  assert.equal(more.at(-1), "AlwaysDeny");
  const less = chosenPlugins({ ...none, disableAdmissionPlugins: ["ResourceQuota", "Priority"] });
  assert.equal(less.length, 23);
  assert.deepEqual(chosenPlugins({ ...none, admissionControl: ["ResourceQuota", "NamespaceLifecycle"] }), [
    "NamespaceLifecycle",
    "ResourceQuota",
  ]);
});

Deno.test("wrong choices are refused at start", () => {
  const errors = (...flags: string[]) => {
    const parsed = parseOptions(["--service-cluster-ip-range=10.0.0.0/24", ...flags]);
    return parsed.kind === "errors" ? parsed.errors.join("\n") : "";
  };
  assert.match(
    errors("--enable-admission-plugins=Nope"),
    /--enable-admission-plugins: "Nope": no such plugin; known are AlwaysAdmit, AlwaysDeny, .*, ValidatingAdmissionWebhook/,
  );
  assert.match(errors("--disable-admission-plugins=Nope"), /--disable-admission-plugins: "Nope"/);
  assert.match(errors("--admission-control=Nope"), /--admission-control: "Nope"/);
  assert.match(
    errors("--admission-control=Priority", "--enable-admission-plugins=AlwaysDeny"),
    /--admission-control: cannot go with/,
  );
  assert.match(
    errors("--enable-admission-plugins=Priority", "--disable-admission-plugins=Priority"),
    /both name Priority/,
  );
  assert.equal(errors("--enable-admission-plugins=AlwaysDeny,Priority"), "");
});

const kubernetes = productOf("kubernetes");
const configFile = (plugins: string, apiVersion = "apiserver.config.k8s.io/v1") =>
  `apiVersion: ${apiVersion}\nkind: AdmissionConfiguration\nplugins:\n${plugins}`;
const files: Record<string, string> = {
  "limits.yaml":
    "apiVersion: eventratelimit.admission.k8s.io/v1alpha1\nkind: Configuration\nlimits: [{type: Server, qps: 5, burst: 9}]",
  "exempt.yaml": "apiVersion: pod-security.admission.config.k8s.io/v1\nkind: PodSecurityConfiguration\n" +
    "exemptions: {usernames: null, runtimeClasses: [A], namespaces: [a.b]}",
  "wide.yaml": "apiVersion: eventratelimit.admission.k8s.io/v1alpha1\nkind: Configuration\n" +
    "limits: [{type: Server, qps: 2147483648, burst: 1, cacheSize: null}]",
  "bad.yaml": "apiVersion: v1\nkind: Pod",
};
const read = (path: string): string => {
  const text = files[path];
  if (text === undefined) throw new Error("no such file");
  return text;
};

Deno.test("configurations are embedded or in files of their own", () => {
  const configs = readAdmissionConfig(
    configFile(`
- name: PodNodeSelector
  configuration: {podNodeSelectorPluginConfig: {a: "b=c"}}
- {name: EventRateLimit, path: limits.yaml}
`),
    kubernetes,
    read,
  );
  assert.deepEqual(configs.get("PodNodeSelector"), { podNodeSelectorPluginConfig: { a: "b=c" } });
  assert.deepEqual(configs.get("EventRateLimit"), { limits: [{ type: "Server", qps: 5, burst: 9 }] });
});

Deno.test("the other dialect has the names of its own", () => {
  const text = configFile(
    `
- name: PodSecurity
  configuration: {apiVersion: pod-security.admission.config.orch.io/v1, kind: PodSecurityConfiguration}
`,
    "apiserver.config.orch.io/v1",
  );
  assert.deepEqual([...readAdmissionConfig(text, productOf("orch"), read).keys()], ["PodSecurity"]);
});

Deno.test("files may name themselves as they did before", () => {
  const quota = (version: string) =>
    `\n- name: ResourceQuota\n  configuration: {apiVersion: ${version}, kind: ResourceQuotaConfiguration}\n`;
  for (const version of ["v1alpha1", "v1beta1"].map((v) => `resourcequota.admission.k8s.io/${v}`)) {
    const text = configFile(quota(version), "apiserver.k8s.io/v1alpha1");
    assert.deepEqual([...readAdmissionConfig(text, kubernetes, read).keys()], ["ResourceQuota"]);
  }
  const wrong = configFile(quota("v1"), "apiserver.k8s.io/v1");
  assert.throws(() => readAdmissionConfig(wrong, kubernetes, read), /of "apiserver.k8s.io\/v1" is no Admission/);
});

const WRONG: readonly (readonly [string, string, RegExp])[] = [
  ["another kind", "apiVersion: v1\nkind: Pod", /kind "Pod" of "v1" is no AdmissionConfiguration/],
  ["an unknown member", configFile("- {name: Priority}").replace("plugins:", "plugin:"), /unknown field "plugin"/],
  [
    "names that nothing may have",
    configFile("- {name: PodSecurity, path: exempt.yaml}"),
    /exemptions\.runtimeClasses\[0\]: "A": .* exemptions\.namespaces\[0\]: "a\.b": must not contain dots/s,
  ],
  [
    "a number beyond 32 bits",
    configFile("- {name: EventRateLimit, path: wide.yaml}"),
    /limits\[0\]\.qps: must be at most 2147483647/,
  ],
  ["an unknown plugin", configFile("- {name: Nope}"), /plugins\[0\]\.name: "Nope": no such plugin/],
  ["a plugin twice", configFile("- {name: Priority}\n- {name: Priority}"), /"Priority" is there twice/],
  [
    "a plugin that takes none",
    configFile("- {name: Priority, configuration: {a: 1}}"),
    /plugin Priority takes no configuration/,
  ],
  ["a file that is not there", configFile("- {name: PodSecurity, path: none.yaml}"), /"none\.yaml": no such file/],
  [
    "a file of another kind",
    configFile("- {name: PodSecurity, path: bad.yaml}"),
    /"bad\.yaml": should be a PodSecurityConfiguration of pod-security\.admission\.config\.k8s\.io\/v1 or /,
  ],
  [
    "both",
    configFile("- {name: EventRateLimit, path: limits.yaml, configuration: {limits: []}}"),
    /plugins\[0\]\.path: cannot go with configuration/,
  ],
  [
    "a wrong type",
    configFile(`
- name: EventRateLimit
  configuration:
    {apiVersion: eventratelimit.admission.k8s.io/v1alpha1, kind: Configuration, limits: [{type: Server, qps: "5", burst: 1}]}
`),
    /limits\[0\]\.qps: should be a whole number/,
  ],
  [
    "a level that is none",
    configFile(`
- name: PodSecurity
  configuration:
    {apiVersion: pod-security.admission.config.k8s.io/v1, kind: PodSecurityConfiguration, defaults: {enforce: max}}
`),
    /defaults\.enforce: "max": must be one of privileged, baseline, restricted/,
  ],
  ["no YAML", "{", /--admission-control-config-file/],
];

Deno.test("the option is named once where a file of a configuration cannot be read", () => {
  const failing = () => {
    throw new Error('--admission-control-config-file: cannot read "/x/a.yaml": no such file');
  };
  assert.throws(() => readAdmissionConfig(configFile("- {name: PodSecurity, path: a.yaml}"), kubernetes, failing), {
    message: '--admission-control-config-file: "a.yaml": cannot read "/x/a.yaml": no such file',
  });
});

Deno.test("what is wrong in a configuration is told", async (t) => {
  for (const [name, text, wanted] of WRONG) {
    await t.step(name, () => {
      assert.throws(() => readAdmissionConfig(text, kubernetes, read), wanted);
    });
  }
});

Deno.test("differences are patches", () => {
  const before = { a: 1, list: [1, { x: 1 }, 3], gone: true, "a/b": { c: "d" } };
  const after = { a: 2, list: [1, { x: 2 }], more: [1], "a/b": { c: "d", "e~": 1 } };
  assert.deepEqual(difference(before, after), [
    { op: "remove", path: "/gone" },
    { op: "replace", path: "/a", value: 2 },
    { op: "replace", path: "/list/1/x", value: 2 },
    { op: "remove", path: "/list/2" },
    { op: "add", path: "/more", value: [1] },
    { op: "add", path: "/a~1b/e~0", value: 1 },
  ]);
  assert.deepEqual(difference([1], [1, 2]), [{ op: "add", path: "/-", value: 2 }]);
  assert.deepEqual(difference({ a: [] }, { a: [] }), []);
  const add = { op: "add", path: "/constructor", value: "x" };
  assert.deepEqual(difference({}, { constructor: "x" }), [add], "all objects inherit something by that name");
  assert.deepEqual(difference({ constructor: "x" }, {}), [{ op: "remove", path: "/constructor" }]);
});

Deno.test("explain=admission tells what every plugin did", async (t) => {
  const s = await startTestServer(["--disable-admission-plugins=ServiceAccount"]);
  try {
    const ns = await namespace(s, { labels: { "pod-security.kubernetes.io/warn": "restricted" } });
    const limits = obj("v1", "LimitRange", "l", {
      spec: { limits: [{ type: "Container", default: { cpu: "1" }, max: { cpu: "2" } }] },
    });
    assert.equal((await create(s, ns, limits)).status, 201);
    const EXPLAIN = "?dryRun=All&explain=admission";
    const stepOf = (body: Loose, plugin: string, phase: string) =>
      body.steps.find((x: Loose) => x.plugin === plugin && x.phase === phase);
    await t.step("changes and warnings of a pod that is taken", async () => {
      const { status, body, warnings } = await create(s, ns, pod(), undefined, EXPLAIN);
      assert.equal(status, 200);
      assert.equal(body.kind, "AdmissionExplanation");
      assert.equal(body.allowed, true);
      assert.deepEqual(stepOf(body, "Priority", "admit").changes, [
        { op: "add", path: "/spec/priority", value: 0 },
        { op: "add", path: "/spec/preemptionPolicy", value: "PreemptLowerPriority" },
      ]);
      assert.match(JSON.stringify(stepOf(body, "LimitRanger", "admit").changes), /"cpu":"1"/);
      assert.match(
        stepOf(body, "PodSecurity", "validate").warnings[0],
        /would violate PodSecurity "restricted:latest"/,
      );
      assert.deepEqual(Object.keys(stepOf(body, "PodSecurity", "validate")), ["plugin", "phase", "warnings"]);
      assert.equal(body.object.spec.priority, 0);
      assert.equal(warnings.length, 1);
    });
    await t.step("numbers as they are", async () => {
      const body = '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"m","generation":9007199254740993}}';
      const headers = { "content-type": "application/json" };
      const { text } = await s.fetch(`/api/v1/namespaces/${ns}/configmaps${EXPLAIN}`, {
        method: "POST",
        headers,
        body,
      });
      assert.match(text, /"generation": 9007199254740993,/);
    });
    await t.step("the refusal of one that is not", async () => {
      const asking = pod({ containers: [container({ limits: { cpu: "3" } })] });
      const { status, body } = await create(s, ns, asking, undefined, EXPLAIN);
      assert.equal(status, 200);
      assert.equal(body.allowed, false);
      assert.equal(body.outcome.code, 403);
      assert.equal(body.steps.at(-1).plugin, "LimitRanger");
      assert.match(body.steps.at(-1).refusal.message, /maximum cpu usage per Container is 2/);
    });
    await t.step("what is not valid", async () => {
      const { body } = await create(s, ns, pod({ containers: [] }), undefined, EXPLAIN);
      assert.equal(body.outcome.reason, "Invalid");
    });
    await t.step("only of a dry run", async () => {
      assert.equal((await create(s, ns, pod(), undefined, "?explain=admission")).status, 400);
      assert.equal((await create(s, ns, pod(), undefined, "?dryRun=All&explain=all")).status, 400);
    });
    await t.step("of updates and patches, too", async () => {
      const path = `/api/v1/namespaces/${ns}/limitranges/l`;
      for (
        const [method, type, body] of [
          ["PUT", "application/json", { ...limits, metadata: { name: "l", namespace: ns } }],
          ["PATCH", "application/merge-patch+json", { metadata: { labels: { a: "b" } } }],
          ["PATCH", "application/json-patch+json", [{ op: "test", path: "/kind", value: "None" }]],
        ] as const
      ) {
        const answer = await s.fetch(path + EXPLAIN, { method, headers: { "content-type": type }, body });
        assert.equal(answer.status, 200, answer.text);
        assert.equal(answer.body.allowed, !Array.isArray(body));
        assert.equal(answer.body.object?.metadata.name, Array.isArray(body) ? undefined : "l");
      }
    });
    await t.step("only for who may create", async () => {
      const bob = { name: "bob", groups: ["system:authenticated"] };
      assert.equal((await create(s, ns, pod(), bob, EXPLAIN)).status, 403);
    });
  } finally {
    await s.stop();
  }
});

Deno.test("metrics tell how long plugins take", async () => {
  const s = await startTestServer(["--disable-admission-plugins=ServiceAccount"]);
  try {
    await create(s, "default", pod());
    const { text } = await s.fetch("/metrics");
    assert.match(
      text,
      /apiserver_admission_controller_admission_duration_seconds_count\{[^}]*name="Priority"[^}]*type="admit"[^}]*operation="CREATE"[^}]*rejected="false"[^}]*\} 1/,
    );
  } finally {
    await s.stop();
  }
});
