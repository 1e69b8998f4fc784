/** Which claims a pod means. */
import type { Container, Pod, PodResourceClaim } from "../../schema/api/core_v1.ts";
import type { ResourceClaim } from "../../schema/api/resource.k8s.io_v1.ts";
import { amountsOf } from "../resources/amounts.ts";

/** A claim that a pod means. */
export interface Meant {
  /** In the pod; undefined: the claim that stands for its extended resources. */
  readonly entry: string | undefined;
  readonly name: string;
  /** It was made for this pod, or is not what it seems. */
  readonly own: boolean;
}

const placeOf = ({ metadata }: Pod): string => `${metadata?.namespace ?? ""}/${metadata?.name ?? ""}`;

/** All of a pod; where a template made none there is none. @throws Error: there is none yet */
export function claimsOf(pod: Pod): readonly Meant[] {
  const extended = pod.status?.extendedResourceClaimStatus?.resourceClaimName;
  return [
    ...(pod.spec?.resourceClaims ?? []).flatMap((entry) => meantBy(pod, entry)),
    ...(extended ? [{ entry: undefined, name: extended, own: false }] : []),
  ];
}

function meantBy(pod: Pod, entry: PodResourceClaim): readonly Meant[] {
  const { name: key, resourceClaimName: name, resourceClaimTemplateName: template } = entry;
  if (name) return [{ entry: key, name, own: false }];
  if (!template) {
    throw new Error(`pod "${placeOf(pod)}", spec.resourceClaim "${key}": none of the supported fields are set`);
  }
  const made = pod.status?.resourceClaimStatuses?.find((status) => status.name === key);
  if (!made) throw new Error(`pod "${placeOf(pod)}": ResourceClaim not created yet`);
  return made.resourceClaimName ? [{ entry: key, name: made.resourceClaimName, own: true }] : [];
}

/** Names of claims that a container uses, with the requests of each; an empty request: all. @throws Error like {@linkcode claimsOf} */
export function requestsOf(pod: Pod, container: Container): ReadonlyMap<string, readonly string[]> {
  const used = container.resources?.claims ?? [], requested = amountsOf(container.resources?.requests);
  const mapped = (pod.status?.extendedResourceClaimStatus?.requestMappings ?? [])
    .filter((one) => one.containerName === container.name && (requested.get(one.resourceName)?.sign() ?? 0) > 0);
  const all = claimsOf(pod).map(({ entry, name }) =>
    [
      name,
      entry === undefined
        ? mapped.map(({ requestName }) => requestName)
        : used.filter((claim) => claim.name === entry).map((claim) => claim.request ?? ""),
    ] as const
  );
  return new Map(
    [...Map.groupBy(all, ([name]) => name)].map(([name, of]) => [name, of.flatMap(([, requests]) => requests)] as const)
      .filter(([, requests]) => requests.length > 0),
  );
}

/** @throws Error: the pod may not use it */
export function checkClaim(pod: Pod, claim: ResourceClaim, { name, own }: Meant): void {
  const uid = pod.metadata?.uid ?? "", { namespace, uid: claimUid, ownerReferences } = claim.metadata ?? {};
  if (own && !ownerReferences?.some((owner) => owner.controller && owner.uid === uid)) {
    throw new Error(`ResourceClaim ${namespace}/${name} was not created for Pod ${placeOf(pod)} (Pod is not owner)`);
  }
  if (!claim.status?.reservedFor?.some((consumer) => consumer.uid === uid)) {
    throw new Error(`pod ${pod.metadata?.name} (${uid}) is not allowed to use ResourceClaim ${name} (${claimUid})`);
  }
  if (!claim.status.allocation) throw new Error(`ResourceClaim ${name}: not allocated`);
}
