/** What can go wrong with a webhook. */
import { type Reason, type StatusDetails, StatusError } from "../../../schema/status.ts";

/** A webhook was not reached, or its answer cannot be used. Passed over where the webhook is to be ignored then. */
export class CallFailure extends Error {
  /** `code`: the one that metrics tell. */
  constructor(name: string, why: string, readonly code: number, options?: ErrorOptions) {
    super(`failed calling webhook ${JSON.stringify(name)}: ${why}`, options);
  }
}

/** A webhook said no. */
export class Denied extends Error {
  constructor(readonly status: StatusError) {
    super(status.message);
  }
}

/** What a webhook says of a denial. */
export interface Verdict {
  readonly code?: number;
  readonly message?: string;
  readonly reason?: string;
  readonly details?: StatusDetails;
}

/** The refusal that a client is told. A code that is no failure is 400. */
export function denial(name: string, { code = 0, message, reason, details }: Verdict): Denied {
  const by = `admission webhook ${JSON.stringify(name)} denied the request`;
  const why = message || reason;
  const text = why ? `${by}: ${why}` : `${by} without explanation`;
  // Beyond 599 there are no codes of HTTP.
  return new Denied(
    new StatusError(code < 400 ? 400 : code > 599 ? 500 : code, (reason ?? "") as Reason, text, details),
  );
}
