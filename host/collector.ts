/** What V8's collector is asked for: a look at the young objects; or of everything, giving back what it keeps for later. */
const WAYS = {
  young: { type: "minor" },
  whole: { type: "major", flavor: "last-resort" },
} as const;

/** Collects at once. */
export type Collect = (way: keyof typeof WAYS) => void;

/** The collector; undefined unless the process was started with `--v8-flags=--expose-gc`, as `deno task start` does. */
export function collector(): Collect | undefined {
  const gc: unknown = Reflect.get(globalThis, "gc");
  return typeof gc === "function" ? (way) => void gc(WAYS[way]) : undefined;
}
