/** First messages of TLS clients, byte by byte. */
import { concat } from "../../schema/values/bytes.ts";

/** Types of records. */
export const HANDSHAKE = 22, ALERT = 21;

const u16 = (n: number) => Uint8Array.of(n >> 8, n & 0xff);
const bytes8 = (...parts: Uint8Array[]) => concat([Uint8Array.of(concat(parts).length), ...parts]);
const bytes16 = (...parts: Uint8Array[]) => concat([u16(concat(parts).length), ...parts]);
const extension = (type: number, ...content: Uint8Array[]) => concat([u16(type), bytes16(...content)]);

/** A message that offers TLS 1.3, the groups and no key share: a server that takes it asks for one. */
export function clientHello(groups: readonly number[]): Uint8Array {
  const hello = concat([
    u16(0x0303),
    new Uint8Array(32).fill(7),
    bytes8(new Uint8Array(32)), // session
    bytes16(u16(0x1301)), // TLS_AES_128_GCM_SHA256
    bytes8(Uint8Array.of(0)), // no compression
    bytes16(
      extension(43, bytes8(u16(0x0304))), // versions
      extension(13, bytes16(u16(0x0403), u16(0x0804))), // signatures
      extension(10, bytes16(...groups.map(u16))),
      extension(51, bytes16()), // key shares
    ),
  ]);
  return concat([Uint8Array.of(1, 0), u16(hello.length), hello]);
}

/** Messages in records of at most so many bytes. */
export function records(message: Uint8Array, size = 1 << 14): Uint8Array {
  const parts: Uint8Array[] = [];
  for (let at = 0; at < message.length; at += size) {
    parts.push(concat([Uint8Array.of(HANDSHAKE, 3, 1), bytes16(message.subarray(at, at + size))]));
  }
  return concat(parts);
}

/** What a server answers first. */
export async function firstRecord(port: number, message: Uint8Array): Promise<Uint8Array> {
  const connection = await Deno.connect({ hostname: "127.0.0.1", port });
  try {
    await connection.write(records(message));
    const answer = new Uint8Array(7);
    await connection.read(answer);
    return answer;
  } finally {
    connection.close();
  }
}
