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
import * as admissionregistration from "./admissionregistration/mod.ts";
import * as apiextensions from "./apiextensions/mod.ts";
import * as apiregistration from "./apiregistration/mod.ts";
import * as apps from "./apps/mod.ts";
import * as authentication from "./authentication/mod.ts";
import * as autoscaling from "./autoscaling/mod.ts";
import * as batch from "./batch/mod.ts";
import * as certificates from "./certificates/mod.ts";
import * as coordination from "./coordination/mod.ts";
import * as core from "./core/mod.ts";
import * as discovery from "./discovery/mod.ts";
import * as flowcontrol from "./flowcontrol/mod.ts";
import * as internal from "./internal/mod.ts";
import * as lifecycle from "./lifecycle/mod.ts";
import * as networking from "./networking/mod.ts";
import * as node from "./node/mod.ts";
import * as policy from "./policy/mod.ts";
import * as rbac from "./rbac/mod.ts";
import * as resource from "./resource/mod.ts";
import * as scheduling from "./scheduling/mod.ts";
import * as storage from "./storage/mod.ts";
import * as storagemigration from "./storagemigration/mod.ts";
import type { DefaultsTable, RulesTable } from "./tables.ts";
import type { Kind, Obj } from "../model/types.ts";
import type { Defaults, KindRules, RuleContext } from "./types.ts";

/** What a group brings. */
interface Group {
  readonly RULES: RulesTable;
  readonly DEFAULTS: DefaultsTable;
}

/** Groups by public name. */
const GROUPS: Readonly<Record<string, Group>> = {
  "": core,
  "admissionregistration.k8s.io": admissionregistration,
  "apiextensions.k8s.io": apiextensions,
  "apiregistration.k8s.io": apiregistration,
  "apps": apps,
  "authentication.k8s.io": authentication,
  "autoscaling": autoscaling,
  "batch": batch,
  "certificates.k8s.io": certificates,
  "coordination.k8s.io": coordination,
  "discovery.k8s.io": discovery,
  "flowcontrol.apiserver.k8s.io": flowcontrol,
  "internal.apiserver.k8s.io": internal,
  "lifecycle.k8s.io": lifecycle,
  "networking.k8s.io": networking,
  "node.k8s.io": node,
  "policy": policy,
  "rbac.authorization.k8s.io": rbac,
  "resource.k8s.io": resource,
  "scheduling.k8s.io": scheduling,
  "storage.k8s.io": storage,
  "storagemigration.k8s.io": storagemigration,
};

const RULES: RulesTable = Object.assign({}, ...Object.values(GROUPS).map((g) => g.RULES));

const rowOf = (key: string): KindRules | undefined => Object.hasOwn(RULES, key) ? RULES[key] : undefined;

/**
 * Rules of a resource, by its public id: `pods`, `deployments.apps`, `roles.rbac.authorization.k8s.io`. `version` is the
 * one that is stored: a row `<id>/<version>` is of that version alone.
 */
export function rulesFor(resourceId: string, version = ""): KindRules | undefined {
  return rowOf(`${resourceId}/${version}`) ?? rowOf(resourceId);
}

/** Defaults of a kind, by its public group. Absent: the kind has none. */
export function defaultsFor(publicGroup: string, version: string, kind: string): Defaults | undefined {
  const key = `${version}/${kind}`;
  const table = Object.hasOwn(GROUPS, publicGroup) ? GROUPS[publicGroup]!.DEFAULTS : undefined;
  return table && Object.hasOwn(table, key) ? table[key] : undefined;
}

/** Fills an object with its kind's defaults, in place; `keepNulls` leaves nulls of custom objects to validation. */
export function setDefaults(obj: Obj, kind: Kind, ctx: RuleContext, keepNulls = false): void {
  if (kind.custom) kind.custom.defaults(obj, keepNulls);
  else defaultsFor(kind.publicGroup, kind.version, kind.kind)?.(obj, ctx);
}

export {
  prepareCreate,
  prepareUpdate,
  type RuledResource,
  unconditional,
  validateCreate,
  validateUpdate,
} from "./strategy.ts";
