/** How resources are named to people. */
import type { Resource } from "./types.ts";

/** `deployments.apps`, `pods`: the name with the group as it is served, in the dialect. */
export const fullName = ({ name, group }: Pick<Resource, "name" | "group">): string =>
  group === "" ? name : `${name}.${group}`;
