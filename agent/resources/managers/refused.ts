/** Why managers have nothing for a pod. */
import type { Refusal } from "../../types.ts";

/** Thrown by policies; what else they throw is unexpected. */
export class Refused extends Error {
  override readonly name = "Refused";

  constructor(readonly reason: string, message: string) {
    super(message);
  }
}

/** As the pod's status tells it. */
export const refusalOf = (e: unknown): Refusal =>
  e instanceof Refused ? { reason: e.reason, message: e.message } : {
    reason: "UnexpectedAdmissionError",
    message: `Allocate failed due to ${(e as Error).message}, which is unexpected`,
  };
