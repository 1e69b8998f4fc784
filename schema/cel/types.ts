/** Types of expressions. */

/** A type. `dyn` fits everything; `var` stands for any one type within a signature. */
export type Type =
  | { readonly k: Simple }
  | { readonly k: "list" | "optional"; readonly of: Type }
  | { readonly k: "map"; readonly key: Type; readonly value: Type }
  | {
    readonly k: "object";
    readonly name: string;
    readonly fields: ReadonlyMap<string, Type>;
    /** Other fields may be there too, of any type. */
    readonly open?: boolean;
  }
  | { readonly k: "var"; readonly name: string };

/** Types whose values are opaque. */
export type OpaqueType =
  | "quantity"
  | "ip"
  | "cidr"
  | "url"
  | "semver"
  | "format"
  | "authorizer"
  | "pathcheck"
  | "groupcheck"
  | "resourcecheck"
  | "decision";

/** Names of opaque types. */
export const OPAQUE_NAMES: Readonly<Record<OpaqueType, string>> = {
  ip: "net.IP",
  cidr: "net.CIDR",
  quantity: "kubernetes.Quantity",
  url: "kubernetes.URL",
  semver: "kubernetes.Semver",
  format: "kubernetes.NamedFormat",
  authorizer: "kubernetes.authorization.Authorizer",
  pathcheck: "kubernetes.authorization.PathCheck",
  groupcheck: "kubernetes.authorization.GroupCheck",
  resourcecheck: "kubernetes.authorization.ResourceCheck",
  decision: "kubernetes.authorization.Decision",
};

/** Types without parts. */
export type Simple =
  | "dyn"
  | "null"
  | "bool"
  | "int"
  | "uint"
  | "double"
  | "string"
  | "bytes"
  | "timestamp"
  | "duration"
  | "type"
  | OpaqueType;

const simple = (k: Simple): Type => ({ k });
/** Not known before it is there. */
export const DYN = simple("dyn");
/** What is one of several types, and shows only when it is there. */
export const ANY = simple("dyn");
/** What an empty list holds: it becomes one of whatever it is put together with. */
export const UNKNOWN = simple("dyn");
/** The type of what has none, since something is wrong with it: it goes with everything. */
export const ERROR = simple("dyn");
/** `null`. */
export const NULL = simple("null");
/** `true` or `false`. */
export const BOOL = simple("bool");
/** A whole number of 64 bits with a sign. */
export const INT = simple("int");
/** A whole number of 64 bits without a sign. */
export const UINT = simple("uint");
/** A float of 64 bits. */
export const DOUBLE = simple("double");
/** A text. */
export const STRING = simple("string");
/** Bytes. */
export const BYTES = simple("bytes");
/** A point in time. */
export const TIMESTAMP = simple("timestamp");
/** A span of time. */
export const DURATION = simple("duration");
/** A type, as a value. */
export const TYPE = simple("type");
/** A quantity, as of resources. */
export const QUANTITY = simple("quantity");
/** `authorizer`: asks what somebody may do. */
export const AUTHORIZER_TYPE = simple("authorizer");
/** A question to the authorizer about a resource, as far as it is put together. */
export const RESOURCE_CHECK = simple("resourcecheck");
/** A list of one type. */
export const listOf = (of: Type): Type => ({ k: "list", of });
/** A value that may be absent. */
export const optionalOf = (of: Type): Type => ({ k: "optional", of });
/** A map of one type to another. */
export const mapOf = (key: Type, value: Type): Type => ({ k: "map", key, value });

/** What a type is called in messages. */
export function typeText(t: Type): string {
  switch (t.k) {
    case "list":
      return `list(${typeText(t.of)})`;
    case "optional":
      return `optional_type(${typeText(t.of)})`;
    case "map":
      return `map(${typeText(t.key)}, ${typeText(t.value)})`;
    case "object":
    case "var":
      return t.name;
    default:
      if (t === ERROR) return "!error!";
      return Object.hasOwn(OPAQUE_NAMES, t.k) ? OPAQUE_NAMES[t.k as OpaqueType] : t.k;
  }
}

/** Of how many types a type is put together. Objects count as one. */
export function partsOf(t: Type): number {
  if (t.k === "list" || t.k === "optional") return 1 + partsOf(t.of);
  return t.k === "map" ? 1 + partsOf(t.key) + partsOf(t.value) : 1;
}

/** Types that variables of a signature were found to stand for. */
export type Bindings = Map<string, Type>;

/** Whether a value of type `is` may stand where `want` is wanted; binds variables of `want`. */
export function fits(want: Type, is: Type, bound: Bindings): boolean {
  if (want.k === "var") {
    const known = bound.get(want.name);
    if (known?.k === "dyn" && known !== UNKNOWN) return true;
    if (known === undefined || known === UNKNOWN || known.k === "null") {
      if (known === undefined || fits(is, known, bound)) bound.set(want.name, is);
      else return false;
      return true;
    }
    if (!fits(known, is, bound)) return false;
    bound.set(want.name, widest(known, is));
    return true;
  }
  if (want.k === "dyn" || is.k === "dyn") return true;
  if (is.k === "null") return want.k === "null" || NULLABLE.has(want.k);
  if (want.k === "null") return NULLABLE.has(is.k);
  if (want.k !== is.k) return false;
  if (want.k === "list" || want.k === "optional") return fits(want.of, (is as { of: Type }).of, bound);
  if (want.k === "map" && is.k === "map") return fits(want.key, is.key, bound) && fits(want.value, is.value, bound);
  if (want.k === "object" && is.k === "object") return want.name === is.name;
  return true;
}
/** Types whose values may be null. */
const NULLABLE: ReadonlySet<string> = new Set([
  "object",
  "timestamp",
  "duration",
  "optional",
  "quantity",
  "ip",
  "cidr",
  "url",
  "semver",
  "format",
  "authorizer",
  "pathcheck",
  "groupcheck",
  "resourcecheck",
  "decision",
]);

/** Whether two types are one and the same: neither fits the other as a part or as anything does. */
export const sameType = (a: Type, b: Type): boolean => typeText(a) === typeText(b);

/** A signature's type with its variables replaced; an unbound one is yet to be known. */
export function resolve(t: Type, bound: Bindings): Type {
  if (t.k === "var") return bound.get(t.name) ?? UNKNOWN;
  if (t.k === "list" || t.k === "optional") return { k: t.k, of: resolve(t.of, bound) };
  if (t.k === "map") return mapOf(resolve(t.key, bound), resolve(t.value, bound));
  return t;
}

const KEPT: ReadonlySet<string> = new Set(
  ["bool", "bytes", "double", "duration", "int", "null", "string", "timestamp", "uint"],
);

/** What is known of the type of a variable that an expression gave: of objects and the like nothing. */
export function variableType(t: Type): Type {
  if (t.k === "list") return listOf(variableType(t.of));
  if (t.k === "map") return mapOf(variableType(t.key), variableType(t.value));
  return KEPT.has(t.k) ? t : DYN;
}

/** Whether two types are the same but for what nothing is known of. */
export function alike(a: Type, b: Type): boolean {
  if ([UNKNOWN, ERROR].some((t) => t === a || t === b)) return true;
  if ((a.k === "list" || a.k === "optional") && a.k === b.k) return alike(a.of, b.of);
  if (a.k === "map" && b.k === "map") return alike(a.key, b.key) && alike(a.value, b.value);
  return sameType(a, b);
}

/** The type of what is one or the other: of which nothing is known, nothing is known of both. */
export function widest(a: Type, b: Type): Type {
  if (a === UNKNOWN) return b;
  if (b === UNKNOWN || a.k === "dyn") return a;
  if (b.k === "dyn") return b;
  if ((a.k === "list" || a.k === "optional") && a.k === b.k) return { k: a.k, of: widest(a.of, b.of) };
  if (a.k === "map" && b.k === "map") return mapOf(widest(a.key, b.key), widest(a.value, b.value));
  return a.k === "null" ? b : a;
}

/** The type of items that are written down together: that of those of which it is known. */
export function either(a: Type, b: Type): Type {
  if (a.k === "dyn" || b.k === "dyn") return a.k === "dyn" ? b : a;
  if ((a.k === "list" || a.k === "optional") && a.k === b.k && fits(a, b, new Map())) {
    return { k: a.k, of: either(a.of, b.of) };
  }
  if (a.k === "map" && b.k === "map" && fits(a, b, new Map())) {
    return mapOf(either(a.key, b.key), either(a.value, b.value));
  }
  return fits(a, b, new Map()) ? (a.k === "null" ? b : a) : DYN;
}

/** Reads `list<A>`, `map<K, V>`, `optional<A>`, or a simple name; capital letters are variables, `?` is yet to be known. */
export function readType(text: string): Type {
  const generic = /^(list|optional|map)<(.*)>$/.exec(text);
  if (text === "?") return UNKNOWN;
  if (!generic) return /^[A-Z]$/.test(text) ? { k: "var", name: text } : { k: text as Simple };
  const [, k, inner] = generic;
  if (k !== "map") return { k: k as "list", of: readType(inner!) };
  const comma = inner!.indexOf(",");
  return mapOf(readType(inner!.slice(0, comma).trim()), readType(inner!.slice(comma + 1).trim()));
}
