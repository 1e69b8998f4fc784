/** Storage versions, in words. */
export const API_SERVER_INTERNAL = `
ServerStorageVersion: What one API server says about the versions of a resource.
  apiServerID: Identity of the API server that reports. Each has one entry in the list.
  encodingVersion: API group and version in which this server stores the resource, such as apps/v1.
  decodableVersions: Versions that this server can read from storage. encodingVersion and all of servedVersions must be
    among them.
  servedVersions: Versions that this server offers to clients.
StorageVersion: In which version each API server stores a resource. Named by API group and resource with a dot between
    them. Written by the API servers themselves, behind the alpha gate StorageVersionAPI.
  spec: Always empty; there is nothing to set.
  status: What the API servers report, and whether they agree.
StorageVersionCondition: One finding about the storage version of a resource.
  type: The type AllEncodingVersionsEqual is in use: True when all API servers store the resource in the same version.
StorageVersionSpec: Always empty. It is there only because every kind has one.
StorageVersionStatus: What the API servers report about a resource, and whether they agree.
  storageVersions: The reports, one for each API server.
  commonEncodingVersion: The version in which all API servers store the resource. Empty while they differ or none has
    reported.
  conditions: Findings about the resource, one of each type. AllEncodingVersionsEqual tells whether the servers agree.
`;
