/** Objects that every server has and whose specs nobody changes. Public names. */
import { perProduct } from "../local.ts";
import type { Tree } from "../tree.ts";

const EVERYTHING = {
  resourceRules: [{ verbs: ["*"], apiGroups: ["*"], resources: ["*"], clusterScope: true, namespaces: ["*"] }],
  nonResourceRules: [{ verbs: ["*"], nonResourceURLs: ["*"] }],
};
const group = (name: string) => ({ kind: "Group", group: { name } });

/** Specs of flow schemas by name. */
export const MANDATORY_SCHEMAS = perProduct((p): Readonly<Record<string, Tree>> =>
  p.localTree({
    exempt: {
      priorityLevelConfiguration: { name: "exempt" },
      matchingPrecedence: 1,
      rules: [{ subjects: [group("system:masters")], ...EVERYTHING }],
    },
    "catch-all": {
      priorityLevelConfiguration: { name: "catch-all" },
      matchingPrecedence: 10000,
      distinguisherMethod: { type: "ByUser" },
      rules: [{ subjects: [group("system:unauthenticated"), group("system:authenticated")], ...EVERYTHING }],
    },
  })
);

/** Specs of priority levels by name. What the exempt one lends may be changed. */
export const MANDATORY_LEVELS: Readonly<Record<string, Tree>> = {
  exempt: { type: "Exempt" },
  "catch-all": {
    type: "Limited",
    limited: { nominalConcurrencyShares: 5, limitResponse: { type: "Reject" }, lendablePercent: 0 },
  },
};
