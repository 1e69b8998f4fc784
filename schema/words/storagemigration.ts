/** The kinds of the group storagemigration, in words. */
export const STORAGE_MIGRATION = `
StorageVersionMigration: Has every stored object of one resource written again, so that all of them are stored in the
    current storage version. Runs once; belongs to no namespace.
  spec: Which resource to migrate. Cannot be changed.
StorageVersionMigrationSpec: Which objects are to be written again.
  resource: Group and plural name of the resource to migrate, for instance apps and deployments. Cannot be changed.
StorageVersionMigrationStatus: How far the migration has come.
  conditions: Running: objects are being written. Succeeded: all are done. Failed: given up, and not tried again. Once
    Succeeded or Failed is True it stays so, and both never are.
  resourceVersion: Resource version of the resource when the controller first saw the migration. Objects written after
    it need no migration. Cannot be changed once set.
`;
