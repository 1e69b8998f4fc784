/** Certificate requests and trust bundles, in words. */
export const CERTIFICATES = `
CertificateSigningRequest: Asks a signer for an X.509 certificate. Somebody approves or denies it, and if approved the
    signer puts the certificate into the status.
  spec: The request. Cannot be changed once created.
  status: Whether it was approved, denied or failed, and the certificate.
CertificateSigningRequestCondition: One step in the handling of a certificate request.
  type: Approved, Denied or Failed; others may be added. The first two are set through the subresource approval and
    exclude each other; Failed is set through status. None of the three can be taken back.
  status: True, False or Unknown. For Approved, Denied and Failed only True is accepted.
  lastUpdateTime: When the condition was last written.
CertificateSigningRequestSpec: What certificate is asked for, from which signer and by whom.
  request: The signing request (PKCS 10) as a PEM block CERTIFICATE REQUEST, and that in base64. Its signature is
    checked.
  signerName: The signer that is asked, written as domain/name. Signers are built in for client certificates, for the
    client certificates of node agents and for their serving certificates; others are up to you. Can be used as a field
    selector.
  expirationSeconds: Wanted lifetime in seconds, at least 600. The signer may choose another; look into the certificate.
    Without it the signer decides.
  usages: What the key may be used for; at least one, none twice. A client commonly asks for digital signature, key
    encipherment and client auth; a server takes server auth instead of the last.
  username: User who made the request. Filled in by the API server.
  uid: UID of the user who made the request. Filled in by the API server.
  groups: Groups of the user who made the request. Filled in by the API server.
  extra: Further data on the user who made the request. Filled in by the API server.
CertificateSigningRequestStatus: How far the request has come, and the certificate.
  conditions: Steps in the handling, one of each type: Approved, Denied and Failed are known. Approved and Denied
    exclude each other.
  certificate: The certificate as PEM blocks CERTIFICATE, and those in base64; written by the signer after approval and
    then fixed. Further blocks after the first are intermediate certificates. Empty if denied or failed.
ClusterTrustBundle: A set of root certificates that pods can mount through a clusterTrustBundle volume source. Every
    service account may read it, so treat it as open to everybody who can log in.
  spec: The certificates, and the signer to which they belong.
ClusterTrustBundleSpec: Root certificates, and the signer to which they belong if any.
  signerName: Signer to which the certificates belong; cannot be changed. The object's name must begin with it, slashes
    turned into colons, and the writer needs the verb attest on that signer. Empty for a bundle of no signer, whose name
    has no such beginning.
  trustBundle: The root certificates as PEM blocks CERTIFICATE, at least one and at most 1 MiB in all. Each must be a CA
    certificate; repeated ones and PEM headers are refused. Readers may change their order.
PodCertificateRequest: Asks a signer for a certificate for one pod. Made by the node agent for volumes of the source
    podCertificate; it is not meant to be written by hand.
  spec: The request. Cannot be changed once created.
  status: The certificate, or why there is none.
PodCertificateRequestSpec: For which pod, service account and node a certificate is asked, and for which key. Nothing
    here can be changed later.
  signerName: The signer that is asked, written as domain/name.
  podName: Name of the pod that gets the certificate. It must run on the node that asks.
  podUID: UID of the pod that gets the certificate. At most 128 characters.
  serviceAccountName: Name of the service account under which the pod runs.
  serviceAccountUID: UID of the service account under which the pod runs. At most 128 characters.
  nodeName: Name of the node on which the pod runs. A node agent may give only its own.
  nodeUID: UID of the node on which the pod runs. At most 128 characters.
  maxExpirationSeconds: Longest lifetime in seconds, 3600 to 7862400; 86400 at most for the built-in signers. The signer
    may choose a shorter one, down to 3600. Default 86400.
  stubPKCS10Request: A signing request (PKCS 10, in DER, then base64) that carries the public key; at most 10 KiB. The
    API server checks its signature. Keys may be RSA of 3072 or 4096 bits, ECDSA P-256, P-384 or P-521, or Ed25519.
  unverifiedUserAnnotations: Hints of the pod's author to the signer; nobody vouches for them. Each key needs a domain
    prefix, and the size of the whole is limited. Signers should refuse keys that they do not know.
  pkixPublicKey: The public key in PKIX form. Deprecated in favour of stubPKCS10Request; set one of the two. Needs
    proofOfPossession.
  proofOfPossession: Signature over the pod's UID, made with the private key to pkixPublicKey. Deprecated along with it;
    must be empty when stubPKCS10Request is set.
PodCertificateRequestStatus: The outcome. Once the request is issued, denied or failed, nothing here can be changed.
  conditions: Holds at most one entry, of type Issued, Denied or Failed and with status True. With reason
    UnsupportedKeyType the message of a denial may name a key type that the signer takes.
  certificateChain: The certificate as PEM blocks CERTIFICATE, followed by intermediate certificates if there are any;
    at most 100 KiB. It must be for the requested key. Empty if denied or failed.
  notBefore: From when the certificate is valid. Must be the time given in the certificate itself, and within five
    minutes of now. Set together with certificateChain.
  beginRefreshAt: When the node agent should begin to ask for the next certificate; a hint only. It must lie at
    least ten minutes after notBefore and ten minutes ahead of notAfter. Set together with certificateChain.
  notAfter: When the certificate runs out. Must be the time given in the certificate itself. Set together with
    certificateChain.
`;
