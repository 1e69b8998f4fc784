/** Which objects belong to a node: through the pods bound to it. */
import type { JsonMap, Obj } from "../../schema/model/types.ts";
import { podReferences, type Ref, volumeSecrets } from "./pod_references.ts";

/** Read access to objects, from the watch cache. Resource ids are public. */
export interface NodeLister {
  get(resourceId: string, namespace: string, name: string): Obj | undefined;
  list(resourceId: string): readonly Obj[];
  /** A number that moves with every change of the resource's objects. Absent: what is made of them is made each time. */
  changes?(resourceId: string): number;
}

interface PodEntry {
  readonly node: string;
  readonly refs: ReadonlySet<Ref>;
}

/** Kinds that name their node themselves. */
const OWN_NODE: Readonly<Record<string, true>> = {
  "volumeattachments.storage.k8s.io": true,
  "resourceslices.resource.k8s.io": true,
  "podcertificaterequests.certificates.k8s.io": true,
};

/** Pods by name, and per node how many pods name an object. Kept up by {@linkcode podChanged}; made from the lister at first. */
export class NodeGraph {
  #pods: Map<string, PodEntry> | undefined;
  #byNode = new Map<string, Map<Ref, number>>();
  #byClaim: { readonly at: number; readonly secrets: ReadonlyMap<Ref, ReadonlySet<Ref>> } | undefined;

  constructor(readonly lister: NodeLister, readonly mirrorAnnotation: string) {}

  /** Whether anybody has asked yet: before, changes need not be told. */
  get active(): boolean {
    return this.#pods !== undefined;
  }

  /** A pod is as told, or gone. Before anybody asked nothing is kept. */
  podChanged(namespace: string, name: string, pod: Obj | undefined): void {
    if (!this.#pods) return;
    const key = `${namespace}/${name}`;
    const old = this.#pods.get(key);
    if (old) this.#count(old, -1);
    this.#pods.delete(key);
    if (pod) this.#add(this.#pods, pod);
  }

  /** All is to be made anew. */
  reset(): void {
    this.#pods = undefined;
    this.#byNode.clear();
  }

  #add(pods: Map<string, PodEntry>, pod: Obj): void {
    const node = pod.spec?.nodeName as string | undefined;
    if (!node) return;
    const entry = { node, refs: podReferences(pod, this.mirrorAnnotation) };
    pods.set(`${pod.metadata.namespace}/${pod.metadata.name}`, entry);
    this.#count(entry, 1);
  }

  #count({ node, refs }: PodEntry, by: number): void {
    let counts = this.#byNode.get(node);
    if (!counts) this.#byNode.set(node, counts = new Map());
    for (const ref of refs) {
      const n = (counts.get(ref) ?? 0) + by;
      if (n > 0) counts.set(ref, n);
      else counts.delete(ref);
    }
    if (counts.size === 0) this.#byNode.delete(node);
  }

  #podsNow(): Map<string, PodEntry> {
    if (this.#pods) return this.#pods;
    const pods = new Map<string, PodEntry>();
    for (const pod of this.lister.list("pods")) this.#add(pods, pod);
    return this.#pods = pods;
  }

  /** Whether there is a way from the object to the node. */
  reaches(node: string, resourceId: string, namespace: string, name: string): boolean {
    const pods = this.#podsNow();
    if (resourceId === "pods") return pods.get(`${namespace}/${name}`)?.node === node;
    if (OWN_NODE[resourceId]) return this.lister.get(resourceId, namespace, name)?.spec?.nodeName === node;
    if (resourceId === VOLUMES) return this.#volume(node, name);
    if (this.#byNode.get(node)?.has(`${resourceId}/${namespace}/${name}`)) return true;
    return resourceId === "secrets" && this.#throughVolume(node, `secrets/${namespace}/${name}`);
  }

  #volume(node: string, name: string): boolean {
    const volume = this.lister.get(VOLUMES, "", name);
    return volume !== undefined && this.#byNode.get(node)?.has(claimOf(volume)) === true;
  }

  /** Secrets of the volumes that are for claims of the node's pods. */
  #throughVolume(node: string, secret: Ref): boolean {
    for (const ref of this.#byNode.get(node)?.keys() ?? []) {
      if (ref.startsWith(CLAIMS) && this.#secretsFor(ref)?.has(secret)) return true;
    }
    return false;
  }

  /** By the volumes' own word: the claim's alone is the user's. What the claim says only spares looking at all volumes. */
  #secretsFor(claim: Ref): ReadonlySet<Ref> | undefined {
    const [resource, namespace, name] = claim.split("/") as [string, string, string];
    const volumeName = this.lister.get(resource, namespace, name)?.spec?.volumeName as string | undefined;
    const volume = volumeName ? this.lister.get(VOLUMES, "", volumeName) : undefined;
    return volume && claimOf(volume) === claim ? volumeSecrets(volume) : this.#secretsByClaim().get(claim);
  }

  #secretsByClaim(): ReadonlyMap<Ref, ReadonlySet<Ref>> {
    const at = this.lister.changes?.(VOLUMES) ?? NaN;
    if (this.#byClaim?.at === at) return this.#byClaim.secrets;
    const secrets = new Map<Ref, ReadonlySet<Ref>>();
    for (const volume of this.lister.list(VOLUMES)) {
      const own = volumeSecrets(volume), claim = claimOf(volume);
      if (own.size > 0) secrets.set(claim, own.union(secrets.get(claim) ?? new Set<Ref>()));
    }
    this.#byClaim = { at, secrets };
    return secrets;
  }
}

const VOLUMES = "persistentvolumes", CLAIMS = "persistentvolumeclaims/";

/** The claim that a volume is for; empty: none. */
function claimOf(volume: Obj): Ref {
  const claim = volume.spec?.claimRef as JsonMap | undefined;
  return claim ? `${CLAIMS}${claim.namespace}/${claim.name}` : "";
}
