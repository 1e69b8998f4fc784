/**
 * Policies tell of their parameters to whom they refuse: who writes one must be allowed to read all objects of the kind, and who
 * writes a binding those that it names. Otherwise both would show what their writer may not read.
 */
import { same, type Tree } from "../../../schema/rules/tree.ts";
import { ErrorList } from "../../../schema/rules/errors.ts";
import type { Obj } from "../../../schema/model/types.ts";
import { splitApiVersion } from "../../../schema/scheme.ts";
import { resourcesOf } from "../../admission/resources_of.ts";
import type { LiveStore } from "../../admission/types.ts";
import type { AuthorizationAttributes, Authorizer } from "../../authorization/types.ts";
import type { Catalog } from "../../catalog/catalog.ts";
import type { Caller } from "../context.ts";
import type { Strategy } from "../strategy.ts";

/** What the strategies are made of. */
export interface ParamOptions {
  authorizer(): Authorizer;
  /** Where kinds are served, and what policies say now. */
  read(): { readonly catalog: Catalog; readonly live: LiveStore };
}

type What = Pick<AuthorizationAttributes, "verb" | "namespace" | "name">;

const MASTERS = "system:masters";
const ID = (kind: string) => `${kind}.admissionregistration.k8s.io`;
const specOf = (obj: Obj | undefined): Tree => (obj as Tree | undefined)?.["spec"] ?? {};

/** Strategies of policies and their bindings, by public id. */
export function paramStrategies(options: ParamOptions): Readonly<Record<string, Strategy>> {
  const rows = ["validatingadmission", "mutatingadmission"].flatMap((kind): [string, Strategy][] => [
    [ID(`${kind}policies`), policies(options)],
    [ID(`${kind}policybindings`), bindings(options, ID(`${kind}policies`))],
  ]);
  return Object.fromEntries(rows);
}

function policies(o: ParamOptions): Strategy {
  return {
    async authorize(next, old, caller) {
      const { paramKind } = specOf(next);
      if (!paramKind || same(paramKind, specOf(old)["paramKind"])) return undefined;
      if (await mayRead(o, caller, paramKind, { verb: "get", namespace: "*", name: "*" })) return undefined;
      const kind = `(kind=${paramKind.kind}, apiVersion=${paramKind.apiVersion})`;
      return fault(
        "spec.paramKind",
        `user ${
          JSON.stringify(caller.user.name)
        } must have "get" permission on all objects of the referenced paramKind ${kind}`,
      );
    },
  };
}

function bindings(o: ParamOptions, policyId: string): Strategy {
  return {
    async authorize(next, old, caller) {
      const { paramRef, policyName } = specOf(next), was = specOf(old);
      if (!paramRef || (same(paramRef, was["paramRef"]) && policyName === was["policyName"])) return undefined;
      const { namespace = "", name = "" } = paramRef, verb = name === "" ? "list" : "get";
      if (await mayRead(o, caller, await kindOf(o, policyId, policyName), { verb, namespace, name })) return undefined;
      return fault(
        "spec.paramRef",
        `user ${
          JSON.stringify(caller.user.name)
        } does not have "${verb}" permission on the object referenced by paramRef`,
      );
    },
  };
}

function fault(path: string, why: string): ErrorList {
  const errors = new ErrorList();
  errors.forbidden(path, why);
  return errors;
}

/** The kind of a policy's parameters; undefined where there is no such policy yet, or it names none. */
async function kindOf({ read }: ParamOptions, id: string, name: unknown): Promise<Tree | undefined> {
  const { catalog, live } = read();
  if (!catalog.resource(id) || typeof name !== "string" || name === "") return undefined;
  return specOf(await live.get(id, "", name))["paramKind"];
}

/** Of a kind that is not known all that it may turn out to be must be allowed. */
async function mayRead(o: ParamOptions, caller: Caller, paramKind: Tree | undefined, what: What): Promise<boolean> {
  const { user } = caller;
  if (user.groups.includes(MASTERS)) return true;
  let group = "*", version = "*", resource = "*";
  if (paramKind) {
    const { apiVersion = "", kind = "" } = paramKind;
    ({ group, version } = splitApiVersion(apiVersion));
    resource = resourcesOf(o.read().catalog, apiVersion, kind)[0]?.name ?? "*";
  }
  const { decision } = await o.authorizer().authorize({
    user,
    isResource: true,
    group,
    version,
    resource,
    subresource: "",
    path: "",
    ...what,
  }, caller);
  return decision === "allow";
}
