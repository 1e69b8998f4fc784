/** Fuzz targets: what they are, and how one is run. All inputs follow from a seed. */

/** Tries inputs until it is told to stop. */
export interface Trial<T = unknown> {
  /** The next input. */
  next(): T;
  /** Tries one. True: accepted; false: refused as it should be. @throws on what must not happen */
  try(input: T): boolean | Promise<boolean>;
  close?(): Promise<void>;
}

/** One thing to be fuzzed. */
export interface Target {
  /** Inputs that the tests try: a second's worth. */
  readonly count: number;
  open(seed: number): Trial | Promise<Trial>;
}

/** Keeps the type of a target's inputs together. */
export function target<T>(count: number, open: (seed: number) => Trial<T> | Promise<Trial<T>>): Target {
  return { count, open: open as Target["open"] };
}

/** How a run went. */
export interface Tally {
  readonly inputs: number;
  readonly accepted: number;
}

/** Runs while `more(inputs so far)`. @throws Error that names the seed, the input's number and the input */
export async function runTarget({ open }: Target, seed: number, more: (inputs: number) => boolean): Promise<Tally> {
  const trial = await open(seed);
  let inputs = 0, accepted = 0;
  try {
    for (; more(inputs); inputs++) {
      const input = trial.next();
      try {
        const answer = trial.try(input);
        if (typeof answer === "boolean" ? answer : await answer) accepted++;
      } catch (cause) {
        const why = cause instanceof Error ? cause.stack : String(cause);
        throw new Error(`seed ${seed}, input ${inputs}: ${shown(input)}\n${why}`, { cause });
      }
    }
  } finally {
    await trial.close?.();
  }
  return { inputs, accepted };
}

function shown(input: unknown): string {
  if (!(input instanceof Uint8Array)) return Deno.inspect(input, { depth: 20, strAbbreviateSize: 2000 }).slice(0, 5000);
  return `${input.toHex()} ${JSON.stringify(new TextDecoder().decode(input))}`.slice(0, 5000);
}
