/** Collected validation errors. All of an object come at once, in the order found, and become the causes of a 422. */
import { type Cause, LEFT_OUT } from "../status.ts";
import { numberText } from "../values/double.ts";
import { quote } from "../values/quote.ts";
import type { Path } from "./path.ts";

/** Kinds of validation error, as clients read them in a cause's `reason`. */
export type ErrorType =
  | "FieldValueNotFound"
  | "FieldValueRequired"
  | "FieldValueDuplicate"
  | "FieldValueInvalid"
  | "FieldValueNotSupported"
  | "FieldValueForbidden"
  | "FieldValueTooLong"
  | "FieldValueTooMany"
  | "FieldValueTypeInvalid"
  | "InternalError";

/** In the place of an offending value: it is not shown. */
export const OMITTED = Symbol("omitted");

/** A value behind the words before it. */
const shown = (v: unknown): string => v === OMITTED ? "" : `: ${show(v)}`;

const show = (v: unknown): string => {
  if (typeof v === "string") return quote(v);
  if (v === undefined || v === null) return "null";
  if (typeof v === "number" || typeof v === "bigint") return numberText(v);
  return typeof v === "object" ? JSON.stringify(v, shownNumber) : String(v);
};

/** Whole numbers beyond what a float holds are shown as the nearest one. */
const shownNumber = (_name: string, v: unknown): unknown => typeof v === "bigint" ? Number(v) : v;

/** Causes of one answer, and characters of their messages: a body of 3 MiB may have a hundred thousand faults. */
const MOST_CAUSES = 1000;
const MOST_TEXT = 1 << 20;

/** What is said of a list that is too long. */
export const atMost = (max: number): string => `must have at most ${max} ${max === 1 ? "item" : "items"}`;

/** What is said of a text that is too long. */
export const notLonger = (max: number): string => `may not be more than ${max} ${max === 1 ? "byte" : "bytes"}`;

const lengthOf = (c: Cause): number => c === LEFT_OUT ? 0 : (c.message ?? "").length;

/** The errors of one validation; past a bound they are only counted. Methods take the place, then the offending value, then what it should be. */
export class ErrorList {
  readonly causes: Cause[] = [];
  /** What is wrong but let be, since it was so before: the client is warned of it. */
  readonly notes: string[] = [];
  /** Places whose parts were not looked at because of an error there: tags of the model say nothing about them either. */
  readonly settled: string[] = [];
  #text = 0;

  get empty(): boolean {
    return this.causes.length === 0;
  }
  /** Whether what is added from now on is only counted. */
  get full(): boolean {
    return this.causes.length >= MOST_CAUSES || this.#text > MOST_TEXT;
  }
  /** Leaves the parts below a place unchecked. */
  settle(path: Path | string): void {
    this.settled.push(String(path));
  }
  /** Adds an error of any type; `text` is the whole message. */
  add(reason: ErrorType, path: Path | string, text: string): void {
    const { full } = this;
    this.#text += text.length;
    this.causes.push(full ? LEFT_OUT : { reason, message: text, field: String(path) });
  }
  /** The same of a text that is made only where it is told: a value that many faults show may be as long as a body. */
  #show(reason: ErrorType, path: Path | string, text: () => string): void {
    if (this.full) this.causes.push(LEFT_OUT);
    else this.add(reason, path, text());
  }
  /** Adds what is let be; of many, as many as anybody reads. */
  note(text: string): void {
    if (this.notes.length < MOST_CAUSES) this.notes.push(text);
  }
  /** Takes back what was added from a position on. */
  forget(from: number): void {
    this.causes.length = from;
    this.#text = this.causes.reduce((n, c) => n + lengthOf(c), 0);
  }
  /** Adds causes that are made already. */
  take(causes: readonly Cause[]): void {
    for (const c of causes) {
      const left = this.full || c === LEFT_OUT;
      if (!left) this.#text += lengthOf(c);
      this.causes.push(left ? LEFT_OUT : c);
    }
  }
  required(path: Path | string, detail = ""): void {
    this.add("FieldValueRequired", path, "Required value" + tail(detail));
  }
  invalid(path: Path | string, value: unknown, detail: string): void {
    this.#show("FieldValueInvalid", path, () => `Invalid value${shown(value)}` + tail(detail));
  }
  notSupported(path: Path | string, value: unknown, supported: readonly string[]): void {
    this.#show(
      "FieldValueNotSupported",
      path,
      () =>
        `Unsupported value: ${show(value)}` +
        (supported.length ? `: supported values: ${supported.map(show).join(", ")}` : ""),
    );
  }
  duplicate(path: Path | string, value: unknown): void {
    this.#show("FieldValueDuplicate", path, () => `Duplicate value${shown(value)}`);
  }
  forbidden(path: Path | string, detail: string): void {
    this.add("FieldValueForbidden", path, "Forbidden" + tail(detail));
  }
  tooLong(path: Path | string, max: number): void {
    this.add("FieldValueTooLong", path, `Too long: ${notLonger(max)}`);
  }
  tooMany(path: Path | string, actual: number, max: number): void {
    this.add("FieldValueTooMany", path, `Too many: ${actual}: ${atMost(max)}`);
  }
  notFound(path: Path | string, value: unknown): void {
    this.#show("FieldValueNotFound", path, () => `Not found: ${show(value)}`);
  }
  internal(path: Path | string, detail: string): void {
    this.add("InternalError", path, `Internal error: ${detail}`);
  }
}

const tail = (detail: string) => (detail ? `: ${detail}` : "");
