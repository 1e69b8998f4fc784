/** Flow schemas and priority levels, in words. */
export const FLOWCONTROL = `
ExemptPriorityLevelConfiguration: How a priority level without limits weighs upon the other levels. Of the built-in
    level named exempt, only this part may be changed.
  nominalConcurrencyShares: Weight of the seats set aside in name for this level. Its own requests run without limit
    all the same; the number only shifts what other levels get or may borrow. Default 0.
  lendablePercent: Share of this level's nominal seats that other levels may borrow, from 0 to 100. Default 0.
FlowDistinguisherMethod: Says by what the requests of one flow schema are split into separate flows, so that one flow
    cannot crowd out the next.
  type: ByUser makes one flow for each user name. ByNamespace makes one for each namespace acted upon; requests without
    a namespace share one flow.
FlowSchema: Picks requests to the API server by who sends them and what they ask for, and puts them on a priority
    level. A request is handled by exactly one schema, the first match in order of matchingPrecedence.
  spec: Which requests are matched, in what order, and the priority level that takes them.
  status: Whether the named priority level was found.
FlowSchemaCondition: One finding about a flow schema.
  type: The type Dangling is in use: True when the named priority level does not exist, so that the schema is ignored.
FlowSchemaSpec: Which requests a flow schema matches, and where it sends them.
  priorityLevelConfiguration: The priority level that handles matching requests. While it does not exist, the schema is
    passed over and its condition Dangling is True.
  matchingPrecedence: Place in the order of matching, 1 to 10000; lower numbers are tried first, and equal ones by
    schema name. Only the schema named exempt may have 1. Default 1000.
  distinguisherMethod: How matching requests are split into flows. Without it all of them form a single flow.
  rules: The requests wanted: one matching rule is enough. With no rules nothing matches.
FlowSchemaStatus: What the API server found out about a flow schema.
  conditions: Findings about the schema, one of each type. Dangling tells whether its priority level is missing.
GroupSubject: A user group whose members' requests are matched.
  name: Name of the group, or * for every group.
LimitResponse: What happens to a request when its level has no free seat.
  type: Queue keeps the request waiting until a seat is free, and turns it away when its queue is full. Reject turns it
    away at once.
  queuing: Settings of the queues. Needed with type Queue, forbidden with Reject.
LimitedPriorityLevelConfiguration: How many seats a limited level has, what it lends and borrows, and what becomes of
    requests that find no seat.
  nominalConcurrencyShares: Weight of this level when the server's seats are divided among the levels. More seats here
    are fewer for all others. With 0 the level has no seats of its own. Default 30.
  limitResponse: Whether a request that finds no free seat is queued or rejected.
  lendablePercent: Share of this level's nominal seats that other levels may borrow while they are idle, from 0 to 100.
    Default 0.
  borrowingLimitPercent: Most seats this level may borrow at a time, in percent of its own nominal seats. It may
    exceed 100. Without it there is no such bound.
NonResourcePolicyRule: Matches requests for paths that are not API resources, such as /healthz. A verb and a path of
    the lists must both match.
  verbs: Verbs to match, in lower case, such as get. At least one; * stands for all and must then be alone.
  nonResourceURLs: Paths to match, each with a leading slash. A path ending in /* covers everything below it; other uses
    of * are refused, but a lone * covers every path. At least one entry.
PolicyRulesWithSubjects: One test on a request. It passes when a subject fits the sender, and a resource rule or
    non-resource rule fits what is asked for.
  subjects: Senders to match; at least one entry. The groups system:authenticated and system:unauthenticated together
    cover everybody.
  resourceRules: Rules for requests on API resources. May be left out only if nonResourceRules is given.
  nonResourceRules: Rules for requests on other paths. May be left out only if resourceRules is given.
PriorityLevelConfiguration: A class of requests with its own share of the API server's capacity. Flow schemas decide
    which requests belong to it.
  spec: Whether the level is limited, its share of seats and its queues.
  status: Findings of the control plane about the level.
PriorityLevelConfigurationCondition: One finding about a priority level.
PriorityLevelConfigurationReference: Names the priority level that a flow schema uses.
  name: Name of the priority level. Must not be empty.
PriorityLevelConfigurationSpec: Whether and how the requests of a priority level are limited.
  type: Limited gives the level a share of seats and holds its requests to it. Exempt runs every request at once; only
    the level named exempt has this type.
  limited: Settings of a limited level. Needed with type Limited, forbidden with Exempt.
  exempt: Settings of an exempt level. Allowed with type Exempt only; left out, its defaults hold.
PriorityLevelConfigurationStatus: What was found out about a priority level.
  conditions: Findings about the level, one of each type.
QueuingConfiguration: The queues of a limited level, and how requests are dealt out to them.
  queues: Number of queues, 1 to 10000000; each API server keeps its own set. With 1 all flows share the same queue.
    Default 64.
  handSize: How many queues a flow is dealt. A new request joins one of the shortest of them. At most queues; keep it
    much smaller, so that a few busy flows do not fill all. Default 8.
  queueLengthLimit: Most requests waiting in one queue, at least 1. Further ones are rejected. Default 50.
ResourcePolicyRule: Matches requests on API resources. Verb, API group, resource and scope must all match.
  verbs: Verbs to match: get, list, watch, create, patch, update, delete, deletecollection, proxy. At least one; *
    stands for all and must then be alone.
  apiGroups: API groups to match, the empty string being the core group. At least one; * stands for all and must then
    be alone.
  resources: Resources to match, plural and in lower case; a subresource is written as in nodes/status. At least one;
    * stands for all and must then be alone.
  clusterScope: True to match requests without a namespace too: those on cluster-wide resources, or across all
    namespaces. When false, namespaces must have an entry.
  namespaces: Namespaces to match. A lone * stands for any namespace, yet not for requests that name none. May be empty
    only when clusterScope is true.
ServiceAccountSubject: A service account, or all those of a namespace, whose requests are matched.
  namespace: Namespace of the service account. Must be given in full; there is no wildcard.
  name: Name of the service account, or * for all in the namespace.
Subject: A sender of requests: a user, a group or a service account. Fill in only the part that kind calls for.
  kind: User, Group or ServiceAccount. The part of that name must be set, and the two others must not.
  user: The user to match. Needed with kind User, forbidden otherwise.
  group: The group to match. Needed with kind Group, forbidden otherwise.
  serviceAccount: The service account to match. Needed with kind ServiceAccount, forbidden otherwise.
UserSubject: A user whose requests are matched.
  name: Name of the user, or * for every user.
`;
