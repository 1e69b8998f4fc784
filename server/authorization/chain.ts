/** Several authorizers in order: the first that says yes or no decides. */
import { aggregateText } from "../../schema/values/aggregate_text.ts";
import type { Cancellable, User } from "../request.ts";
import { MASTERS } from "./simple.ts";
import type { AuthorizationAttributes, Authorizer, Decision, RulesAnswer } from "./types.ts";

class Chain implements Authorizer {
  readonly name = "union";

  constructor(readonly members: readonly Authorizer[]) {}

  /** Synchronous as long as the members are. */
  authorize(a: AuthorizationAttributes, asking?: Cancellable): Decision | Promise<Decision> {
    return this.#from(0, a, [], asking);
  }

  #from(
    start: number,
    a: AuthorizationAttributes,
    heard: Decision[],
    asking: Cancellable | undefined,
  ): Decision | Promise<Decision> {
    for (let i = start; i < this.members.length; i++) {
      const answer = this.members[i]!.authorize(a, asking);
      if (answer instanceof Promise) return this.#later(answer, i, a, heard, asking);
      if (answer.decision !== "no-opinion") return answer;
      if (answer.reason || answer.error) heard.push(toldBy(this.members[i]!, answer));
    }
    return nobody(heard);
  }

  async #later(
    answer: Promise<Decision>,
    i: number,
    a: AuthorizationAttributes,
    heard: Decision[],
    asking: Cancellable | undefined,
  ): Promise<Decision> {
    const got = await answer;
    if (got.decision !== "no-opinion") return got;
    if (got.reason || got.error) heard.push(toldBy(this.members[i]!, got));
    return this.#from(i + 1, a, heard, asking);
  }

  async rulesFor(user: User, namespace: string): Promise<RulesAnswer> {
    const parts = await Promise.all(this.members.map((m) => m.rulesFor?.(user, namespace) ?? unable(m)));
    const errors = parts.flatMap((p) => (p.error ? [p.error] : []));
    return {
      resourceRules: parts.flatMap((p) => p.resourceRules),
      nonResourceRules: parts.flatMap((p) => p.nonResourceRules),
      incomplete: parts.some((p) => p.incomplete),
      ...(errors.length ? { error: aggregateText(errors) } : {}),
    };
  }
}

const unable = ({ name }: Authorizer): RulesAnswer => ({
  resourceRules: [],
  nonResourceRules: [],
  incomplete: true,
  error: `${name} does not support user rule resolution`,
});

const toldBy = ({ called }: Authorizer, answer: Decision): Decision =>
  called && answer.reason ? { ...answer, reason: `${called}: ${answer.reason}` } : answer;

const SILENT: Decision = { decision: "no-opinion", reason: "" };

function nobody(heard: readonly Decision[]): Decision {
  if (heard.length === 0) return SILENT;
  const reason = heard.map((d) => d.reason).filter(Boolean).join("\n");
  const errors = heard.flatMap((d) => (d.error ? [d.error] : []));
  return { decision: "no-opinion", reason, ...(errors.length ? { error: aggregateText(errors) } : {}) };
}

/** The same authorizer, asked for the sake of a request: what it asks elsewhere ends with that. */
export function askedFor(asking: Cancellable, authorizer: Authorizer): Authorizer {
  return { name: authorizer.name, authorize: (attributes) => authorizer.authorize(attributes, asking) };
}

/** The chain of a server: `system:masters` first, then the members in order. */
export function authorizationChain(members: readonly Authorizer[]): Authorizer {
  return new Chain([MASTERS, ...members]);
}
