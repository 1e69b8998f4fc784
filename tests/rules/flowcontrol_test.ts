import { table } from "./_table.ts";

const rule = {
  subjects: [{ kind: "User", user: { name: "u" } }],
  resourceRules: [{ verbs: ["get"], apiGroups: ["*"], resources: ["*"], namespaces: ["n"] }],
  nonResourceRules: [{ verbs: ["get"], nonResourceURLs: ["/x/*"] }],
};
const RULE = "spec.rules.0", AT = "spec.rules[0]";

table({
  kind: "flowcontrol.apiserver.k8s.io/v1/FlowSchema",
  resource: "flowschemas",
  namespaced: false,
  good: { spec: { priorityLevelConfiguration: { name: "p" }, matchingPrecedence: 9, rules: [rule] } },
  rows: [
    { set: { "spec.matchingPrecedence": 1 }, causes: ["spec.matchingPrecedence Invalid"] },
    { set: { "spec.matchingPrecedence": 10001 }, causes: ["spec.matchingPrecedence Invalid"] },
    { set: { "spec.distinguisherMethod": {} }, causes: ["spec.distinguisherMethod.type NotSupported"] },
    { set: { "spec.priorityLevelConfiguration": {} }, causes: ["spec.priorityLevelConfiguration.name Required"] },
    { set: { [`${RULE}.subjects`]: [] }, causes: [`${AT}.subjects Required`] },
    { set: { [`${RULE}.subjects.0.group`]: {} }, causes: [`${AT}.subjects[0].group Forbidden`] },
    {
      set: { [`${RULE}.subjects.0`]: { kind: "ServiceAccount", serviceAccount: { name: "S" } } },
      causes: [`${AT}.subjects[0].serviceAccount.name Invalid`, `${AT}.subjects[0].serviceAccount.namespace Required`],
    },
    { set: { [`${RULE}.resourceRules.0.verbs`]: ["look"] }, causes: [`${AT}.resourceRules[0].verbs NotSupported`] },
    { set: { [`${RULE}.resourceRules.0.namespaces`]: [] }, causes: [`${AT}.resourceRules[0].namespaces Required`] },
    {
      set: { [`${RULE}.resourceRules.0.namespaces`]: [], [`${RULE}.resourceRules.0.clusterScope`]: true },
      causes: [],
    },
    {
      set: { [`${RULE}.nonResourceRules.0.nonResourceURLs`]: ["x", "//", "/a*", "/b c", "/"] },
      causes: [0, 1, 2, 3].map((i) => `${AT}.nonResourceRules[0].nonResourceURLs[${i}] Invalid`),
    },
    { set: { "metadata.name": "catch-all" }, causes: ["spec Invalid"] },
    {
      on: "status",
      set: { "status.conditions": [{ type: "" }, { type: "" }] },
      causes: [
        "status.conditions[0].type Required",
        "status.conditions[1].type Duplicate",
        "status.conditions[1].type Required",
      ],
    },
  ],
});

const LIMITED = "spec.limited", QUEUING = `${LIMITED}.limitResponse.queuing`;
table({
  kind: "flowcontrol.apiserver.k8s.io/v1/PriorityLevelConfiguration",
  resource: "prioritylevelconfigurations",
  namespaced: false,
  good: { spec: { type: "Limited", limited: { limitResponse: { type: "Queue", queuing: {} } } } },
  rows: [
    { set: { "spec.type": "" }, causes: ["spec.type Required"] },
    { set: { "spec.type": "Other" }, causes: ["spec.type NotSupported"] },
    { set: { "spec.type": "Exempt" }, causes: ["spec.limited Forbidden", "spec.type Invalid"] },
    { set: { "spec.exempt": {} }, causes: ["spec.exempt Forbidden"] },
    { set: { [LIMITED]: undefined }, causes: ["spec.limited Required"] },
    { set: { [`${LIMITED}.lendablePercent`]: 101 }, causes: ["spec.limited.lendablePercent Invalid"] },
    { set: { [`${LIMITED}.borrowingLimitPercent`]: -1 }, causes: ["spec.limited.borrowingLimitPercent Invalid"] },
    { set: { [QUEUING]: undefined }, causes: [`${QUEUING} Required`] },
    { set: { [`${LIMITED}.limitResponse.type`]: "Reject" }, causes: [`${QUEUING} Forbidden`] },
    { set: { [`${QUEUING}.handSize`]: 65 }, causes: [`${QUEUING}.handSize Invalid`] },
    { set: { [`${QUEUING}.queues`]: 512, [`${QUEUING}.handSize`]: 10 }, causes: [`${QUEUING}.handSize Invalid`] },
    { set: { "metadata.name": "catch-all" }, causes: ["spec Invalid"] },
  ],
});
