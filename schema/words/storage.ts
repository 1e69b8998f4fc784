/** The kinds of the group storage, in words. */
export const STORAGE = `
StorageClass: A kind of storage on offer: who makes volumes of it, with which settings, and when. Claims ask for it by
    name. Belongs to no namespace.
  provisioner: Name of the driver that makes volumes of this class. Cannot be changed.
  parameters: Settings for the provisioner, which defines their names. At most 512 entries and 256 KiB in all; cannot
    be changed.
  reclaimPolicy: What happens to volumes of this class when their claim is deleted. Delete: volume and storage go.
    Retain: they stay, for an administrator to deal with. Recycle is refused here. Default Delete; cannot be changed.
  mountOptions: Mount options that new volumes of this class get. They are not checked; with a wrong one the mount
    fails.
  allowVolumeExpansion: Whether bound claims of this class may ask for more space. Unset means no.
  volumeBindingMode: When a claim gets its volume. Immediate: at once. WaitForFirstConsumer: when a pod that uses the
    claim is scheduled, so that the volume suits its node. Default Immediate; cannot be changed.
  allowedTopologies: Where volumes of this class may be made, as labels and values that the driver knows. Empty:
    anywhere.
CSIDriver: Tells the cluster how to deal with one CSI driver. Belongs to no namespace.
  metadata: Standard metadata. The name is the name of the driver, at most 63 characters.
CSIDriverSpec: What a CSI driver needs and what it can do.
  attachRequired: Whether volumes must be attached to a node before they are mounted there. While true, the node agent
    waits for the VolumeAttachment; false skips it. Default true; cannot be changed.
  podInfoOnMount: Whether the driver is told name, namespace and UID of the pod when it mounts a volume, and whether
    the volume is ephemeral. Default false.
  volumeLifecycleModes: Ways its volumes can be used. Persistent: through persistent volumes and claims. Ephemeral: as
    csi volumes written into pods. Default Persistent alone; cannot be changed.
  storageCapacity: Whether the scheduler looks at the CSIStorageCapacity objects of the driver. While true, pods with
    late binding wait until fitting objects exist. Default false.
  fsGroupPolicy: Whether fsGroup of a pod is applied to the files. File: always. None: never. ReadWriteOnceWithFSType:
    if fsType is set and the access modes hold ReadWriteOnce or ReadWriteOncePod; this is the default.
  tokenRequests: Tokens of the pod's service account that the driver gets on each mount. Each entry has a different
    audience; one may be empty. For renewed tokens set requiresRepublish too.
  requiresRepublish: Whether NodePublishVolume is called again from time to time, so that the driver can refresh the
    contents. Containers do not see new mount points. Default false.
  seLinuxMount: Whether each volume can be mounted with an SELinux context of its own (mount option context). While
    true, volumes are mounted with the context of the pod rather than relabelled. Leave false for subdirectories of one
    shared file system. Default false.
  nodeAllocatableUpdatePeriodSeconds: Seconds between updates of allocatable in the driver's CSINode entries, at least
    10; attach failures for want of room then cause an update as well. Unset: no updates at all.
  serviceAccountTokenInSecrets: While true, the tokens of tokenRequests reach the driver only in the secrets of the
    call, the safer place; else in the volume context. Only allowed with tokenRequests.
  preventPodSchedulingIfMissing: While true, pods with volumes of this driver are not placed on nodes that lack it.
    Default false.
CSINode: The CSI drivers on one node. Written by the node agent when drivers register; goes away with the node.
  metadata: Standard metadata. The name is that of the node.
CSINodeSpec: Which CSI drivers are registered on a node.
  drivers: One entry per driver registered on the node; empty when there is none left.
CSINodeDriver: A CSI driver on one node. Apart from allocatable, an entry cannot be changed, only removed and added
    anew.
  name: Name of the driver, the same as that of its CSIDriver object.
  nodeID: Name that the storage system has for this node, used when volumes are attached to it. At most 256 characters.
  topologyKeys: Keys of the node labels by which the driver tells places apart. Provisioning looks these labels up on
    the node. Empty: the driver knows no topology.
  allocatable: How many volumes of the driver fit on the node, for the scheduler.
VolumeNodeResources: Room for volumes of one driver on one node.
  count: Most volumes of the driver the node can have at a time. A volume shared by several pods counts once. Unset: no
    bound.
CSINodeStatus: What the drivers of a node report about their storage.
  storageHealth: Reports on the storage behind the drivers, one entry per driver. Alpha, gate CSIVolumeHealth.
StorageHealth: Health of the storage behind one driver, seen from one node.
  name: Name of the driver, as in the list of drivers.
  healthConditions: Troubles the driver reports, at most 16. Empty: none.
StorageHealthCondition: One trouble with the storage behind a driver.
  status: Kind of trouble. StorageUnreachable: the storage does not answer. StorageDegraded: it works, but worse than
    it should.
  reason: One word in CamelCase for the cause, at most 256 characters.
  message: Explains the trouble to people, in at most 1024 characters.
  accessMode: Only volumes with this access mode are affected: ReadWriteOnce, ReadOnlyMany, ReadWriteMany or
    ReadWriteOncePod. Unset: all.
  volumeMode: Only volumes with this mode are affected: Filesystem or Block. Unset: both.
  lastTransitionTime: Since when the trouble has been in this state.
CSIStorageCapacity: Room left in one part of the cluster for volumes of one storage class. Written by the driver's
    deployment and read by the scheduler; without such an object, or without an amount in it, there is no room.
  nodeTopology: Nodes that can reach this storage, by their labels. Unset: no node. Empty: every node. Cannot be
    changed.
  storageClassName: Storage class the amounts hold for. Cannot be changed; when the class is gone, the object's maker
    should delete it.
  capacity: Room left in bytes, as the driver reports it for the nodes and the class. Unset: not known.
  maximumVolumeSize: Largest single volume that can be made. The scheduler compares it with the claim's request, and
    takes capacity when it is unset.
VolumeAttachment: Asks for a volume to be attached to a node, and tells whether it is. Deleting it asks for the volume
    to be detached. Belongs to no namespace.
  spec: Which volume is wanted on which node. Cannot be changed.
VolumeAttachmentSpec: Which volume is wanted on which node, and who does it.
  attacher: Name of the CSI driver that has to attach the volume.
  source: The volume that has to be attached to the node.
  nodeName: Node that the volume is to be attached to.
VolumeAttachmentSource: The volume to attach. Set exactly one member.
  persistentVolumeName: The persistent volume to attach, by its name.
  inlineVolumeSpec: Spec of a persistent volume made from a volume written directly into a pod, for old volume types
    that a CSI driver now serves.
VolumeAttachmentStatus: How far attaching or detaching has come. Written by the attacher alone.
  attached: Whether the volume is attached to the node.
  attachmentMetadata: What attaching brought to light and mounting needs to know. At most 256 KiB in all.
  attachError: The last error while attaching, if there was one.
  detachError: The last error while detaching, if there was one.
VolumeError: An error from work on a volume.
  time: When the error came up while attaching or detaching.
  message: What went wrong, in at most 1024 bytes. May end up in logs, so it should hold nothing secret.
  errorCode: Code of the error in gRPC, zero or more.
VolumeAttributesClass: Settings of volumes that can be changed while they exist, such as speed. Claims name the class
    and may change to another. Belongs to no namespace.
  driverName: CSI driver the settings are meant for. Cannot be changed.
  parameters: Settings for the driver, which defines their names. At least one, at most 512 entries and 256 KiB in all.
    Cannot be changed: make a new class and let claims name that. If the driver refuses them, the claim's
    modifyVolumeStatus becomes Infeasible.
TokenRequest: One service account token that a CSI driver wants.
  audience: Who the token is for. Empty: the API server.
  expirationSeconds: Lifetime of the token in seconds, at least 600. Default 3600.
`;
