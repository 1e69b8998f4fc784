/** Webhooks and policies that judge or change requests before they are stored, in words. */
export const ADMISSION_REGISTRATION = `
ApplyConfiguration: A change to an object that is merged into it as server-side apply would do.
  expression: CEL expression that returns the members to set, such as Object{spec: Object.spec{replicas: 3}}. It knows
    object, oldObject, request, params, namespaceObject, variables and authorizer. Atomic lists, maps and structures
    cannot be changed in this way. Required.
AuditAnnotation: A note that a policy leaves in the audit event of a request.
  key: Name of the note, unique within the policy, with at most 63 characters. In the audit event the name of the
    policy and a slash stand before it.
  valueExpression: CEL expression for the text of the note, at most 5 KiB long. It returns a string or null. Nothing
    is noted for null or an empty string, and text beyond 10 KiB is cut. Texts of several bindings are joined by
    commas.
ExpressionWarning: Something doubtful that the type check found in one expression of a policy.
  fieldRef: Path of the expression in the policy, such as spec.validations[0].expression.
  warning: What the type check says, for people. Each type that the expression was checked against has its own lines.
JSONPatch: A change to an object in the form of a JSON patch.
  expression: CEL expression that returns a list such as [JSONPatch{op: "add", path: "/spec/paused", value: true}]. It
    knows object, oldObject, request, params, namespaceObject, variables and authorizer. jsonpatch.escapeKey() escapes
    a key within a path. Required.
MatchCondition: A named condition on a request, finer than rules and selectors can say it.
  name: Name of the condition, unique in its list. It shows up in logs and errors. A qualified name, with a domain and
    a slash before it if wanted.
  expression: CEL expression that returns true or false. It knows object, oldObject, request and authorizer, and in a
    policy with paramKind also params.
MatchResources: Which requests a policy or binding is about. Rules and both selectors must all agree, and what is
    excluded stays excluded.
  namespaceSelector: Takes only objects in namespaces with these labels. For a namespace its own labels count. Other
    objects of the whole cluster always pass. Default is the empty selector, which takes all.
  objectSelector: Takes only objects with these labels, before or after the change. Users can set labels on their own
    objects, so they can get around a policy by it. Default is the empty selector, which takes all.
  resourceRules: Operations and resources of which one must fit. Required in a policy, to know the types. In a binding
    an empty list takes whatever the policy takes.
  excludeResourceRules: Operations and resources that are left alone. They win over resourceRules.
  matchPolicy: Whether requests for the same resource in other versions or groups count. Exact: only as the rules are
    written. Equivalent: they count too, and the object is converted first. Default Equivalent.
MutatingAdmissionPolicy: Changes objects in requests by CEL expressions, within the API server and before they are
    stored. It does nothing until a binding refers to it.
MutatingAdmissionPolicyBinding: Puts a policy that changes objects to work, and states for what and with which
    parameters.
MutatingAdmissionPolicyBindingSpec: Which policy is put to work, on what, and with which parameters.
  policyName: Name of the MutatingAdmissionPolicy. A binding to a policy that does not exist has no effect. Required.
  paramRef: Objects that the policy gets as params, of the kind that its paramKind names. When they cannot be found,
    parameterNotFoundAction decides. Ignored by policies without paramKind.
  matchResources: Narrows the requests that the policy is used on. The policy itself must match them too. Absent, all
    that the policy matches are taken. DELETE cannot be matched.
MutatingAdmissionPolicySpec: Which requests the policy matches, and what it changes in their objects.
  paramKind: Kind of the objects that bindings hand to the policy as params. Absent, the policy has no params. A kind
    that does not exist is a failure in the sense of failurePolicy.
  matchConstraints: Requests that the policy is about, with at least one rule. CREATE, UPDATE and CONNECT can be
    matched, DELETE cannot. Admission policies and their bindings are never matched. Required.
  variables: Named expressions that the mutations can use as variables.NAME. Each may use those before it in the list.
    matchConditions cannot use them.
  mutations: The changes, made one after the other, for each binding anew. At least one is required.
  failurePolicy: What happens when the policy cannot be evaluated, because an expression fails or something is not set
    up right. Fail: the request is refused. Ignore: the policy is passed over. Default Fail.
  matchConditions: Conditions that a matched request must meet as well, at most 64. One that is false: the policy is
    passed over. One that fails, while none is false: failurePolicy decides.
  reinvocationPolicy: Whether the mutations may run again for the same request. Never: once for each binding.
    IfNeeded: again when something else has changed the object after them, in no promised order. Required.
MutatingWebhook: A service outside the API server that is asked about requests and may refuse them or change their
    objects.
  name: Name of the webhook, unique in the configuration. It needs at least three parts separated by dots, of which
    the end should be a domain that you own.
  clientConfig: Where the webhook is found, and how its certificate is verified.
  rules: Requests that the webhook is asked about. One rule that fits is enough. Webhook configurations, admission
    policies and their bindings are never asked about, or a broken one could not be repaired.
  failurePolicy: What happens when the webhook cannot be reached or gives no usable answer. Fail: the request is
    refused. Ignore: it goes on as if the webhook did not exist. Default Fail.
  matchPolicy: Whether requests for the same resource in other versions or groups count. Exact: only as the rules are
    written. Equivalent: they count too, and the webhook gets the object as the rules name it. Default Equivalent.
  namespaceSelector: Asks only about objects in namespaces with these labels. For a namespace its own labels count.
    Other objects of the whole cluster are always asked about. Default is the empty selector, which takes all.
  objectSelector: Asks only about objects with these labels, before or after the change. Users can set labels on their
    own objects, so use it only where they may opt in. Default is the empty selector, which takes all.
  sideEffects: Whether a call does more than answer. None: no. NoneOnDryRun: it may, but not for dry runs. Only these
    two are accepted in new objects. With Some or Unknown, dry runs that match the webhook are refused.
  timeoutSeconds: Seconds to wait for an answer, from 1 to 30. After them failurePolicy decides. Default 10.
  admissionReviewVersions: Versions of AdmissionReview that the webhook understands, best first. The server takes the
    first that it knows, and at least one must be v1 or v1beta1.
  reinvocationPolicy: Whether the webhook may be asked again about one request. Never: once at most. IfNeeded: again
    when others have changed the object after it, so its change must bear being made twice. Default Never.
  matchConditions: Conditions that a request must meet as well, at most 64. One that is false: the webhook is not
    asked. One that fails, while none is false: failurePolicy decides.
MutatingWebhookConfiguration: Makes webhooks known that may refuse requests or change the objects in them.
  webhooks: The webhooks of this configuration, with the requests that each of them is asked about.
Mutation: One change that a policy makes to an object.
  patchType: Form of the change. ApplyConfiguration: members are merged into the object, see applyConfiguration.
    JSONPatch: the steps of a JSON patch, see jsonPatch.
  applyConfiguration: The change as members to merge. Required with patchType ApplyConfiguration, forbidden otherwise.
  jsonPatch: The change as a JSON patch. Required with patchType JSONPatch, forbidden otherwise.
NamedRuleWithOperations: Operations and resources, and if wanted the names of single objects.
  resourceNames: Names of the objects that the rule is about. Empty for all names.
  operations: CREATE, UPDATE, DELETE, CONNECT, or * alone for all of them and those to come. At least one. Policies
    that change objects cannot match DELETE.
  apiGroups: Groups of the resources, the empty string for the core group. * alone takes all groups. At least one.
  apiVersions: Versions of the resources, such as v1. * alone takes all versions. At least one.
  resources: Resources, such as pods or pods/log. * takes all resources without subresources, pods/* the subresources
    of pods, */scale each subresource of that name, */* everything. At least one.
  scope: Which resources count. Cluster: those of the whole cluster, namespaces among them. Namespaced: those that
    live in namespaces. * takes both. A subresource goes with its resource. Default *.
ParamKind: Kind of the objects from which a policy gets its parameters.
  apiVersion: Group and version of the kind, such as example.com/v1. For the core group only the version. Required.
  kind: The kind, such as ConfigMap or one of your own. Required.
ParamRef: The objects that a binding hands to its policy as parameters. Exactly one of name and selector must be
    given.
  name: Name of one object. Excludes selector.
  namespace: Namespace of the parameters, for kinds that live in namespaces. Absent, they are looked for in the
    namespace of the object under review, and the binding must match no objects of the whole cluster. Forbidden for
    other kinds.
  selector: Labels of the objects. An empty selector takes all of the kind. The policy is evaluated with each of them
    in turn, and one that judges must agree each time. Excludes name.
  parameterNotFoundAction: What happens when there is no such object. Allow: the binding is passed over. Deny: it
    counts as a failure, about which failurePolicy decides. Required in v1 and v1beta1, default Deny in v1alpha1.
RuleWithOperations: Operations and resources that a webhook is asked about.
  operations: CREATE, UPDATE, DELETE, CONNECT, or * alone for all of them and those to come. At least one.
  apiGroups: Groups of the resources, the empty string for the core group. * alone takes all groups. At least one.
  apiVersions: Versions of the resources, such as v1. * alone takes all versions. At least one.
  resources: Resources, such as pods or pods/log. * takes all resources without subresources, pods/* the subresources
    of pods, */scale each subresource of that name, */* everything. At least one.
  scope: Which resources count. Cluster: those of the whole cluster, namespaces among them. Namespaced: those that
    live in namespaces. * takes both. A subresource goes with its resource. Default *.
ServiceReference: A service of the cluster behind which a webhook answers.
  namespace: Namespace that the service lives in.
  name: Name of the service that stands before the webhook.
  path: Path that the webhook is called at. It begins with a slash, and each part must be a name of the DNS kind.
  port: Port of the service, from 1 to 65535. Default 443.
TypeChecking: What the type check of a policy has found. A policy without findings has an empty one.
  expressionWarnings: The findings, one for each expression that looks doubtful. They do not keep the policy from
    working.
ValidatingAdmissionPolicy: Judges requests by CEL expressions, within the API server. It changes nothing in the
    objects, and does nothing until a binding refers to it.
ValidatingAdmissionPolicyBinding: Puts a policy that judges requests to work, and states for what, with which
    parameters and with what consequences.
ValidatingAdmissionPolicyBindingSpec: Which policy is put to work, on what, and what follows when it objects.
  policyName: Name of the ValidatingAdmissionPolicy. A binding to a policy that does not exist has no effect.
  paramRef: Objects that the policy gets as params, of the kind that its paramKind names. When they cannot be found,
    parameterNotFoundAction decides. Ignored by policies without paramKind.
  matchResources: Narrows the requests that the policy is used on. The policy itself must match them too. Absent, all
    that the policy matches are taken.
  validationActions: What follows when the policy objects. Deny: the request is refused. Warn: the client gets a
    warning. Audit: it is noted in the audit event. At least one. Deny and Warn exclude each other.
ValidatingAdmissionPolicySpec: Which requests the policy matches, and what must hold for them.
  paramKind: Kind of the objects that bindings hand to the policy as params. Absent, the policy has no params. A kind
    that does not exist is a failure in the sense of failurePolicy.
  matchConstraints: Requests that the policy is about, with at least one rule. Admission policies and their bindings
    are never matched, so that a bad one can be repaired. Required.
  validations: What must hold for a request. This list or auditAnnotations must have at least one entry.
  failurePolicy: What happens when the policy cannot be evaluated, because an expression fails or something is not set
    up right. Fail: the actions of the binding follow. Ignore: the failure is passed over. Default Fail. A validation
    that is merely false is no failure.
  auditAnnotations: Notes for the audit event of a request, at most 20. This list or validations must have at least
    one entry.
  matchConditions: Conditions that a matched request must meet as well, at most 64. One that is false: the policy is
    passed over. One that fails, while none is false: failurePolicy decides.
  variables: Named expressions that others can use as variables.NAME. Each may use those before it in the list.
    matchConditions cannot use them.
ValidatingAdmissionPolicyStatus: What the type check has found in a policy.
  observedGeneration: The metadata.generation to which this status belongs.
  typeChecking: Result of the type check. Once it is here, the check is done.
  conditions: Statements about the policy, one of each type.
ValidatingWebhook: A service outside the API server that is asked about requests and may refuse them. It changes
    nothing in the objects.
  name: Name of the webhook, unique in the configuration. It needs at least three parts separated by dots, of which
    the end should be a domain that you own.
  clientConfig: Where the webhook is found, and how its certificate is verified.
  rules: Requests that the webhook is asked about. One rule that fits is enough. Webhook configurations, admission
    policies and their bindings are never asked about, or a broken one could not be repaired.
  failurePolicy: What happens when the webhook cannot be reached or gives no usable answer. Fail: the request is
    refused. Ignore: it goes on as if the webhook did not exist. Default Fail.
  matchPolicy: Whether requests for the same resource in other versions or groups count. Exact: only as the rules are
    written. Equivalent: they count too, and the webhook gets the object as the rules name it. Default Equivalent.
  namespaceSelector: Asks only about objects in namespaces with these labels. For a namespace its own labels count.
    Other objects of the whole cluster are always asked about. Default is the empty selector, which takes all.
  objectSelector: Asks only about objects with these labels, before or after the change. Users can set labels on their
    own objects, so use it only where they may opt in. Default is the empty selector, which takes all.
  sideEffects: Whether a call does more than answer. None: no. NoneOnDryRun: it may, but not for dry runs. Only these
    two are accepted in new objects. With Some or Unknown, dry runs that match the webhook are refused.
  timeoutSeconds: Seconds to wait for an answer, from 1 to 30. After them failurePolicy decides. Default 10.
  admissionReviewVersions: Versions of AdmissionReview that the webhook understands, best first. The server takes the
    first that it knows, and at least one must be v1 or v1beta1.
  matchConditions: Conditions that a request must meet as well, at most 64. One that is false: the webhook is not
    asked. One that fails, while none is false: failurePolicy decides.
ValidatingWebhookConfiguration: Makes webhooks known that may refuse requests, but not change what is in them.
  webhooks: The webhooks of this configuration, with the requests that each of them is asked about.
Validation: One thing that must hold for a request.
  expression: CEL expression that returns true when the request is in order. It knows object, oldObject, request,
    params, namespaceObject, variables and authorizer. object is null for DELETE, and oldObject for CREATE.
  message: What the user is told when the expression is false, in one line. Without it the expression itself is shown,
    so give one where that spans several lines.
  reason: Word for programs that goes with the refusal and sets its status code. Forbidden, Invalid or
    RequestEntityTooLarge. Of several refusals the first counts. Default Invalid.
  messageExpression: CEL expression for the message, which wins over message. It knows the same variables but
    authorizer. Where it fails, or gives an empty text or several lines, the message is made as if it were absent.
Variable: An expression under a name, for use in other expressions of the policy.
  name: Name of the variable, unique in the list and an identifier of CEL. Others write variables.NAME.
  expression: CEL expression for the value. It can use what validations can use, and the variables before it. It is
    computed when first needed.
WebhookClientConfig: How the API server reaches a webhook, always over TLS. Exactly one of url and service must be
    given.
  url: Address of a webhook outside the cluster, such as https://hooks.example.com/check. User, query and fragment are
    forbidden. Names of services may not resolve here, take service for those.
  service: Service of the cluster that stands before the webhook. Excludes url.
  caBundle: Certificates in PEM form of the authorities that the webhook's certificate is verified by. Absent, those
    that the API server's system trusts.
`;
