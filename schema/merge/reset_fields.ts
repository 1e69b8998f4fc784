/**
 * What the built-in resources take from a write through themselves and through each of their subresources: nobody comes
 * to own the rest by it. Groups are public names.
 */
import { allBut, type FieldFilter } from "./field_filter.ts";
import { FieldSet } from "./fieldset.ts";

const but = (...paths: string[]): FieldFilter => allBut(FieldSet.ofFields(...paths.map((p) => p.split("."))));

const STATUS = but("status");
const SPEC = but("spec");
const SPEC_AND_METADATA = but("spec", "metadata");
const SPEC_AND_LABELS = but("spec", "metadata.labels");

/** By group, kind and subresource, where it differs from the rule. */
const TABLE: ReadonlyMap<string, FieldFilter> = new Map([
  ["/Pod status", but("spec", "metadata.deletionTimestamp", "metadata.ownerReferences")],
  ["/Namespace finalize", STATUS],
  ["admissionregistration.k8s.io/ValidatingAdmissionPolicy status", SPEC_AND_METADATA],
  ["apiextensions.k8s.io/CustomResourceDefinition status", SPEC],
  ["apiregistration.k8s.io/APIService status", SPEC_AND_METADATA],
  ["apps/Deployment status", SPEC_AND_LABELS],
  ["certificates.k8s.io/CertificateSigningRequest ", but("spec", "status")],
  ["certificates.k8s.io/CertificateSigningRequest approval", but("spec", "status.certificate")],
  ["certificates.k8s.io/CertificateSigningRequest status", but("spec", "status.conditions")],
  ["coordination.k8s.io/EvictionRequest status", SPEC_AND_LABELS],
  ["certificates.k8s.io/PodCertificateRequest status", SPEC_AND_METADATA],
  ["flowcontrol.apiserver.k8s.io/FlowSchema status", SPEC_AND_METADATA],
  ["flowcontrol.apiserver.k8s.io/PriorityLevelConfiguration status", SPEC_AND_METADATA],
  ["internal.apiserver.k8s.io/StorageVersion status", SPEC_AND_METADATA],
  ["lifecycle.k8s.io/Eviction status", SPEC_AND_METADATA],
  ["lifecycle.k8s.io/EvictionRequest status", SPEC_AND_METADATA],
  ["networking.k8s.io/ServiceCIDR status", SPEC_AND_METADATA],
  ["resource.k8s.io/DeviceTaintRule status", SPEC_AND_METADATA],
  ["resource.k8s.io/ResourceClaim status", SPEC_AND_METADATA],
  ["resource.k8s.io/ResourcePoolStatusRequest status", SPEC_AND_METADATA],
  ["scheduling.k8s.io/CompositePodGroup status", SPEC_AND_METADATA],
  ["scheduling.k8s.io/PodGroup status", SPEC_AND_METADATA],
  ["storage.k8s.io/CSINode status", SPEC_AND_METADATA],
  ["storage.k8s.io/VolumeAttachment status", SPEC_AND_METADATA],
  ["storagemigration.k8s.io/StorageVersionMigration status", SPEC_AND_METADATA],
]);

/** What a write is about. */
export interface WriteTarget {
  /** Public name of the group, empty for core. */
  readonly group: string;
  /** Kind of the resource, not of a subresource with a kind of its own. */
  readonly kind: string;
  /** Empty for the resource itself. */
  readonly subresource: string;
  /** Whether the resource has a subresource `status`. */
  readonly hasStatus: boolean;
  /** A custom resource: its status takes nothing of the metadata. */
  readonly custom?: boolean;
}

/**
 * The filter of a write: by the rule, a resource with a status does not take the status from a write to itself, and only
 * the status from a write to `status`.
 */
export function resetFieldsOf({ group, kind, subresource, hasStatus, custom }: WriteTarget): FieldFilter | undefined {
  const found = TABLE.get(`${group}/${kind} ${subresource}`);
  if (found) return found;
  if (subresource === "status") return custom ? SPEC_AND_METADATA : SPEC;
  return subresource === "" && hasStatus ? STATUS : undefined;
}
