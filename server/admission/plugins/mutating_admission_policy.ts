/** MutatingAdmissionPolicy: expressions of administrators that change objects. */
import type { Obj } from "../../../schema/model/types.ts";
import { internal, type Reason, StatusError } from "../../../schema/status.ts";
import type { Value } from "../../../schema/cel/mod.ts";
import { become } from "../become.ts";
import { withConverted } from "../converted.ts";
import { POLICY } from "../counts.ts";
import { beforeForeign, settleForeign } from "../foreign.ts";
import { boundPolicies, type Met, metBy, namespaces } from "../policies/bound.ts";
import { type CompiledMutatingPolicy, compileMutatingPolicy } from "../policies/compiled.ts";
import { judge, met } from "../policies/conditions.ts";
import { mutated, Unmade, untyped } from "../policies/mutate.ts";
import { answered, Questions } from "../policies/questions.ts";
import type { Seen } from "../policies/seen.ts";
import { isExempt } from "../policies/exempt.ts";
import { valuesOf } from "../policies/values.ts";
import { refusal } from "../refuse.ts";
import { type PluginRounds, reinvocationOf } from "../reinvocation.ts";
import { sameTree } from "../../registry/same.ts";
import type { Attributes, Plugin, PluginContext } from "../types.ts";

const NAME = "MutatingAdmissionPolicy";

type Policy = CompiledMutatingPolicy;

/** What went wrong with a policy that fails on it. */
interface Fault {
  readonly policy: string;
  readonly binding: string | undefined;
  readonly message: string;
  readonly reason: Reason;
}

/** One policy's turn, with one binding and one parameter. */
interface Turn {
  readonly policy: Policy;
  readonly binding: Obj;
  readonly param: Obj | undefined;
  readonly seen: Seen;
}

/** Refuses: the first fault gives the message and the reason, each is a cause. */
function refused(a: Attributes, faults: readonly Fault[]): StatusError {
  const e = refusal(a, ""),
    texts = faults.map(({ policy, binding, message }) =>
      binding === undefined
        ? `policy "${policy}" denied request: ${message}`
        : `policy '${policy}' with binding '${binding}' denied request: ${message}`
    );
  const causes = texts.map((message) => ({ message }));
  return new StatusError(e.code, faults[0]!.reason, texts[0]!, { ...e.details, causes });
}

const keyOf = ({ policy, binding, param }: Turn): string =>
  [policy.name, binding.metadata.name, param?.metadata.namespace, param?.metadata.name].join("/");

/** See the top of the file. */
export function mutatingAdmissionPolicy(ctx: PluginContext): Plugin {
  const all = boundPolicies(ctx, NAME, compileMutatingPolicy), namespaceOf = namespaces(ctx);
  const mutate = async (a: Attributes, bound: ReturnType<typeof all>): Promise<void> => {
    const namespace = await namespaceOf(a), met = await metBy(ctx, a, bound, namespace);
    if (!met.length) return;
    const rounds = reinvocationOf(a).of(NAME), before = beforeForeign(a);
    const mutations = new Mutations(ctx, a, namespace, rounds);
    rounds.begin(a.object);
    try {
      const last = await mutations.take(met);
      if (last) {
        become(a.object!, await ownVersion(ctx, a, last));
        settleForeign(a, before);
        rounds.changed();
      }
    } finally {
      rounds.end(a.object);
    }
    if (mutations.faults.length) throw refused(a, mutations.faults);
  };
  return {
    name: NAME,
    // Of what is deleted there is nothing to change.
    handles: (operation, resource) => operation !== "DELETE" && !isExempt(ctx, resource),
    admit(a) {
      const bound = all(a.resource);
      return bound.length === 0 ? undefined : mutate(a, bound);
    },
  };
}

/** What policies do to one request. */
class Mutations {
  readonly faults: Fault[] = [];
  readonly #questions: Questions;

  constructor(
    readonly ctx: PluginContext,
    readonly a: Attributes,
    readonly namespace: Obj | undefined,
    readonly rounds: PluginRounds,
  ) {
    this.#questions = new Questions(ctx.authorizer, a);
  }

  /** Has each policy do its work; the object as the last one left it, undefined where none had any. */
  async take(met: readonly Met<Policy>[]): Promise<Obj | undefined> {
    const { rounds } = this;
    let last: Obj | undefined;
    for (const turn of this.#turns(met)) {
      const { policy, seen } = turn, key = keyOf(turn), start = seen.object;
      const values = () =>
        valuesOf(this.ctx.product, this.a, seen, this.namespace, turn.param, this.#questions, policy.variables);
      if (!await this.#isMeant(turn, values) || !rounds.turn(key)) continue;
      if (start && await this.#mutate(turn, values)) last = seen.object;
      if (!sameTree(start, seen.object)) rounds.changed();
      if (policy.again) rounds.ran(key);
    }
    return last;
  }

  /** Policies in turn; what cannot be asked is a fault. */
  #turns(met: readonly Met<Policy>[]): Turn[] {
    const turns: Turn[] = [];
    for (const m of met) {
      const { policy, binding } = m;
      if (m.fault === undefined) {
        for (const param of m.params) turns.push({ policy, binding: m.binding, param, seen: m.seen });
      } else if (policy.fails) {
        const name = binding?.metadata.name;
        this.faults.push({ policy: policy.name, binding: name, message: m.fault, reason: "Forbidden" });
      }
    }
    return turns;
  }

  async #isMeant(turn: Turn, values: () => Record<string, Value>): Promise<boolean> {
    const { conditions, name } = turn.policy, { ctx } = this;
    if (conditions.length === 0) return true;
    const start = ctx.now();
    const judged = await answered(() => judge(conditions, { ...values(), namespaceObject: null }));
    ctx.counts.conditions(POLICY, name, this.a.operation, { ...judged, ms: ctx.now() - start });
    const meant = met(judged);
    return typeof meant === "boolean" ? meant : this.#blame(turn, meant);
  }

  /** Each mutation in order, those after one that fails too. Returns whether any was made. */
  async #mutate(turn: Turn, values: () => Record<string, Value>): Promise<boolean> {
    const { policy, binding, seen } = turn, { apiVersion, kind } = seen.target.kind, { ctx } = this;
    const asked = { policy: policy.name, binding: binding.metadata.name! };
    const published = ctx.resourcesOf(apiVersion, kind).length > 0;
    let any = false;
    for (const m of policy.mutations) {
      const start = ctx.now(), count = (fault?: string) => ctx.counts.mutated(asked, fault, ctx.now() - start);
      try {
        if (m.apply && !published) throw untyped(seen.target.kind);
        seen.object = await answered(() => mutated(m, seen.object!, seen.target.kind, ctx.kinds, values()));
        any = true;
        count();
      } catch (e) {
        if (e instanceof Error) count(e.message);
        if (!(e instanceof Unmade)) throw e;
        this.#blame(turn, e.message);
      }
    }
    return any;
  }

  #blame({ policy, binding }: Turn, message: string): false {
    const name = binding.metadata.name!;
    if (policy.fails) this.faults.push({ policy: policy.name, binding: name, message, reason: "Invalid" });
    return false;
  }
}

/** What policies have made of a request's object, in the version that it had before. */
function ownVersion({ kinds }: PluginContext, a: Attributes, last: Obj): Obj | Promise<Obj> {
  const own = kinds.of(a.object!) ?? a.resource.storageKind, work = () => kinds.convert(last, own);
  return withConverted(a, own, work, (message) => internal(`failed to convert object: ${message}`));
}
