import assert from "node:assert/strict";
import { attestations } from "../../schema/rules/authentication/attestations.ts";
import { ErrorList } from "../../schema/rules/errors.ts";

const GROUP = "admissionregistration.k8s.io";
const ref = { apiVersion: `${GROUP}/v1`, kind: "ValidatingWebhookConfiguration", name: "w" };
const about = (...groups: string[]) => ({ admissionReviewAPIGroups: groups });

Deno.test("what tokens bear witness to", async (t) => {
  const cases: Record<string, readonly [spec: object, causes: readonly string[]]> = {
    "nothing": [{}, []],
    "something without webhooks": [{ attestations: about("*") }, ["spec.attestations FieldValueInvalid"]],
    "of a pod": [
      { boundObjectRef: { apiVersion: "v1", kind: "Pod" }, attestations: about("*") },
      ["spec.attestations FieldValueInvalid"],
    ],
    "every group": [{ boundObjectRef: ref, audiences: ["a"], attestations: about("*") }, []],
    "one group": [{ boundObjectRef: ref, audiences: ["a"], attestations: about("apps") }, []],
    "no audience, no group": [
      { boundObjectRef: ref },
      ["spec.audiences FieldValueInvalid", "spec.attestations FieldValueInvalid"],
    ],
    "the core group": [
      { boundObjectRef: ref, audiences: ["a"], attestations: about("") },
      ["spec.attestations[admissionReviewAPIGroups][0] FieldValueInvalid"],
    ],
    "no group's name": [
      { boundObjectRef: ref, audiences: ["a"], attestations: about("A_") },
      ["spec.attestations[admissionReviewAPIGroups][0] FieldValueInvalid"],
    ],
    "two groups": [
      { boundObjectRef: ref, audiences: ["a"], attestations: about("a", "b") },
      ["spec.attestations[admissionReviewAPIGroups] FieldValueInvalid"],
    ],
    "something else": [
      { boundObjectRef: ref, audiences: ["a"], attestations: { other: ["x"] } },
      ["spec.attestations[other] FieldValueNotSupported"],
    ],
  };
  for (const [name, [spec, causes]] of Object.entries(cases)) {
    await t.step(name, () => {
      const errors = new ErrorList();
      attestations(spec, GROUP, errors);
      assert.deepEqual(errors.causes.map((c) => `${c.field} ${c.reason}`), causes);
    });
  }
});
