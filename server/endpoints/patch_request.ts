/** A PATCH being worked on. */
import type { Kind } from "../../schema/model/types.ts";
import type { Caller } from "../registry/context.ts";
import type { RequestScope } from "../request.ts";
import type { Api } from "./api.ts";
import type { Parsed, PatchType } from "./patch_types.ts";
import type { WriteOptions } from "./query.ts";

/** See the top of the file. */
export interface PatchRequest {
  readonly api: Api;
  readonly scope: RequestScope;
  readonly type: PatchType;
  /** What the patch is of: the resource's kind in the version asked for, or the subresource's own. */
  readonly kind: Kind;
  readonly options: WriteOptions;
  readonly caller: Caller;
  readonly parsed: Parsed;
}
