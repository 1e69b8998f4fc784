/** Lines of bytes that come in pieces. */

/**
 * Lines without their ends; empty ones are left out.
 *
 * @param most bytes of a line
 * @throws what `tooLong` makes, for a longer line
 */
export async function* linesOf(
  chunks: AsyncIterable<Uint8Array>,
  most: number,
  tooLong: () => Error,
): AsyncGenerator<Uint8Array> {
  const parts: Uint8Array[] = [];
  let held = 0;
  const take = () => {
    const line = new Uint8Array(held);
    let at = 0;
    for (const part of parts) {
      line.set(part, at);
      at += part.length;
    }
    parts.length = held = 0;
    return line;
  };
  for await (let chunk of chunks) {
    for (let end = chunk.indexOf(10); end >= 0; end = chunk.indexOf(10)) {
      parts.push(chunk.subarray(0, end));
      held += end;
      chunk = chunk.subarray(end + 1);
      const line = take();
      if (line.length > 0) yield line;
    }
    if (chunk.length > 0) parts.push(chunk.slice());
    held += chunk.length;
    if (held > most) throw tooLong();
  }
  if (held > 0) yield take();
}
