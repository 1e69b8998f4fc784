/** Claims on devices, their requests, what was allocated, and the templates, in words. */
export const RESOURCE_CLAIMS = `
ResourceClaim: Asks for devices on behalf of pods, and records which ones were given. Pods of the same namespace name
    the claim and start only when it has been allocated and reserved for them.
  spec: The devices that are asked for and their settings. It cannot be changed after creation.
  status: What has been allocated, who may use it, and what drivers say about it. Ignored at creation; changed only
    through the subresource status.
ResourceClaimSpec: The wish of a claim. It stays as it was created.
  devices: Requests for devices, the rules that bind them together, and settings for their drivers.
ResourceClaimStatus: Where a claim stands: unallocated, allocated, or in use by pods.
  allocation: The devices chosen for the claim. Absent until the scheduler has found some. Once present it can be
    removed, but not altered.
  reservedFor: The pods, or other objects, that may use the claim now. A pod that is not listed does not start, and
    the allocation stays as long as anything is listed. At most 256 entries, one per uid; allowed only beside
    allocation. Nothing can be added once the claim is being deleted.
  devices: Reports of the drivers, at most one for each allocated device. Each driver owns its own entries. An entry
    must belong to a device in allocation and goes away with it.
ResourceClaimConsumerReference: One user of a claim. The object lives in the namespace of the claim.
  apiGroup: API group of the user, without version. Empty stands for the core group, to which pods belong.
  resource: Plural resource name of the user, such as pods.
  name: Name of the object that uses the claim.
  uid: UID of that object, so that a later object of the same name is not mistaken for it. Unique within reservedFor.
ResourceClaimTemplate: A pattern from which the controller makes a separate claim for each pod that refers to it. The
    claim is made when the pod needs it, and is not changed afterwards.
  spec: The claim to be made. It cannot be changed; create another template instead.
ResourceClaimTemplateSpec: Metadata and wish of the claims made from a template.
  metadata: Labels and annotations that each new claim receives. Any other member set here is refused.
  spec: Copied as it stands into each new claim. Everything that a claim accepts is accepted here.
DeviceClaim: All that one claim wants: requests, conditions across them, and driver settings.
  requests: The single wishes, each with its own name; every one has to be met. At most 32. An empty list needs no
    devices, and the claim is allocated without any.
  constraints: Conditions that the chosen devices must meet together, such as sitting on the same board. At most 32.
  config: Settings handed to drivers, for some requests or for all. They play no part in choosing devices. At most 32.
DeviceClaimConfiguration: Driver settings in a claim, and the requests to which they belong.
  requests: Names of the requests that get these settings; empty means all of them. Write request/subrequest to pick
    one alternative; the plain name covers all alternatives. At most 32, no repetition.
  opaque: The settings, in the vendor's own format. Must be set, as no other format exists yet.
DeviceConstraint: A condition over several devices of one claim. Set one of matchAttribute and distinctAttribute.
  requests: Names of the requests whose devices are compared; empty means every request of the claim. Write
    request/subrequest for one alternative, or the plain name for all of them. At most 32, no repetition.
  matchAttribute: Attribute, written domain/name, in which all the devices must agree in type and value. A device
    without it is not chosen. With the alpha gate DRAListTypeAttributes, lists agree when they have some value in
    common.
  distinctAttribute: Attribute, written domain/name, that every device must have and in which no two may be equal.
    Use it to spread requests over different hardware. With the alpha gate DRAListTypeAttributes, lists must have no
    value in common.
DeviceRequest: A named wish for devices. It has one form only, or a list of alternatives in order of preference. In
    v1beta1 the members of the single form stand here, in later versions under exactly.
  name: Name by which containers, constraints and settings refer to the request. A DNS label, unique in the claim. With
    alternatives it stands for the one that was chosen.
  exactly: The single form: these devices and no others will do. Excludes firstAvailable; one of both is needed.
  firstAvailable: Alternatives, best first, at most 8 with distinct names. The scheduler takes the first that can be
    met and does not look at the rest. Excludes exactly, or in v1beta1 deviceClassName.
  deviceClassName: Class from which the devices come, in v1beta1. Its selectors and settings apply to the request.
    Required unless firstAvailable is used, and not allowed beside it.
  selectors: Tests that a device must pass in addition to those of the class; all must hold. At most 32. Stands here in
    v1beta1, and only beside deviceClassName.
  allocationMode: ExactCount asks for as many devices as count says; All asks for every matching device. Default
    ExactCount. Stands here in v1beta1, and only beside deviceClassName.
  count: Number of devices for the mode ExactCount, at least 1. Default 1. Not allowed with the mode All. Stands here
    in v1beta1.
  adminAccess: True asks for access for supervision: devices may be in use elsewhere and stay available to others. The
    namespace must carry the label for admin access. Stands here in v1beta1.
  tolerations: Device taints that do not stop this request. Keep to at most 16. Stands here in v1beta1, and only beside
    deviceClassName.
  capacity: How much of each capacity the request takes of a device. Stands here in v1beta1, and only beside
    deviceClassName.
  derivedAttributes: Attributes that expressions make of each device, for constraints to compare. Each must stand in a
    constraint. At most 32. Stands here in v1beta1, and only beside deviceClassName.
ExactDeviceRequest: A wish for one or several devices that all pass the same tests.
  deviceClassName: Class from which the devices come, required. Its selectors and settings apply to the request as
    well. An administrator decides with the classes what can be asked for.
  selectors: Tests that a device must pass in addition to those of the class; all must hold. At most 32.
  allocationMode: ExactCount, the default, asks for as many devices as count says. All asks for every matching device;
    there must be at least one, and without adminAccess it fails when some are already taken.
  count: Number of devices for the mode ExactCount, at least 1. Default 1. Not allowed with the mode All.
  adminAccess: True asks for access for supervision, whoever else has the device; it takes nothing away from others.
    Allowed only in namespaces labelled for admin access. Default false.
  tolerations: Taints that do not keep devices from being chosen, nor evict the pods later. Without one, a device
    tainted NoSchedule or NoExecute is not chosen. Keep to at most 16.
  capacity: How much of each capacity is taken of every device. Where nothing is said, a shared device gives the
    default of its requestPolicy, or all of the capacity when it has none.
  derivedAttributes: Attributes that expressions make of each device, for constraints to compare. Each must stand in a
    constraint. At most 32.
DeviceSubRequest: One alternative in firstAvailable. It is written like a single request, but cannot ask for admin
    access.
  name: Name of the alternative, a DNS label. Constraints and settings refer to it as request/subrequest.
  deviceClassName: Class from which the devices of this alternative come, required. Its selectors and settings apply
    as well.
  selectors: Tests that a device must pass in addition to those of the class; all must hold. At most 32.
  allocationMode: ExactCount, the default, asks for as many devices as count says. All asks for every matching device
    and fails when some are already taken.
  count: Number of devices for the mode ExactCount, at least 1. Default 1. Not allowed with the mode All.
  tolerations: Taints that do not keep devices from being chosen for this alternative, nor evict the pods later. Keep
    to at most 16.
  capacity: How much of each capacity is taken of every device. Where nothing is said, a shared device gives the
    default of its requestPolicy, or all of the capacity when it has none.
  derivedAttributes: Attributes that expressions make of each device, for constraints to compare. Each must stand in a
    constraint. At most 32.
DeviceDerivedAttribute: An attribute that is made of a device while claims are met.
  name: Name that constraints give, written domain/name. It hides an attribute of that name which a driver tells of.
  expression: Expression in CEL with the variable device, as selectors have it. It gives a text, a whole number, a
    boolean or a version, or a list of such.
CapacityRequirements: Amounts that a request takes of the capacities of a device.
  requests: Amount by name of the capacity. A device that offers less is passed over. On a shared device the amount is
    rounded up to what requestPolicy allows, and counts against what is left.
DeviceSelector: A test that a device must pass. Set cel, as there is no other kind of test yet.
  cel: A test written as an expression in CEL.
CELDeviceSelector: A CEL expression that tells for one device whether it will do.
  expression: Must yield true or false. It reads device.driver, device.attributes["domain"].name,
    device.capacity["domain"].name and device.allowMultipleAllocations. Reading an absent name is an error that stops
    the allocation, so test with has() first. At most 10 KiB, and the estimated cost is limited.
DeviceToleration: Lets a request use devices in spite of matching taints. Key, value and effect all have to match.
  key: Key of the taints that are tolerated, a label key. Empty matches every key; use the operator Exists with it.
  operator: Equal, the default, compares key and value. Exists accepts any value of the key.
  value: Value that the taint must have with the operator Equal, a label value. Must be empty with Exists.
  effect: NoSchedule, NoExecute or None, to tolerate just that effect. Empty tolerates any effect.
  tolerationSeconds: How long pods stay on a device tainted NoExecute, in seconds after timeAdded of the taint. Unset
    means for good, 0 or less means not at all. Has no meaning for other effects.
OpaqueDeviceConfiguration: Settings that only one driver understands.
  driver: Name of the driver that receives the settings, a DNS subdomain of at most 63 characters. Other drivers do not
    look at them.
  parameters: A JSON object in the format of the driver, usually with kind and apiVersion inside. The API server checks
    only that it is an object of at most 10 KiB.
AllocationResult: What was given to a claim, and where it can be used.
  devices: The chosen devices and the settings that go with them.
  nodeSelector: Nodes on which the devices can be reached; pods that use the claim go there. Unset means any node.
  allocationTimestamp: Time of the allocation. May be missing, and is then not known.
DeviceAllocationResult: The devices of an allocation, together with their settings.
  results: One entry per device, at most 32. A request for several devices has several entries.
  config: Settings of the classes and of the claim in one list, at most 64. Drivers skip what they do not know, and
    settings for drivers that gave no device may be included.
DeviceAllocationConfiguration: Driver settings as they were at the time of the allocation.
  source: FromClass when an administrator set it in the class, FromClaim when it was written in the claim.
  requests: Requests to which the settings belong; empty means all. The form request/subrequest means one alternative,
    the plain name all of them. At most 32, no repetition.
  opaque: The settings, in the vendor's own format.
DeviceRequestAllocationResult: One device that was given to one request.
  request: Name of the request; for a chosen alternative in the form request/subrequest.
  driver: Driver of the device, a DNS subdomain of at most 63 characters. The node agent calls its plugin before a pod
    uses the device.
  pool: Pool in which the driver published the device. At most 253 characters; DNS subdomains with slashes between
    them.
  device: Name of the device in its pool, a DNS label.
  adminAccess: True when access was given for supervision only; the device then counts as free for others. Default
    false.
  tolerations: The tolerations of the request, as they stood when the device was allocated.
  bindingConditions: Condition types that must become True for the device before pods are bound, copied from the slice
    at allocation. At most 4.
  bindingFailureConditions: Condition types that mean failure when one of them is True for the device, copied from the
    slice at allocation. At most 4.
  shareID: Tells apart several allocations of the same shared device. A UUID in lower case.
  consumedCapacity: Amount of each capacity that this allocation takes, after rounding up by requestPolicy. Set for
    shared devices only, and then for all their capacities, 0 included.
  skipNodeOperations: Driver calls on the node that are not needed for this device, copied from the slice at
    allocation: NodePrepareResources, NodeUnprepareResources, or * for all. A call is left out when all devices of the
    driver in the claim agree. Alpha, gate DRAOptionalNodeOperations.
AllocatedDeviceStatus: What a driver reports about one allocated device. Driver, pool, device and shareID must be those
    of an entry in the allocation.
  driver: Driver of the device, a DNS subdomain of at most 63 characters.
  pool: Pool to which the device belongs. At most 253 characters.
  device: Name of the device in its pool, a DNS label.
  shareID: Which allocation of a shared device is meant, a UUID in lower case. Unset for a device that is not shared.
  conditions: State of the device, one entry per type, at most 8. Ready is True when the device has been set up as
    class and claim demand. Binding conditions are reported here too.
  data: Any JSON object that the driver wants to tell, at most 10 KiB.
  networkData: Interface and addresses, for network devices.
NetworkDeviceData: How a network device appears in the pod.
  interfaceName: Name of the network interface, at most 256 bytes.
  ips: Addresses of the interface with prefix length, such as 192.0.2.5/24 or 2001:db8::5/64. At most 16, no repetition.
  hardwareAddress: Hardware address of the interface, such as a MAC address. At most 128 bytes.
`;
