/** Printers of all resources, by public id. */
import type { Resource } from "../catalog/types.ts";
import { DEFAULT_PRINTER } from "./default.ts";
import type { Printer } from "./types.ts";

const PRINTERS: Readonly<Record<string, Printer>> = {};

/** How a resource is printed. */
export function printerFor(resource: Resource): Printer {
  return PRINTERS[resource.id] ?? DEFAULT_PRINTER;
}
