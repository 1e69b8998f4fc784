/** Tokens and who stands behind them, in words. */
export const AUTHENTICATION = `
BoundObjectReference: Names the object to whose life a token is tied.
  kind: Pod, Secret or Node; with the alpha gate APIServerWebhookAuthenticationToken also ValidatingWebhookConfiguration
    and MutatingWebhookConfiguration. A pod must run under the same service account.
  apiVersion: API group and version of the object, such as v1 for a pod.
  name: Name of the object. Pods and secrets are looked up in the namespace of the service account.
  uid: UID that the object must have. If it differs, the request fails with a conflict. Empty means no such check.
SelfSubjectReview: Answers the question who you are to the API server. Post it empty and read the status; nothing is
    stored. Under impersonation the answer is the user you act as.
  status: The answer, filled in by the API server.
SelfSubjectReviewStatus: How the API server sees the sender of the request.
  userInfo: Name, UID, groups and extra data of the sender.
TokenRequest: Asks for a token of a service account. Post it to the subresource token of that account; the token comes
    back in the status, and nothing is stored.
  spec: For whom the token is meant, how long it shall hold, and what it is tied to.
  status: The token and when it runs out.
TokenRequestSpec: What kind of token is wanted, and for whom.
  audiences: For whom the token is meant. A receiver that does not find itself in the list should turn it away. Empty
    means the API server. Several entries require that those receivers trust each other.
  expirationSeconds: Wanted lifetime in seconds, at least 600 and at most 4294967296. The API server may shorten it, so
    look at status.expirationTimestamp. Default 3600.
  boundObjectRef: Object to which the token is tied. Once that object is gone the API server no longer accepts the
    token; other receivers may not notice, so keep the lifetime short.
  attestations: Claims for the API server to vouch for. The only key is admissionReviewAPIGroups, with one API group or
    * as value. Needed when boundObjectRef names a webhook configuration, forbidden otherwise. Behind the alpha gate
    APIServerWebhookAuthenticationToken.
TokenRequestStatus: The token that was made, and its end.
  token: The token itself, to be sent as a bearer token. Treat it as a secret.
  expirationTimestamp: When the token runs out. This can be sooner than expirationSeconds asked for.
TokenReview: Asks the API server whether a token is good and to whom it belongs. The answer comes back in the status;
    nothing is stored. The API server also sends it to an authentication webhook.
  spec: The token to check, and for whom it must be meant.
  status: The verdict, filled in by the checker.
TokenReviewSpec: The token to check, and for whom it must be meant.
  token: The bearer token as it was received. Must not be empty.
  audiences: Names under which the receiver of the token goes. The token must be meant for one of them. Empty means the
    API server.
TokenReviewStatus: The outcome of checking a token.
  authenticated: True when the token is good and belongs to a known user. False in all other cases.
  user: The user to whom the token belongs.
  audiences: Those of the names asked for in spec.audiences for which the token is meant. If you asked for some, make
    sure that one comes back. Empty with a good token means that it is meant for the API server.
  error: Why the token could not be checked.
UserInfo: A user as the API server sees one after the login was checked.
  username: Name of the user. At any time it belongs to one user only.
  uid: Identity that outlives the name: a later user of the same name gets another one. May be empty.
  groups: Groups to which the user belongs.
  extra: Further facts from the login check, each a key with a list of strings.
`;
