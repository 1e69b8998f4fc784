/** What all kinds share, and what discovery, watches and errors consist of, in words. */
export const META = `
APIGroup: One group of the API as discovery shows it: its name, its versions, and the one to take when in doubt.
  name: Name of the group, such as apps or a domain.
  versions: Versions in which the group is served, in the order in which the server prefers them.
  preferredVersion: The version that clients should use when they have no reason to take another.
  serverAddressByClientCIDRs: Addresses at which the group can be reached, by the network the client is in. Where more
    than one network holds the client, the narrowest counts.
APIGroupList: The groups that the API server offers, answered at /apis.
  groups: All named groups with their versions. The core group is not among them, it is found at /api.
APIResource: One resource of a group and version: how it is called, what kind it holds, and what can be done with it.
  name: Plural name, as in the path of a request. A subresource stands as resource/subresource, such as pods/log.
  singularName: Singular name in small letters. Clients accept it beside the plural, and use it when they speak of one
    object.
  namespaced: True when each object belongs to a namespace, false when objects belong to the whole cluster.
  group: Group of the kind that the resource speaks, where it is not that of the list, as with the subresource scale.
    Empty for the group of the list.
  version: Version of the kind that the resource speaks, where it is not that of the list. Empty for the version of
    the list.
  kind: Kind of the objects, such as Pod for the resource pods.
  verbs: What the server can do with the resource, out of create, get, list, watch, update, patch, delete,
    deletecollection and proxy. It says nothing of the rights of the user.
  shortNames: Abbreviations that clients may accept in place of the name, such as po for pods.
  categories: Names that stand for many resources at once, such as all. Clients resolve them.
  storageVersionHash: Token for the version in which the objects are stored. Two tokens may only be compared for
    equality. Absent where the gate StorageVersionHash is off.
APIResourceList: The resources of one group and version, answered at the path of that version.
  groupVersion: Group and version of the list, such as apps/v1. For the core group only the version.
  resources: Resources and subresources served under this group and version.
APIVersions: The versions of the core group, answered at /api.
  versions: Versions in which the core group is served, such as v1.
  serverAddressByClientCIDRs: Addresses at which the server can be reached, by the network the client is in. Where
    more than one network holds the client, the narrowest counts.
Condition: One statement about the state of an object, and since when it holds. Within an object each type occurs
    once.
  type: Name of the statement, such as Available. At most one condition of each type stands on an object.
  reason: Word for programs that tells why the status became what it is, in CamelCase. It must not be empty and has at
    most 1024 bytes.
  message: Explanation for people. It may be empty and has at most 32768 bytes.
DeleteOptions: How an object is to be deleted. Sent as the body of a delete request, or as its query parameters.
  gracePeriodSeconds: Seconds that the object has to end by itself. 0 removes it at once, a negative number counts as
    1. Absent, the default of the kind is taken.
  preconditions: What must be true of the object for the delete to happen. Otherwise it fails with the status 409.
  orphanDependents: Deprecated in favour of propagationPolicy, which excludes it. True lets objects that depend on
    this one stay, false lets them be collected.
  propagationPolicy: What becomes of objects that depend on this one. Orphan: they stay. Background: they are deleted
    afterwards. Foreground: they go first, and the object only after them. Default depends on the kind and on the
    finalizers that the object has. Excludes orphanDependents.
  dryRun: Set to All, the request goes through every check and nothing is stored. No other value is accepted.
  ignoreStoreReadErrorWithClusterBreakingPotential: True removes an object whose stored data cannot be decrypted or
    decoded any more. Finalizers are not waited for, and what relies on them may break. Needs a right of its own, and
    excludes every other option here but dryRun. Default false. Gate AllowUnsafeMalformedObjectDeletion.
FieldSelectorRequirement: One requirement that a member of an object must meet, made of key, operator and values.
  key: Path of the member that is compared, such as metadata.name. It must not be empty.
  operator: How key and values relate. In: the value is one of them. NotIn: it is none of them. Exists: the member is
    there. DoesNotExist: it is not. Others may be added one day.
  values: Values for the operators In and NotIn, at least one. Must be empty for Exists and DoesNotExist.
FieldsV1: A set of members, written as a tree. Each key names a step: f: and a member, k: and the keys of a list item,
    v: and the value of a list item, i: and a position. A dot stands for the place itself.
GroupResource: Name of a resource together with its group, without a version.
  group: Group of the resource. Empty for the core group.
  resource: Plural name of the resource, such as deployments.
GroupVersionForDiscovery: A version of a group, as discovery lists it.
  groupVersion: Group and version in one string, such as apps/v1.
  version: The version alone, such as v1, so that clients need not take the other string apart.
LabelSelector: Chooses objects by their labels. Whatever stands in matchLabels and matchExpressions must all hold. An
    empty selector takes every object. An absent one takes none, unless the member it belongs to has another default.
  matchLabels: Labels that an object must have, with exactly these values. Each pair says the same as a requirement
    with the operator In and one value.
  matchExpressions: Further requirements on labels. All of them must hold, together with matchLabels.
LabelSelectorRequirement: One requirement that the labels of an object must meet, made of key, operator and values.
  key: Key of the label that is looked at.
  operator: How key and values relate. In: the label has one of the values. NotIn: it has none of them, or there is no
    such label. Exists: the label is there, whatever its value. DoesNotExist: it is not there.
  values: Values for the operators In and NotIn, at least one. Must be empty for Exists and DoesNotExist.
ListMeta: What an answer that is no stored object says of itself, above all a list.
  selfLink: Deprecated, and no longer filled in by the server.
  resourceVersion: Version of the data from which the list was made. A watch can go on from there. Clients must not
    read anything into it.
  continue: Token for the next part of a list that was cut by limit. Send it back in the parameter of the same name.
    It expires after some minutes, then the list must be begun anew. Absent on the last part.
  remainingItemCount: How many objects come after this part of the list. An estimate, absent on the last part and
    where the list was narrowed by a label or field selector.
  shardInfo: Present when the list holds only a shard of the collection: do not take it for the whole. Alpha member,
    gate ShardedListAndWatch.
ManagedFieldsEntry: One manager of members: which of them it set, by which way and when.
  manager: Name of the one who owns the members, taken from the parameter fieldManager of the request, or else from
    the client's user agent. At most 128 characters.
  operation: How the members were written. Apply: by server-side apply. Update: by any other write.
  apiVersion: Group and version in which the members are named, such as apps/v1. Members cannot be translated to
    another version by themselves.
  time: When the manager last added, changed or removed one of its members. It stands still when another manager takes
    a member over.
  fieldsType: Format in which the members are written. Always FieldsV1.
  fieldsV1: The members that the manager owns, as a tree.
  subresource: Subresource through which the members were written, such as status or scale. Empty for the object
    itself. The same name on another subresource is another manager.
MicroTime: A point in time with microseconds, as in 2030-01-02T03:04:05.000000Z.
ObjectMeta: What every stored object has: its name, its ids and versions, its labels, and who owns it.
  name: Name of the object, unique among those of its kind in its namespace. It cannot be changed. May be left out
    where generateName is given.
  generateName: Beginning of a name that the server completes with a random ending, where the object states no name. A
    long one is cut to make room. When no free name is found, the request fails with the status 409.
  namespace: Namespace in which the name is unique. It cannot be changed. Empty for objects of the whole cluster, and
    taken from the path of the request where it is left out.
  selfLink: Deprecated, and no longer filled in by the server.
  uid: Id of this object among all that ever were, given by the server. An object that is deleted and made again under
    the same name has another.
  resourceVersion: Version of the object as stored. Opaque to clients, it tells whether the object has changed. An
    update that states an older one fails with a conflict.
  generation: Number of the desired state, kept by the server. It grows with each change of that, and not with changes
    of the status.
  creationTimestamp: CreationTimestamp is a timestamp of the server's clock: when the object was created. It cannot be
    set by clients.
  deletionTimestamp: DeletionTimestamp is when the object should be gone, unless a finalizer still keeps it. Set by
    the server when somebody deletes it, and never taken back. It can only be moved nearer.
  deletionGracePeriodSeconds: Seconds that the object has to end by itself once it is deleted. Present together with
    deletionTimestamp, and it can only become less.
  labels: Labels are names and values by which objects are selected and grouped. A value has at most 63 characters.
  annotations: Annotations are values for tools, by name. Nothing selects by them. All together may have 256 KiB.
  ownerReferences: Objects that this one depends on. It is collected when all of them are gone. At most one of them
    may be its controller.
  finalizers: Finalizers keep a deleted object until each of them has been taken out by whoever it belongs to. Their
    order means nothing. None can be added once the object is being deleted.
  managedFields: ManagedFields tells who set which fields, for server-side apply. The server keeps it, people seldom
    need to look at it.
OwnerReference: Names an object on which this one depends. The owner lives in the same namespace or belongs to the
    whole cluster.
  apiVersion: Group and version of the owner, such as apps/v1.
  kind: Kind of the owner, such as ReplicaSet. An Event cannot own anything.
  name: Name of the owner, as its metadata states it.
  uid: Id of the owner. It must be that of the living object, for a namesake with another id is not the owner.
  controller: True for the owner that manages this object. Only one reference of an object may say so.
  blockOwnerDeletion: True makes an owner that is deleted in the foreground wait until this object is gone or no
    longer refers to it. Default false.
Patch: Body of a patch request. Its form depends on the content type: a JSON patch, a merge patch, a strategic merge
    patch, or an object to apply.
Preconditions: What must be true of an object before a request may change or delete it.
  uid: The object must have this id. Guards against a namesake that was made in the meantime.
  resourceVersion: The object must still be at this version. Guards against changes that the caller has not seen.
ServerAddressByClientCIDR: An address of the server for clients of one network.
  clientCIDR: Network of the clients that the address is meant for, in CIDR notation.
  serverAddress: Host name or IP address for those clients, with a port where it is not the usual one.
ShardInfo: Tells which shard of a collection a list holds. Alpha, gate ShardedListAndWatch.
  selector: The shard selector of the request, sent back unchanged. Clients can tell by it which part they hold.
Status: What a request is answered with when there is no object to return, above all when it fails.
  status: Success or Failure. Success comes with requests that return no object, such as some deletes.
  message: What happened, in a sentence for people.
  reason: Word for programs that names the failure, such as NotFound, AlreadyExists, Conflict, Invalid or Forbidden.
    It refines the HTTP status code. Empty when the server has nothing to say.
  details: More about the failure: which object is meant, what exactly is wrong, when to try again. What is filled in
    depends on the reason.
  code: HTTP status code of the answer, such as 404. 0 when it is not set.
StatusCause: One cause of a failure. A request can fail for several at once.
  reason: Word for programs that names the cause, such as FieldValueRequired, FieldValueInvalid or
    FieldManagerConflict.
  message: What is wrong, in words that may be shown to people as they are.
  field: Path of the member that is at fault, such as spec.ports[0].port. Positions count from 0, and one path may
    occur in several causes.
StatusDetails: The particulars of a failure. Every member may be absent, clients must be ready for that.
  name: Name of the object that the request was about, where it was a single one.
  group: Group of the resource that the request was about.
  kind: Kind or resource that the request was about. It can differ from the kind that was asked for.
  uid: Id of the object that the request was about, where it is a single one and known.
  causes: The causes of the failure, one by one. Mostly filled in when the reason is Invalid, one for each member at
    fault.
  retryAfterSeconds: Seconds to wait before the request, or whatever the failure calls for, should be tried.
Time: A point in time to the second in the form of RFC 3339, as in 2030-01-02T03:04:05Z. The server writes it in UTC.
WatchEvent: One message of a watch: what happened, and to which object.
  type: What happened. ADDED, MODIFIED and DELETED tell of an object, BOOKMARK only of the version reached, and ERROR
    that the watch has failed.
  object: With ADDED and MODIFIED the object as it is now, with DELETED as it was last. With BOOKMARK an object of
    which only the version counts, with ERROR a Status.
`;
