/**
 * Functions that ask whether the user of a request may do something else:
 * `authorizer.group("").resource("secrets").namespace("a").check("get").allowed()`.
 */
import { dnsLabel, dnsSubdomain } from "../values/names.ts";
import { CelError } from "./ast.ts";
import type { Rows } from "./table.ts";
import { Opaque } from "./values.ts";

/** What is asked, as far as it has been said. A `path` asks about no resource. */
export interface AccessQuestion {
  readonly path?: string;
  readonly group?: string;
  readonly resource?: string;
  readonly subresource?: string;
  readonly namespace?: string;
  readonly name?: string;
  readonly fieldSelector?: string;
  readonly labelSelector?: string;
  /** Asked about this service account, `<namespace>:<name>`, rather than about the user. */
  readonly serviceAccount?: string;
}

/** What is answered. */
export interface AccessAnswer {
  readonly allowed: boolean;
  readonly reason: string;
  readonly error: string;
}

/** Answers a question about a verb. It may throw what is no CelError to have the evaluation given up. */
export type Ask = (question: AccessQuestion, verb: string) => AccessAnswer;

interface Check {
  readonly ask: Ask;
  readonly question: AccessQuestion;
}

/** The value of the variable `authorizer`. */
export const authorizerValue = (ask: Ask): Opaque => new Opaque("authorizer", { ask, question: {} });
/** The value of `authorizer.requestResource`: what the request itself is about. */
export const resourceCheckValue = (ask: Ask, question: AccessQuestion): Opaque =>
  new Opaque("resourcecheck", { ask, question });

const C = (o: Opaque): Check => o.value as Check;
const A = (o: Opaque): AccessAnswer => o.value as AccessAnswer;
const further = (type: Opaque["type"], o: Opaque, more: AccessQuestion): Opaque =>
  new Opaque(type, { ask: C(o).ask, question: { ...C(o).question, ...more } });
const check = (o: Opaque, verb: string): Opaque => new Opaque("decision", C(o).ask(C(o).question, verb));

/** @throws CelError where a text says nothing */
function said(what: string, text: string): string {
  if (text.trim() === "") throw new CelError(`${what} must not be empty`);
  return text;
}

function serviceAccount(o: Opaque, namespace: string, name: string): Opaque {
  if (dnsLabel(namespace).length) throw new CelError(`invalid service account namespace: ${namespace}`);
  if (dnsSubdomain(name).length) throw new CelError(`invalid service account name: ${name}`);
  return further("authorizer", o, { serviceAccount: `${namespace}:${name}` });
}

/** See the top of the file. */
export const AUTHORIZER: Rows = {
  "authorizer.path(string) pathcheck": (o: Opaque, path: string) =>
    further("pathcheck", o, { path: said("path", path) }),
  "authorizer.group(string) groupcheck": (o: Opaque, group: string) => further("groupcheck", o, { group }),
  "authorizer.serviceAccount(string, string) authorizer": serviceAccount,
  "groupcheck.resource(string) resourcecheck": (o: Opaque, resource: string) =>
    further("resourcecheck", o, { resource: said("resource", resource) }),
  "resourcecheck.subresource(string) resourcecheck": (o: Opaque, subresource: string) =>
    further("resourcecheck", o, { subresource }),
  "resourcecheck.namespace(string) resourcecheck": (o: Opaque, namespace: string) =>
    further("resourcecheck", o, { namespace }),
  "resourcecheck.name(string) resourcecheck": (o: Opaque, name: string) => further("resourcecheck", o, { name }),
  "resourcecheck.fieldSelector(string) resourcecheck": (o: Opaque, fieldSelector: string) =>
    further("resourcecheck", o, { fieldSelector }),
  "resourcecheck.labelSelector(string) resourcecheck": (o: Opaque, labelSelector: string) =>
    further("resourcecheck", o, { labelSelector }),
  "pathcheck.check(string) decision": check,
  "resourcecheck.check(string) decision": check,
  "decision.allowed() bool": (o: Opaque) => A(o).allowed,
  "decision.reason() string": (o: Opaque) => A(o).reason,
  "decision.errored() bool": (o: Opaque) => A(o).error !== "",
  "decision.error() string": (o: Opaque) => A(o).error,
};
