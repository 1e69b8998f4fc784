/** Reviews: who a token is, what somebody may do. Nothing of them is stored (specification, "Terminology": virtual). */
import type { JsonMap, Obj } from "../../schema/model/types.ts";
import type { TokenAuthenticator } from "../authentication/token.ts";
import {
  localSubjectAccessReview,
  selfSubjectAccessReview,
  selfSubjectReview,
  selfSubjectRulesReview,
  subjectAccessReview,
  tokenReview,
} from "../authorization/reviews.ts";
import { askedFor } from "../authorization/chain.ts";
import type { Authorizer } from "../authorization/types.ts";
import type { Call, VirtualHandler } from "../endpoints/api.ts";
import { RequestAttributes } from "./attributes.ts";

/** Metadata that only the server gives: what clients say there counts as nothing. */
const SERVERS_OWN = ["uid", "creationTimestamp", "deletionTimestamp", "deletionGracePeriodSeconds", "selfLink"];

/** What reviews ask. */
export interface ReviewParts {
  readonly authorizer: Authorizer;
  readonly tokens: TokenAuthenticator | undefined;
  readonly apiAudiences: readonly string[];
}

/** Handlers by public id. */
export function reviews({ authorizer, tokens, apiAudiences }: ReviewParts): Readonly<Record<string, VirtualHandler>> {
  const post = (review: (call: Call, body: Obj) => Obj | Promise<Obj>): VirtualHandler => ({
    create: async (call, body) => {
      const { api, served } = call;
      for (const m of SERVERS_OWN) delete (body.metadata as JsonMap | undefined)?.[m];
      if (!call.namespace) delete body.metadata?.namespace;
      const a = attributes(call, body);
      await api.admission.admit(a);
      await api.admission.validate(a);
      return { object: await review(call, body), kind: served.kind };
    },
  });
  const group = (call: Call) => call.served.resource.group;
  return {
    "subjectaccessreviews.authorization.k8s.io": post((c, b) =>
      subjectAccessReview(b, askedFor(c.caller, authorizer), group(c))
    ),
    "selfsubjectaccessreviews.authorization.k8s.io": post((c, b) =>
      selfSubjectAccessReview(b, c.caller.user, askedFor(c.caller, authorizer), group(c))
    ),
    "localsubjectaccessreviews.authorization.k8s.io": post((c, b) =>
      localSubjectAccessReview(b, c.namespace, askedFor(c.caller, authorizer), group(c))
    ),
    "selfsubjectrulesreviews.authorization.k8s.io": post((c, b) =>
      selfSubjectRulesReview(b, c.caller.user, authorizer)
    ),
    "tokenreviews.authentication.k8s.io": post((_c, b) => tokenReview(b, tokens, apiAudiences)),
    "selfsubjectreviews.authentication.k8s.io": post((c, b) => selfSubjectReview(b, c.caller.user, c.api.rules.now())),
  };
}

function attributes({ caller, served, namespace }: Call, object: Obj) {
  const { name = "" } = object.metadata;
  return new RequestAttributes(caller, "CREATE", served.resource, "", namespace, name, object, undefined);
}
