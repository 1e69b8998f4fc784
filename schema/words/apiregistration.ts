/** Versions of the API that other servers answer for, in words. */
export const API_REGISTRATION = `
APIService: Says who answers for one group and version: the API server itself, or another one behind a service. Its
    name is the version, a dot and the group.
APIServiceCondition: One statement about an APIService, and since when it holds.
  type: Name of the statement. Available: the server that answers for the group and version can be reached.
APIServiceSpec: The group and version, and the server that answers for them. Such a server is only spoken to over TLS.
  service: Service that stands before the server. Absent, the API server answers for the group and version itself.
  group: Group that the server answers for. Empty for the core group, which has only v1.
  version: Version that the server answers for, such as v1beta1.
  insecureSkipTLSVerify: True accepts any certificate of the server, so that anybody can pose as it. Better give
    caBundle, which excludes this one. Only with service.
  caBundle: Certificates in PEM form of the authorities that the server's certificate is verified by. Absent, those
    that the API server's system trusts. Only with service.
  groupPriorityMinimum: Where the group stands in discovery, from 1 to 20000, higher first. The highest number among
    the versions of a group counts. Equal groups stand in the order of their names. Clients take the first where a
    name fits more than one group.
  versionPriority: Where the version stands in its group, from 1 to 1000, higher first. Versions with equal numbers
    are ordered by name: stable ones before beta and alpha ones, newer before older.
APIServiceStatus: Whether the server that answers for the group and version can be reached.
  conditions: Statements about the APIService, one of each type. Available is the one to look at.
ServiceReference: The service behind which a server for part of the API answers.
  namespace: Namespace that the service lives in. It must not be empty.
  name: Name of the service that stands before the server. It must not be empty.
  port: Port of the service, from 1 to 65535. Default 443.
`;
