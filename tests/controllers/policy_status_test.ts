/** What the status of a validating policy says of expressions that do not fit the kinds that its rules name. */
import assert from "node:assert/strict";
import type { Obj } from "../../schema/model/types.ts";
import { definition, DEFINITIONS, version } from "../customresources/_crd.ts";
import { until, World } from "./_world.ts";

const POLICIES = "/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicies";
const rule = (group: string, ...resources: string[]) => ({
  apiGroups: [group],
  apiVersions: ["v1"],
  operations: ["*"],
  resources,
});

interface Row {
  readonly rules: object[];
  readonly validations: { readonly expression: string; readonly messageExpression?: string }[];
  readonly more?: object;
  /** Field and a pattern of the warning of each. */
  readonly says: readonly (readonly [field: string, text: RegExp])[];
}

const at = (n: number, member = "expression") => `spec.validations[${n}].${member}`;
const ROWS: Readonly<Record<string, Row>> = {
  "what fits": {
    rules: [rule("apps", "deployments")],
    validations: [
      { expression: "object.spec.replicas <= 5 && object.metadata.labels['a'] == 'b'" },
      { expression: "object.metadata.creationTimestamp < timestamp('2040-01-01T00:00:00Z')" },
      { expression: "object.spec.strategy.rollingUpdate.maxSurge == 1 || oldObject == null" },
      { expression: "object.spec.template.spec.containers.all(c, c.resources.limits['cpu'] != '')" },
    ],
    says: [],
  },
  "an unknown field and a wrong type": {
    rules: [rule("apps", "deployments")],
    validations: [
      { expression: "object.spec.replica > 1" },
      { expression: "true", messageExpression: "'is ' + object.spec.replicas" },
      { expression: "oldObject.spec.replica > 1" },
    ],
    says: [
      [
        at(0),
        /^apps\/v1, Kind=Deployment: ERROR: <input>:1:\d+: undefined field 'replica'\n \| object\.spec\.replica > 1\n \| \.+\^\n$/,
      ],
      [at(1, "messageExpression"), /^apps\/v1, Kind=Deployment: ERROR: .*no matching overload/],
      [at(2), /undefined field 'replica'/],
    ],
  },
  "each kind by itself": {
    rules: [rule("", "pods", "services", "pods/status"), rule("apps", "*")],
    validations: [{ expression: "object.spec.type != 'NodePort'" }],
    says: [[at(0), /^\/v1, Kind=Pod: .*undefined field 'type'[^]*$/]],
  },
  "kinds behind wildcards are not looked at": {
    rules: [
      { ...rule("apps", "deployments"), apiVersions: ["*"] },
      { ...rule("apps", "deployments"), apiGroups: ["*"] },
      rule("apps", "*", "deployments/status"),
    ],
    validations: [{ expression: "object.nothing == 1" }],
    says: [],
  },
  "what is not served is passed over, and the kinds are told in their order": {
    rules: [rule("apps", "deployments", "nothings"), rule("", "pods")],
    validations: [{ expression: "object.nothing == 1" }],
    says: [[at(0), /^\/v1, Kind=Pod: [^]*\n\napps\/v1, Kind=Deployment: [^]*$/]],
  },
  "ten kinds at most, the first ones": {
    rules: [
      rule(
        "",
        ...["services", "secrets", "resourcequotas", "replicationcontrollers", "pods", "persistentvolumes", "nodes"],
        ...["namespaces", "limitranges", "events", "endpoints", "configmaps"],
      ),
      rule("apps", "deployments"),
    ],
    validations: [{ expression: "object.nothing == 1" }],
    says: [[at(0), /^\/v1, Kind=ConfigMap: (?![^]*Kind=(?:Secret|Service|Deployment))[^]*Kind=ResourceQuota: /]],
  },
  "parameters of a kind that nobody serves": {
    rules: [rule("", "configmaps")],
    more: { paramKind: { apiVersion: "none.io/v1", kind: "None" } },
    validations: [{ expression: "params.spec == 1" }, { expression: "object.nothing == 1" }],
    says: [[at(1), /undefined field 'nothing'/]],
  },
  "variables and parameters": {
    rules: [rule("", "configmaps")],
    more: {
      paramKind: { apiVersion: "v1", kind: "Secret" },
      variables: [{ name: "n", expression: "object.metadata.name" }],
    },
    validations: [{ expression: "variables.n < 1" }, { expression: "params.spec == 1" }, {
      expression: "variables.n < 'a'",
    }],
    says: [[at(0), /no matching overload/], [at(1), /undefined field 'spec'/]],
  },
  "custom kinds": {
    rules: [rule("example.com", "things")],
    validations: [{ expression: "object.spec.n == 'a'" }, { expression: "object.spec.n == 1" }],
    says: [[at(0), /^example\.com\/v1, Kind=Thing: ERROR: <input>:1:15: .*no matching overload/]],
  },
};

Deno.test("policies: expressions that do not fit the kinds of the rules are told", async (test) => {
  const w = await World.start("validatingadmissionpolicy-status");
  await w.create(DEFINITIONS, definition([version({ n: { type: "integer" } })]));
  await until(
    "the kind is served",
    async () => (await w.test.fetch("/apis/example.com/v1/namespaces/default/things")).status === 200,
  );
  let n = 0;
  for (const [name, { rules, validations, more, says }] of Object.entries(ROWS)) {
    await test.step(name, async () => {
      const metadata = { name: `p${n++}` }, path = `${POLICIES}/${metadata.name}`;
      const spec = { ...more, matchConstraints: { resourceRules: rules }, validations };
      const made = await w.create(POLICIES, { metadata, spec });
      let policy: Obj | undefined;
      await until("it is observed", async () => !!(policy = await w.get(path))?.["status"]?.observedGeneration);
      const { observedGeneration, typeChecking } = policy!["status"];
      assert.equal(observedGeneration, made.metadata.generation);
      const warnings: { fieldRef: string; warning: string }[] = typeChecking.expressionWarnings ?? [];
      assert.deepEqual(warnings.map((x) => x.fieldRef), says.map(([field]) => field), JSON.stringify(warnings));
      for (const [i, [, text]] of says.entries()) assert.match(warnings[i]!.warning, text);
    });
  }
  const changed = { spec: { validations: [{ expression: "object.spec.replicas < 3" }] } };
  await w.patch(`${POLICIES}/p1`, changed);
  await until("it is looked at again", async () => {
    const { typeChecking } = (await w.get(`${POLICIES}/p1`))!["status"];
    return typeChecking.expressionWarnings === undefined;
  });
  await w.stop();
});
