/** Lets requests on or answers them: authentication, then authorization. */
import type { LogLine } from "../../../schema/log/log.ts";
import { type Answer, textAnswer } from "../answer.ts";
import type { Incoming } from "../listen/listen.ts";
import { subresourcesOf, verbOf } from "./attributes.ts";
import { authenticate, type Ways } from "./authenticate.ts";
import type { Authorizer } from "./authorize.ts";
import type { User } from "./types.ts";

/** Undefined: the request may go on. Never throws. */
export type Guard = (incoming: Incoming, path: string) => Promise<Answer | undefined>;

/** See the top of the file. */
export const guard = (ways: Ways, authorize: Authorizer, log: LogLine): Guard => async ({ request, peer }, path) => {
  let user: User | undefined;
  try {
    user = await authenticate(ways, request, peer.secure);
  } catch (e) {
    log("warn", "unable to authenticate the request", e);
  }
  if (!user) return textAnswer(401, "Unauthorized");
  const verb = verbOf(request.method ?? ""), subresources = subresourcesOf(path);
  const about = `user=${user.name}, verb=${verb}, resource=nodes`;
  for (const subresource of subresources) {
    try {
      if (await authorize({ user, verb, subresource })) return undefined;
    } catch (e) {
      log("error", "authorization failed", e);
      return textAnswer(500, `Authorization error (${about}, subresource=${subresource})`);
    }
  }
  return textAnswer(403, `Forbidden (${about}, subresource(s)=[${subresources.join(" ")}])\n`);
};
