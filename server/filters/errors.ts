/** What is thrown becomes a Status, in one place (specification, "Errors"). */
import { encodeObject } from "../../schema/codec/mod.ts";
import type { Obj } from "../../schema/model/types.ts";
import type { Scheme } from "../../schema/scheme.ts";
import { type Status, StatusError } from "../../schema/status.ts";
import { answer } from "../answer.ts";
import { CacheNotReady } from "../cache/mod.ts";
import { type Accepted, negotiate, wantsPretty } from "../negotiation/accept.ts";
import type { MediaType } from "../negotiation/media.ts";
import type { RequestScope } from "../request.ts";
import { StorageError } from "../storage/backend.ts";
import { storageStatus } from "../registry/storage_status.ts";

/** Makes responses of errors. */
export class ErrorResponses {
  constructor(
    private readonly scheme: Scheme,
    private readonly media: readonly MediaType[],
    /** Hears of errors that no client caused. */
    private readonly report: (error: unknown, auditId: string) => void,
  ) {}

  /** The response to what was thrown. Never throws. */
  respond(error: unknown, scope: RequestScope): Response {
    if (!this.knows(error)) this.report(error, scope.auditId);
    const status = statusOf(error);
    return this.body(status.toStatus(), scope, status.details?.retryAfterSeconds);
  }

  /** Whether something thrown is an error of the API, and no fault of the server. */
  knows(error: unknown): boolean {
    return asStatus(error) !== undefined;
  }

  /** A Status as a response, in an encoding that the request accepts, else JSON. */
  body(status: Status, scope: RequestScope, retryAfter?: number): Response {
    // As with the public server, of what cannot be answered in any encoding that the client takes the code is all that is kept.
    if (status.code !== 406) scope.audit?.status(status);
    const { media, pretty } = this.#accepted(scope);
    const kind = this.scheme.kind("v1", "Status")!;
    const bytes = encodeObject(status as Obj, kind, media.kind, pretty) as Uint8Array<ArrayBuffer>;
    const headers: Record<string, string> = {
      "content-type": `${media.type}/${media.subtype}`,
      "cache-control": "no-cache, private",
      "x-content-type-options": "nosniff",
    };
    if (retryAfter) headers["retry-after"] = String(retryAfter);
    return answer(scope, status.code ?? 500, headers, bytes);
  }

  /** A Status has no other representation: what asks for one is passed over. Where nothing fits, indented JSON. */
  #accepted(scope: RequestScope): Pick<Accepted, "media" | "pretty"> {
    const { headers } = scope;
    const pretty = wantsPretty(scope.query, headers.get("user-agent"));
    try {
      return negotiate(headers.get("accept"), { media: this.media, as: [], stream: true }, pretty);
    } catch {
      return { media: this.media[0]!, pretty: true };
    }
  }
}

/** What a client is told of what was thrown. */
export const statusOf = (error: unknown): StatusError =>
  asStatus(error) ?? new StatusError(500, "InternalError", "Internal error occurred", undefined);

/** The code that a client is answered with what was thrown. */
export const codeOf = (error: unknown): number => statusOf(error).code;

function asStatus(error: unknown): StatusError | undefined {
  if (error instanceof StatusError) return error;
  if (error instanceof CacheNotReady) {
    return new StatusError(429, "TooManyRequests", "storage is (re)initializing", { retryAfterSeconds: 1 });
  }
  if (error instanceof StorageError) return storageStatus(error);
  return undefined;
}
