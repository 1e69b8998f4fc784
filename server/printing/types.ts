/** Tables: how each resource is printed (specification, "Kinds": Table). */
import type { Json, Obj } from "../../schema/model/types.ts";
import { humanDuration } from "../../schema/values/age.ts";

/** One column, as the Table's `columnDefinitions` give it. */
export interface Column {
  readonly name: string;
  readonly type: "string" | "integer" | "number" | "boolean" | "date";
  /** `name` for the object's name; else empty. */
  readonly format: string;
  readonly description: string;
  /** 0 in the normal view, above it only in the wide one. */
  readonly priority: number;
}

/** The time since a moment (RFC 3339), printed when the row is sent: cells are kept, and their age grows. */
export class Age {
  /** Milliseconds since the epoch. */
  readonly #since: number | undefined;

  /** Text around the age: `3 (` and ` ago)`. */
  constructor(since: string | undefined | null, readonly before = "", readonly after = "") {
    this.#since = since ? Date.parse(since) : undefined;
  }

  /** As printed at a time, milliseconds since the epoch. */
  text(now: number): string {
    const age = this.#since === undefined ? "<unknown>" : humanDuration(now - this.#since);
    return this.before + age + this.after;
  }
}

/** The time until a moment, or since it once it has passed. */
export class Until extends Age {
  readonly #at: number | undefined;

  constructor(at: string | undefined | null) {
    super(at, "", " ago");
    this.#at = at ? Date.parse(at) : undefined;
  }

  override text(now: number): string {
    if (this.#at === undefined) return "<unknown>";
    return this.#at > now ? `in ${humanDuration(this.#at - now)}` : super.text(now);
  }
}

/** A cell: a JSON value, or an age. */
export type Cell = Json | Age;

/** How a resource is printed. Objects have the shape of the storage version. */
export interface Printer {
  readonly columns: readonly Column[];
  /** Cells in the order of the columns. */
  cells(obj: Obj): Cell[];
  /** What a row says of its object, such as that it is completed; most kinds say nothing. */
  conditions?(obj: Obj): Json[] | undefined;
  /** Order of a list's rows, by their cells; without it that of the list. */
  order?(a: readonly Cell[], b: readonly Cell[]): number;
}

/** Printers of a group's resources, by public id. */
export type Printers = Readonly<Record<string, Printer>>;
