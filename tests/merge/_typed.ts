/** The typed walks by message; the server takes them by atom. */
import type { Json, Message } from "../../schema/model/types.ts";
import { atomOf } from "../../schema/merge/atoms.ts";
import { fieldSetOf } from "../../schema/merge/field_set_of.ts";
import type { FieldSet } from "../../schema/merge/fieldset.ts";
import { compareTyped, type Comparison } from "../../schema/merge/compare.ts";
import { mergeTyped } from "../../schema/merge/merge_typed.ts";
import { removeFields } from "../../schema/merge/remove.ts";
import { typedErrors } from "../../schema/merge/validate_typed.ts";

/** The leaves, items and empty members that an object mentions. @throws {TypedError} */
export const toFieldSet = (message: Message, value: Json): FieldSet => fieldSetOf(atomOf(message), value);
/** All places where a value does not fit; empty when it does. */
export const validateTyped = (message: Message, value: Json): string[] => typedErrors(atomOf(message), value);
/** What differs between two objects. @throws {TypedError} */
export const compare = (message: Message, a: Json, b: Json): Comparison => compareTyped(atomOf(message), a, b);
/** `applied` merged into `live`. @throws {TypedError} */
export const merge = (message: Message, live: Json, applied: Json): Json => mergeTyped(atomOf(message), live, applied);
/** The object without the fields. */
export const removeItems = (message: Message, value: Json, fields: FieldSet): Json =>
  removeFields(atomOf(message), value, fields);
