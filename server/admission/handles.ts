/** Which requests a plugin looks at, said as a table. */
import type { Resource } from "../catalog/types.ts";
import type { Operation } from "./types.ts";

/** The test that {@linkcode Plugin.handles} is. */
export type Handles = (operation: Operation, resource: Resource, subresource: string) => boolean;

/** These operations on these resources (by id), through one of these subresources: by default the object itself. */
export function on(
  operations: readonly Operation[],
  resources: readonly string[],
  subresources: readonly string[] = [""],
): Handles {
  return (operation, resource, subresource) =>
    operations.includes(operation) && resources.includes(resource.id) && subresources.includes(subresource);
}

/** Either of them. */
export function either(...tests: readonly Handles[]): Handles {
  return (operation, resource, subresource) => tests.some((t) => t(operation, resource, subresource));
}

/** Nothing. */
export const nothing: Handles = () => false;
