/** What expressions ask the authorizer. It may take its time; evaluation does not: it is given up, and begun again with the answer. */
import type { AccessAnswer, AccessQuestion, Ask } from "../../../schema/cel/mod.ts";
import { accountGroups, accountUser } from "../../authentication/service_account.ts";
import type { Authorizer, Decision } from "../../authorization/types.ts";
import type { Cancellable, User } from "../../request.ts";

/** Thrown where an answer is yet to come. */
class Pending {
  constructor(readonly done: Promise<unknown>) {}
}

const answerOf = (d: Decision): AccessAnswer => ({
  allowed: d.decision === "allow",
  reason: d.reason,
  error: d.error ?? "",
});

/** A service account that nobody has authenticated: it has no rights of those who are. */
function accountOf(text: string): User {
  const [namespace = "", name = ""] = text.split(":");
  return { name: accountUser(namespace, name), groups: accountGroups(namespace) };
}

/** Questions of one request, each asked once, and for no longer than the request goes on. */
export class Questions {
  readonly #answers = new Map<string, AccessAnswer>();
  constructor(readonly authorizer: Authorizer, readonly request: Cancellable & { readonly user: User }) {}

  readonly ask: Ask = (question, verb) => {
    const key = JSON.stringify([question, verb]), known = this.#answers.get(key);
    if (known) return known;
    const keep = (d: Decision): AccessAnswer => {
      const answer = answerOf(d);
      this.#answers.set(key, answer);
      return answer;
    };
    const failed = (e: unknown) => keep({ decision: "deny", reason: "", error: String(e) });
    const decision = this.authorizer.authorize(this.#attributes(question, verb), this.request);
    if (decision instanceof Promise) throw new Pending(decision.then(keep, failed));
    return keep(decision);
  };

  #attributes(q: AccessQuestion, verb: string): Parameters<Authorizer["authorize"]>[0] {
    return {
      user: q.serviceAccount === undefined ? this.request.user : accountOf(q.serviceAccount),
      verb,
      isResource: q.path === undefined,
      group: q.group ?? "",
      version: q.path === undefined ? "*" : "",
      resource: q.resource ?? "",
      subresource: q.subresource ?? "",
      namespace: q.namespace ?? "",
      name: q.name ?? "",
      path: q.path ?? "",
      ...(q.fieldSelector ? { fieldSelector: q.fieldSelector } : {}),
      ...(q.labelSelector ? { labelSelector: q.labelSelector } : {}),
    };
  }
}

/** Evaluates until every answer is there. */
export async function answered<T>(evaluate: () => T): Promise<T> {
  for (;;) {
    try {
      return evaluate();
    } catch (e) {
      if (!(e instanceof Pending)) throw e;
      await e.done;
    }
  }
}
