/** Collected validation errors. All of an object come at once, in the order found, and become the causes of a 422. */
import type { Cause } from "../status.ts";
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

const show = (v: unknown): string => {
  if (typeof v === "string") return JSON.stringify(v);
  if (v === undefined || v === null) return "null";
  return typeof v === "object" ? JSON.stringify(v) : String(v);
};

/** The errors of one validation. Methods take the place, then the offending value, then what it should be. */
export class ErrorList {
  readonly causes: Cause[] = [];
  /** Places whose parts were not looked at because of an error there: tags of the model say nothing about them either. */
  readonly settled: string[] = [];

  get empty(): boolean {
    return this.causes.length === 0;
  }
  /** Leaves the parts below a place unchecked. */
  settle(path: Path | string): void {
    this.settled.push(String(path));
  }
  /** Adds an error of any type; `text` is the whole message. */
  add(reason: ErrorType, path: Path | string, text: string): void {
    this.causes.push({ reason, message: text, field: String(path) });
  }
  required(path: Path | string, detail = ""): void {
    this.add("FieldValueRequired", path, "Required value" + tail(detail));
  }
  invalid(path: Path | string, value: unknown, detail: string): void {
    this.add("FieldValueInvalid", path, `Invalid value: ${show(value)}` + tail(detail));
  }
  notSupported(path: Path | string, value: unknown, supported: readonly string[]): void {
    this.add(
      "FieldValueNotSupported",
      path,
      `Unsupported value: ${show(value)}` +
        (supported.length ? `: supported values: ${supported.map(show).join(", ")}` : ""),
    );
  }
  duplicate(path: Path | string, value: unknown): void {
    this.add("FieldValueDuplicate", path, `Duplicate value: ${show(value)}`);
  }
  forbidden(path: Path | string, detail: string): void {
    this.add("FieldValueForbidden", path, "Forbidden" + tail(detail));
  }
  tooLong(path: Path | string, max: number): void {
    this.add("FieldValueTooLong", path, `Too long: may not be more than ${max} bytes`);
  }
  tooMany(path: Path | string, actual: number, max: number): void {
    this.add("FieldValueTooMany", path, `Too many: ${actual}: must have at most ${max} items`);
  }
  notFound(path: Path | string, value: unknown): void {
    this.add("FieldValueNotFound", path, `Not found: ${show(value)}`);
  }
  typeInvalid(path: Path | string, value: unknown, detail: string): void {
    this.add("FieldValueTypeInvalid", path, `Invalid value: ${show(value)}` + tail(detail));
  }
  internal(path: Path | string, detail: string): void {
    this.add("InternalError", path, `Internal error: ${detail}`);
  }
}

const tail = (detail: string) => (detail ? `: ${detail}` : "");
