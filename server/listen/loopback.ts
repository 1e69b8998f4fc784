/** A random address in 127.0.0.0/8 outside 127.0.0.x, for the terminator's side of an internal connection. */
export function randomLoopback(random: () => number): string {
  const part = (low: number) => low + Math.floor(random() * (255 - low));
  return `127.${part(1)}.${part(0)}.${part(1)}`;
}
