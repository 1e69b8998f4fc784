/**
 * Rules of the built-in kinds: defaults, strategies and validation.
 *
 * To add a group:
 * 1. `schema/rules/<group>/defaults.ts` exports `DEFAULTS: DefaultsTable`, rows by `<version>/<Kind>`, functions that fill
 *    absent members in place and may run twice.
 * 2. `schema/rules/<group>/<kind>.ts` exports one `KindRules` a resource: `validate` for whole-object rules (create, and
 *    update with `old`), `validateUpdate` for what may not change, `prepare…` for what a client may not set,
 *    `subresources` for other doors, `meta` and `generation` where metadata differs from the usual.
 * 3. `schema/rules/<group>/mod.ts` exports `RULES: RulesTable`, rows by resource id.
 * 4. Add both tables below. Objects are canonical (see `Obj`); read members through `tree.ts`, shared checks from
 *    `checks/`. Metadata and declarative tags are added by `strategy.ts`: rules do not repeat them.
 * 5. Run `tests/rules/` and raise the floors there.
 *
 * Names in tables are the public ones. What meets an object's own text passes `perProduct` of `local.ts`.
 */
import * as core from "./core/mod.ts";
import type { DefaultsTable, RulesTable } from "./tables.ts";
import type { Defaults, KindRules } from "./types.ts";

/** Rules by resource id. */
const RULES: RulesTable = { ...core.RULES };

/** Defaults by public group, then by version and kind. */
const DEFAULTS: Readonly<Record<string, DefaultsTable>> = {
  "": core.DEFAULTS,
};

/** Rules of a resource, by its public id: `pods`, `deployments.apps`, `roles.rbac.authorization.k8s.io`. */
export function rulesFor(resourceId: string): KindRules | undefined {
  return Object.hasOwn(RULES, resourceId) ? RULES[resourceId] : undefined;
}

/** Defaults of a kind, by its public group. Absent: the kind has none. */
export function defaultsFor(publicGroup: string, version: string, kind: string): Defaults | undefined {
  const key = `${version}/${kind}`;
  const table = Object.hasOwn(DEFAULTS, publicGroup) ? DEFAULTS[publicGroup] : undefined;
  return table && Object.hasOwn(table, key) ? table[key] : undefined;
}

export { prepareCreate, prepareUpdate, type RuledResource, validateCreate, validateUpdate } from "./strategy.ts";
