/** Persistent volumes, the claims to them and sources that only they have, in words. */
export const CORE_PERSISTENT_VOLUMES = `
PersistentVolume: A piece of storage the cluster has, made by hand or by a provisioner. It belongs to no namespace, and
    is bound to at most one claim at a time.
PersistentVolumeSpec: What a persistent volume is and who may use it. Set exactly one source; it cannot be changed
    later.
  capacity: Size of the volume, under the key storage. Required, more than zero, and the only key allowed.
  gcePersistentDisk: Disk of Google Compute Engine. Deprecated; served by the CSI driver pd.csi.storage.gke.io.
  awsElasticBlockStore: EBS volume of AWS. Deprecated; served by the CSI driver ebs.csi.aws.com.
  hostPath: Directory of a node. For trials on a single node only: on another node the pod finds other contents there.
  glusterfs: Volume of a Gluster file system. Deprecated and no longer supported.
  nfs: Directory exported by an NFS server.
  rbd: RADOS block device of a Ceph cluster. Deprecated and no longer supported.
  iscsi: Disk reached over the network by iSCSI.
  cinder: OpenStack Cinder volume. Deprecated; served by the CSI driver cinder.csi.openstack.org.
  cephfs: Directory of a Ceph file system. Deprecated and no longer supported.
  fc: Disk reached over Fibre Channel.
  flocker: Dataset of Flocker. Deprecated and no longer supported.
  flexVolume: Volume handled by a driver program on the node. Deprecated; write a CSI driver instead.
  azureFile: Azure file share. Deprecated; served by the CSI driver file.csi.azure.com.
  vsphereVolume: Virtual disk of vSphere. Deprecated; served by the CSI driver csi.vsphere.vmware.com.
  quobyte: Quobyte volume. Deprecated and no longer supported.
  azureDisk: Azure data disk. Deprecated; served by the CSI driver disk.csi.azure.com.
  photonPersistentDisk: Disk of Photon Controller. Deprecated and no longer supported.
  portworxVolume: Portworx volume. Deprecated; served by the CSI driver pxd.portworx.com.
  scaleIO: ScaleIO volume. Deprecated and no longer supported.
  local: Disk or directory of one node. Needs nodeAffinity, so that pods are placed on that node.
  storageos: StorageOS volume. Deprecated and no longer supported.
  csi: Volume of a CSI driver, the usual source today.
  accessModes: Ways the volume can be mounted; it fits claims that ask for no others. ReadWriteOnce: for writing, by
    one node. ReadOnlyMany: for reading, by many nodes. ReadWriteMany: for writing, by many nodes. ReadWriteOncePod:
    for writing, by one pod; stands alone. Required.
  claimRef: Claim the volume is bound to. Set beforehand with name and namespace, it reserves the volume for that
    claim; the binding holds once the claim names the volume too.
  persistentVolumeReclaimPolicy: What happens when the claim is deleted. Retain: nothing, an administrator decides.
    Delete: volume and storage are deleted. Recycle: contents are wiped and the volume is offered again (deprecated).
    Default Retain; provisioners take it from the storage class.
  storageClassName: Storage class the volume belongs to; claims must ask for the same one. Empty: no class, for claims
    without one.
  mountOptions: Options for mounting the volume, for instance hard or nfsvers=4.1. They are not checked; with a wrong
    one the mount fails.
  volumeMode: Filesystem: the volume is mounted with a file system. Block: containers get the raw device. Default
    Filesystem; cannot be changed.
  nodeAffinity: Nodes that can reach the volume; pods that use it are placed there. May be added later, but changed
    only with the alpha gate MutablePVNodeAffinity.
  volumeAttributesClassName: Class of changeable attributes the volume has. Only with csi; not empty, and once set it
    can be changed but not removed. An unbound volume only fits claims that ask for the same class.
VolumeNodeAffinity: Which nodes can reach a volume.
  required: Terms the node's labels must meet, of which one is enough. Required.
PersistentVolumeStatus: Where a persistent volume stands in its life.
  phase: Pending: not ready yet. Available: free for a claim. Bound: bound to a claim. Released: the claim is gone, the
    storage not yet reclaimed. Failed: reclaiming went wrong.
  message: Explains the phase to people, for instance why reclaiming failed.
  reason: One word in CamelCase for a failure, for programs and tables.
  lastPhaseTransitionTime: When the volume last went from one phase to another.
PersistentVolumeClaim: Asks for storage in a namespace and, once bound, stands for one persistent volume. Pods use the
    volume by the name of the claim.
PersistentVolumeClaimSpec: What storage is wanted. Cannot be changed, except resources.requests and
    volumeAttributesClassName of a bound claim; an unset volumeName or storageClassName may be filled in later.
  accessModes: How the volume is to be mounted. ReadWriteOnce: for writing, by one node. ReadOnlyMany: for reading, by
    many nodes. ReadWriteMany: for writing, by many nodes. ReadWriteOncePod: for writing, by one pod; stands alone. At
    least one is required.
  selector: Labels a volume must have to be bound. For existing volumes; dynamic provisioning does not go together with
    it.
  resources: How much is wanted; requests must contain storage. On a bound claim it may be raised if the class allows
    expansion, and lowered again only to more than status.capacity.
  volumeName: The persistent volume behind the claim. Filled in on binding; given from the start, no other volume will
    do. Cannot be changed once set.
  storageClassName: Storage class wanted. Unset: the default class, as soon as there is one. Empty: only volumes
    without a class, and no provisioning.
  volumeMode: Filesystem: a volume with a file system. Block: a raw device, for volumeDevices. Default Filesystem;
    cannot be changed.
  dataSource: What the new volume starts with: a VolumeSnapshot, or another claim to clone, in the same namespace.
    Other kinds are dropped. Kept equal to dataSourceRef, unless that names a namespace; then leave it out.
  dataSourceRef: What the new volume starts with: a claim or any object outside the core group for which a populator is
    installed. Kept equal to dataSource, unless it names a namespace, which needs the alpha gate
    CrossNamespaceVolumeDataSource.
  volumeAttributesClassName: Class of changeable attributes for the volume. May be changed on a bound claim, and the
    driver then changes the volume; set back to cancel when that turns out Infeasible. Unset or empty: no class. A
    class that is in force cannot be removed.
PersistentVolumeClaimStatus: What has become of the request for storage.
  phase: Pending: no volume yet. Bound: bound to the volume in volumeName. Lost: the volume the claim was bound to is
    gone, and its data with it.
  accessModes: Ways the bound volume can be mounted, which may be more than were asked for: ReadWriteOnce,
    ReadOnlyMany, ReadWriteMany, ReadWriteOncePod.
  capacity: Size the bound volume has now, under the key storage.
  conditions: Observations about resizing, changes of attributes and use of the claim; one entry per type.
  allocatedResources: Size set aside for the claim. During an expansion it may be more than capacity; quota counts this
    or the request, whichever is more.
  allocatedResourceStatuses: How far a resize is, by resource name: ControllerResizeInProgress, NodeResizePending,
    NodeResizeInProgress, or given up as ControllerResizeInfeasible or NodeResizeInfeasible. No entry: no resize is
    going on.
  currentVolumeAttributesClassName: Class of changeable attributes now in force on the volume. Unset: none.
  modifyVolumeStatus: State of a change to another volume attributes class. Unset: no change is being tried.
  healthStatus: Health of the bound volume as the driver's controller last reported it. Alpha, gate CSIVolumeHealth.
PersistentVolumeClaimCondition: One observation about a claim, true, false or unknown.
  type: Resizing, FileSystemResizePending (the node still has to grow the file system), ControllerResizeError,
    NodeResizeError, ModifyingVolume, ModifyVolumeError, or Unused (no pod that is not finished refers to the claim).
ModifyVolumeStatus: State of a change of a volume's attributes.
  targetVolumeAttributesClassName: Volume attributes class that the claim is being changed to.
  status: Pending: something is missing, for instance the class does not exist. InProgress: the driver is changing the
    volume. Infeasible: the driver refused; choose another class. More values may come.
VolumeHealthStatus: What is wrong with a volume, as the driver's controller sees it.
  healthConditions: The troubles reported, at most 16, one per pair of status and reason. Empty: none.
  lastTransitionTime: Since when exactly these troubles have been reported.
VolumeHealthCondition: One trouble reported for a volume.
  status: Kind of trouble. Inaccessible: the volume cannot be reached. DataLoss: data on it was lost. Degraded: it
    works, but worse than it should.
  reason: One word in CamelCase for the cause, at most 256 bytes. Together with status it tells entries apart.
  message: Explains the trouble to people, in at most 1024 bytes.
PersistentVolumeClaimTemplate: Pattern for the claim of an ephemeral volume.
  metadata: Labels and annotations that the claim gets. Other members are refused.
  spec: Spec that the claim gets, word for word. All members of a claim's spec are allowed.
VolumeResourceRequirements: How much storage a claim asks for.
  limits: Largest amounts, by resource name. Matching of claims and volumes looks at requests only.
  requests: Amounts the volume must have at least, by resource name. The key storage is required and must be more than
    zero.
LocalVolumeSource: A disk, partition or directory of one node. The volume needs nodeAffinity for that node.
  path: Full path on the node of a directory or block device, without '..'.
  fsType: Filesystem to mount, such as ext4 or xfs, if path is a block device. Unset: chosen by the node agent.
CSIPersistentVolumeSource: A volume kept by a CSI driver. References to secrets give name and namespace; all keys of
    the secret go to the driver.
  driver: Name of the CSI driver, at most 63 characters.
  volumeHandle: Identifier the driver gave the volume when it made it, and by which it is called from then on.
  readOnly: Whether the driver is told to attach the volume read-only. Default false.
  fsType: Filesystem to mount, such as ext4 or xfs; the node must know it.
  volumeAttributes: Facts about the volume that the driver wants back whenever it is published.
  controllerPublishSecretRef: Secret for attaching the volume to nodes and detaching it (ControllerPublishVolume,
    ControllerUnpublishVolume).
  nodeStageSecretRef: Secret for preparing the volume on a node (NodeStageVolume).
  nodePublishSecretRef: Secret for mounting the volume into pods on a node (NodePublishVolume).
  controllerExpandSecretRef: Secret for growing the volume at the storage (ControllerExpandVolume). May be added to an
    existing volume, unlike the rest of the source.
  nodeExpandSecretRef: Secret for growing the volume on a node (NodeExpandVolume).
AzureFilePersistentVolumeSource: A file share of Azure, mounted on the node and from there into the pod.
  secretName: Secret that holds name and key of the storage account.
  shareName: Name of the share in the storage account.
  readOnly: While true, every mount of the volume is read-only. Default false.
  secretNamespace: Namespace of the secret. Default: that of the pod and its claim.
CephFSPersistentVolumeSource: A directory of a Ceph file system. Deprecated and no longer supported.
  monitors: Addresses of the Ceph monitors.
  path: Directory of the file system to mount as the root of the volume. Default /.
  user: RADOS user to log in as. Default admin.
  secretFile: Path on the node of the user's key ring. Default /etc/ceph/user.secret.
  secretRef: Secret, by name and namespace, with the user's key. Unset by default.
  readOnly: While true, every mount of the volume is read-only. Default false.
CinderPersistentVolumeSource: A Cinder volume of OpenStack. It must exist, in the region of the node.
  volumeID: Identifier of the volume in Cinder.
  fsType: Filesystem to mount, such as ext4 or xfs; the node must know it. Default ext4.
  readOnly: While true, every mount of the volume is read-only. Default false.
  secretRef: Secret, by name and namespace, with what is needed to connect to OpenStack.
FlexPersistentVolumeSource: A volume handled by a FlexVolume driver, a program the node agent calls. Deprecated in
    favour of CSI.
  driver: Name of the driver installed on the nodes.
  fsType: Filesystem to mount, such as ext4 or xfs; the node must know it. Unset: the driver decides.
  secretRef: Secret, by name and namespace, all of whose keys go to the driver.
  readOnly: While true, every mount of the volume is read-only. Default false.
  options: Further settings for the driver, which defines their names.
GlusterfsPersistentVolumeSource: A volume of a Gluster file system. Deprecated and no longer supported.
  endpoints: Name of the endpoints object that lists the Gluster servers.
  path: Path of the Gluster volume to mount.
  readOnly: While true, the Gluster volume is mounted read-only. Default false.
  endpointsNamespace: Namespace of the endpoints object. Default: that of the bound claim.
ISCSIPersistentVolumeSource: A disk reached over iSCSI. Only one node at a time may mount it for writing.
  targetPortal: Address of the target: an IP, or ip:port when the port is not the usual one (860 or 3260).
  iqn: Qualified name of the target. Begins with iqn, eui or naa.
  lun: Number of the logical unit on the target, 0 to 255.
  iscsiInterface: Interface of the initiator, which sets the transport. Default 'default', which is TCP.
  fsType: Filesystem to mount, such as ext4 or xfs; the node must know it. Default ext4.
  readOnly: While true, every mount of the volume is read-only. Default false.
  portals: Further addresses of the target for multipath, each an IP or ip:port.
  chapAuthDiscovery: While true, discovery of targets authenticates with CHAP. Needs secretRef.
  chapAuthSession: While true, sessions with the target authenticate with CHAP. Needs secretRef.
  secretRef: Secret with the CHAP names and passwords. Required when chapAuthDiscovery or chapAuthSession is true.
  initiatorName: Name the node uses as initiator; begins with iqn, eui or naa. A new interface called
    <targetPortal>:<volume name> is made, and both together may have 64 characters with the colon.
RBDPersistentVolumeSource: A RADOS block device of Ceph. Deprecated and no longer supported.
  monitors: Addresses of the Ceph monitors.
  image: Name of the image in the pool.
  fsType: Filesystem to mount, such as ext4 or xfs; the node must know it. Default ext4.
  pool: RADOS pool that the image is in. Default rbd.
  user: RADOS user to log in as. Default admin.
  keyring: Path on the node of the user's key ring. Default /etc/ceph/keyring. Not used when secretRef is set.
  secretRef: Secret, by name and namespace, with the user's key. Comes before keyring.
  readOnly: While true, every mount of the volume is read-only. Default false.
ScaleIOPersistentVolumeSource: A ScaleIO volume. Deprecated and no longer supported.
  gateway: Address of the gateway that serves the ScaleIO API.
  system: Name that the storage system has in ScaleIO.
  secretRef: Secret, by name and namespace, with user and password for the login, which fails without it.
  sslEnabled: Whether to talk to the gateway over TLS. Default false.
  protectionDomain: Protection domain that the storage belongs to.
  storagePool: Storage pool within the protection domain.
  storageMode: How space is set aside: ThickProvisioned or ThinProvisioned. Default ThinProvisioned.
  volumeName: Name of an existing volume in ScaleIO. Required in practice.
  fsType: Filesystem to mount, such as ext4; the node must know it. Default xfs.
  readOnly: While true, every mount of the volume is read-only. Default false.
StorageOSPersistentVolumeSource: A StorageOS volume. Deprecated and no longer supported.
  volumeName: Name of the volume, unique in its StorageOS namespace. A DNS label; required in practice.
  volumeNamespace: StorageOS namespace of the volume, made if missing. Default: the pod's namespace. Write default
    where StorageOS is used without namespaces.
  fsType: Filesystem to mount, such as ext4 or xfs; the node must know it. Default ext4.
  readOnly: While true, every mount of the volume is read-only. Default false.
  secretRef: Secret, by name and namespace, with the login for the StorageOS API. Unset: built-in values are tried.
`;
