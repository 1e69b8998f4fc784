/** Requests as authorizers are asked about them. */
import type { AuthorizationAttributes } from "../../server/authorization/types.ts";
import type { User } from "../../server/request.ts";

/** To get the pods of namespace `a`, but for what is told otherwise. */
export const attributesOf = (user: User, more: Partial<AuthorizationAttributes> = {}): AuthorizationAttributes => ({
  user,
  verb: "get",
  isResource: true,
  group: "",
  version: "v1",
  resource: "pods",
  subresource: "",
  namespace: "a",
  name: "",
  path: "",
  ...more,
});
