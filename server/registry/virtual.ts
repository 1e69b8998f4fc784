/** Resources that store nothing. Rows by public id. */
import type { VirtualHandler } from "../endpoints/api.ts";
import { bindings } from "./core/binding.ts";

/** See {@linkcode VirtualHandler}. */
export const VIRTUAL: Readonly<Record<string, VirtualHandler>> = {
  "bindings": bindings,
};
