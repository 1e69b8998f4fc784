/** Resources that store nothing. Rows by public id. */
import type { VirtualHandler } from "../endpoints/api.ts";

/** See {@linkcode VirtualHandler}. */
export const VIRTUAL: Readonly<Record<string, VirtualHandler>> = {};
