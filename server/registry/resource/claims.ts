/**
 * Who may write which part of a claim's status (gate DRAResourceClaimGranularStatusAuthorization): what binds the claim asks
 * for the made-up subresource `binding`, what a driver tells of its devices for `driver`, by the driver's name.
 */
import { same, type Tree } from "../../../schema/rules/tree.ts";
import { ErrorList } from "../../../schema/rules/errors.ts";
import type { Obj } from "../../../schema/model/types.ts";
import type { Product } from "../../../schema/product.ts";
import { splitAccount } from "../../authentication/service_account.ts";
import type { AuthorizationAttributes, Authorizer } from "../../authorization/types.ts";
import type { User } from "../../request.ts";
import type { Caller } from "../context.ts";
import type { Strategy } from "../strategy.ts";

/** What the strategy is made of. */
export interface ClaimOptions {
  readonly product: Product;
  gate(name: string): boolean;
  authorizer(): Authorizer;
}

type Part = Pick<AuthorizationAttributes, "verb" | "subresource" | "namespace" | "name">;

/** The strategy of claims. */
export function claims(options: ClaimOptions): Strategy {
  return {
    returnsDeleted: true,
    async authorize(next, old, caller, subresource) {
      // What the server writes by itself asks nobody.
      if (subresource !== "status" || !old || caller.verb === undefined) return undefined;
      if (!options.gate("DRAResourceClaimGranularStatusAuthorization")) return undefined;
      const errors = new ErrorList();
      await binding(options, next, old, caller, errors);
      if (options.gate("DRAResourceClaimDeviceStatus")) await devices(options, next, old, caller, errors);
      return errors;
    },
  };
}

const statusOf = (claim: Obj): Tree => (claim as Tree)["status"] ?? {};

/** The allocation and who it is reserved for: one permission for all claims. */
async function binding(o: ClaimOptions, next: Obj, old: Obj, caller: Caller, errors: ErrorList): Promise<void> {
  const [now, before] = [statusOf(next), statusOf(old)];
  if (same(now["allocation"], before["allocation"]) && same(now["reservedFor"] ?? [], before["reservedFor"] ?? [])) {
    return;
  }
  const verb = caller.verb!;
  if (await allows(o, caller, { verb, subresource: "binding", namespace: "", name: "" })) return;
  errors.forbidden(
    "status.allocation",
    `changing status.allocation or status.reservedFor needs the verb ${verb} on resourceclaims/binding`,
  );
}

/** What drivers tell of devices: a permission for each driver whose entries change, on its own node or on any. */
async function devices(o: ClaimOptions, next: Obj, old: Obj, caller: Caller, errors: ErrorList): Promise<void> {
  const { allocation } = statusOf(next);
  if (!allocation) return;
  const own = nodeOf(o, caller.user) !== undefined && nodeOf(o, caller.user) === allocatedNode(allocation);
  const verbs = [...(own ? ["associated-node"] : []), "arbitrary-node"].map((v) => `${v}:${caller.verb}`);
  for (const name of changedDrivers(statusOf(next), statusOf(old))) {
    const namespace = next.metadata.namespace ?? "";
    const asked = verbs.map((verb) => ({ verb, subresource: "driver", namespace, name }));
    if (await anyAllowed(o, caller, asked)) continue;
    const why = `changing status.devices of driver ${name} needs the verb ${
      verbs.join(" or ")
    } on resourceclaims/driver`;
    errors.forbidden("status.devices", `${why}: cannot ${verbs.at(-1)}`);
  }
}

async function anyAllowed(o: ClaimOptions, caller: Caller, asked: readonly Part[]): Promise<boolean> {
  for (const part of asked) if (await allows(o, caller, part)) return true;
  return false;
}

async function allows(o: ClaimOptions, caller: Caller, part: Part): Promise<boolean> {
  return (await o.authorizer().authorize(attributes(o, caller, part), caller)).decision === "allow";
}

const attributes = ({ product }: ClaimOptions, { user, version }: Caller, part: Part): AuthorizationAttributes => ({
  user,
  isResource: true,
  group: product.local("resource.k8s.io"),
  version,
  resource: "resourceclaims",
  path: "",
  ...part,
});

/** Drivers of entries that are new, gone or different, in order of their names. */
function changedDrivers(now: Tree, before: Tree): string[] {
  const key = (d: Tree) => JSON.stringify([d["driver"], d["pool"], d["device"], d["shareID"] ?? ""]);
  const entries = (s: Tree) => new Map((s["devices"] as Tree[] | undefined ?? []).map((d) => [key(d), d]));
  const [left, right] = [entries(now), entries(before)];
  const changed = [...new Set([...left.keys(), ...right.keys()])].filter((k) => !same(left.get(k), right.get(k)));
  return [...new Set(changed.map((k) => (left.get(k) ?? right.get(k))!["driver"] as string))].sort();
}

/** The node of a service account's token. */
function nodeOf({ product }: ClaimOptions, user: User): string | undefined {
  if (!splitAccount(user.name)) return undefined;
  const names = user.extra?.[product.local("authentication.kubernetes.io/node-name")];
  return names?.length === 1 ? names[0] : undefined;
}

/** The one node that an allocation is for, where it says so in the form that schedulers write. */
function allocatedNode(allocation: Tree): string | undefined {
  const terms: Tree[] = allocation["nodeSelector"]?.nodeSelectorTerms ?? [];
  const [term] = terms, fields: Tree[] = term?.["matchFields"] ?? [], [field] = fields;
  if (terms.length !== 1 || fields.length !== 1 || term!["matchExpressions"]?.length) return undefined;
  const { key, operator, values = [] } = field!;
  return key === "metadata.name" && operator === "In" && values.length === 1 ? values[0] : undefined;
}
