/** A history: what clients asked and were told, what watches showed, and the store's own log. Times are ms of one clock. */

/** A version of an object: undefined `n` is absence. */
export interface Seen {
  readonly rv: number;
  readonly n: string | undefined;
}

/** One request. `ended` is Infinity when nobody knows what became of it. */
export interface Op {
  readonly kind: "put" | "delete" | "get";
  readonly name: string;
  readonly begun: number;
  readonly ended: number;
  /** Of a put: the number that no other has. */
  readonly n?: string;
  /** The version that a write expects; 0 is absence. */
  readonly expect?: number;
  /** `made`: it was done, or read. `refused`: what it expected was not so, or (of a read) the object is not there. */
  readonly outcome: "made" | "refused" | "unknown";
  /** What a put made or a read found; of a deletion nothing is told. */
  readonly seen?: Seen;
}

/** A whole list. */
export interface ListOp {
  readonly begun: number;
  readonly ended: number;
  readonly rv: number;
  readonly items: ReadonlyMap<string, Seen>;
}

/** An event of a watch. */
export interface WatchEvent extends Seen {
  readonly type: string;
  readonly name: string;
}

/** What one watch showed after a version, up to where it was last told to be. */
export interface Stream {
  readonly since: number;
  readonly events: WatchEvent[];
  upTo: number;
}

/** A change in the store's log. */
export interface Change {
  readonly name: string;
  readonly rv: number;
  readonly n: string | undefined;
  /** The version that the writer replaced, as it wrote it into the object; 0 is absence. */
  readonly prev: number | undefined;
}

/** See the top of the file. */
export interface History {
  readonly ops: readonly Op[];
  readonly lists: readonly ListOp[];
  readonly streams: readonly Stream[];
  readonly log: readonly Change[];
}
