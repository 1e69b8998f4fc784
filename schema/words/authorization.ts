/** Questions about permissions, in words. */
export const AUTHORIZATION = `
FieldSelectorAttributes: The field selector of the request that is asked about. Set either rawSelector or requirements,
    never both.
  rawSelector: The selector as it would stand in the query string. The API server parses it; if that fails, the question
    is answered as if there were no selector. Webhooks should not look at it.
  requirements: The selector in parsed form; an object must meet all of them. A requirement that is not understood may
    be dropped, since that only makes the request wider.
LabelSelectorAttributes: The label selector of the request that is asked about. Set either rawSelector or requirements,
    never both.
  rawSelector: The selector as it would stand in the query string. The API server parses it; if that fails, the question
    is answered as if there were no selector. Webhooks should not look at it.
  requirements: The selector in parsed form; an object must meet all of them. A requirement that is not understood may
    be dropped, since that only makes the request wider.
LocalSubjectAccessReview: Asks whether somebody may do something in one namespace. The answer comes back in the status;
    nothing is stored. Being namespaced, the right to ask can be given for one namespace.
  spec: Who is asked about, and what they want to do. Its resourceAttributes.namespace must be the namespace of the
    request.
  status: The answer, filled in by the API server.
NonResourceAttributes: A request for a path that is no API resource.
  path: Path of the request, such as /healthz.
  verb: HTTP method in lower case, such as get or post.
NonResourceRule: Allowed verbs on paths that are no API resources.
  verbs: Allowed verbs in lower case, such as get or post. * stands for all.
  nonResourceURLs: Paths to which they apply. A * at the end covers all that begins so; alone it covers every path.
ResourceAttributes: A request on an API resource, as the authorizer sees it.
  namespace: Namespace of the request. Empty for cluster-wide resources; for others it means all namespaces. A
    LocalSubjectAccessReview must give its own.
  verb: What shall be done, such as get, list, watch, create, update, delete. * asks for all verbs at once.
  group: API group of the resource; empty for the core group. * asks for all groups.
  version: API version of the resource. Empty or * asks for all versions.
  resource: The resource in plural, such as pods. * asks for all resources.
  subresource: Part of the object that is asked for, such as log or status. Empty means the object itself.
  name: Name of the object. Empty asks for all objects.
  fieldSelector: Narrows the request to objects with certain field values. It can only help to get a yes, as the request
    becomes smaller.
  labelSelector: Narrows the request to objects with certain labels. It can only help to get a yes, as the request
    becomes smaller.
ResourceRule: Allowed verbs on API resources.
  verbs: Allowed verbs, such as get, list, watch, create, update, delete. * stands for all.
  apiGroups: API groups of the resources; the empty string is the core group and * stands for all.
  resources: Resources to which the verbs apply. */scale means that subresource of any resource, and * means everything.
  resourceNames: Names of the objects to which the verbs apply. Empty means any name.
SelfSubjectAccessReview: Asks whether you yourself may do something. The answer comes back in the status; nothing is
    stored.
  spec: The request that you want to make.
  status: The answer, filled in by the API server.
SelfSubjectAccessReviewSpec: What you want to do: set either resourceAttributes or nonResourceAttributes.
  resourceAttributes: The request, when it is on an API resource. Excludes nonResourceAttributes.
  nonResourceAttributes: The request, when it is for some other path. Excludes resourceAttributes.
SelfSubjectRulesReview: Asks for a list of all you may do in a namespace. Good for showing or hiding buttons; to decide
    upon access for others use SubjectAccessReview, as the list can be incomplete and soon out of date.
  spec: The namespace that is asked about.
  status: The list, filled in by the API server.
SelfSubjectRulesReviewSpec: Where your permissions are asked for.
  namespace: The namespace. Must not be empty.
SubjectAccessReview: Asks whether a user or group may do something, in any namespace or cluster-wide. The answer comes
    back in the status; nothing is stored. The API server also sends it to an authorization webhook.
  spec: Who is asked about, and what they want to do.
  status: The answer, filled in by the API server or the webhook.
SubjectAccessReviewSpec: Who wants to do what. Set one of resourceAttributes and nonResourceAttributes, and at least
    one of user and groups.
  resourceAttributes: The request, when it is on an API resource. Excludes nonResourceAttributes.
  nonResourceAttributes: The request, when it is for some other path. Excludes resourceAttributes, and is forbidden in a
    LocalSubjectAccessReview.
  user: Name of the user. Given without groups, the user is taken to be in none.
  groups: Groups to which the user belongs. No group is added to those given here.
  extra: Extra data of the user, as the login check would give it.
  uid: UID of the user, as the login check would give it.
SubjectAccessReviewStatus: Whether the request would be let through.
  allowed: True when the request would be allowed.
  denied: True when it is expressly forbidden. If allowed is false too, nobody has spoken for or against it, which comes
    to a no unless another authorizer says yes. Never true along with allowed.
  reason: Why it was allowed or denied, in words.
  evaluationError: What went wrong on the way, such as a role that could not be found. The answer may hold all the same.
SubjectRulesReviewStatus: What the user may do. All that is listed is allowed; what is not listed may be allowed too if
    incomplete is true.
  resourceRules: Permissions on API resources, in no order and possibly with repetitions.
  nonResourceRules: Permissions on other paths, in no order and possibly with repetitions.
  incomplete: True when something may be missing, mostly because an authorizer cannot list its rules.
  evaluationError: What went wrong while the rules were gathered. The lists may then be incomplete.
`;
