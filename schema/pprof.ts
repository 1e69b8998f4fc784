/** Profiles of time as `pprof` reads them (its `profile.proto`), made of those of the engine. */
import { encode, type Table } from "./grpc/wire.ts";

/** A place among the calls that were seen, as the engine tells it. */
export interface CallNode {
  readonly id: number;
  /** Lines count from 0. */
  readonly callFrame: { readonly functionName: string; readonly url: string; readonly lineNumber: number };
  readonly children?: readonly number[];
}

/** What the engine tells of a while: which place was at work at each look, and µs since the look before. */
export interface EngineProfile {
  readonly nodes: readonly CallNode[];
  readonly samples?: readonly number[];
  readonly timeDeltas?: readonly number[];
  /** µs since whenever. */
  readonly startTime: number;
  readonly endTime: number;
}

const KIND: Table = [[1, "type", "int"], [2, "unit", "int"]];
const SAMPLE: Table = [[1, "stack", "int", "repeated"], [2, "values", "int", "repeated"]];
const LINE: Table = [[1, "function", "int"], [2, "line", "int"]];
const LOCATION: Table = [[1, "id", "int"], [4, "line", LINE]];
const FUNCTION: Table = [[1, "id", "int"], [2, "name", "int"], [4, "file", "int"], [5, "line", "int"]];

/** The message, of which texts are named by their place. Stacks begin with the place at work. */
export const PPROF: Table = [
  [1, "kinds", KIND, "repeated"],
  [2, "samples", SAMPLE, "repeated"],
  [4, "locations", LOCATION, "repeated"],
  [5, "functions", FUNCTION, "repeated"],
  [6, "texts", "string", "repeated"],
  [9, "startedAt", "id"],
  [10, "lasted", "id"],
  [11, "every", KIND],
];

const NANOS_PER_US = 1_000, NANOS_PER_MS = 1_000_000n;
/** Where the engine says that nothing is at work. */
const IDLE = "(idle)";

/** Encodes a profile that began at `startedAt`, ms since the epoch. Its values are looks and nanoseconds. */
export function pprofOf(profile: EngineProfile, startedAt: number): Uint8Array {
  const texts = new Texts(), { nodes, startTime, endTime } = profile;
  const parents = new Map(nodes.flatMap(({ id, children = [] }) => children.map((child) => [child, id])));
  const cpu = { type: texts.at("cpu"), unit: texts.at("nanoseconds") };
  return encode(PPROF, {
    kinds: [{ type: texts.at("samples"), unit: texts.at("count") }, cpu],
    samples: Array.from(atWork(profile), ([id, values]) => ({ stack: stackOf(id, parents), values })),
    locations: nodes.map(({ id, callFrame }) => ({ id, line: { function: id, line: callFrame.lineNumber + 1 } })),
    functions: nodes.map(({ id, callFrame: { functionName, url, lineNumber } }) => {
      return { id, name: texts.at(functionName || "(anonymous)"), file: texts.at(url), line: lineNumber + 1 };
    }),
    texts: texts.all,
    startedAt: BigInt(Math.round(startedAt)) * NANOS_PER_MS,
    lasted: BigInt(Math.round(endTime - startTime) * NANOS_PER_US),
    every: cpu,
  });
}

/** By place, the looks at which it was at work, and the nanoseconds up to them. */
function atWork({ nodes, samples = [], timeDeltas = [] }: EngineProfile): Map<number, [looks: number, ns: number]> {
  const idle = new Set(nodes.filter(({ callFrame }) => callFrame.functionName === IDLE).map(({ id }) => id));
  const found = new Map<number, [number, number]>();
  for (const [i, id] of samples.entries()) {
    if (idle.has(id)) continue;
    const [looks, ns] = found.get(id) ?? [0, 0];
    // The engine's looks are not always told in order.
    found.set(id, [looks + 1, ns + Math.max(0, timeDeltas[i] ?? 0) * NANOS_PER_US]);
  }
  return found;
}

/** A place and those that called it, without the root of all. */
function stackOf(id: number, parents: ReadonlyMap<number, number>): number[] {
  const stack = [id];
  for (let at = parents.get(id); at !== undefined && parents.has(at); at = parents.get(at)) stack.push(at);
  return stack;
}

/** The first is empty, as the format has it. */
class Texts {
  readonly all: string[] = [""];
  readonly #at = new Map([["", 0]]);

  at(text: string): number {
    const known = this.#at.get(text);
    if (known !== undefined) return known;
    this.#at.set(text, this.all.length);
    return this.all.push(text) - 1;
  }
}
