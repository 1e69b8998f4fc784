/** Bodies of answers of other servers. */
import { concat } from "../../schema/values/bytes.ts";

/** A body as text. @throws Error when it is larger than `limit` bytes, before more is read; what reading throws */
export async function bodyText(
  body: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  limit: number,
): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body) {
    size += chunk.length;
    if (size > limit) throw new Error(`the answer is larger than ${limit} bytes`);
    chunks.push(chunk);
  }
  return new TextDecoder().decode(concat(chunks));
}
