/**
 * OwnerReferencesPermissionEnforcement: who names an owner may delete the object, and who lets it block its owner's deletion
 * may change the owner's finalizers.
 */
import type { Obj } from "../../../schema/model/types.ts";
import { same } from "../../../schema/rules/tree.ts";
import { refusal } from "../refuse.ts";
import type { Attributes, Plugin, PluginContext } from "../types.ts";

/** `pods/status` keeps the owners that there are. */
const EXEMPT = "pods/status";

type Owner = NonNullable<Obj["metadata"]["ownerReferences"]>[number];

const ownersOf = (obj: Obj | undefined): readonly Owner[] => obj?.metadata?.ownerReferences ?? [];

/** Owners that begin to be blocked by an update. */
function newlyBlocked(a: Attributes): Owner[] {
  const before = new Set(ownersOf(a.oldObject).filter((was) => was.blockOwnerDeletion).map(({ uid }) => uid));
  return ownersOf(a.object).filter((o) => o.blockOwnerDeletion && !before.has(o.uid));
}

/** See the top of the file. */
export function ownerReferencesPermissionEnforcement(ctx: PluginContext): Plugin {
  const base = { isResource: true, path: "", version: "*" };
  const ask = async (a: Attributes, verb: string, what: Partial<Record<string, string>>) =>
    await ctx.authorizer.authorize({
      ...base,
      user: a.user,
      verb,
      group: "",
      resource: "",
      subresource: "",
      namespace: "",
      name: "",
      ...what,
    }, a);
  const checkOwner = async (a: Attributes, owner: Owner): Promise<void> => {
    const resources = ctx.resourcesOf(owner.apiVersion, owner.kind);
    if (resources.length === 0) {
      throw refusal(
        a,
        `cannot set blockOwnerDeletion in this case because cannot find RESTMapping for APIVersion ` +
          `${owner.apiVersion} Kind ${owner.kind}: no matches for kind "${owner.kind}" in version "${owner.apiVersion}"`,
      );
    }
    for (const r of resources) {
      const { decision, reason } = await ask(a, "update", {
        group: r.group,
        resource: r.name,
        subresource: "finalizers",
        namespace: r.namespaced ? a.namespace : "",
        name: owner.name,
      });
      if (decision === "allow") continue;
      throw refusal(
        a,
        `cannot set blockOwnerDeletion if an ownerReference refers to a resource you can't set finalizers on: ${reason}, <nil>`,
      );
    }
  };
  const check = async (a: Attributes): Promise<void> => {
    if (a.operation !== "CREATE") {
      const { decision, reason } = await ask(a, "delete", {
        group: a.resource.group,
        version: a.version,
        resource: a.resource.name,
        subresource: a.subresource,
        namespace: a.namespace,
        name: a.name,
      });
      if (decision !== "allow") {
        throw refusal(a, `cannot set an ownerRef on a resource you can't delete: ${reason}, <nil>`);
      }
    }
    const blocked = newlyBlocked(a);
    if (blocked.length === 0) return;
    const anything = await ask(a, "update", { group: "*", resource: "*", subresource: "finalizers", name: "*" });
    if (anything.decision === "allow") return;
    for (const owner of blocked) await checkOwner(a, owner);
  };
  return {
    name: "OwnerReferencesPermissionEnforcement",
    handles: (operation, resource, sub) =>
      (operation === "CREATE" || operation === "UPDATE") && `${resource.id}/${sub}` !== EXEMPT,
    validate(a) {
      if (same(ownersOf(a.object), ownersOf(a.oldObject))) return;
      return check(a);
    },
  };
}
