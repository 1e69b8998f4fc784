/** What policies, conditions and Pod Security come to, under the public server's names. */
import { Buckets } from "../metrics/buckets.ts";
import { ByLabels, counterOf, type DerivedMetric, histogramOf, observedOf } from "../metrics/by_labels.ts";
import type { LevelVersion, Mode } from "./podsecurity/policy.ts";

/** Upper bounds of the buckets, seconds: those of the public server. */
const SECONDS = [5e-7, 0.001, 0.01, 0.1, 1];
const CONDITIONS = [0.001, 0.005, 0.01, 0.025, 0.1, 0.2, 0.25];

/** What is told of a request. */
export interface CountedRequest {
  readonly operation: string;
  readonly resource: { readonly id: string };
  readonly subresource: string;
}

/** A policy and its binding. */
export interface AskedPolicy {
  readonly policy: string;
  readonly binding: string;
}

/** Whose conditions are counted. */
export interface Conditional {
  readonly kind: string;
  readonly type: string;
}

/** Policies of both kinds: the public server tells them apart by their names alone. */
export const POLICY: Conditional = { kind: "policy", type: "validate" };

/** What becomes of what a validation has found. */
export type Enforcement = "allow" | "deny" | "audit" | "warn";

/** Counters of a server's plugins. Names come from its configuration, so there are few. */
export class AdmissionCounts {
  readonly #validations = new ByLabels(() => new Buckets(SECONDS));
  readonly #mutations = new ByLabels(() => new Buckets(SECONDS));
  readonly #evaluations = new ByLabels(() => 0);
  readonly #exemptions = new ByLabels(() => 0);
  readonly #errors = new ByLabels(() => 0);
  readonly #excluded = new ByLabels(() => 0);
  readonly #conditionErrors = new ByLabels(() => 0);
  readonly #conditions = new ByLabels(() => new Buckets(CONDITIONS));

  /** What most requests come to is there before the first, as rates want it. */
  constructor() {
    const always = { decision: "allow", policy_level: "privileged", policy_version: "latest", mode: "enforce" };
    for (const request_operation of ["create", "update"]) {
      this.#evaluations.at({ ...always, request_operation, resource: "pod", subresource: "" });
      for (const resource of ["pod", "controller"]) {
        this.#exemptions.at({ request_operation, resource, subresource: "" });
      }
    }
  }

  /** A validation had something to say, which took so many ms to find. */
  validated({ policy, binding }: AskedPolicy, enforcement_action: Enforcement, message: string, ms: number): void {
    const error_type = errorType(message);
    this.#validations.at({ policy, policy_binding: binding, error_type, enforcement_action }).value.add(ms / 1000);
  }

  /** A mutation was made in so many ms, or was not. */
  mutated({ policy, binding }: AskedPolicy, fault: string | undefined, ms: number): void {
    const error_type = fault === undefined ? "no_error" : errorType(fault);
    this.#mutations.at({ policy, policy_binding: binding, error_type }).value.add(ms / 1000);
  }

  /** Conditions were evaluated in so many ms; so many could not be. */
  conditions(
    of: Conditional,
    name: string,
    operation: string,
    said: { readonly ms: number; readonly errors: number },
  ): void {
    const labels = { name, kind: of.kind, type: of.type, operation };
    this.#conditions.at(labels).value.add(said.ms / 1000);
    if (said.errors > 0) this.#conditionErrors.at(labels).value += said.errors;
  }

  /** A webhook is not called because of its conditions. */
  excluded({ kind, type }: Conditional, name: string, operation: string): void {
    this.#excluded.at({ name, kind, type, operation }).value++;
  }

  /** A level of Pod Security was held against a request. `newest`: the minor version beyond which rules are of the future. */
  evaluated(a: CountedRequest, mode: Mode, { level, minor }: LevelVersion, denied: boolean, newest: number): void {
    const latest = minor === Infinity || level === "privileged";
    const { request_operation, resource, subresource } = requestOf(a);
    this.#evaluations.at({
      decision: denied ? "deny" : "allow",
      policy_level: level,
      policy_version: latest ? "latest" : minor > newest ? "future" : `v1.${minor}`,
      mode,
      request_operation,
      resource,
      subresource,
    }).value++;
  }

  /** A request was exempt from Pod Security. */
  exempted(a: CountedRequest): void {
    this.#exemptions.at(requestOf(a)).value++;
  }

  /** Something kept Pod Security from its work; `fatal`: the request is refused for it. */
  failed(a: CountedRequest, fatal: boolean): void {
    this.#errors.at({ fatal: String(fatal), ...requestOf(a) }).value++;
  }

  /** All metrics. */
  rows(): readonly DerivedMetric[] {
    return [
      {
        name: "apiserver_validating_admission_policy_check_total",
        help: "Validations of policies that had something to say, by what became of it",
        type: "counter",
        samples: observedOf(this.#validations),
      },
      {
        name: "apiserver_validating_admission_policy_check_duration_seconds",
        help: "Time of such validations",
        type: "histogram",
        samples: histogramOf(this.#validations),
      },
      {
        name: "apiserver_mutating_admission_policy_check_total",
        help: "Mutations of policies",
        type: "counter",
        samples: observedOf(this.#mutations),
      },
      {
        name: "apiserver_mutating_admission_policy_check_duration_seconds",
        help: "Time of mutations of policies",
        type: "histogram",
        samples: histogramOf(this.#mutations),
      },
      {
        name: "apiserver_admission_match_condition_exclusions_total",
        help: "Admission webhooks not called because of a condition",
        type: "counter",
        samples: counterOf(this.#excluded),
      },
      {
        name: "apiserver_admission_match_condition_evaluation_errors_total",
        help: "Conditions of admission webhooks and policies that could not be evaluated",
        type: "counter",
        samples: counterOf(this.#conditionErrors),
      },
      {
        name: "apiserver_admission_match_condition_evaluation_seconds",
        help: "Time that conditions of admission webhooks and policies take",
        type: "histogram",
        samples: histogramOf(this.#conditions),
      },
      {
        name: "pod_security_evaluations_total",
        help:
          "Levels of Pod Security held against requests, by what they say: audits and warnings only where they deny",
        type: "counter",
        samples: counterOf(this.#evaluations),
      },
      {
        name: "pod_security_exemptions_total",
        help: "Requests exempt from Pod Security",
        type: "counter",
        samples: counterOf(this.#exemptions),
      },
      {
        name: "pod_security_errors_total",
        help: "What kept Pod Security from its work",
        type: "counter",
        samples: counterOf(this.#errors),
      },
    ];
  }
}

/** The public server tells by the text, too. */
function errorType(message: string): string {
  if (message.startsWith("compilation")) return "compile_error";
  return message.includes("running out of cost budget") ? "out_of_budget" : "invalid_error";
}

const RESOURCES: ReadonlyMap<string, string> = new Map([["pods", "pod"], ["namespaces", "namespace"]]);

/** Whatever else Pod Security looks at brings pods about. */
const requestOf = (a: CountedRequest) => ({
  request_operation: a.operation.toLowerCase(),
  resource: RESOURCES.get(a.resource.id) ?? "controller",
  subresource: a.subresource,
});
