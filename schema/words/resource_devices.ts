/** Slices, devices, classes, taints, pools and their state, in words. */
export const RESOURCE_DEVICES = `
ResourceSlice: A part of a pool of devices, published by a driver. A pool may be spread over several slices, and a
    device is known by the names of its driver, its pool and itself.
  spec: The devices on offer and where they can be used. Each change raises metadata.generation.
ResourceSliceSpec: What a driver publishes in one slice. Which nodes can use it is said by nodeName,
    nodeSelector, allNodes or perDeviceNodeSelection; exactly one of these is set.
  driver: Name of the driver, a DNS subdomain of at most 63 characters, best in lower case and under a domain of the
    vendor. Cannot be changed. Slices can be listed by it with the field selector spec.driver.
  pool: Pool to which the slice belongs, and which state of the pool it shows.
  nodeName: The only node with access to the devices, for local hardware. Cannot be changed. Slices can be listed by
    it with the field selector spec.nodeName.
  nodeSelector: Nodes with access to the devices, when there may be several. Needs exactly one term.
  allNodes: True when every node has access to the devices. Leave it unset rather than false.
  devices: Devices of this slice, with distinct names. At most 128, or 64 when any of them has taints, list attributes
    or uses counters. Excludes sharedCounters.
  perDeviceNodeSelection: True when every device says for itself on which nodes it can be used. Leave it unset rather
    than false.
  sharedCounters: Stocks on which devices of the pool draw, so that overlapping parts of one piece of hardware are not
    given out twice. At most 8 sets, with names unique in the pool. Excludes devices.
  partitionTypeAttribute: Attribute, written domain/name, whose string value tells what kind of part a device is. Every
    device that uses counters must carry it. Only for slices with such devices. Alpha, gate
    DRAPartitionableDevicesType.
  skipNodeOperations: Driver calls on the node that these devices do not need: NodePrepareResources,
    NodeUnprepareResources, or * for all. NodePrepareResources must be accompanied by one of the other two. A call is
    left out only when all devices of the driver in a claim agree. Alpha, gate DRAOptionalNodeOperations.
ResourcePool: Names the pool of a slice and tells whether all of the pool has been seen.
  name: Name of the pool, often that of the node. At most 253 characters, DNS subdomains with slashes between them.
    Cannot be changed. Slices can be listed by it with the field selector spec.pool.name.
  generation: Version of the pool, 0 or more. The driver raises it in all slices when it changes anything, and readers
    look only at the slices with the highest number.
  resourceSliceCount: How many slices the pool has in this generation, at least 1. While fewer are there, the picture
    of the pool is not complete.
CounterSet: A named stock that devices share. It cannot be claimed itself; each allocated device takes its part, and
    what is left decides which devices can still be given out.
  name: Name of the set, unique in its pool. A DNS label.
  counters: Amount in stock by name of the counter. Names are DNS labels; 1 to 32 of them.
Counter: An amount of something countable, such as memory slices.
  value: In a set the amount there is, in a device the amount it takes.
DeviceCounterConsumption: What a device takes from one set of counters while it is allocated.
  counterSet: Name of a set in the sharedCounters of the pool, a DNS label.
  counters: Amount taken by name of the counter. Names are DNS labels; 1 to 32 of them.
  compatibilityGroups: Names of groups. Devices that take from the same set can be allocated at the same time only when
    one group is common to all of them; those without groups go with those without. At most 2, DNS labels.
Device: One thing that can be allocated. In v1beta1 all but the name stands under basic.
  name: Name of the device, unique in its pool. A DNS label.
  attributes: Properties by name, on which selectors can test. A name without domain belongs to the driver. At most 32
    together with capacity, and at most 48 values counting those in lists.
  capacity: Amounts that the device has, by name, such as memory. At most 32 together with attributes.
  consumesCounters: What the device takes from shared counters of its pool. At most 2 entries, each for another set.
  nodeName: The only node where the device can be used. Needs perDeviceNodeSelection in the slice, and is then one of
    three choices with nodeSelector and allNodes.
  nodeSelector: Nodes where the device can be used, in one term. Needs perDeviceNodeSelection in the slice; excludes
    nodeName and allNodes.
  allNodes: True when the device can be used from every node. Needs perDeviceNodeSelection in the slice; excludes
    nodeName and nodeSelector.
  taints: Taints that the driver puts on the device, to keep pods away or to move them off. At most 16; a slice with
    taints holds at most 64 devices.
  bindsToNode: True ties the claim to the node that was chosen at allocation: it can then be used there and nowhere
    else.
  bindingConditions: Condition types that the driver reports in the status of the claim. All must be True before the
    pod is bound to its node. At most 4, each a valid condition type; needs bindingFailureConditions.
  bindingFailureConditions: Condition types of which a single one being True makes binding fail. At most 4, none of
    them among bindingConditions, which must be set too.
  allowMultipleAllocations: True when the device can be given to several requests at a time. They then share its
    capacities.
  nodeAllocatableResources: What the device means for resources of the node itself, by resource name: cpu, memory or
    huge pages, no extended resources. Alpha, gate DRANodeAllocatableResources.
  basic: All about the device except its name. Exists in v1beta1 only.
BasicDevice: A device in v1beta1, without its name.
  attributes: Properties by name, on which selectors can test. A name without domain belongs to the driver. At most 32
    together with capacity, and at most 48 values counting those in lists.
  capacity: Amounts that the device has, by name, such as memory. At most 32 together with attributes.
  consumesCounters: What the device takes from shared counters of its pool. At most 2 entries, each for another set.
  nodeName: The only node where the device can be used. Needs perDeviceNodeSelection in the slice, and is then one of
    three choices with nodeSelector and allNodes.
  nodeSelector: Nodes where the device can be used, in one term. Needs perDeviceNodeSelection in the slice; excludes
    nodeName and allNodes.
  allNodes: True when the device can be used from every node. Needs perDeviceNodeSelection in the slice; excludes
    nodeName and nodeSelector.
  taints: Taints that the driver puts on the device, to keep pods away or to move them off. At most 16; a slice with
    taints holds at most 64 devices.
  bindsToNode: True ties the claim to the node that was chosen at allocation: it can then be used there and nowhere
    else.
  bindingConditions: Condition types that the driver reports in the status of the claim. All must be True before the
    pod is bound to its node. At most 4, each a valid condition type; needs bindingFailureConditions.
  bindingFailureConditions: Condition types of which a single one being True makes binding fail. At most 4, none of
    them among bindingConditions, which must be set too.
  allowMultipleAllocations: True when the device can be given to several requests at a time. They then share its
    capacities.
  nodeAllocatableResources: What the device means for resources of the node itself, by resource name: cpu, memory or
    huge pages, no extended resources. Alpha, gate DRANodeAllocatableResources.
DeviceAttribute: The value of one property of a device. Exactly one member is set; it gives the type as well.
  int: A whole number, signed, of 64 bits.
  bool: A value that is true or false.
  string: A text, at most 64 bytes long.
  version: A semantic version, such as 1.4.0-rc.1, of at most 64 characters.
  ints: Whole numbers, at least one. Alpha, gate DRAListTypeAttributes.
  bools: True or false several times, at least once. Alpha, gate DRAListTypeAttributes.
  strings: Texts of at most 64 bytes each, at least one. Alpha, gate DRAListTypeAttributes.
  versions: Semantic versions of at most 64 characters each, at least one. Alpha, gate DRAListTypeAttributes.
DeviceCapacity: How much of something a device has, and in which portions it is given out.
  value: The full amount. It does not shrink when parts of it are allocated; that is reckoned elsewhere.
  requestPolicy: Portions in which a shared device gives out this capacity. Needs allowMultipleAllocations. Without it
    any amount up to what is left can be taken, and a request that says nothing takes all.
CapacityRequestPolicy: Rules for amounts asked of a capacity. At most one of validValues and validRange is set.
  default: Amount taken when a request does not say. Required beside validValues, where it must be in the list, and
    beside validRange, where it must be in the range.
  validValues: The amounts that can be given, ascending and distinct, at most 10. A request is rounded up to the next
    of them; above the largest, the device is not chosen.
  validRange: Bounds of the amounts that can be given. A request below is raised to min; above max, the device is not
    chosen.
CapacityRequestPolicyRange: Smallest, largest and step of the amounts that can be given. Fractions down to thousandths
    are possible behind the gate DRAFractionalCapacityRange.
  min: Smallest amount given. Not above the capacity nor above max and default; smaller requests are rounded up to it.
  max: Largest amount given, not above the capacity. Unset leaves the capacity itself as the bound.
  step: Distance between the amounts, above 0; requests are rounded up to min plus a whole number of steps. Default
    and max must lie on such a step, and min plus one step within the capacity.
NodeAllocatableResource: How an allocated device weighs on a resource of the node. At least one of mapping and overhead
    is set.
  mapping: For devices that are themselves such a resource, like CPU cores. The amount counts once for the claim, and
    such a claim cannot be shared by several pods.
  overhead: What the node has to give in addition when the device is used, such as host memory for a GPU. It counts
    for each pod that uses the claim.
NodeAllocatableMapping: Turns an allocation into an amount of a node resource: from a capacity that was consumed, or
    from the number of devices, but not both.
  capacityKey: Name of a capacity of the device. What the allocation consumes of it, times capacityMultiplier, is the
    amount. Needs capacityMultiplier; excludes deviceMultiplier.
  capacityMultiplier: Factor for the consumed capacity, above 0. With 2, a claim on 8 cores counts as 16 of cpu. Needs
    capacityKey.
  deviceMultiplier: Amount that each allocated device counts for, above 0. Excludes capacityKey and
    capacityMultiplier.
NodeAllocatableOverhead: Additional cost of using a device. At least one member is set, and both can be added up.
  perPod: Amount that each pod using the claim costs, whatever its number of containers. Not negative.
  perContainer: Amount for every container that uses the claim, added to perPod. Not negative.
DeviceClass: A kind of device that claims can ask for, prepared by the administrator or the vendor. It belongs to the
    whole cluster.
  spec: Which devices belong to the class and how they are set up. It may be changed; allocations made before keep what
    they got.
DeviceClassSpec: Which devices belong to a class and how drivers have to set them up.
  selectors: Tests that a device has to pass, all of them, to be given out by this class. At most 32.
  config: Settings handed to drivers for each device claimed through the class. They do not influence the choice. At
    most 32; each belongs to one driver.
  extendedResourceName: Extended resource that pods may request in their containers to receive devices of this class
    without writing a claim. Should be unique. Of several classes with the name the youngest counts; of equal age, the
    first by name.
DeviceClassConfiguration: Settings that a class gives to one driver.
  opaque: The settings, in the format of that driver. Must be set, as no other format exists yet.
DeviceTaint: A mark on a device that keeps away pods whose claims do not tolerate it.
  key: What the taint is about, in the form of a label key.
  value: Further detail to the key, in the form of a label value. May be empty.
  effect: NoSchedule keeps new pods from getting the device. NoExecute also evicts pods that use it already. None does
    nothing and informs only. Values not known are to be read as None.
  timeAdded: Since when the taint has had its effect. Filled in with the current time when not given, and set anew when
    the effect in a rule changes, unless another time is given with it.
DeviceTaintRule: Puts a taint on all devices that match, as if their driver had done it. It belongs to the whole
    cluster.
  spec: The taint and the devices that get it. Each change raises metadata.generation.
  status: How the eviction that the rule causes is going.
DeviceTaintRuleSpec: One taint, and the devices that get it.
  deviceSelector: Devices that get the taint. An empty object matches every device; when unset, none match.
  taint: The taint to put on them. With effect None the status tells what NoExecute would do, a good first step.
DeviceTaintRuleStatus: How far a rule has come in moving pods off its devices.
  conditions: EvictionInProgress is True while pods still have to be evicted, and its message counts them. With effect
    None the message foretells, once per change of the rule, what NoExecute would do. At most 8 entries, one per type.
DeviceTaintSelector: Picks devices by name. All members that are set must match; with none set, every device does.
  driver: Only devices of this driver. A DNS subdomain of at most 63 characters.
  pool: Only devices in pools of this name, of any driver unless one is given. With the name of a node this often means
    all its local devices.
  device: Only devices of this name, a DNS label. Give driver and pool too when the name occurs more than once.
ResourcePoolStatusRequest: Asks once how full the pools of a driver are. The answer appears in the status and is not
    refreshed; create another request for later figures. Alpha, gate DRAResourcePoolStatus.
  spec: Which pools the question is about. It cannot be changed after creation.
  status: The answer, once it has been worked out. From then on it cannot be changed.
ResourcePoolStatusRequestSpec: Which pools to report on, and how many of them.
  driver: Driver whose pools are reported, a DNS subdomain such as gpu.example.com.
  poolName: Only the pool of this name, DNS subdomains with slashes between them. Unset means every pool of the driver.
  limit: Most pools to report, from 1 to 1000. Default 100. How many there are in all is told in poolCount.
  defaultPartitionTypeAttribute: Attribute, written domain/name, that groups partitions where a slice names no
    partitionTypeAttribute of its own. Alpha, gate DRAPartitionableDevicesType.
ResourcePoolStatusRequestStatus: The answer to a request for the state of pools.
  poolCount: How many pools match, including those cut off by the limit. 0 when there are none.
  pools: The pools, ordered by driver and then by name, no more than the limit allows. Missing when none match.
  conditions: Complete is True when the answer is there, Failed when it could not be worked out. One of both is always
    present. At most 10 entries.
PoolStatus: The state of one pool. Counts may be missing when validationError is set.
  driver: Driver that publishes the pool, a DNS subdomain.
  poolName: Name of the pool, DNS subdomains with slashes between them.
  generation: Newest version of the pool that was seen; the figures are of that version.
  resourceSliceCount: Number of slices that the pool is made of, at least 1.
  totalDevices: All devices of the pool, counted over its slices. 0 for an empty pool.
  allocatedDevices: Devices that are given to claims at present.
  availableDevices: Devices that could be given out: the total less those allocated and those unavailable, at least 0.
  unavailableDevices: Devices that cannot be given out though they exist, because of taints for instance.
  nodeName: Node to which the pool belongs. Missing when it is not bound to one node.
  validationError: Why the pool could not be judged, for example because some of its slices have not been published
    yet. At most 256 bytes.
  partitionSummary: For pools with shared counters: how many partitions of each kind there are and how many can still
    be given out. Missing when no attribute for grouping is known. At most 32 entries, one per attribute and type.
  shareableSummary: For pools with devices that allow several allocations: how much of their capacities is taken.
PartitionTypeStatus: Figures for one kind of partition.
  attribute: Attribute by which devices were grouped, written domain/name: that of their slice, or else the default of
    the request.
  type: Value of the attribute that the devices have in common, for instance Half.
  total: How many devices of this kind the pool has.
  allocatable: How many more devices of this kind could be given out with what the shared counters have left.
ShareableSummaryStatus: Figures for devices of a pool that several allocations can share.
  fullyAvailableDevices: Shareable devices of which nothing is taken yet.
  partiallyAvailableDevices: Shareable devices of which a part is taken and a part is left.
  capacity: Sums over all shareable devices of the pool, one entry per capacity. At most 32 entries.
ShareableCapacityStatus: Sums for one capacity over the shareable devices of a pool.
  name: Name of the capacity that the sums are for.
  total: How much of it all those devices have together.
  consumed: How much of it present allocations take.
  available: How much is left: total less consumed, at least 0.
`;
