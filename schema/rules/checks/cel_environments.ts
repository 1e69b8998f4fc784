/** What expressions of admission and of device selection may mention. */
import {
  ANY,
  AUTHORIZER_TYPE,
  BIND,
  BOOL,
  DYN,
  INT,
  listOf,
  mapOf,
  QUANTITY,
  RESOURCE_CHECK,
  STRING,
  TIMESTAMP,
  type Type,
} from "../../cel/mod.ts";

/** Types by the names that an expression may mention. */
export type Environment = ReadonlyMap<string, Type>;

const object = (name: string, fields: Readonly<Record<string, Type>>): Type => ({
  k: "object",
  name,
  fields: new Map(Object.entries(fields)),
});
const TEXTS = mapOf(STRING, STRING);

const KIND = object("GroupVersionKind", { group: STRING, version: STRING, kind: STRING });
const RESOURCE = object("GroupVersionResource", { group: STRING, version: STRING, resource: STRING });
const USER = object("UserInfo", {
  username: STRING,
  uid: STRING,
  groups: listOf(STRING),
  extra: mapOf(STRING, listOf(STRING)),
});

/** The request that admission is about. */
const REQUEST = object("AdmissionRequest", {
  kind: KIND,
  resource: RESOURCE,
  subResource: STRING,
  requestKind: KIND,
  requestResource: RESOURCE,
  requestSubResource: STRING,
  name: STRING,
  namespace: STRING,
  operation: STRING,
  userInfo: USER,
  dryRun: BOOL,
  options: DYN,
});

/** The namespace of the request's object. */
const NAMESPACE = object("Namespace", {
  metadata: object("NamespaceMetadata", {
    name: STRING,
    generateName: STRING,
    namespace: STRING,
    labels: TEXTS,
    annotations: TEXTS,
    UID: STRING,
    creationTimestamp: TIMESTAMP,
    deletionGracePeriodSeconds: INT,
    deletionTimestamp: TIMESTAMP,
    generation: INT,
    resourceVersion: STRING,
    finalizers: listOf(STRING),
  }),
  spec: object("NamespaceSpec", { finalizers: listOf(STRING) }),
  status: object("NamespaceStatus", {
    phase: STRING,
    conditions: listOf(object("NamespaceCondition", {
      status: STRING,
      type: STRING,
      lastTransitionTime: TIMESTAMP,
      message: STRING,
      reason: STRING,
    })),
  }),
});

/** Which of the variables are there that not every expression of admission has. */
export interface AdmissionVariables {
  /** The policy has parameters. */
  readonly params?: boolean;
  readonly authorizer?: boolean;
  /** Variables of the policy; those that are added later count too. */
  readonly variables?: ReadonlyMap<string, Type>;
}

/** What expressions of policies and of match conditions may mention. */
export function admissionEnvironment(o: AdmissionVariables): Environment {
  const out = new Map<string, Type>([
    ["object", DYN],
    ["oldObject", DYN],
    ["request", REQUEST],
    ["namespaceObject", NAMESPACE],
  ]);
  if (o.params) out.set("params", DYN);
  if (o.authorizer) out.set("authorizer", AUTHORIZER_TYPE).set("authorizer.requestResource", RESOURCE_CHECK);
  if (o.variables) out.set("variables", { k: "object", name: "variables", fields: o.variables });
  return out;
}

const REQUIREMENTS = listOf(object("SelectorRequirement", { key: STRING, operator: STRING, values: listOf(STRING) }));
const SELECTOR = object("Selector", { rawSelector: STRING, requirements: REQUIREMENTS });

/** What conditions of authorization webhooks may mention: the spec of an access review (`v1`). */
export const ACCESS_ENVIRONMENT: Environment = new Map<string, Type>([[
  "request",
  object("SubjectAccessReviewSpec", {
    resourceAttributes: object("ResourceAttributes", {
      namespace: STRING,
      verb: STRING,
      group: STRING,
      version: STRING,
      resource: STRING,
      subresource: STRING,
      name: STRING,
      fieldSelector: SELECTOR,
      labelSelector: SELECTOR,
    }),
    nonResourceAttributes: object("NonResourceAttributes", { path: STRING, verb: STRING }),
    user: STRING,
    groups: listOf(STRING),
    extra: mapOf(STRING, listOf(STRING)),
    uid: STRING,
  }),
]]);

/** What selectors of devices may mention. */
export const DEVICE_ENVIRONMENT: Environment = new Map<string, Type>([
  [BIND, DYN],
  [
    "device",
    object("Device", {
      driver: STRING,
      attributes: mapOf(STRING, mapOf(STRING, ANY)),
      capacity: mapOf(STRING, mapOf(STRING, QUANTITY)),
      allowMultipleAllocations: BOOL,
    }),
  ],
]);
