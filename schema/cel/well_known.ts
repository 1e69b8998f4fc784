/** Types of objects that every expression may make, by their names in Protocol Buffers: `google.protobuf.Duration{seconds: 3}`. */
import { CelError } from "./ast.ts";
import { BOOL, BYTES, DOUBLE, DURATION, DYN, INT, listOf, mapOf, STRING, TIMESTAMP, type Type, UINT } from "./types.ts";
import { EntryMap, Made, Span, Time, Uint, type Value } from "./values.ts";

/** A type to make objects of. */
export interface WellKnown {
  /** With its fields. */
  readonly type: Type;
  /** The type that the made value has: that of a wrapper is what it wraps. */
  readonly gives: Type;
  readonly make: (fields: ReadonlyMap<string, Value>) => Value;
}

type Row = readonly [fields: Readonly<Record<string, Type>>, gives: Type | undefined, make: WellKnown["make"]];

const PREFIX = "google.protobuf.", ENTRIES = mapOf(STRING, DYN);
const MAX_INT32 = 2n ** 31n - 1n, MAX_UINT32 = 2n ** 32n - 1n;

/** A wrapper of one value. */
const wrapper = (of: Type, zero: Value, check: (v: Value) => void = () => {}): Row => [
  { value: of },
  of,
  (fields) => {
    const value = fields.get("value") ?? zero;
    check(value);
    return value;
  },
];
const within = (max: bigint, min: bigint) => (v: Value): void => {
  const n = v instanceof Uint ? v.value : v as bigint;
  if (n > max || n < min) throw new CelError(`integer out of range: ${n}`);
};
const nanoseconds = (fields: ReadonlyMap<string, Value>): bigint =>
  (fields.get("seconds") as bigint ?? 0n) * 1_000_000_000n + (fields.get("nanos") as bigint ?? 0n);
const only = (fields: ReadonlyMap<string, Value>): Value =>
  fields.has("null_value") ? null : [...fields.values()].at(-1) ?? null;
const MOMENT = { seconds: INT, nanos: INT };

const ROWS: Readonly<Record<string, Row>> = {
  BoolValue: wrapper(BOOL, false),
  BytesValue: wrapper(BYTES, new Uint8Array()),
  DoubleValue: wrapper(DOUBLE, 0),
  FloatValue: wrapper(DOUBLE, 0),
  Int32Value: wrapper(INT, 0n, within(MAX_INT32, -MAX_INT32 - 1n)),
  Int64Value: wrapper(INT, 0n),
  StringValue: wrapper(STRING, ""),
  UInt32Value: wrapper(UINT, new Uint(0n), within(MAX_UINT32, 0n)),
  UInt64Value: wrapper(UINT, new Uint(0n)),
  Duration: [MOMENT, DURATION, (fields) => new Span(nanoseconds(fields))],
  Timestamp: [MOMENT, TIMESTAMP, (fields) => new Time(nanoseconds(fields))],
  ListValue: [{ values: listOf(DYN) }, listOf(DYN), (fields) => fields.get("values") ?? []],
  Struct: [{ fields: ENTRIES }, ENTRIES, (fields) => fields.get("fields") ?? new EntryMap()],
  Value: [
    {
      null_value: INT,
      number_value: DOUBLE,
      string_value: STRING,
      bool_value: BOOL,
      struct_value: ENTRIES,
      list_value: listOf(DYN),
    },
    DYN,
    only,
  ],
  Any: [{ type_url: STRING, value: BYTES }, DYN, () => {
    throw new CelError("conversion error: got type google.protobuf.Any");
  }],
  Empty: [{}, undefined, (fields) => new Made(`${PREFIX}Empty`, fields)],
};

const TYPES: ReadonlyMap<string, WellKnown> = new Map(
  Object.entries(ROWS).map(([short, [fields, gives, make]]) => {
    const name = PREFIX + short, type: Type = { k: "object", name, fields: new Map(Object.entries(fields)) };
    return [name, { type, gives: gives ?? type, make }];
  }),
);

/** A type by its whole name. */
export const wellKnown = (name: string): WellKnown | undefined => TYPES.get(name);
