/** Connections that are read to their end, though nothing can be written to them any more. */

type Done = (error?: Error | null) => void;

/** What of a stream of Node's is changed. */
export interface Written {
  _write(chunk: unknown, encoding: string, done: Done): void;
  _writev?(chunks: never[], done: Done): void;
}

/**
 * Has what cannot be written be let go. Whoever leaves with something unread resets the connection; a write that fails by that would
 * end it before the last of what the other side had said was read. The end is told by reading.
 */
export function readsOn(stream: Written): void {
  const { _write, _writev } = stream;
  stream._write = (chunk, encoding, done) => _write.call(stream, chunk, encoding, () => done());
  if (_writev) stream._writev = (chunks, done) => _writev.call(stream, chunks, () => done());
}
