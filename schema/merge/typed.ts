/** The typed walks by message: field sets, comparison, merge, removal. The walks themselves are by atom (`atoms.ts`). */
import type { Json, Message } from "../model/types.ts";
import { atomOf } from "./atoms.ts";
import { compareTyped, type Comparison } from "./compare.ts";
import { fieldSetOf } from "./field_set_of.ts";
import type { FieldSet } from "./fieldset.ts";
import { withNamedFields } from "./fieldset_schema.ts";
import { mergeTyped } from "./merge_typed.ts";
import { extractFields, removeFields } from "./remove.ts";
import { typedErrors } from "./validate_typed.ts";

export { jsonEqual } from "./_tree.ts";

/** The leaves, items and empty members that an object mentions. @throws {TypedError} */
export const toFieldSet = (message: Message, value: Json): FieldSet => fieldSetOf(atomOf(message), value);
/** What differs between two objects. @throws {TypedError} */
export const compare = (message: Message, a: Json, b: Json): Comparison => compareTyped(atomOf(message), a, b);
/** `applied` merged into `live`. @throws {TypedError} */
export const merge = (message: Message, live: Json, applied: Json): Json => mergeTyped(atomOf(message), live, applied);
/** The object without the fields. */
export const removeItems = (message: Message, value: Json, fields: FieldSet): Json =>
  removeFields(atomOf(message), value, fields);
/** The object with only the fields. */
export const extractItems = (message: Message, value: Json, fields: FieldSet): Json =>
  extractFields(atomOf(message), value, fields);
/** The set with declared members on the way to its members. */
export const ensureNamedFields = (message: Message, fields: FieldSet): FieldSet =>
  withNamedFields(fields, atomOf(message));
/** All places where a value does not fit; empty when it does. */
export const validateTyped = (message: Message, value: Json): string[] => typedErrors(atomOf(message), value);
