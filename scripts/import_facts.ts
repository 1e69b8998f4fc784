/**
 * Writes `schema/api/*.ts` from the machine-readable API facts, what came after them (`facts_after.ts`) and the words of
 * messages (`schema/words/`).
 *
 *     deno run --allow-read --allow-write scripts/import_facts.ts <facts directory>
 *
 * The output is a pure function of these: a test generates it again and compares.
 */

import { wordOf } from "../schema/words/mod.ts";
import { AFTER } from "./facts_after.ts";
import { resourceTable } from "./import_resources.ts";

/** A field as the facts tell it. */
interface FactField {
  json: string | null;
  number?: number;
  type?: string;
  map?: { key: string; value: string; valueAlias?: string };
  alias?: string;
  [fact: string]: unknown;
}

interface FactMessage {
  fields: FactField[];
  wrapper?: string;
  same?: string;
  [fact: string]: unknown;
}

interface FactKind {
  introduced: string | null;
  deprecated: string | null;
  removed: string | null;
  replacement: unknown;
  list: string | null;
}

interface FactAlias {
  type?: string;
  validate?: Record<string, unknown>;
}

interface FactFile {
  group: string | null;
  version: string | null;
  short: string;
  protoPackage: string | null;
  kinds: Record<string, FactKind>;
  messages: Record<string, FactMessage>;
  aliases: Record<string, FactAlias>;
  enums: Record<string, string[]>;
}

/** Flags of a field in the compact form, a letter each. */
const FLAGS: readonly (readonly [string, string])[] = [
  ["r", "repeated"],
  ["i", "inline"],
  ["p", "pointer"],
  ["R", "required"],
  ["O", "optional"],
  ["e", "omitempty"],
  ["z", "omitzero"],
  ["u", "unionDiscriminator"],
];

/** Facts that go over as they are. */
const EXTRAS: readonly string[] = [
  "default",
  "alias",
  "patchStrategy",
  "patchMergeKey",
  "listType",
  "listMapKeys",
  "mapType",
  "structType",
];

const HEADER = "// Written by scripts/import_facts.ts from the public API definitions. Do not edit.\n";

const isTypeMeta = (f: FactField) => f.inline === true && f.type === "meta.v1.TypeMeta";
const moduleName = (file: string) => file.replace(/\.json$/, "");
const identifier = (module: string) => module.replace(/[^A-Za-z0-9]/g, "_");

/** Everything that generation needs, read once. */
class Facts {
  readonly byShort = new Map<string, { module: string; file: FactFile }>();
  constructor(files: Map<string, FactFile>) {
    for (const [name, file] of files) this.byShort.set(file.short, { module: moduleName(name), file });
  }
  /** Splits `core.v1.PodSpec` into its module and name. */
  reference(type: string): { short: string; name: string } | undefined {
    const dot = type.lastIndexOf(".");
    return dot < 0 ? undefined : { short: type.slice(0, dot), name: type.slice(dot + 1) };
  }
  enumOf(home: FactFile, name: string): string[] | undefined {
    const ref = this.reference(name);
    return (ref ? this.byShort.get(ref.short)?.file.enums : home.enums)?.[ref ? ref.name : name];
  }
  aliasOf(home: FactFile, name: string): FactAlias | undefined {
    const ref = this.reference(name);
    return (ref ? this.byShort.get(ref.short)?.file.aliases : home.aliases)?.[ref ? ref.name : name];
  }
}

/** `[ "name number type flags", extras ]`, extras left out when there are none. */
function compactField(facts: Facts, home: FactFile, f: FactField): unknown {
  const own = home.short + ".";
  const type = f.map ? f.map.value : f.type ?? "any";
  const short = type.startsWith(own) ? type.slice(own.length - 1) : type;
  const flags = FLAGS.filter(([, fact]) => f[fact] === true).map(([letter]) => letter).join("") + (f.map ? "m" : "");
  const name = f.json === null || f.json === "-" ? "" : f.json;
  const extras: Record<string, unknown> = {};
  for (const fact of EXTRAS) if (f[fact] !== undefined) extras[fact] = f[fact];
  const enumName = (f.enum ?? f.map?.valueAlias) as string | undefined;
  const values = enumName === undefined ? undefined : facts.enumOf(home, enumName);
  if (values) extras.enum = values;
  if (values || f.enum !== undefined) extras.alias ??= enumName;
  const named = extras.alias as string | undefined;
  const validate = {
    ...(named ? facts.aliasOf(home, named)?.validate : undefined),
    ...(f.validate as Record<string, unknown> | undefined),
  };
  if (Object.keys(validate).length) extras.validate = withoutNotes(validate);
  const line = `${name} ${f.number ?? 0} ${short} ${flags}`.trimEnd();
  return Object.keys(extras).length ? [line, extras] : line;
}

/** Some numbers carry a note: `1000 # a name`. */
function withoutNotes(tags: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const plain = (v: unknown) => typeof v === "string" && /^-?\d+ +#/.test(v) ? Number.parseInt(v, 10) : v;
  return Object.fromEntries(Object.entries(tags).map(([tag, v]) => [tag, plain(v)]));
}

/** A message as one JSON value: `{f: fields, …}`. */
function compactMessage(facts: Facts, home: FactFile, m: FactMessage): unknown {
  const out: Record<string, unknown> = {};
  if (m.wrapper) out.w = m.wrapper;
  if (m.fields.some(isTypeMeta)) out.t = 1;
  for (const fact of ["structType", "mapType", "union", "nullable"]) {
    if (m[fact] !== undefined) out[fact] = m[fact];
  }
  out.f = m.fields.filter((f) => !isTypeMeta(f)).map((f) => compactField(facts, home, f));
  return out;
}

function compactKind(file: FactFile, name: string, k: FactKind): Record<string, unknown> {
  const out: Record<string, unknown> = {};
  if (k.list && file.messages[k.list]) out.list = k.list;
  for (const fact of ["introduced", "deprecated", "removed", "replacement"] as const) if (k[fact]) out[fact] = k[fact];
  const wire = (message: string) => file.protoPackage !== null && !file.messages[message]?.protoAbsent;
  if (!wire(name)) out.protobuf = false;
  if (out.list && wire(k.list!) !== wire(name)) out.listProtobuf = wire(k.list!);
  return out;
}

/** A template literal that holds `text` unchanged under `String.raw`. */
function rawLiteral(text: string): string {
  return "String.raw`" + text.replaceAll("`", "\\u0060").replaceAll("${", "\\u0024{") + "`";
}

const SCALARS: Record<string, string> = {
  string: "string",
  bytes: "string",
  bool: "boolean",
  int32: "number",
  int64: "Int64",
  uint32: "number",
  double: "number",
  float: "number",
  any: "Json",
};
const WRAPPERS: Record<string, string> = {
  time: "string",
  microTime: "string",
  duration: "string",
  quantity: "string",
  intOrString: "number | string",
  raw: "Json",
  list: "string[]",
  schemaOrArray: "JSONSchemaProps | JSONSchemaProps[]",
  schemaOrBool: "JSONSchemaProps | boolean",
  schemaOrStringArray: "JSONSchemaProps | string[]",
};
/** Metadata types that the model states by hand; generated modules hand them on. */
const BY_HAND = new Set(["meta.v1.ObjectMeta", "meta.v1.OwnerReference", "meta.v1.ManagedFieldsEntry"]);

/** Writes the static types of one module, and knows which modules they need. */
class Interfaces {
  readonly imports = new Set<string>();
  readonly fromModel = new Set<string>();
  constructor(readonly facts: Facts, readonly file: FactFile) {}

  reference(type: string): string {
    const ref = this.facts.reference(type);
    if (!ref) {
      const text = SCALARS[type];
      if (!text) throw new Error(`unknown scalar ${JSON.stringify(type)}`);
      if (text === "Json" || text === "Int64") this.fromModel.add(text);
      return text;
    }
    if (ref.short === this.file.short) return ref.name;
    const target = this.facts.byShort.get(ref.short);
    if (!target) throw new Error(`unknown module of ${JSON.stringify(type)}`);
    this.imports.add(target.module);
    return `${identifier(target.module)}.${ref.name}`;
  }
  field(f: FactField): string[] {
    if (f.inline) {
      const ref = this.facts.reference(f.type!)!;
      const fields = this.facts.byShort.get(ref.short)!.file.messages[ref.name]!.fields;
      const lines = fields.flatMap((x) => this.within(ref.short, x));
      return f.pointer ? lines.map((l) => l.replace(/^( {2}[^:?]+):/, "$1?:")) : lines;
    }
    if (f.json === null || f.json === "-") return [];
    const value = this.reference(f.map ? f.map.value : f.type ?? "any");
    const enumerated = this.values(f) ?? value;
    const type = f.map
      ? `Record<string, ${enumerated}>`
      : f.repeated
      ? (/[ |]/.test(enumerated) ? `(${enumerated})[]` : `${enumerated}[]`)
      : enumerated;
    const optional = f.optional || f.omitempty || f.omitzero || f.pointer;
    const nullable = !f.omitempty && !f.omitzero && (f.pointer || f.map || f.repeated || f.type === "bytes");
    return [`  ${key(f.json)}${optional ? "?" : ""}: ${type}${nullable ? " | null" : ""};`];
  }
  /** An inlined member's field: its types are named from here. */
  within(short: string, f: FactField): string[] {
    if (short === this.file.short) return this.field(f);
    const home = this.facts.byShort.get(short)!.file;
    const other = new Interfaces(this.facts, home);
    const lines = other.field(f);
    for (const name of other.fromModel) this.fromModel.add(name);
    if (f.type?.startsWith(short + ".") && !f.inline) {
      return [lines[0]!.replace(/: .*/, `: ${this.reference(f.type)};`)];
    }
    for (const name of other.imports) this.imports.add(name);
    return lines;
  }
  /** The union of a marked enum's values, open to others where the facts do not close it. */
  values(f: FactField): string | undefined {
    const values = f.enum === undefined ? undefined : this.facts.enumOf(this.file, f.enum as string);
    return values?.map((v) => JSON.stringify(v)).join(" | ");
  }
  message(name: string, m: FactMessage): string {
    if (BY_HAND.has(`${this.file.short}.${name}`)) {
      this.fromModel.add(name);
      return `export type { ${name} };`;
    }
    if (m.wrapper) {
      const text = WRAPPERS[m.wrapper]!;
      if (text === "Json") this.fromModel.add("Json");
      return `export type ${name} = ${text};`;
    }
    const lines = m.fields.flatMap((f) =>
      isTypeMeta(f) ? ["  apiVersion?: string;", "  kind?: string;"] : this.field(f)
    );
    return lines.length
      ? `export interface ${name} {\n${lines.join("\n")}\n}`
      : `export type ${name} = Record<string, never>;`;
  }
}

const key = (name: string) => /^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name);

function moduleText(facts: Facts, file: FactFile): string {
  const types = new Interfaces(facts, file);
  const interfaces = Object.entries(file.messages).map(([name, m]) => {
    const said = wordOf(`${file.short}.${name}`);
    return (said ? `/** ${said} */\n` : "") + types.message(name, m);
  });
  const kinds = Object.entries(file.kinds).map(([name, k]) =>
    `${JSON.stringify(name)}:${JSON.stringify(compactKind(file, name, k))}`
  );
  const messages = Object.entries(file.messages)
    .map(([name, m]) => `${JSON.stringify(name)}:${JSON.stringify(compactMessage(facts, file, m))}`);
  const model = ["Module", ...[...types.fromModel].sort()];
  const imports = [
    `import type { ApiModule } from "../model/table.ts";`,
    ...(model.length > 1 ? [`import type { ${model.slice(1).join(", ")} } from "../model/types.ts";`] : []),
    ...[...types.imports].sort().map((m) => `import type * as ${identifier(m)} from "./${m}.ts";`),
  ];
  return [
    HEADER + imports.join("\n"),
    `/** Descriptors of \`${file.short}\`, parsed on first use. */`,
    `export const MODULE: ApiModule = {`,
    `  group: ${JSON.stringify(file.group ?? "")},`,
    `  version: ${JSON.stringify(file.version ?? "")},`,
    `  short: ${JSON.stringify(file.short)},`,
    `  protobuf: ${file.protoPackage !== null},`,
    `  kinds: ${rawLiteral(`{\n${kinds.join(",\n")}\n}`)},`,
    `  messages: ${rawLiteral(`{\n${messages.join(",\n")}\n}`)},`,
    `};`,
    "",
    ...interfaces,
  ].join("\n") + "\n";
}

function indexText(facts: Facts): string {
  const modules = [...facts.byShort.values()].map((m) => m.module).sort();
  return HEADER +
    `import type { ApiModule } from "../model/table.ts";\n` +
    modules.map((m) => `import { MODULE as ${identifier(m)} } from "./${m}.ts";\n`).join("") +
    `\n/** Every module of built-in descriptors. */\nexport const MODULES: readonly ApiModule[] = [\n` +
    modules.map((m) => `  ${identifier(m)},\n`).join("") + `];\n`;
}

/** Puts in what came after the facts. Messages stand in the order of their names. */
function addAfter(files: ReadonlyMap<string, FactFile>): void {
  for (const { file, message, fields } of AFTER) {
    const home = [...files.values()].find((f) => f.short === file)!;
    const known = home.messages[message]?.fields ?? [];
    const all = {
      ...home.messages,
      [message]: { ...home.messages[message], fields: [...known, ...fields as FactField[]] },
    };
    home.messages = Object.fromEntries(Object.entries(all).sort(([a], [b]) => a < b ? -1 : 1));
  }
}

/** The files of `schema/api`, by name, from the facts in a directory. */
export async function generate(directory: string): Promise<Map<string, string>> {
  const files = new Map<string, FactFile>();
  const names = [...Deno.readDirSync(`${directory}/api`)].map((e) => e.name).filter((n) => n.endsWith(".json")).sort();
  for (const name of names) files.set(name, JSON.parse(await Deno.readTextFile(`${directory}/api/${name}`)));
  addAfter(files);
  const facts = new Facts(files);
  const out = new Map<string, string>();
  for (const [name, file] of files) out.set(`${moduleName(name)}.ts`, moduleText(facts, file));
  out.set("index.ts", indexText(facts));
  const read = async (name: string) => JSON.parse(await Deno.readTextFile(`${directory}/${name}`));
  const removedIn = (group: string, version: string, kind: string) => {
    const file = [...files.values()].find((f) => (f.group ?? "") === group && f.version === version);
    const removed = file?.kinds[kind]?.removed;
    return removed ? Number(removed.split(".")[1]) : undefined;
  };
  out.set(
    "resources.ts",
    HEADER + resourceTable(await read("resources.json"), await read("discovery.json"), removedIn),
  );
  return out;
}

if (import.meta.main) {
  const directory = Deno.args[0];
  if (!directory) {
    console.error("usage: import_facts.ts <facts directory>");
    Deno.exit(2);
  }
  const target = new URL("../schema/api/", import.meta.url);
  for (const [name, text] of await generate(directory)) await Deno.writeTextFile(new URL(name, target), text);
}
