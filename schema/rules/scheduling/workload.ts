/** Rules of workloads: templates of pod groups, and of groups of such groups, as a tree. */
import type { Obj } from "../../model/types.ts";
import type { ErrorList } from "../errors.ts";
import { Path } from "../path.ts";
import { count, items, type Tree } from "../tree.ts";
import type { KindRules, RuleContext } from "../types.ts";
import {
  COMPOSITE_GATE,
  dropFromTemplates,
  dropGated,
  GATED_COMPOSITE,
  GATED_TEMPLATE,
  GATED_V1ALPHA2,
} from "./gated.ts";

const SPEC = Path.of("spec");
const GROUPS = "podGroupTemplates", COMPOSITES = "compositePodGroupTemplates";
/** How many templates of groups may stand below one another. */
const DEPTH_LIMIT = 4;

/**
 * Names are unique over the tree, the outer ones first. Those of one list are compared by the list's own rule. A group of
 * groups has some.
 */
function templateTree(parent: Tree, path: Path, seen: Map<string, Path>, errors: ErrorList): void {
  const composites = items(parent[COMPOSITES]), list = path.child(COMPOSITES);
  claimNames(items(parent[GROUPS]), path.child(GROUPS), seen, errors);
  claimNames(composites, list, seen, errors);
  for (const [i, c] of composites.entries()) {
    if (!count(c[GROUPS]) && !count(c[COMPOSITES])) {
      errors.invalid(list.index(i), null, `must have \`${GROUPS}\` or \`${COMPOSITES}\``);
    }
    templateTree(c, list.index(i), seen, errors);
  }
}

/** `seen`: the list that each name stood in first. */
function claimNames(templates: readonly Tree[], list: Path, seen: Map<string, Path>, errors: ErrorList): void {
  for (const [i, t] of templates.entries()) {
    const name: string = t["name"] ?? "", first = seen.get(name);
    if (first === undefined) seen.set(name, list);
    else if (first !== list) errors.duplicate(list.index(i).child("name"), name);
  }
}

const depth = (composite: Tree): number =>
  1 + items(composite[COMPOSITES]).reduce((most, c) => Math.max(most, depth(c)), 0);

/** Every template, in the order of the tree. */
function* templates(parent: Tree): Generator<Tree> {
  for (const c of items(parent[COMPOSITES])) {
    yield c;
    yield* templates(c);
  }
  yield* items(parent[GROUPS]);
}

function samePriorities(spec: Tree): boolean {
  let first: string | undefined;
  for (const t of templates(spec)) {
    const own = JSON.stringify([t["priorityClassName"] ?? "", t["priority"] ?? null]);
    if ((first ??= own) !== own) return false;
  }
  return true;
}

function validate(obj: Obj, errors: ErrorList): void {
  const spec: Tree = obj["spec"] ?? {};
  templateTree(spec, SPEC, new Map(), errors);
  for (const [i, c] of items(spec[COMPOSITES]).entries()) {
    // The tree's own root level counts as the first.
    if (depth(c) >= DEPTH_LIMIT) {
      errors.invalid(SPEC.child(COMPOSITES).index(i), c[COMPOSITES] ?? [], `must not be deeper than ${DEPTH_LIMIT}`);
    }
  }
  if (!samePriorities(spec)) errors.invalid(SPEC, null, "all templates must have the same priority");
}

/** Takes away what is switched off, down the tree. Groups of groups are compared by name. */
function dropDisabled(parent: Tree | undefined, was: Tree | undefined, ctx: RuleContext): void {
  dropFromTemplates(parent?.[GROUPS], was?.[GROUPS], GATED_TEMPLATE, ctx);
  const old = new Map(items(was?.[COMPOSITES]).map((c) => [c["name"], c]));
  for (const c of items(parent?.[COMPOSITES])) {
    dropGated(c, old.get(c["name"]), GATED_COMPOSITE, ctx);
    dropDisabled(c, old.get(c["name"]), ctx);
  }
}

function prepare(spec: Tree | undefined, was: Tree | undefined, ctx: RuleContext): void {
  dropGated(spec, was, { [COMPOSITES]: COMPOSITE_GATE }, ctx);
  dropDisabled(spec, was, ctx);
}

/** Rules of `workloads.scheduling.k8s.io`. The rest is in the tags. */
export const WORKLOAD: KindRules = {
  meta: { whole: 0 },
  unconditionalUpdate: false,
  prepareCreate: (obj, ctx) => prepare(obj["spec"], undefined, ctx),
  prepareUpdate: (obj, old, ctx) => prepare(obj["spec"], old["spec"], ctx),
  validate,
};

/** The same of v1alpha2, which knew no groups of groups. */
export const WORKLOAD_V1ALPHA2: KindRules = {
  meta: { whole: 0 },
  prepareCreate: (obj, ctx) => dropFromTemplates(obj["spec"]?.[GROUPS], undefined, GATED_V1ALPHA2, ctx),
  prepareUpdate: (obj, old, ctx) =>
    dropFromTemplates(obj["spec"]?.[GROUPS], old["spec"]?.[GROUPS], GATED_V1ALPHA2, ctx),
};
