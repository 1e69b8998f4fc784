/** How a process ended: what the runtime says of it, as the clients of a WebSocket are told it. */

/** Longest status that is read, bytes. */
const MAX_STATUS = 1024 * 1024;
const SUCCESS = { metadata: {}, status: "Success" };

/** What of a runtime's status is read. */
interface Said {
  readonly status?: unknown;
  readonly reason?: unknown;
  readonly message?: unknown;
  readonly details?: { readonly causes?: readonly { readonly reason?: unknown; readonly message?: unknown }[] };
}

/** Something that went wrong beside the process. */
export const internalError = (message: string): object => ({
  metadata: {},
  status: "Failure",
  message: `Internal error occurred: ${message}`,
  reason: "InternalError",
  details: { causes: [{ message }] },
  code: 500,
});

const exited = (code: number): object => ({
  metadata: {},
  status: "Failure",
  message: `command terminated with non-zero exit code: command terminated with exit code ${code}`,
  reason: "NonZeroExitCode",
  details: { causes: [{ reason: "ExitCode", message: `${code}` }] },
});

/** Takes the runtime's words piece by piece. */
export class LastWords {
  readonly #decoder = new TextDecoder();
  #text = "";

  push(bytes: Uint8Array): void {
    if (this.#text.length < MAX_STATUS) this.#text += this.#decoder.decode(bytes, { stream: true });
  }

  /** Whether something was said. */
  get said(): boolean {
    return this.#text !== "";
  }

  /** The status for the client. A runtime that says nothing has nothing to complain of. */
  get status(): object {
    if (!this.said) return SUCCESS;
    let said: Said | null;
    try {
      said = JSON.parse(this.#text);
    } catch {
      return internalError(`error stream protocol error: ${JSON.stringify(this.#text)} is no status`);
    }
    return statusFor(said ?? {});
  }
}

function statusFor({ status, reason, message, details }: Said): object {
  if (status === "Success") return SUCCESS;
  if (status !== "Failure") return internalError("error stream protocol error: unknown error");
  if (reason !== "NonZeroExitCode") return internalError(String(message ?? ""));
  const code = details?.causes?.find((cause) => cause.reason === "ExitCode")?.message;
  if (code === undefined) return internalError("error stream protocol error: no ExitCode cause given");
  const number = /^\d{1,3}$/.test(String(code)) ? Number(code) : NaN;
  if (number <= 255) return exited(number);
  return internalError(`error stream protocol error: invalid exit code value ${JSON.stringify(code)}`);
}
