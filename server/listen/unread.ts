/** What a refused request still sends. */

/** Most bytes that are read off. */
const MOST = 4 * 1024 * 1024;
/** As much as each piece counts at least: a small one takes as long as a frame. */
const LEAST = 16 * 1024;
/** Longest time that the rest may take, ms. */
const LONGEST_MS = 1000;

/**
 * Reads what nobody has read of the body of a request that is refused, and throws it away: at most 4 MiB, or so many frames as they
 * are, for at most a second. Over HTTP/2 an answer before the body's end is followed by a reset of the stream, and clients built on
 * older libcurl then lose the answer. Nothing is read of one who asks first (`Expect`). Never rejects.
 */
export async function readOff(request: Request): Promise<void> {
  const { body, headers } = request;
  if (body === null || body.locked || headers.has("expect") || Number(headers.get("content-length") ?? 0) > MOST) {
    return;
  }
  const reader = body.getReader();
  const late = Promise.withResolvers<void>();
  const timer = setTimeout(late.resolve, LONGEST_MS);
  await Promise.race([rest(reader), late.promise]);
  clearTimeout(timer);
}

async function rest(reader: ReadableStreamDefaultReader<Uint8Array>): Promise<void> {
  try {
    for (let read = 0; read <= MOST;) {
      const { done, value } = await reader.read();
      if (done) return;
      read += Math.max(value.length, LEAST);
    }
  } catch {
    // The client went away.
  }
}
