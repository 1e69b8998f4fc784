/** Plain scalars of YAML 1.1 as the public API's YAML library reads them: its `yes` is true, its `2001-01-01` a text. */
import { ValueError } from "../values/error.ts";

/** What an untagged plain scalar means. `merge` is `<<`. */
export type Plain =
  | { readonly kind: "bool"; readonly value: boolean }
  | { readonly kind: "null"; readonly value: null }
  | { readonly kind: "int"; readonly value: number | bigint }
  | { readonly kind: "float"; readonly value: number }
  | { readonly kind: "merge" | "timestamp" | "string"; readonly value: string };

const each = (words: string, plain: Plain) => words.split(" ").map((w): [string, Plain] => [w, plain]);
const WORDS = new Map<string, Plain>([
  ...each("y Y yes Yes YES true True TRUE on On ON", { kind: "bool", value: true }),
  ...each("n N no No NO false False FALSE off Off OFF", { kind: "bool", value: false }),
  ...each("~ null Null NULL", { kind: "null", value: null }),
  ["", { kind: "null", value: null }],
  ...each(".nan .NaN .NAN", { kind: "float", value: NaN }),
  ...each(".inf .Inf .INF +.inf +.Inf +.INF", { kind: "float", value: Infinity }),
  ...each("-.inf -.Inf -.INF", { kind: "float", value: -Infinity }),
  ["<<", { kind: "merge", value: "<<" }],
]);

const FLOAT = /^[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?$/;
const DECIMAL = /^([-+]?)(0|[1-9][0-9]*)$/;
const PREFIXED = /^([-+]?)0(?:([xX])([0-9a-fA-F]+)|([bB])([01]+)|([oO]?)([0-7]+))$/;
/** Longer digits than any number of 64 bits in base 2. */
const MAX_DIGITS = 66;
const TIMESTAMP =
  /^\d{4}-\d{1,2}-\d{1,2}(?:[Tt]\d{1,2}:\d{1,2}:\d{1,2}(?:\.\d+)?(?:Z|[-+]\d\d:\d\d)| \d{1,2}:\d{1,2}:\d{1,2}(?:\.\d+)?)?$/;

/** Reads a plain scalar. */
export function resolvePlain(text: string): Plain {
  const word = WORDS.get(text);
  if (word) return word;
  const string: Plain = { kind: "string", value: text };
  const c = text[0]!;
  if (c === ".") return readFloat(text) ?? string;
  if (!/[-+0-9]/.test(c)) return string;
  if (TIMESTAMP.test(text)) return { kind: "timestamp", value: text };
  const plain = text.replaceAll("_", "");
  const int = readInteger(plain);
  if (int !== undefined) return { kind: "int", value: int };
  return readFloat(plain) ?? string;
}

/** A number too large for a float is a text. */
function readFloat(text: string): Plain | undefined {
  const value = FLOAT.test(text) ? Number(text) : NaN;
  return Number.isFinite(value) ? { kind: "float", value } : undefined;
}

/** Decimal, `0x`, `0b`, `0o` and `0777`: what 64 bits hold, signed or not. Wider decimal ones are floats. */
function readInteger(text: string): number | bigint | undefined {
  const decimal = DECIMAL.exec(text);
  const based = decimal ? undefined : PREFIXED.exec(text);
  if (!decimal && !based) return undefined;
  const sign = (decimal ?? based)![1];
  const digits = decimal ? decimal[2]! : based![3] ? "0x" + based![3] : based![5] ? "0b" + based![5] : "0o" + based![7];
  if (digits.length > MAX_DIGITS) return undefined;
  const n = sign === "-" ? -BigInt(digits) : BigInt(digits);
  if (n < -(1n << 63n) || n >= 1n << 64n) return undefined;
  const small = Number(n);
  return Number.isSafeInteger(small) ? small : n;
}

const TAG_PREFIX = "tag:yaml.org,2002:";

/** Reads a scalar with an explicit tag. Throws {@linkcode ValueError} when the text is not of that kind. */
export function resolveTagged(tag: string, text: string): Plain {
  const kind = tag.startsWith(TAG_PREFIX) ? tag.slice(TAG_PREFIX.length) : "";
  if (kind === "binary") return { kind: "string", value: fromBase64(text) };
  if (!["bool", "int", "float", "null", "timestamp"].includes(kind)) return { kind: "string", value: text };
  const plain = resolvePlain(text);
  if (plain.kind === kind) return plain;
  if (kind === "float" && plain.kind === "int") return { kind: "float", value: Number(plain.value) };
  throw new ValueError(
    `yaml: cannot decode !!${plain.kind === "string" ? "str" : plain.kind} \`${text.slice(0, 64)}\` as a !!${kind}`,
  );
}

function fromBase64(text: string): string {
  try {
    return new TextDecoder().decode(Uint8Array.from(atob(text), (c) => c.charCodeAt(0)));
  } catch {
    throw new ValueError("yaml: !!binary value contains invalid base64 data");
  }
}

/** A number that is not whole, as the public library writes it: with an exponent below 1e-4 and from 1e6 on. */
export function formatFloat(n: number): string {
  const [mantissa, power] = n.toExponential().split("e") as [string, string];
  const exponent = Number(power);
  // Between the bounds JavaScript writes plain decimals but below 1e-6, which is out of them.
  if (exponent >= -4 && exponent < 6) return String(n);
  return `${mantissa}e${exponent < 0 ? "-" : "+"}${String(Math.abs(exponent)).padStart(2, "0")}`;
}
