/** Calls of gRPC services: their paths, and the shapes of their messages. */
import { type Absent, decode, encode, type Table } from "./wire.ts";

/** One call: its path, and the shapes of both messages. */
export interface Call<Q, R> {
  readonly path: string;
  /** Sent beside those of the protocol, by lower-case names. */
  readonly headers?: Readonly<Record<string, string>>;
  encode(request: Q): Uint8Array;
  decode(bytes: Uint8Array): R;
}

/** A call by the tables of its messages. @param absent what stands for fields that are absent in an answer */
export function callOf<Q extends object, R>(
  path: string,
  request: Table,
  response: Table,
  absent?: Absent,
): Call<Q, R> {
  return { path, encode: (q) => encode(request, q), decode: (bytes) => decode<R>(response, bytes, absent) };
}
