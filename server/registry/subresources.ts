/** Subresources with a kind or a way of their own. Rows by `resource id/subresource`, or `*` for any resource. */
import type { SubresourceHandler } from "../endpoints/api.ts";

/** See {@linkcode SubresourceHandler}. What has no row is an update of its parent's own kind. */
export const SUBRESOURCES: Readonly<Record<string, SubresourceHandler>> = {};
