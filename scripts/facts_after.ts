/** What the released 1.37 has beyond the API facts: members that came after those were taken. */

type Facts = Readonly<Record<string, unknown>>;

/** A new message with its members, or members behind those that a message has. Files go by their short names. */
interface After {
  readonly file: string;
  readonly message: string;
  readonly fields: readonly Facts[];
}

const GROUPS: Facts = {
  json: "compatibilityGroups",
  number: 3,
  type: "string",
  repeated: true,
  optional: true,
  omitempty: true,
  listType: "atomic",
  validate: { optional: true, listType: "atomic", unique: "set", maxItems: 2, "eachVal>format": "k8s-short-name" },
};

const derived = (file: string, number: number): Facts => ({
  json: "derivedAttributes",
  number,
  type: `${file}.DeviceDerivedAttribute`,
  repeated: true,
  optional: true,
  omitempty: true,
  listType: "atomic",
  validate: { optional: true, maxItems: 32 },
});

const DERIVED_ATTRIBUTE: readonly Facts[] = [
  {
    json: "name",
    number: 1,
    type: "string",
    required: true,
    alias: "FullyQualifiedName",
    validate: { required: true, format: "k8s-resource-fully-qualified-name" },
  },
  { json: "expression", number: 2, type: "string", required: true, validate: { required: true } },
];

const claims = (file: string, places: Readonly<Record<string, number>>): After[] => [
  { file, message: "DeviceCounterConsumption", fields: [GROUPS] },
  { file, message: "DeviceDerivedAttribute", fields: DERIVED_ATTRIBUTE },
  ...Object.entries(places).map(([message, number]) => ({ file, message, fields: [derived(file, number)] })),
];

/** All of them. */
export const AFTER: readonly After[] = [
  {
    file: "core.v1",
    message: "NodeSystemInfo",
    fields: [{
      json: "runningInUserNamespace",
      number: 12,
      type: "bool",
      pointer: true,
      optional: true,
      omitempty: true,
    }],
  },
  ...claims("resource.v1", { ExactDeviceRequest: 8, DeviceSubRequest: 8 }),
  ...claims("resource.v1beta2", { ExactDeviceRequest: 8, DeviceSubRequest: 8 }),
  ...claims("resource.v1beta1", { DeviceRequest: 10, DeviceSubRequest: 9 }),
];
