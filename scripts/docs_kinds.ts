/** Writes docs/kinds.md from the tables of kinds: `deno run --allow-write=docs scripts/docs_kinds.ts`. */
import { RESOURCES } from "../schema/api/resources.ts";
import { productOf } from "../schema/product.ts";
import { Scheme } from "../schema/scheme.ts";
import { wordOf } from "../schema/words/mod.ts";
import { builtinCatalog } from "../server/catalog/catalog.ts";
import { gateOf } from "../server/catalog/gated.ts";
import type { Resource } from "../server/catalog/types.ts";
import { printerFor } from "../server/printing/mod.ts";
import { isSelectable, selectableFields } from "../server/registry/fields.ts";

const code = (text: string): string => `\`${text}\``;
const list = (texts: readonly string[]): string => texts.map(code).join(", ");

const product = productOf("kubernetes");
const catalog = builtinCatalog(new Scheme(product), { enabled: () => true }, "/registry");
const byDefault = new Set(
  RESOURCES.filter((r) => r.default).map((r) => `${r.group}/${r.version}/${r.resource}`),
);

/** Versions, the preferred one first; those that must be turned on are marked. */
function versions({ publicGroup, name, served }: Resource): string {
  return served.map(({ version }) => {
    const on = byDefault.has(`${publicGroup}/${version}/${name}`);
    return on ? code(version) : `${code(version)} (off)`;
  }).join(", ");
}

function subresources({ served }: Resource): string[] {
  const all = new Map<string, string>();
  for (const { subresources, kind } of served) {
    for (const s of subresources.values()) {
      const takes = s.kind.kind === kind.kind ? "" : ` of ${s.kind.kind}`;
      all.set(s.name, `${code(s.name)}${takes} (${[...s.verbs].sort().join(", ")})`);
    }
  }
  return [...all.keys()].sort().map((name) => all.get(name)!);
}

function selectors(resource: Resource): string[] {
  const meta = ["metadata.name", "metadata.namespace"].filter((f) =>
    isSelectable({ resource, kind: resource.storageKind }, f)
  );
  return [...meta, ...selectableFields(resource.id)];
}

function columns(resource: Resource): string {
  const { columns } = printerFor(resource, product);
  const names = (wide: boolean) => columns.filter((c) => (c.priority > 0) === wide).map((c) => c.name).join(", ");
  return names(true) ? `${names(false)}; wide: ${names(true)}` : names(false);
}

/** Whether objects can be listed, and so selected and shown in columns. */
const isListed = ({ served }: Resource): boolean => served.some((s) => s.verbs.includes("list"));

function section(resource: Resource): string {
  const { served, name, shortNames, categories, namespaced } = resource;
  const subs = subresources(resource), gate = gateOf(resource.id, catalog.minor);
  const also = [...shortNames, ...categories];
  const lines = [
    `Versions: ${versions(resource)}`,
    ...(gate === undefined ? [] : [`Gate: ${code(gate)}`]),
    `Scope: ${namespaced ? "namespace" : "cluster"}`,
    `Resource: ${code(name)}${also.length ? `, also ${list(also)}` : ""}; verbs ${
      [...served[0]!.verbs].sort().join(", ")
    }`,
    ...(subs.length ? [`Subresources: ${subs.join("; ")}`] : []),
    ...(isListed(resource) ? [`Field selectors: ${list(selectors(resource))}`, `Columns: ${columns(resource)}`] : []),
  ];
  const { kind, message } = served[0]!.kind;
  return `### ${kind}\n\n${wordOf(message.id)}\n\n${lines.map((l) => `- ${l}`).join("\n")}\n`;
}

/** The whole page. */
export function kindsPage(): string {
  const resources = [...catalog.resources()];
  const groups = catalog.groups().map(({ name }) => {
    const own = resources.filter((r) => r.group === name);
    return `## ${name ? `Group ${code(name)}` : "The core group"}\n\n${own.map(section).join("\n")}`;
  });
  return `# Built-in kinds

Written by scripts/docs_kinds.ts from the tables of the server. Do not edit.

Names are those of the field. In dialect \`orch\`, groups end in \`orch.io\` in place of \`k8s.io\`. Versions marked *off* are served when
\`--runtime-config\` turns them on (\`--runtime-config=api/all=true\`, or \`group/version=true\`); a gate that is named has to be on too
(\`--feature-gates\`). Label selectors work on every kind that is listed; field selectors on the fields named here. Kinds without field
selectors and columns are requests: they are answered, not stored. What the members of a kind are, \`kubectl explain KIND.MEMBER\` tells.

${groups.join("\n")}`;
}

if (import.meta.main) Deno.writeTextFileSync(new URL("../docs/kinds.md", import.meta.url), kindsPage());
