/** Priority classes, workloads and groups of pods, in words. */
export const SCHEDULING = `
AllCompositeDisruptionMode: Marker without members. Child groups are disrupted together or not at all.
AllDisruptionMode: Marker without members. The pods of a group are disrupted together or not at all.
BasicSchedulingPolicy: Marker without members. The pods of the group are scheduled one by one as usual, without waiting
    for each other.
CompositeBasicSchedulingPolicy: Marker without members. The child groups are scheduled each on its own, without waiting
    for each other.
CompositeDisruptionMode: Whether child groups may be disrupted, for instance preempted, one at a time or only all
    together. Exactly one member is set.
  single: Choose this to let each child group be disrupted on its own. Write it as an empty object.
  all: Choose this to have all child groups disrupted at once or not at all. Write it as an empty object.
CompositeGangSchedulingPolicy: Scheduling of the child groups as a gang: none is placed until enough of them fit.
  minGroupCount: How many child groups must fit or be placed already before the composite group is let in. At least 1.
CompositePodGroup: A group of pod groups, or of further composite groups, that the scheduler treats as one. Controllers
    create it from an entry of compositePodGroupTemplates in a Workload. Alpha, behind the gate CompositePodGroup.
CompositePodGroupSchedulingConstraints: Limits on where the pods of a composite group may be placed.
  topology: The topology domain that the composite group must stay within. At most one entry for now.
CompositePodGroupSchedulingPolicy: How the child groups are scheduled: each on its own or as a gang. Exactly one member
    is set, and the choice is final.
  basic: Choose this to have the child groups scheduled independently. Write it as an empty object; cannot be changed
    later.
  gang: Choose this to place the child groups only when enough of them fit at once. It can be neither added nor removed
    later.
CompositePodGroupSpec: How a composite group is scheduled, placed and disrupted, and where it stands in the tree of its
    workload. No member can be changed after creation.
  parentCompositePodGroupName: Name of the composite group above this one, in the same namespace. Unset for the root of
    the tree. Cannot be changed.
  workloadRef: The Workload and the template in it that this group was made from. Cannot be changed.
  schedulingPolicy: How the child groups are scheduled, usually copied from the template by the controller that creates
    the group. Cannot be changed.
  schedulingConstraints: Limits on placement, such as a common topology domain, usually copied from the template. Cannot
    be changed.
  disruptionMode: Whether child groups are disrupted one at a time (single) or only together (all), usually copied from
    the template. Default single. Cannot be changed.
  priorityClassName: PriorityClass that gives the group its priority, usually copied from the template. If empty, the
    global default class is filled in; without one the priority is 0. Cannot be changed.
  priority: Priority of the group as a number; higher goes first. Filled in from the class when the group is created,
    and a different value is refused. At most 1000000000; cannot be changed.
  preemptionPolicy: PreemptLowerPriority lets the group push out pods and groups of lower priority, Never makes it wait
    for room. Must agree with the PriorityClass; default PreemptLowerPriority. Cannot be changed; alpha, behind the gate
    PodGroupPreemptionPolicy.
CompositePodGroupStatus: What the scheduler reports of the composite group.
  conditions: CompositePodGroupInitiallyScheduled turns True when the tree below the group is placed for the first time,
    and stays so; until then the reason is Unschedulable, SchedulerError or Invalid. DisruptionTarget announces that the
    group is about to be ended, for instance by preemption.
CompositePodGroupTemplate: Pattern inside a Workload from which controllers make composite groups. It needs at least one
    child template, and the tree of templates is at most four levels deep.
  name: Name of the template, a DNS label. Unique among all templates of the workload, at any level.
  schedulingPolicy: How the child groups are scheduled: basic for each on its own, gang for enough of them at once.
  schedulingConstraints: Limits on where groups made from the template are placed, such as a common topology domain.
    Cannot be changed.
  disruptionMode: Whether child groups are disrupted one at a time (single) or only together (all). Cannot be changed.
  priorityClassName: PriorityClass for groups made from the template. All templates of a workload must name the same
    one, and it cannot be changed. If empty, the groups get the global default class, or priority 0 without one.
  priority: Priority of groups made from the template; higher goes first. Usually left out, since priorityClassName
    decides. Equal in all templates of a workload, at most 1000000000, and cannot be changed.
  preemptionPolicy: PreemptLowerPriority lets groups push out pods and groups of lower priority, Never makes them wait
    for room. Cannot be changed; alpha, behind the gate PodGroupPreemptionPolicy.
  podGroupTemplates: Templates for pod groups directly below this composite group. At most 8; entries can be neither
    added nor removed later. This list or compositePodGroupTemplates must have an entry.
  compositePodGroupTemplates: Templates for composite groups directly below this one. At most 8; entries can be neither
    added nor removed later. This list or podGroupTemplates must have an entry.
DisruptionMode: Whether the pods of a group may be disrupted, for instance preempted, one at a time or only as a whole.
    Exactly one member is set.
  single: Choose this to let each pod be disrupted on its own. Write it as an empty object.
  all: Choose this to have all pods of the group disrupted at once or not at all. Write it as an empty object.
GangSchedulingPolicy: Scheduling of the pods as a gang: none is placed until enough of them fit.
  minCount: How many pods must fit or be placed already before the group is let in. At least 1. It can be changed to
    scale; a new value takes effect in a later scheduling round and leaves pods that already have a node alone.
PodGroup: A set of pods that the scheduler treats as one. Controllers, such as those of jobs, create it from an entry of
    podGroupTemplates in a Workload. Beta, behind the gate GenericWorkload.
PodGroupResourceClaim: A ResourceClaim that the pods of a group share, given by its own name or by a template. A pod
    uses it through an entry of its spec.resourceClaims that equals this one in every member.
  name: Name by which pods refer to this claim, a DNS label. Unique within the group.
  resourceClaimName: An existing ResourceClaim in the namespace of the group. It is reserved for the whole group, not
    for single pods. Set either this or resourceClaimTemplateName.
  resourceClaimTemplateName: A ResourceClaimTemplate in the namespace of the group, from which one claim is made for the
    group. That claim goes away with the group; its name is in status.resourceClaimStatuses. Set either this or
    resourceClaimName; cannot be changed.
PodGroupResourceClaimStatus: Tells which ResourceClaim was made for an entry of spec.resourceClaims that names a
    template.
  name: Name of the entry in spec.resourceClaims that this is about. No other names are accepted.
  resourceClaimName: The claim made from the template, in the namespace of the group. Unset means that no claim was
    needed and the entry does not matter.
PodGroupSchedulingConstraints: Limits on where the pods of a group may be placed.
  topology: The topology domain that all pods of the group must share. At most one entry for now.
PodGroupSchedulingPolicy: How the pods of a group are scheduled: one by one or as a gang. Exactly one member is set, and
    the choice is final.
  basic: Choose this to have the pods scheduled one by one as usual. Write it as an empty object; cannot be changed
    later.
  gang: Choose this to place the pods only when enough of them fit at once. It can be neither added nor removed later,
    but its minCount may change.
PodGroupSpec: How a group of pods is scheduled, placed and disrupted, and which device claims it shares. After creation
    only minCount of a gang policy can change.
  parentCompositePodGroupName: Name of the composite group above this one, in the same namespace; needs workloadRef.
    Unset for a group at the root. Cannot be changed; alpha, behind the gate CompositePodGroup.
  workloadRef: The Workload and the template in it that this group was made from. Optional unless
    parentCompositePodGroupName is set. Cannot be changed.
  schedulingPolicy: How the pods are scheduled: basic for one by one, gang for enough of them at once. Usually copied
    from the template by the controller that creates the group.
  schedulingConstraints: Limits on placement, such as a common topology domain, usually copied from the template. Cannot
    be changed; alpha, behind the gate TopologyAwareWorkloadScheduling.
  resourceClaims: Device claims that pods of the group may share, at most 4. A pod takes part by an equal entry in its
    own spec.resourceClaims. Cannot be changed; beta, behind the gate DRAWorkloadResourceClaims.
  disruptionMode: Whether pods are disrupted one at a time (single) or only together (all), usually copied from the
    template. Default single. Cannot be changed.
  priorityClassName: PriorityClass that gives the group its priority, usually copied from the template. If empty, the
    global default class is filled in; without one the priority is 0. Cannot be changed.
  priority: Priority of the group as a number; higher goes first. Filled in from the class when the group is created,
    and a different value is refused. At most 1000000000; cannot be changed.
  preemptionPolicy: PreemptLowerPriority lets the group push out pods and groups of lower priority, Never makes it wait
    for room. Must agree with the PriorityClass; default PreemptLowerPriority. Cannot be changed; alpha, behind the gate
    PodGroupPreemptionPolicy.
PodGroupStatus: What is known of the group: whether it was scheduled, and which claims were made for it.
  conditions: PodGroupInitiallyScheduled turns True when the group is scheduled for the first time, and stays so; until
    then the reason is Unschedulable or SchedulerError. DisruptionTarget announces that the group is about to be ended;
    its reason PreemptionByScheduler means preemption.
  resourceClaimStatuses: The claims made from templates for entries of spec.resourceClaims. At most 4, one for each
    name. Beta, behind the gate DRAWorkloadResourceClaims.
PodGroupTemplate: Pattern inside a Workload from which controllers make pod groups. After creation only minCount of a
    gang policy can change.
  name: Name of the template, a DNS label. Unique among all templates of the workload, at any level. Cannot be changed.
  schedulingPolicy: How the pods of a group are scheduled: basic for one by one, gang for enough of them at once.
  schedulingConstraints: Limits on where groups made from the template are placed, such as a common topology domain.
    Cannot be changed; alpha, behind the gate TopologyAwareWorkloadScheduling.
  resourceClaims: Device claims that pods of a group may share, at most 4. A pod takes part by an equal entry in its own
    spec.resourceClaims. Cannot be changed; beta, behind the gate DRAWorkloadResourceClaims.
  disruptionMode: Whether pods of a group are disrupted one at a time (single) or only together (all). Cannot be
    changed.
  priorityClassName: PriorityClass for groups made from the template. All templates of a workload must name the same
    one. Cannot be changed.
  priority: Priority of groups made from the template; higher goes first. Usually left out, since priorityClassName
    decides. Equal in all templates of a workload, at most 1000000000, and cannot be changed.
  preemptionPolicy: PreemptLowerPriority lets groups push out pods and groups of lower priority, Never makes them wait
    for room. Cannot be changed; alpha, behind the gate PodGroupPreemptionPolicy.
PriorityClass: Gives a priority number a name. Pods use the name in spec.priorityClassName; pods with a higher number
    are scheduled earlier and may push out others. Not namespaced; names that begin with system- are reserved.
  value: The priority that pods of this class get: the higher, the more important. At most 1000000000 except for
    built-in classes; may be negative. Default 0; cannot be changed.
  globalDefault: While true, new pods and pod groups that name no class get this one. The API server refuses a second
    such class; if there are several all the same, the one with the lowest value counts.
  description: Note for people on when to use this class. It has no effect.
  preemptionPolicy: PreemptLowerPriority lets pods of this class push out pods of lower priority, Never makes them wait
    for room although they stand ahead in the queue. Default PreemptLowerPriority. Cannot be changed.
SingleCompositeDisruptionMode: Marker without members. Each child group can be disrupted without the others.
SingleDisruptionMode: Marker without members. Each pod of a group can be disrupted without the others.
TopologyConstraint: Demands that the pods of one group land in the same topology domain, such as a zone or a rack.
  key: Node label whose value tells the domain. The pods of one group go to nodes with the same value; other groups from
    the same template may go elsewhere.
TypedLocalObjectReference: Points at an object of any kind in the same namespace.
  apiGroup: API group of the object, without the version. Empty means the core group.
  kind: Kind of the object, such as Job, without group and version. It must be usable as a path segment.
  name: Name of the object. It must be usable as a path segment.
Workload: Tells the scheduler how the pods of an application belong together: which groups there are, and how each is
    scheduled, placed and disrupted. Controllers create pod groups from its templates. Beta, behind the gate
    GenericWorkload.
WorkloadPodGroupAllDisruptionMode: Marker without members. The pods of the group are disrupted together or not at all.
WorkloadPodGroupBasicSchedulingPolicy: Marker without members. The pods are scheduled one by one as usual, without
    waiting for each other.
WorkloadPodGroupDisruptionMode: Whether the pods that a controller groups may be disrupted, for instance preempted, one
    at a time or only as a whole. Exactly one member is set.
  single: Choose this to let each pod be disrupted on its own. Write it as an empty object.
  all: Choose this to have all pods of the group disrupted at once or not at all. Write it as an empty object.
WorkloadPodGroupGangSchedulingPolicy: Scheduling of the pods that a controller groups as a gang: none is placed until
    enough of them fit.
  minCount: How many pods must fit at once before the group is let in. At least 1. If unset, the controller picks a
    fitting number, such as the parallelism of a job.
WorkloadPodGroupResourceClaim: A ResourceClaim that the pods which a controller groups share, given by its own name or
    by a template.
  name: Name by which pods refer to this claim, a DNS label. Unique within the group.
  resourceClaimName: An existing ResourceClaim in the same namespace. Set either this or resourceClaimTemplateName.
  resourceClaimTemplateName: A ResourceClaimTemplate in the same namespace, from which a claim is made for the group.
    Set either this or resourceClaimName.
WorkloadPodGroupSchedulingConstraints: Limits on where the pods that a controller groups may be placed.
  topology: The topology domain that all pods of the group must share. At most one entry. If unset, there is no such
    demand.
WorkloadPodGroupSchedulingPolicy: How the pods that a controller groups are scheduled: one by one or as a gang. Exactly
    one member is set.
  basic: Choose this to have the pods scheduled one by one as usual. Write it as an empty object.
  gang: Choose this to place the pods only when enough of them fit at once, as its minCount says.
WorkloadPodGroupSingleDisruptionMode: Marker without members. Each pod of the group can be disrupted without the others.
WorkloadReference: Names the Workload, and the template in it, that a pod group or composite group was made from.
  workloadName: Name of the Workload, in the namespace of the group. It must be a valid DNS name.
  templateName: Name of the template within the Workload, a DNS label.
WorkloadSpec: The templates for the groups of a workload. Exactly one of the two lists of templates is set.
  controllerRef: The object that the workload was made for, such as a Job or Deployment. It lets tools lead back to it.
    Cannot be changed.
  podGroupTemplates: Templates for pod groups without composite groups above them. At most 8; entries can be neither
    added nor removed later. Excludes compositePodGroupTemplates.
  compositePodGroupTemplates: Templates for trees of groups. At most 8; entries can be neither added nor removed later.
    Excludes podGroupTemplates; alpha, behind the gate CompositePodGroup.
`;
