/** What every plugin changed or said about one request (`dryRun=All&explain=admission`). */
import { copyTree } from "../../schema/values/copy.ts";
import type { Obj } from "../../schema/model/types.ts";
import { type Status, StatusError } from "../../schema/status.ts";
import { type Change, difference } from "./difference.ts";
import type { AdmissionRecorder, Attributes } from "./types.ts";

/** One plugin in one phase. Empty members are left out. What plugins note for audit events is for those who read these alone. */
export interface ExplainedStep {
  readonly plugin: string;
  readonly phase: "admit" | "validate";
  changes?: readonly Change[];
  warnings?: string[];
  /** The plugin refused the request. */
  refusal?: Status;
}

/** The answer. `outcome` is the Status that the request would get, when it is refused. */
export interface AdmissionExplanation {
  readonly kind: "AdmissionExplanation";
  readonly apiVersion: string;
  readonly allowed: boolean;
  readonly steps: readonly ExplainedStep[];
  readonly outcome?: Status;
  readonly object?: Obj;
}

/** Hears a request through the chain. */
export class Explanation implements AdmissionRecorder {
  readonly #steps: ExplainedStep[] = [];
  #now: ExplainedStep | undefined;

  step(plugin: string, phase: "admit" | "validate", a: Attributes): (refusal: unknown) => void {
    const before = copyTree(a.object);
    const step: ExplainedStep = this.#now = { plugin, phase };
    this.#steps.push(step);
    return (refusal) => {
      const changes = difference(before, a.object);
      if (changes.length > 0) step.changes = copyTree(changes);
      if (refusal instanceof StatusError) step.refusal = refusal.toStatus();
      this.#now = undefined;
    };
  }

  /** Takes down a warning of the plugin whose turn it is. */
  warned(text: string): void {
    if (this.#now) (this.#now.warnings ??= []).push(text);
  }

  /** The answer, for the object as it would be stored or for what refused it. */
  answer(apiVersion: string, result: Obj | StatusError): AdmissionExplanation {
    const refused = result instanceof StatusError;
    return {
      kind: "AdmissionExplanation",
      apiVersion,
      allowed: !refused,
      steps: this.#steps,
      ...(refused ? { outcome: result.toStatus() } : { object: result }),
    };
  }
}
