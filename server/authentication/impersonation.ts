/** Acting as somebody else: `Impersonate-User`, `-Group`, `-Uid`, `-Extra-*`, each to be allowed on its own. */
import type { Product } from "../../schema/product.ts";
import { badRequest } from "../../schema/status.ts";
import { forbiddenError } from "../authorization/forbidden.ts";
import type { AuthorizationAttributes, Authorizer, Decision } from "../authorization/types.ts";
import type { User } from "../request.ts";
import { AUTHENTICATED } from "./chain.ts";
import { extraOf } from "./request_header.ts";
import { accountGroups, splitAccount } from "./service_account.ts";

const EXTRA_PREFIX = "impersonate-extra-";
const ANONYMOUS = "system:anonymous";
const UNAUTHENTICATED = "system:unauthenticated";

/** What a request wants to be. */
export interface ImpersonationRequest {
  readonly user: string;
  readonly groups: readonly string[];
  readonly uid: string;
  readonly extra: Readonly<Record<string, readonly string[]>>;
}

const list = (
  value: string | null,
) => (value === null ? [] : value.split(", ").map((v) => v.trim()).filter((v) => v !== ""));

/** What the headers ask for; undefined without any. @throws StatusError 400 when something is asked for but no user */
export function impersonationOf(headers: Headers): ImpersonationRequest | undefined {
  const user = headers.get("impersonate-user") ?? "";
  const groups = list(headers.get("impersonate-group"));
  const uid = headers.get("impersonate-uid") ?? "";
  const extra = extraOf(headers, [EXTRA_PREFIX]);
  const more = groups.length > 0 || uid !== "" || Object.keys(extra).length > 0;
  if (user === "" && !more) return undefined;
  if (user === "") throw badRequest("impersonation of groups, a uid or extra attributes needs a user too");
  return { user, groups, uid, extra };
}

/** What must be allowed, one after the other. */
function demands(asked: ImpersonationRequest, requester: User, product: Product): AuthorizationAttributes[] {
  const authentication = product.local("authentication.k8s.io");
  const base = {
    user: requester,
    verb: "impersonate",
    isResource: true,
    group: "",
    version: "v1",
    resource: "",
    subresource: "",
    namespace: "",
    name: "",
    path: "",
  };
  const account = splitAccount(asked.user);
  const who = account
    ? { ...base, resource: "serviceaccounts", namespace: account.namespace, name: account.name }
    : { ...base, resource: "users", name: asked.user };
  return [
    who,
    ...asked.groups.map((name) => ({ ...base, resource: "groups", name })),
    ...Object.entries(asked.extra).flatMap(([subresource, values]) =>
      values.map((name) => ({ ...base, group: authentication, resource: "userextras", subresource, name }))
    ),
    ...(asked.uid ? [{ ...base, group: authentication, resource: "uids", name: asked.uid }] : []),
  ];
}

/** Groups in force: those asked for, else those that follow from the name, and the one of everybody. */
function groupsOf(asked: ImpersonationRequest): string[] {
  const account = splitAccount(asked.user);
  const groups = asked.groups.length === 0 && account ? accountGroups(account.namespace) : [...asked.groups];
  if (asked.user === ANONYMOUS) return groups.includes(UNAUTHENTICATED) ? groups : [...groups, UNAUTHENTICATED];
  const settled = groups.includes(AUTHENTICATED) || groups.includes(UNAUTHENTICATED);
  return settled ? groups : [...groups, AUTHENTICATED];
}

/**
 * The user that the request acts as, or undefined when it asks for nobody else.
 * @throws StatusError 403 when any part is not allowed, 400 when the headers make no sense
 */
export async function impersonate(
  headers: Headers,
  requester: User,
  authorizer: Authorizer,
  product: Product,
): Promise<User | undefined> {
  const asked = impersonationOf(headers);
  if (!asked) return undefined;
  for (const attributes of demands(asked, requester, product)) {
    const decision: Decision = await authorizer.authorize(attributes);
    if (decision.decision !== "allow") throw forbiddenError(attributes, decision.reason);
  }
  return {
    name: asked.user,
    ...(asked.uid ? { uid: asked.uid } : {}),
    groups: groupsOf(asked),
    extra: asked.extra,
  };
}
