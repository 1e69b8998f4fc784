/** Volumes of pods, their mounts and their sources, in words. */
export const CORE_VOLUMES = `
Volume: A named piece of storage that containers of the pod can mount. Set exactly one source besides the name; without
    any source the volume is an emptyDir, which is deprecated.
  name: Name that volumeMounts and volumeDevices of the containers refer to. A DNS label of at most 63 characters, used
    once per pod.
  hostPath: File or directory of the node itself, shown to the containers. Opens the node to the pod, so it is for
    system agents and the like.
  emptyDir: Scratch directory, empty when the pod starts on its node and deleted with the pod. It survives restarts of
    containers.
  gcePersistentDisk: Disk of Google Compute Engine. Deprecated; served by the CSI driver pd.csi.storage.gke.io.
  awsElasticBlockStore: EBS volume of AWS. Deprecated; served by the CSI driver ebs.csi.aws.com.
  gitRepo: Directory with a clone of a git repository. Deprecated and switched off: the node agent refuses it. Clone in
    an init container into an emptyDir instead.
  secret: Files with the values of a secret from the pod's namespace. They are kept in memory on the node.
  nfs: Directory exported by an NFS server. Its contents outlive the pod and can be shared by many pods.
  iscsi: Disk reached over iSCSI. Its contents outlive the pod.
  glusterfs: Volume of a Gluster file system. Deprecated and no longer supported.
  persistentVolumeClaim: The volume bound to a claim in the pod's namespace. The usual way to get storage that outlives
    the pod.
  rbd: RADOS block device of a Ceph cluster. Deprecated and no longer supported.
  flexVolume: Volume handled by a driver program on the node. Deprecated; write a CSI driver instead.
  cinder: OpenStack Cinder volume. Deprecated; served by the CSI driver cinder.csi.openstack.org.
  cephfs: Directory of a Ceph file system. Deprecated and no longer supported.
  flocker: Dataset of Flocker. Deprecated and no longer supported.
  downwardAPI: Files that hold facts about the pod, such as its labels or the resource limits of a container.
  fc: Disk reached over Fibre Channel. Its contents outlive the pod.
  azureFile: Azure file share. Deprecated; served by the CSI driver file.csi.azure.com.
  configMap: Files with the values of a config map from the pod's namespace.
  vsphereVolume: Virtual disk of vSphere. Deprecated; served by the CSI driver csi.vsphere.vmware.com.
  quobyte: Quobyte volume. Deprecated and no longer supported.
  azureDisk: Azure data disk. Deprecated; served by the CSI driver disk.csi.azure.com.
  photonPersistentDisk: Disk of Photon Controller. Deprecated and no longer supported.
  projected: Several sources (secrets, config maps, pod facts, tokens, certificates) gathered in one directory.
  portworxVolume: Portworx volume. Deprecated; served by the CSI driver pxd.portworx.com.
  scaleIO: ScaleIO volume. Deprecated and no longer supported.
  storageos: StorageOS volume. Deprecated and no longer supported.
  csi: Volume that a CSI driver makes on the node just for this pod. Only for drivers whose volumeLifecycleModes
    contain Ephemeral.
  ephemeral: Volume with a claim of its own, made from a template when the pod is created and deleted with the pod. For
    scratch space that needs a storage class, a size or a snapshot to start from.
  image: Contents of a container image or other OCI artifact, mounted read-only. Pulled before the containers start.
VolumeMount: Place in a container's file system where a volume of the pod appears.
  name: Which volume of the pod to mount. It may not also be listed in the container's volumeDevices.
  readOnly: Whether the container is kept from writing to the volume. Default false.
  recursiveReadOnly: Whether readOnly also covers file systems mounted below. Disabled: no. IfPossible: if the
    container runtime can. Enabled: yes, or the pod does not start. Default Disabled. Needs readOnly, and
    mountPropagation unset or None.
  mountPath: Path in the container at which the volume appears. Each mount of a container needs a different one.
  subPath: File or directory inside the volume to mount in place of its root. Relative, without '..'. Such a mount does
    not follow later changes of secrets and config maps.
  mountPropagation: How mounts made later below this path spread. None: they do not. HostToContainer: those of the node
    show up in the container. Bidirectional: also the other way round, for privileged containers only. Default None.
  subPathExpr: Like subPath, but $(NAME) is replaced by the container's environment variable NAME. Excludes subPath.
  bindMountOptions: Further options for the mount: noexec (no programs run from it), nodev (device files do nothing),
    nosuid (set-user-ID and set-group-ID bits are ignored). Linux only, not for image volumes. Alpha, gate
    VolumeBindMountOptions.
VolumeDevice: A volume handed to a container as a raw block device, without a file system.
  name: Which volume of the pod to hand over. It must come from a claim (persistentVolumeClaim or ephemeral) with
    volumeMode Block, and may not also be mounted.
  devicePath: Path in the container at which the device appears, for instance /dev/xvda. Without '..', and each device
    has a different one.
KeyToPath: Puts one key of a secret or config map into a file of the volume.
  key: Key whose value becomes the content of the file.
  path: Where the file goes, relative to the root of the volume. It may not be absolute, start with '..' or have '..'
    between slashes.
  mode: Permission bits of this file, 0 to 0777 (in JSON decimal, 0 to 511). Default: defaultMode of the volume. A
    fsGroup of the pod may change the result.
  user: User ID that owns this file; takes the place of the volume's defaultUser. Alpha, gate
    AtomicWriteVolumeUserFields.
EmptyDirVolumeSource: Settings of a scratch directory that lives as long as the pod does.
  medium: What the directory is kept on. Empty (the default): the node's disk. Memory: a RAM file system, counted as
    memory of the containers. HugePages or HugePages-<size>: huge pages, which the pod must also request.
  sizeLimit: Most space the directory may take. A pod that exceeds it is evicted; with medium Memory the file system
    has this size, or the pod's memory limit if that is less. No limit by default.
  mode: Permission bits of the directory, 0 to 01777 (in JSON decimal, 0 to 1023). Default 0777. A fsGroup of the pod
    comes first; Windows ignores it. Alpha, gate EmptyDirVolumeMode.
HostPathVolumeSource: A file or directory of the node. Ownership and SELinux labels are left as they are.
  path: Path on the node, without '..'. Symbolic links are followed.
  type: What must be at path before the mount. Empty (the default): no check. Directory, File, Socket, CharDevice,
    BlockDevice: that must exist. DirectoryOrCreate (mode 0755), FileOrCreate (mode 0644): made if missing, owned by
    the node agent's user.
SecretVolumeSource: Files in a volume made from a secret. Changes of the secret reach the files after a while, but not
    mounts with subPath.
  secretName: Which secret to use; it must be in the pod's namespace. Required in practice.
  items: Keys to show and where to put them. Unset: every key, each in a file of its name. Set: only these; a key that
    is missing stops the pod from starting, unless optional is true.
  defaultMode: Permission bits of files without a mode of their own, 0 to 0777 (in JSON decimal, 0 to 511). Default
    0644. Directories are not affected; a fsGroup of the pod may change the result.
  optional: While true, the pod starts even if the secret or one of the listed keys is missing. Default false.
  defaultUser: User ID that owns files without a user of their own. Alpha, gate AtomicWriteVolumeUserFields.
ConfigMapVolumeSource: Files in a volume made from a config map. Changes of the config map reach the files after a
    while, but not mounts with subPath.
  name: Which config map to use; it must be in the pod's namespace. Required in practice.
  items: Keys to show and where to put them. Unset: every key, each in a file of its name. Set: only these; a key that
    is missing stops the pod from starting, unless optional is true.
  defaultMode: Permission bits of files without a mode of their own, 0 to 0777 (in JSON decimal, 0 to 511). Default
    0644. Directories are not affected; a fsGroup of the pod may change the result.
  optional: While true, the pod starts even if the config map or one of the listed keys is missing. Default false.
  defaultUser: User ID that owns files without a user of their own. Alpha, gate AtomicWriteVolumeUserFields.
DownwardAPIVolumeSource: Files in a volume that hold facts about the pod. Changed labels and annotations reach the
    files after a while.
  items: The files to write, each with one fact about the pod or one of its containers.
  defaultMode: Permission bits of files without a mode of their own, 0 to 0777 (in JSON decimal, 0 to 511). Default
    0644. Directories are not affected; a fsGroup of the pod may change the result.
  defaultUser: User ID that owns files without a user of their own. Alpha, gate AtomicWriteVolumeUserFields.
DownwardAPIVolumeFile: One file with a fact about the pod. Give either fieldRef or resourceFieldRef.
  path: Where the file goes, relative to the root of the volume. It may not be absolute, start with '..' or have '..'
    between slashes.
  fieldRef: Member of the pod to write: metadata.name, metadata.namespace, metadata.uid, metadata.labels,
    metadata.annotations, or one label or annotation by its key.
  resourceFieldRef: Limit or request of a container to write: CPU, memory, ephemeral storage or huge pages. The
    container must be named.
  mode: Permission bits of this file, 0 to 0777 (in JSON decimal, 0 to 511). Default: defaultMode of the volume. A
    fsGroup of the pod may change the result.
  user: User ID that owns this file; takes the place of the volume's defaultUser. Alpha, gate
    AtomicWriteVolumeUserFields.
ProjectedVolumeSource: One directory filled from several sources. No two of them may write the same path.
  sources: The sources, each with one kind of content. Their files appear side by side.
  defaultMode: Permission bits of files without a mode of their own, 0 to 0777 (in JSON decimal, 0 to 511). Default
    0644. Directories are not affected; a fsGroup of the pod may change the result.
  defaultUser: User ID that owns files without a user of their own. Alpha, gate AtomicWriteVolumeUserFields.
VolumeProjection: One source of a projected volume. Set exactly one member.
  secret: Files with values of a secret from the pod's namespace.
  downwardAPI: Files that hold facts about the pod or the resources of its containers.
  configMap: Files with values of a config map from the pod's namespace.
  serviceAccountToken: File with a token of the pod's service account, renewed before it expires.
  clusterTrustBundle: File with the trusted root certificates of one or more cluster trust bundles. It follows their
    changes; order and comments of the originals are not kept.
  podCertificate: Private key and certificate made for this pod, renewed by the node agent. The pod does not start
    until the signer has issued the certificate.
SecretProjection: Files in a projected volume made from a secret.
  name: Which secret to use; it must be in the pod's namespace. Required in practice.
  items: Keys to show and where to put them. Unset: every key, each in a file of its name. Set: only these; a key that
    is missing stops the pod from starting, unless optional is true.
  optional: While true, the pod starts even if the secret or one of the listed keys is missing. Default false.
ConfigMapProjection: Files in a projected volume made from a config map.
  name: Which config map to use; it must be in the pod's namespace. Required in practice.
  items: Keys to show and where to put them. Unset: every key, each in a file of its name. Set: only these; a key that
    is missing stops the pod from starting, unless optional is true.
  optional: While true, the pod starts even if the config map or one of the listed keys is missing. Default false.
DownwardAPIProjection: Files in a projected volume that hold facts about the pod.
  items: The files to write, each with one fact about the pod or one of its containers.
ServiceAccountTokenProjection: Token of the pod's service account, written to a file and renewed by the node agent.
  audience: Who the token is for. A service that gets the token must refuse it if it does not know itself by this name.
    Default: the API server.
  expirationSeconds: Lifetime asked for, in seconds; at least 600, default 3600. Renewal begins after 80 percent of it,
    or after 24 hours if that is sooner.
  path: Where the token goes, relative to the root of the volume. It may not be absolute, start with '..' or have '..'
    between slashes.
  user: User ID that owns this file; takes the place of the volume's defaultUser. Alpha, gate
    AtomicWriteVolumeUserFields.
ClusterTrustBundleProjection: Root certificates out of cluster trust bundles, in one PEM file. Choose the bundles
    either by name or by signerName with labelSelector.
  name: The one bundle to take. Excludes signerName and labelSelector.
  signerName: Take the bundles of this signer that labelSelector chooses, merged and without repeated certificates.
    Excludes name.
  labelSelector: Which bundles of signerName to take. Unset: none of them. Empty: all of them. Excludes name.
  optional: While true, the pod starts even if the bundle is missing or the selection is empty. Default false.
  path: Where the PEM file goes, relative to the root of the volume. It may not be absolute, start with '..' or have
    '..' between slashes.
  user: User ID that owns this file; takes the place of the volume's defaultUser. Alpha, gate
    AtomicWriteVolumeUserFields.
PodCertificateProjection: A private key made on the node and a certificate for it from a signer. At least one of the
    three paths must be set.
  signerName: Signer that the pod certificate requests of the node agent are addressed to.
  keyType: Kind of key to make: RSA3072 or RSA4096, ECDSAP256, ECDSAP384 or ECDSAP521, or ED25519.
  maxExpirationSeconds: Longest lifetime the certificate may have, in seconds: 3600 to 7862400 (91 days), for built-in
    signers at most 86400. Without it 86400 (24 hours) applies. The signer may issue a shorter one, down to one hour.
  credentialBundlePath: File for key and certificates together, in PEM: first the key as PKCS#8, then the chain. Best
    choice, since one read always gives a key and a certificate that belong together.
  keyPath: File for the private key alone. During a renewal it may not fit the file at certificateChainPath for a
    moment; the reader has to check.
  certificateChainPath: File for the certificate chain alone. During a renewal it may not fit the file at keyPath for a
    moment; the reader has to check.
  userAnnotations: Extra information for the signer, copied to unverifiedUserAnnotations of the requests. Keys need a
    domain prefix; what they mean is up to the signer.
  user: User ID that owns the files; takes the place of the volume's defaultUser. Alpha, gate
    AtomicWriteVolumeUserFields.
PersistentVolumeClaimVolumeSource: Uses whatever volume is bound to a claim. The pod waits until the claim is bound.
  claimName: Which claim to use; it must be in the pod's namespace. May not be a claim that an ephemeral volume of the
    same pod makes.
  readOnly: While true, every mount of the volume in the pod is read-only. Default false.
EphemeralVolumeSource: A volume whose claim comes and goes with the pod.
  volumeClaimTemplate: The claim to make, named <pod name>-<volume name> and owned by the pod. Required, and changed no
    more once made. A foreign claim of that name is not used, and keeps the pod from starting.
ImageVolumeSource: Contents of an OCI image or artifact as a read-only volume. Resolved anew for each new pod.
  reference: Image or artifact to pull, written as in image of a container; the same pull secrets apply. Required in
    pods; templates may leave it to be filled in later.
  pullPolicy: When the node agent pulls. Always: for each pod. IfNotPresent: if the node does not have it. Never: it
    must be there already. Default Always for the tag latest, else IfNotPresent. If it cannot be had, containers do not
    start.
CSIVolumeSource: A volume made by a CSI driver on the node, as part of the pod.
  driver: Name of the CSI driver, as its CSIDriver object is called. The driver must allow Ephemeral volumes.
  readOnly: Whether the volume is mounted read-only. Default false.
  fsType: Filesystem to use, such as ext4 or xfs. Unset: the driver decides.
  volumeAttributes: Settings handed to the driver as they are. The driver defines which there are.
  nodePublishSecretRef: Secret in the pod's namespace, all of whose keys go to the driver when it publishes the volume
    on the node.
NFSVolumeSource: A directory exported by an NFS server. Ownership and SELinux labels are left as they are.
  server: Host name or address of the NFS server.
  path: Exported directory on the server, as an absolute path.
  readOnly: While true, the export is mounted read-only. Default false.
ISCSIVolumeSource: A disk reached over iSCSI. Only one node at a time may mount it for writing.
  targetPortal: Address of the target: an IP, or ip:port when the port is not the usual one (860 or 3260).
  iqn: Qualified name of the target. Begins with iqn, eui or naa.
  lun: Number of the logical unit on the target, 0 to 255.
  iscsiInterface: Interface of the initiator, which sets the transport. Default 'default', which is TCP.
  fsType: Filesystem to mount, such as ext4 or xfs; the node must know it. Default ext4.
  readOnly: While true, every mount of the volume in the pod is read-only. Default false.
  portals: Further addresses of the target for multipath, each an IP or ip:port.
  chapAuthDiscovery: While true, discovery of targets authenticates with CHAP. Needs secretRef.
  chapAuthSession: While true, sessions with the target authenticate with CHAP. Needs secretRef.
  secretRef: Secret in the pod's namespace with the CHAP names and passwords. Required when chapAuthDiscovery or
    chapAuthSession is true.
  initiatorName: Name the node uses as initiator; begins with iqn, eui or naa. A new interface called
    <targetPortal>:<volume name> is made for the connection.
FCVolumeSource: A disk reached over Fibre Channel. Name it by targetWWNs with lun, or by wwids. Only one node at a time
    may mount it for writing.
  targetWWNs: World wide names of the targets. Needs lun and excludes wwids.
  lun: Number of the logical unit on the targets, 0 to 255. Required with targetWWNs.
  fsType: Filesystem to mount, such as ext4 or xfs; the node must know it. Default ext4.
  readOnly: While true, every mount of the volume in the pod is read-only. Default false.
  wwids: World wide identifiers of the volume itself. Excludes targetWWNs.
GCEPersistentDiskVolumeSource: A disk of Google Compute Engine. It must exist, in the project and zone of the node. One
    node may write to it, or many may read.
  pdName: Name of the disk in Compute Engine.
  fsType: Filesystem to mount, such as ext4 or xfs; the node must know it. Default ext4.
  partition: Number of the partition to mount, up to 255. With 0 or unset the whole disk is used.
  readOnly: While true, every mount of the volume in the pod is read-only. Default false.
AWSElasticBlockStoreVolumeSource: An EBS volume of AWS. It must exist, in the zone of the node, and is mounted on one
    node at a time.
  volumeID: Identifier of the EBS volume at AWS.
  fsType: Filesystem to mount, such as ext4 or xfs; the node must know it. Default ext4.
  partition: Number of the partition to mount, up to 255. With 0 or unset the whole disk is used.
  readOnly: While true, every mount of the volume in the pod is read-only. Default false.
AzureDiskVolumeSource: A data disk of Azure, mounted on the node and from there into the pod.
  diskName: Name that the data disk has at Azure.
  diskURI: Where the disk is. With kind Managed a resource path that begins with /subscriptions/, else a blob address
    that begins with https.
  cachingMode: Caching on the host: None, ReadOnly or ReadWrite. Default ReadWrite.
  fsType: Filesystem to mount, such as xfs; the node must know it. Default ext4.
  readOnly: While true, every mount of the volume in the pod is read-only. Default false.
  kind: Sort of disk. Managed: a managed disk. Dedicated: a blob disk with a storage account to itself. Shared: a blob
    disk in an account with others. Default Shared.
AzureFileVolumeSource: A file share of Azure, mounted on the node and from there into the pod.
  secretName: Secret in the pod's namespace that holds name and key of the storage account.
  shareName: Name of the share in the storage account.
  readOnly: While true, every mount of the volume in the pod is read-only. Default false.
CinderVolumeSource: A Cinder volume of OpenStack. It must exist, in the region of the node.
  volumeID: Identifier of the volume in Cinder.
  fsType: Filesystem to mount, such as ext4 or xfs; the node must know it. Default ext4.
  readOnly: While true, every mount of the volume in the pod is read-only. Default false.
  secretRef: Secret in the pod's namespace with what is needed to connect to OpenStack.
VsphereVirtualDiskVolumeSource: A virtual disk of vSphere, mounted on the node and from there into the pod.
  volumePath: Path of the virtual disk (vmdk) in its datastore.
  fsType: Filesystem to mount, such as ext4 or xfs; the node must know it. Default ext4.
  storagePolicyName: Name of the storage policy (SPBM profile) that applies to the disk.
  storagePolicyID: Identifier of the storage policy that storagePolicyName names.
PortworxVolumeSource: A volume of a Portworx cluster.
  volumeID: Identifier of the volume at Portworx.
  fsType: Filesystem to mount, such as ext4 or xfs; the node must know it. Default ext4.
  readOnly: While true, every mount of the volume in the pod is read-only. Default false.
FlexVolumeSource: A volume handled by a FlexVolume driver, a program the node agent calls. Deprecated in favour of CSI.
  driver: Name of the driver installed on the nodes.
  fsType: Filesystem to mount, such as ext4 or xfs; the node must know it. Unset: the driver decides.
  secretRef: Secret in the pod's namespace, all of whose keys go to the driver.
  readOnly: While true, every mount of the volume in the pod is read-only. Default false.
  options: Further settings for the driver, which defines their names.
GitRepoVolumeSource: A clone of a git repository. Deprecated and switched off: the node agent refuses such volumes.
  repository: Address of the repository to clone.
  revision: Commit to check out, by its hash.
  directory: Subdirectory of the volume that takes the clone. With '.' the volume itself is the clone. Relative,
    without '..'.
GlusterfsVolumeSource: A volume of a Gluster file system. Deprecated and no longer supported.
  endpoints: Name of the endpoints object that lists the Gluster servers.
  path: Path of the Gluster volume to mount.
  readOnly: While true, the Gluster volume is mounted read-only. Default false.
RBDVolumeSource: A RADOS block device of Ceph. Deprecated and no longer supported.
  monitors: Addresses of the Ceph monitors.
  image: Name of the image in the pool.
  fsType: Filesystem to mount, such as ext4 or xfs; the node must know it. Default ext4.
  pool: RADOS pool that the image is in. Default rbd.
  user: RADOS user to log in as. Default admin.
  keyring: Path on the node of the user's key ring. Default /etc/ceph/keyring. Not used when secretRef is set.
  secretRef: Secret in the pod's namespace with the user's key. Comes before keyring.
  readOnly: While true, every mount of the volume in the pod is read-only. Default false.
CephFSVolumeSource: A directory of a Ceph file system. Deprecated and no longer supported.
  monitors: Addresses of the Ceph monitors.
  path: Directory of the file system to mount as the root of the volume. Default /.
  user: RADOS user to log in as. Default admin.
  secretFile: Path on the node of the user's key ring. Default /etc/ceph/user.secret.
  secretRef: Secret in the pod's namespace with the user's key. Unset by default.
  readOnly: While true, every mount of the volume in the pod is read-only. Default false.
FlockerVolumeSource: A dataset of Flocker, named by exactly one of the members. Deprecated and no longer supported.
  datasetName: Name in the metadata of the dataset, without slashes. Deprecated; prefer datasetUUID.
  datasetUUID: Unique identifier of the dataset.
QuobyteVolumeSource: A Quobyte volume. Deprecated and no longer supported.
  registry: Addresses of the Quobyte registry as host:port; several are separated by commas.
  volume: Name of an existing Quobyte volume.
  readOnly: While true, the Quobyte volume is mounted read-only. Default false.
  user: User that accesses are mapped to. Default: the user of the service account.
  group: Group that accesses are mapped to. No group by default.
  tenant: Quobyte tenant that owns the volume, at most 64 characters. Filled in when the volume was provisioned
    dynamically.
PhotonPersistentDiskVolumeSource: A disk of Photon Controller. Deprecated and no longer supported.
  pdID: Identifier of the disk at Photon Controller.
  fsType: Filesystem to mount, such as ext4 or xfs; the node must know it. Default ext4.
ScaleIOVolumeSource: A ScaleIO volume. Deprecated and no longer supported.
  gateway: Address of the gateway that serves the ScaleIO API.
  system: Name that the storage system has in ScaleIO.
  secretRef: Secret in the pod's namespace with user and password for the login, which fails without it.
  sslEnabled: Whether to talk to the gateway over TLS. Default false.
  protectionDomain: Protection domain that the storage belongs to.
  storagePool: Storage pool within the protection domain.
  storageMode: How space is set aside: ThickProvisioned or ThinProvisioned. Default ThinProvisioned.
  volumeName: Name of an existing volume in ScaleIO. Required in practice.
  fsType: Filesystem to mount, such as ext4; the node must know it. Default xfs.
  readOnly: While true, every mount of the volume in the pod is read-only. Default false.
StorageOSVolumeSource: A StorageOS volume. Deprecated and no longer supported.
  volumeName: Name of the volume, unique in its StorageOS namespace. A DNS label; required in practice.
  volumeNamespace: StorageOS namespace of the volume, made if missing. Default: the pod's namespace. Write default
    where StorageOS is used without namespaces.
  fsType: Filesystem to mount, such as ext4 or xfs; the node must know it. Default ext4.
  readOnly: While true, every mount of the volume in the pod is read-only. Default false.
  secretRef: Secret in the pod's namespace with the login for the StorageOS API. Unset: built-in values are tried.
`;
