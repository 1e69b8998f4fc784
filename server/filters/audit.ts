/** Records requests as the audit policy says (specification, "Audit events"). Without a policy there is no such filter. */
import { internal } from "../../schema/status.ts";
import type { Product } from "../../schema/product.ts";
import type { Filter, Handle } from "../app_types.ts";
import type { Auditing } from "../audit/build.ts";
import { Trail } from "../audit/trail.ts";
import type { Stage } from "../audit/types.ts";
import type { RequestScope } from "../request.ts";
import { attributesOf } from "./authorize.ts";
import type { ErrorResponses } from "./errors.ts";
import { atEnd, goesOn, isLongRunning } from "./long_running.ts";

/** The filters of a server that records. */
export class AuditFilters {
  readonly #auditing: Auditing;
  readonly #product: Product;
  readonly #errors: ErrorResponses;
  readonly #now: () => number;
  /** Requests that the policy was asked about, whatever it said. */
  readonly #seen = new WeakSet<RequestScope>();

  constructor(auditing: Auditing, product: Product, errors: ErrorResponses, now: () => number) {
    this.#auditing = auditing;
    this.#product = product;
    this.#errors = errors;
    this.#now = now;
  }

  /** For requests of somebody; the first after authentication. */
  readonly known: Filter = (scope, next) => {
    const trail = this.#begin(scope);
    if (!trail) return next(scope);
    const stored = this.#stage(trail, "RequestReceived");
    const go = (ok: boolean) => ok ? this.#answer(scope, trail, next) : this.#refuse();
    return stored instanceof Promise ? stored.then(go) : go(stored);
  };

  /** For those that are refused before anybody knows whose they are: one event, of the refusal. */
  readonly refused: Filter = (scope, next) => {
    try {
      const answer = next(scope);
      return answer instanceof Promise ? answer.catch((error) => this.#tell(scope, error)) : answer;
    } catch (error) {
      return this.#tell(scope, error);
    }
  };

  async #tell(scope: RequestScope, error: unknown): Promise<Response> {
    const trail = this.#seen.has(scope) ? undefined : this.#begin(scope);
    if (!trail) throw error;
    const response = this.#errors.respond(error, scope);
    trail.ended(response.status);
    await this.#stage(trail, "ResponseStarted");
    return response;
  }

  #begin(scope: RequestScope): Trail | undefined {
    const { policy, metrics } = this.#auditing;
    const decision = policy.decide(attributesOf(scope));
    metrics.level(decision.level);
    this.#seen.add(scope);
    if (decision.level === 0) return undefined;
    return scope.audit = new Trail(scope, decision, this.#product);
  }

  #stage(trail: Trail, stage: Stage): boolean | Promise<boolean> {
    if (!trail.has(stage)) return true;
    this.#auditing.metrics.events++;
    return this.#auditing.sink.process([trail.event(stage, this.#now())]);
  }

  #refuse(): never {
    this.#auditing.metrics.rejected++;
    throw internal("the audit event could not be stored");
  }

  async #answer(scope: RequestScope, trail: Trail, next: Handle): Promise<Response> {
    let response: Response;
    try {
      response = await next(scope);
    } catch (error) {
      response = this.#errors.respond(error, scope);
      if (!this.#errors.knows(error)) {
        await this.#stage(trail, "Panic");
        return response;
      }
    }
    trail.ended(response.status);
    await trail.whole();
    const lasting = isLongRunning(scope.info);
    if (lasting) await this.#stage(trail, "ResponseStarted");
    if (lasting && (scope.upgraded || goesOn(scope, response))) {
      atEnd(scope, () => void this.#stage(trail, "ResponseComplete"));
    } else await this.#stage(trail, "ResponseComplete");
    return response;
  }
}
