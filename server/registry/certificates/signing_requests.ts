/** Certificate signing requests: who asks is who asks the server, never who the request says. */
import type { Strategy } from "../strategy.ts";

/** See {@linkcode Strategy}. */
export const signingRequests: Strategy = {
  beforeCreate(obj, { user }) {
    const { username: _n, uid: _u, groups: _g, extra: _e, ...spec } = obj["spec"] ?? {};
    obj["spec"] = {
      ...spec,
      username: user.name,
      ...(user.uid ? { uid: user.uid } : {}),
      groups: [...user.groups],
      ...(user.extra ? { extra: user.extra } : {}),
    };
    return undefined;
  },
};
