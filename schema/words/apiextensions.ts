/** Kinds that users add to the API, and the schemas of their objects, in words. */
export const APIEXTENSIONS = `
CustomResourceColumnDefinition: One column of the tables in which clients show the objects.
  name: Heading of the column, for people.
  type: How the value is read: integer, number, string, boolean or date. A date is shown as the time that has passed
    since. A value of another type leaves the cell empty.
  format: Closer form of the value: int32, int64, float, double, byte, date, date-time or password. Clients may use it
    to show it well.
  description: What the column shows, for people. Absent, clients are told the path.
  priority: How much the column matters. 0 is always shown, columns with higher numbers may be left out where there is
    little room. Default 0.
  jsonPath: Path of the value in the object, such as .spec.replicas. It begins with a dot.
CustomResourceConversion: How objects get from one version of the kind to another.
  strategy: None: only apiVersion is changed, so all versions must have members of the same form. Webhook: a service
    is asked, see webhook.
  webhook: The service to ask. Required with the strategy Webhook, forbidden with None.
CustomResourceDefinition: Adds a kind of your own to the API: its names, its versions and the schema of its objects.
    Its name is the plural, a dot and the group. Deleting it deletes all objects of the kind.
  spec: What the kind is called, in which versions it is served, and what its objects look like.
  status: Which names were accepted, which versions were ever stored, and whether the kind is served.
CustomResourceDefinitionCondition: One statement about a custom kind, and since when it holds.
  type: Name of the statement, such as NamesAccepted: no other resource of the group has these names. Established: the
    kind is served. NonStructuralSchema: its schema has faults. Terminating: it is being deleted with all its objects.
CustomResourceDefinitionNames: What a custom kind and its resource are called.
  plural: Plural name in small letters, as in the path of requests. It is part of the name of the definition, and
    cannot be changed.
  singular: Singular name in small letters, for clients. Default is the kind in small letters.
  shortNames: Abbreviations in small letters that clients accept in place of the plural.
  kind: Kind of the objects, mostly in CamelCase and singular. It cannot be changed once the kind is established.
  listKind: Kind of lists of the objects, not the same as kind. Default is the kind followed by List.
  categories: Names that stand for many resources at once, such as all. Clients show the objects when asked for one.
CustomResourceDefinitionSpec: What the kind is called, in which versions it is served, and what its objects look like.
  group: Group of the kind, a domain with at least one dot, such as example.com. It cannot be changed.
  names: Names of the kind and of its resource. They must be free within the group.
  scope: Namespaced when each object belongs to a namespace, Cluster when objects belong to the whole cluster. It
    cannot be changed once the kind is established.
  versions: The versions of the kind, exactly one of them for storage. Discovery puts stable ones before beta, beta
    before alpha, newer before older, and names of another form last.
  conversion: How objects get from one version to another. Default is the strategy None.
  preserveUnknownFields: Deprecated, and cannot be set to true any more. Members that the schema does not know are
    dropped. To keep them in one place, say so in the schema there.
CustomResourceDefinitionStatus: How far the server has come with a custom kind.
  conditions: Statements about the kind, one of each type. Objects can be made when Established is True.
  acceptedNames: Names under which the kind is served. They differ from those in the spec while these collide with
    other resources.
  storedVersions: Versions in which objects were ever stored. Each of them must stay in spec.versions. Once all
    objects are stored anew, the old ones may be taken out here.
  observedGeneration: The metadata.generation to which this status belongs. Gate CRDObservedGenerationTracking.
CustomResourceDefinitionVersion: One version of a custom kind, with its schema.
  name: Name of the version, such as v1 or v1beta2. It is part of the path of requests.
  served: Whether the API offers this version. False turns it off and leaves the stored objects alone.
  storage: True for the version in which objects are stored. Exactly one version must say so.
  deprecated: True makes the server send a warning with each answer in this version. Default false.
  deprecationWarning: Words of the warning, at most 256 bytes. Only with deprecated. Absent, the server names a better
    version if there is one.
  schema: Schema of the objects. By it they are checked, filled with defaults, and freed of members it does not know.
    A new kind must have one in every version.
  subresources: Subresources that the version has besides the objects themselves: status, scale or both.
  additionalPrinterColumns: Columns of the tables in which clients show the objects, after the name. Absent, there is
    one with the age.
  selectableFields: Members by which lists and watches can be narrowed with a field selector, at most 8. Name and
    namespace can always be used.
CustomResourceSubresourceScale: Where the objects keep what the subresource scale shows and changes.
  specReplicasPath: Path of the wanted number, below .spec and without lists, such as .spec.replicas. While an object
    has nothing there, its scale cannot be read.
  statusReplicasPath: Path of the number there is, below .status and without lists, such as .status.replicas. An
    object that has nothing there shows 0.
  labelSelectorPath: Path of a label selector in the form of a string, below .status or .spec and without lists. A
    HorizontalPodAutoscaler needs it to find the pods.
CustomResourceSubresourceStatus: Splits off the subresource status. Writes to the object then leave its status alone,
    and writes to the subresource change nothing else. It has no members.
CustomResourceSubresources: Subresources of a custom kind. Each one that is present is served.
  status: Write {} to have the status written apart from the object. Writes to the object then leave it alone, and
    writes to the subresource change only it.
  scale: Lets tools that scale read and set the number of replicas without knowing the kind.
CustomResourceValidation: What objects of a version must look like.
  openAPIV3Schema: The schema in the form of OpenAPI v3. Its type must be object, and every member that it names must
    have a type.
ExternalDocumentation: Points to a page where more can be read.
  description: What will be found there, in a sentence.
  url: Address of the page, for people. The server does not open it.
JSON: A JSON value of any type: null, true or false, a number, a string, a list or an object.
JSONSchemaProps: A schema: what a value must be like, and what is said of it. Of JSON Schema only part may be used,
    and some members are there only to be refused.
  id: Not supported. A schema that has it is refused.
  $schema: Not supported. Leave it out, the form of the schema is always that of OpenAPI v3.
  $ref: Not supported. A schema that has it is refused, write what it would point to in its place.
  description: What the value is for. Clients show it to people.
  type: Type of the value: string, number, integer, boolean, array or object. Needed everywhere but where a value may
    be a number or a string, or anything at all, and forbidden below allOf, anyOf, oneOf and not.
  format: Closer form of the value, such as date, datetime, duration, uuid, uri, email, hostname, ipv4, ipv6, cidr or
    byte. Formats that the server does not know are not checked.
  title: A short heading for the value, for people.
  default: Value to take where an object has none. It is filled in on requests and when old objects are read. It must
    fit the schema itself.
  maximum: Most that a number may be, itself included unless exclusiveMaximum is true.
  exclusiveMaximum: True when a number must stay below maximum. Default false.
  minimum: Least that a number may be, itself included unless exclusiveMinimum is true.
  exclusiveMinimum: True when a number must stay above minimum. Default false.
  maxLength: Most characters that a string may have. Helps to keep the cost of rules low.
  minLength: Fewest characters that a string may have. Default none.
  pattern: Regular expression that a string must match somewhere. Begin it with ^ and end it with $ to have it match
    the whole string.
  maxItems: Most items that a list may have. Helps to keep the cost of rules low.
  minItems: Fewest items that a list may have. Default none.
  uniqueItems: Cannot be true, for comparing all items would cost too much. Make the list a set instead.
  multipleOf: Number of which a number must be a whole multiple.
  enum: The values that are allowed, and no others.
  maxProperties: Most members that an object may have. Helps to keep the cost of rules low.
  minProperties: Fewest members that an object may have. Default none.
  required: Names of members that an object must have. A member with a default is there in any case.
  items: Schema of the items of a list. Every list needs it, and it is one schema for all of them.
  allOf: Schemas that the value must fit, each and every one. They can only narrow, so types, defaults and
    descriptions are forbidden in them.
  oneOf: Schemas of which the value must fit one and no more. They can only narrow, so types, defaults and
    descriptions are forbidden in them.
  anyOf: Schemas of which the value must fit at least one. They can only narrow, so types, defaults and descriptions
    are forbidden in them.
  not: Schema that the value must not fit. Types, defaults and descriptions are forbidden in it.
  properties: Members of an object by name, with their schemas. Members that are not named here are dropped. Excludes
    additionalProperties.
  additionalProperties: Schema of all values of an object that is used as a map with free keys. Excludes properties,
    and is forbidden at the root.
  patternProperties: Not supported. A schema that has it is refused.
  dependencies: Not supported. A schema that has it is refused, rules can say the same.
  additionalItems: Not supported. A schema that has it is refused.
  definitions: Not supported. A schema that has it is refused, as there is nothing to point to them with.
  externalDocs: Where more can be read about the value.
  example: A value as it might be, for people. It is not checked.
  nullable: True when the value may be null. Otherwise a member that is null counts as absent: it gets its default, or
    is dropped when it has none. Forbidden at the root. Default false.
  x-kubernetes-preserve-unknown-fields: True keeps members of the value that the schema does not name, down to where
    properties or additionalProperties are given again. Cannot be false.
  x-kubernetes-embedded-resource: True when the value is itself an object of the API, with apiVersion, kind and
    metadata, which are checked as such. Needs the type object, and properties unless unknown members are kept.
  x-kubernetes-int-or-string: True when the value may be a whole number or a string, such as a port or a share in
    percent. Leave the type out then, or name both types in anyOf.
  x-kubernetes-list-map-keys: Members that tell the items of a list of the type map apart. Each must be a plain value
    in the items, and be required or have a default.
  x-kubernetes-list-type: How a list is merged when several managers write it. atomic: as a whole. set: by item, none
    occurs twice. map: by key, its items are objects and its keys are named beside it. Default atomic.
  x-kubernetes-map-type: How an object is merged when several managers write it. granular: member by member. atomic:
    as a whole. Default granular.
  x-kubernetes-validations: Rules in CEL that the value must meet, beyond what the schema can say. Each rule has a
    cost that is estimated beforehand, and those that cost too much are refused.
JSONSchemaPropsOrArray: One schema, or a list of schemas. Only the single schema is accepted in the definition of a
    kind.
JSONSchemaPropsOrBool: A schema, or true for any value, or false for none.
JSONSchemaPropsOrStringArray: A schema, or a list of names of members.
SelectableField: A member by which objects can be selected.
  jsonPath: Path of a member that is a string, a boolean or an integer, such as .spec.color. Neither lists nor
    metadata can lie on it. An object without the member counts as having an empty string there.
ServiceReference: A service of the cluster behind which a conversion webhook answers.
  namespace: Namespace that the service lives in.
  name: Name of the service that stands before the webhook.
  path: Path that the webhook is called at. It begins with a slash, and each part must be a name of the DNS kind.
  port: Port of the service, from 1 to 65535. Default 443.
ValidationRule: A rule in CEL that a value must meet.
  rule: CEL expression that returns true when the value is in order, such as self.min <= self.max. self is the value
    at this place, oldSelf the one before. A rule with oldSelf is only used on updates, where there is an old value.
  message: What the user is told when the rule is broken, in one line. Absent, the rule itself is shown. Required when
    the rule spans several lines.
  messageExpression: CEL expression for the message, which wins over message. It knows the same variables as the rule.
    Where it fails, or gives an empty text or several lines, the message is made as if it were absent.
  reason: Word for programs that goes with the error: FieldValueInvalid, FieldValueForbidden, FieldValueRequired or
    FieldValueDuplicate. Of several broken rules the first sets the status code. Default FieldValueInvalid.
  fieldPath: Path of the member that the error names, from here on, such as .spec.ports. It must be in the schema and
    have no positions in lists. A name with special characters is written in brackets and quotes.
  optionalOldSelf: True uses a rule with oldSelf also where there is no old value, as when the object is made. oldSelf
    is then an optional: ask oldSelf.hasValue() before oldSelf.value(). Only for rules that use oldSelf.
WebhookClientConfig: How the API server reaches a conversion webhook, always over TLS. Exactly one of url and service
    must be given.
  url: Address of a webhook outside the cluster, such as https://hooks.example.com/convert. User, query and fragment
    are forbidden. Names of services may not resolve here, take service for those.
  service: Service of the cluster that stands before the webhook. Excludes url.
  caBundle: Certificates in PEM form of the authorities that the webhook's certificate is verified by. Absent, those
    that the API server's system trusts.
WebhookConversion: A service that translates objects between the versions of a kind.
  clientConfig: Where the webhook is found, and how its certificate is verified.
  conversionReviewVersions: Versions of ConversionReview that the webhook understands, best first. The server takes
    the first that it knows, and at least one must be v1 or v1beta1.
`;
