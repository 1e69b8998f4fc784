/** Answers of the API server. */
import type { IncomingHttpHeaders } from "node:http";
import { isMap } from "../../schema/model/members.ts";
import { concat } from "../../schema/values/bytes.ts";
import { ApiError } from "../types.ts";
import type { Taker } from "./exchange.ts";
import type { Media } from "./media.ts";

/** Largest answer, bytes. */
const MAX_BYTES = 256 * 1024 * 1024;
/** So much of a text that is no Status is told. */
const MAX_TEXT = 500;

/** An answer, collected. */
export class Answer implements Taker {
  status = 0;
  headers: IncomingHttpHeaders = {};
  readonly #pieces: Uint8Array[] = [];
  #size = 0;

  head(status: number, headers: IncomingHttpHeaders): void {
    this.status = status;
    this.headers = headers;
  }

  piece(bytes: Uint8Array): void {
    this.#size += bytes.length;
    if (this.#size > MAX_BYTES) throw new Error(`the answer is larger than ${MAX_BYTES} bytes`);
    this.#pieces.push(bytes);
  }

  get ok(): boolean {
    return this.status >= 200 && this.status < 300;
  }

  get type(): string {
    return this.headers["content-type"] ?? "";
  }

  /** Seconds after which the server wants to be asked again; undefined: it does not say. */
  get retryAfter(): number | undefined {
    return seconds(this.headers["retry-after"]);
  }

  /** @throws Error when it cannot be read */
  object(media: Media): unknown {
    return this.#size === 0 ? undefined : media.decode(this.type, concat(this.#pieces));
  }

  error(media: Media): ApiError {
    let said: unknown;
    try {
      said = this.object(media);
    } catch {
      said = undefined;
    }
    if (isMap(said)) return statusError(said, this.status, this.retryAfter);
    const text = typeof said === "string" && said.trim() || "the server refused the request";
    return new ApiError(this.status, "", text.slice(0, MAX_TEXT), this.retryAfter);
  }
}

const seconds = (header: string | undefined): number | undefined =>
  header !== undefined && /^\d+$/.test(header) ? Number(header) : undefined;

/** The error that a Status tells of, also one within a watch. @param code for one that names none */
export function statusError(status: Readonly<Record<string, unknown>>, code = 500, retryAfter?: number): ApiError {
  const details = isMap(status["details"]) ? status["details"] : {};
  const after = retryAfter ?? details["retryAfterSeconds"];
  return new ApiError(
    typeof status["code"] === "number" ? status["code"] : code,
    typeof status["reason"] === "string" ? status["reason"] : "",
    typeof status["message"] === "string" ? status["message"] : "the server refused the request",
    ...(typeof after === "number" ? [after] : []),
  );
}
