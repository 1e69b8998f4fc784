/** Acting as somebody else: `Impersonate-User`, `-Group`, `-Uid`, `-Extra-*`, each to be allowed on its own. */
import type { Product } from "../../schema/product.ts";
import { SUBDOMAIN } from "../../schema/values/name_patterns.ts";
import { badRequest } from "../../schema/status.ts";
import { forbiddenError } from "../authorization/forbidden.ts";
import type { AuthorizationAttributes, Authorizer } from "../authorization/types.ts";
import type { User } from "../request.ts";
import { headerText, type RequestHeaders } from "../request_headers.ts";
import { AUTHENTICATED } from "./chain.ts";
import { extraOf, headerValues } from "./request_header.ts";
import { accountGroups, splitAccount } from "./service_account.ts";

const PREFIX = "impersonate-";
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

function asksAtAll(headers: RequestHeaders): boolean {
  let asks = false;
  headers.forEach((_, name) => void (asks ||= name.startsWith(PREFIX)));
  return asks;
}

/** What the headers ask for; undefined without any. @throws StatusError 400 when something is asked for but no user */
export function impersonationOf(headers: RequestHeaders): ImpersonationRequest | undefined {
  if (!asksAtAll(headers)) return undefined;
  const user = headerText(headers.get("impersonate-user") ?? "");
  const groups = headerValues(headers, "impersonate-group");
  const uid = headerText(headers.get("impersonate-uid") ?? "");
  const extra = extraOf(headers, [EXTRA_PREFIX]);
  const more = groups.length > 0 || uid !== "" || Object.keys(extra).length > 0;
  if (user === "" && !more) return undefined;
  if (user === "") throw badRequest("impersonation of groups, a uid or extra attributes needs a user too");
  return { user, groups, uid, extra };
}

/** How a user may be impersonated; each way has verbs of its own. */
type Mode = "associated-node" | "arbitrary-node" | "serviceaccount" | "user-info";

interface Ask {
  readonly asked: ImpersonationRequest;
  readonly requester: User;
  readonly authorizer: Authorizer;
  readonly product: Product;
}

const MASTERS = "system:masters";
const NODE = /^system:node:([a-z0-9](?:[-a-z0-9.]{0,251}[a-z0-9])?)$/;
const nodeName = (user: string): string | undefined => NODE.exec(user)?.[1];

async function demand(authorizer: Authorizer, attributes: AuthorizationAttributes): Promise<void> {
  const { decision, reason, error } = await authorizer.authorize(attributes);
  if (decision !== "allow") throw forbiddenError(attributes, [error, reason].filter(Boolean).join(": "));
}

/** What must be allowed of the user itself, one after the other. `mode` undefined: the plain verb `impersonate`. */
function demands({ asked, requester, product }: Ask, mode: Mode | undefined): AuthorizationAttributes[] {
  const authentication = product.local("authentication.k8s.io");
  const base = {
    user: requester,
    verb: mode ? `impersonate:${mode}` : "impersonate",
    isResource: true,
    group: mode ? authentication : "",
    version: "v1",
    resource: "users",
    subresource: "",
    namespace: "",
    name: asked.user,
    path: "",
  };
  const account = splitAccount(asked.user), node = mode ? nodeName(asked.user) : undefined;
  const own = { ...base, group: authentication };
  return [
    node !== undefined
      ? { ...base, resource: "nodes", name: mode === "associated-node" ? "*" : node }
      : account
      ? { ...base, resource: "serviceaccounts", namespace: account.namespace, name: account.name }
      : base,
    ...(asked.uid ? [{ ...own, resource: "uids", name: asked.uid }] : []),
    ...asked.groups.map((name) => ({ ...base, resource: "groups", name })),
    ...Object.entries(asked.extra).flatMap(([subresource, values]) =>
      values.map((name) => ({ ...own, resource: "userextras", subresource, name }))
    ),
  ];
}

/** The ways that fit who is asked for and by whom. Nodes and service accounts go by their own, and by name alone. */
function* modesOf({ asked, requester, product }: Ask): Generator<Mode> {
  const bare = asked.groups.length === 0 && asked.uid === "" && Object.keys(asked.extra).length === 0;
  const node = nodeName(asked.user), account = splitAccount(asked.user);
  if (node === undefined && !account) return yield "user-info";
  if (!bare) return;
  if (account) return yield "serviceaccount";
  const bound = requester.extra?.[product.local("authentication.kubernetes.io/node-name")];
  if (splitAccount(requester.name) && bound?.length === 1 && bound[0] === node) yield "associated-node";
  yield "arbitrary-node";
}

/** Allowed to do this very request as somebody of that kind, and to be that somebody. @throws StatusError 403 */
async function constrained(ask: Ask, mode: Mode, request: AuthorizationAttributes): Promise<void> {
  await demand(ask.authorizer, { ...request, user: ask.requester, verb: `impersonate-on:${mode}:${request.verb}` });
  const parts = demands(ask, mode);
  for (const attributes of parts) {
    const why = neverConstrained(attributes);
    if (why !== undefined) throw forbiddenError(attributes, why);
  }
  const all = new Set<string>();
  for (const [resource, every] of Object.entries(EVERY)) {
    const those = parts.filter((part) => part.resource === resource);
    if (those.length < MANY) continue;
    const { decision } = await ask.authorizer.authorize({ ...those[0]!, ...every });
    if (decision === "allow") all.add(resource);
  }
  for (const attributes of parts) if (!all.has(attributes.resource)) await demand(ask.authorizer, attributes);
}

/** So many groups, or values of extra attributes, are asked for together first. */
const MANY = 4;
/** What stands for all of them. */
const EVERY = { groups: { name: "*" }, userextras: { subresource: "*", name: "*" } };

/** Keys of extra attributes that constrained verbs take: a path behind a domain, in small letters. */
const EXTRA_KEY = new RegExp(`^(?=[^/]{1,253}/)${SUBDOMAIN}/[a-z0-9/\\-._~%!$&'()*+,;=:]+$`);

/** Why one of the demands cannot be met by constrained verbs, whatever is allowed; undefined when it can. */
function neverConstrained({ resource, subresource, name }: AuthorizationAttributes): string | undefined {
  if (resource === "groups") {
    if (name === "") return "impersonating the empty string group is not allowed";
    if (name === MASTERS) return "impersonating the system:masters group is not allowed";
  }
  if (resource !== "userextras") return undefined;
  if (!EXTRA_KEY.test(subresource)) {
    return `impersonating an invalid key in extra is not allowed: ${
      JSON.stringify(subresource)
    } should be a lower-case path behind a domain`;
  }
  return name === "" ? "impersonating the empty string value in extra is not allowed" : undefined;
}

/** Groups in force: those asked for, else those that follow from the name, and the one of everybody. */
function groupsOf(asked: ImpersonationRequest, mode: Mode | undefined): string[] {
  const account = splitAccount(asked.user);
  let groups = asked.groups.length === 0 && account ? accountGroups(account.namespace) : [...asked.groups];
  if (mode === "associated-node" || mode === "arbitrary-node") groups = ["system:nodes"];
  if (asked.user === ANONYMOUS) return groups.includes(UNAUTHENTICATED) ? groups : [...groups, UNAUTHENTICATED];
  const settled = groups.includes(AUTHENTICATED) || groups.includes(UNAUTHENTICATED);
  return settled ? groups : [...groups, AUTHENTICATED];
}

/** How a request that may be constrained is judged. */
export interface Constrained {
  /** What the request itself asks for. */
  readonly request: AuthorizationAttributes;
  /** Ways that were allowed before. Default: none is remembered. */
  readonly last?: LastWays;
  /** Hears of the verb that let it happen. */
  readonly by?: (verb: string) => void;
}

/** Undefined: the plain one. */
type Way = Mode | undefined;

/** Users whose way is remembered at most. */
const MAX_REMEMBERED = 10_000;

/** The way in which each requester last became somebody else: it is tried first. */
export class LastWays {
  readonly #ways = new Map<string, Way>();

  /** The ways in the order in which they are tried. */
  sorted(requester: string, ways: readonly Way[]): readonly Way[] {
    const last = this.#ways.get(requester);
    if (!this.#ways.has(requester) || !ways.includes(last)) return ways;
    return [last, ...ways.filter((way) => way !== last)];
  }

  /** Remembers a way that was allowed. */
  set(requester: string, way: Way): void {
    this.#ways.delete(requester);
    this.#ways.set(requester, way);
    if (this.#ways.size > MAX_REMEMBERED) this.#ways.delete(this.#ways.keys().next().value!);
  }
}

/** The first way that is allowed. @throws StatusError 403 of the first way tried */
async function allowedWay(ask: Ask, constraint: Constrained | undefined): Promise<Way> {
  const { requester } = ask, ways = constraint ? [...modesOf(ask), undefined] : [undefined];
  let first: unknown;
  for (const way of constraint?.last?.sorted(requester.name, ways) ?? ways) {
    try {
      if (way) await constrained(ask, way, constraint!.request);
      else for (const attributes of demands(ask, undefined)) await demand(ask.authorizer, attributes);
      constraint?.last?.set(requester.name, way);
      return way;
    } catch (error) {
      first ??= error;
    }
  }
  throw first;
}

/**
 * The user that the request acts as, or undefined when it asks for nobody else. With `constraint` (gate
 * ConstrainedImpersonation) the verbs `impersonate:<mode>` with `impersonate-on:<mode>:<verb>` are tried before `impersonate`,
 * unless another way was allowed last.
 * @throws StatusError 403 when no way is allowed, 400 when the headers make no sense
 */
export async function impersonate(
  headers: RequestHeaders,
  requester: User,
  authorizer: Authorizer,
  product: Product,
  constraint?: Constrained,
): Promise<User | undefined> {
  const asked = impersonationOf(headers);
  if (!asked) return undefined;
  const mode = await allowedWay({ asked, requester, authorizer, product }, constraint);
  if (mode) constraint?.by?.(`impersonate:${mode}`);
  return {
    name: asked.user,
    ...(asked.uid ? { uid: asked.uid } : {}),
    groups: groupsOf(asked, mode),
    ...(Object.keys(asked.extra).length ? { extra: asked.extra } : {}),
  };
}
