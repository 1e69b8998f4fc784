/** Where a resource's objects stand in the store: the public server's layout, so that a store can be opened by either. */

/** Resources whose folder is not their name. */
const FOLDERS: Readonly<Record<string, string>> = {
  "replicationcontrollers": "controllers",
  "endpoints": "services/endpoints",
  "services": "services/specs",
  "nodes": "minions",
  "ingresses.networking.k8s.io": "ingress",
  "apiservices.apiregistration.k8s.io": "apiregistration.k8s.io/apiservices",
  "customresourcedefinitions.apiextensions.k8s.io": "apiextensions.k8s.io/customresourcedefinitions",
};

/** `/registry/deployments/`; both event groups share one folder. */
export function storagePrefix(root: string, id: string, name: string): string {
  return `${root}/${FOLDERS[id] ?? name}/`;
}
