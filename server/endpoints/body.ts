/** Reading request bodies, within a limit. */
import { badRequest, type StatusDetails, StatusError, tooLarge } from "../../schema/status.ts";
import { compact, concat } from "../../schema/values/bytes.ts";
import { type MediaType, parseRange, toldOf } from "../negotiation/media.ts";
import type { RequestScope } from "../request.ts";

/** Largest request body in bytes: 3 MiB, as the public server. */
const MAX_BODY_BYTES = 3 * 1024 * 1024;
/**
 * So many pieces may be small. The runtime lends each piece 64 KiB, and moves all that it has read ahead for each: some megabytes, a
 * byte at a time, took gigabytes and everybody's time.
 */
const SMALL_PIECES = 1024;
/** Bytes of a piece that is not small. */
const PIECE_BYTES = 512;

/**
 * Reads the whole body of a request.
 * @throws StatusError 413 past the limit, 400 when the client stops half-way
 */
export async function bodyBytes(scope: RequestScope): Promise<Uint8Array> {
  const bytes = await readBody(scope.request);
  scope.bodySize = bytes.length;
  return bytes;
}

/**
 * Reads a whole body.
 * @throws StatusError 413 past the limit, 400 when the client stops half-way or sends crumbs
 */
export async function readBody(request: Request, limit = MAX_BODY_BYTES): Promise<Uint8Array> {
  const told = request.headers.get("content-length");
  if (Number(told ?? 0) > limit) throw overLimit(limit);
  return told === null ? await readParts(request, limit) : await readTold(request, limit);
}

/** A body whose length is known to be small enough is taken whole: a stream costs more than what most bodies hold. */
async function readTold(request: Request, limit: number): Promise<Uint8Array> {
  const bytes = await request.bytes().catch(() => {
    throw badRequest("the request body could not be read whole");
  });
  if (bytes.byteLength > limit) throw overLimit(limit);
  return bytes;
}

async function readParts(request: Request, limit: number): Promise<Uint8Array> {
  if (request.body === null) return new Uint8Array();
  const parts: Uint8Array[] = [];
  let size = 0;
  // Not by `for await`: what it does when it is done takes as long as a small object's decoding.
  const reader = request.body.getReader();
  for (;;) {
    const { done, value } = await reader.read().catch(() => {
      throw badRequest("the request body could not be read whole");
    });
    if (done) return parts.length === 1 ? parts[0]! : concat(parts);
    size += value.byteLength;
    if (size > limit) {
      // Not cancelled: who refuses may read the rest off, so that the client hears of it.
      reader.releaseLock();
      throw overLimit(limit);
    }
    parts.push(compact(value));
    if (parts.length > SMALL_PIECES + size / PIECE_BYTES) {
      reader.releaseLock();
      throw badRequest("the request body comes in too many small pieces");
    }
  }
}

const overLimit = (limit: number) => tooLarge(`Request entity too large: limit is ${limit}`);

/**
 * The encoding that a Content-Type names; JSON without one.
 * @throws StatusError 415
 */
export function bodyMedia(header: string | null, media: readonly MediaType[]): MediaType {
  if (header === null || header.trim() === "") return media[0]!;
  const range = parseRange(header);
  const taken = media.filter((m) => !m.metadataOnly);
  const found = range && (!header.includes(";") || PARAMETERS.test(header)) &&
    taken.find((m) => m.type === range.type.toLowerCase() && m.subtype === range.subtype.toLowerCase());
  if (found) return found;
  throw unsupported(toldOf(taken));
}

/**
 * A media type and its parameters, each with a value; a semicolon at the end is passed over. No two of its parts can take the same
 * blank: a long run of them would be looked at in all ways.
 */
const PARAMETERS = /^[^;]*(?:;\s*[\w!#$%&'*+.^`|~-]+\s*=\s*(?:[\w!#$%&'*+.^`|~-]+|"(?:[^"\\]|\\.)*")\s*)*(?:;\s*)?$/;

/**
 * What a router checks of a request that it takes in some media types only, even when nothing is sent: a Content-Type that is there
 * names one of them somewhere.
 * @throws StatusError 415 with empty details
 */
export function mustName(scope: RequestScope, accepted: readonly string[]): void {
  const header = scope.headers.get("content-type");
  if (!header) return;
  if (!header.split(",").some((part) => accepted.includes(part.split(";")[0]!.trim()))) throw unsupported(accepted, {});
}

/** 415 that names what would do. */
export function unsupported(accepted: readonly string[], details?: StatusDetails): StatusError {
  return new StatusError(
    415,
    "UnsupportedMediaType",
    `the body of the request was in an unknown format - accepted media types include: ${accepted.join(", ")}`,
    details,
  );
}
