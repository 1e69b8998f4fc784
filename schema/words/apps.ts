/** Deployments, stateful sets, daemon sets and their kin, in words. */
export const APPS = `
ControllerRevision: A frozen snapshot of a pod template, kept by stateful sets and daemon sets so that they can roll
    out and roll back. Controllers make it for their own use.
  data: The snapshot itself, in a form that only its owner understands. It is fixed from the moment of creation.
  revision: Puts the snapshots of one owner in order: the highest number is the newest.
DaemonSet: Runs one copy of a pod on every fitting node: nodes that join get one, nodes that leave lose theirs.
DaemonSetCondition: One observation about a daemon set. No types are laid down for it.
DaemonSetSpec: Which pod a daemon set puts on the nodes, and how it changes those pods when the template changes.
  selector: Labels by which the daemon set knows its own pods. The template must carry them. Cannot be changed later.
  template: The pod to run. Its nodeSelector, affinity and tolerations decide which nodes get a copy; with none of
    them, all nodes without repelling taints do. Its restartPolicy must be Always.
  updateStrategy: How running pods are brought to a changed template. Without it, they are replaced in a rolling
    update.
  minReadySeconds: Seconds a new pod has to stay ready, with no container crashing, until it counts as available.
    Default 0: ready is enough.
  revisionHistoryLimit: How many earlier templates are kept to roll back to. Default 10.
DaemonSetStatus: How many nodes should have a pod of the daemon set, and how far it has come with that.
  currentNumberScheduled: Nodes that should have the pod and do have at least one.
  numberMisscheduled: Nodes that have the pod although they should not, for instance after their labels changed.
  desiredNumberScheduled: Nodes on which the pod should run, whether it does already or not.
  numberReady: Wanted nodes on which at least one pod of the set is ready.
  observedGeneration: The metadata.generation that the controller saw last. While it lags behind, the other numbers
    speak of an older spec.
  updatedNumberScheduled: Nodes whose pod already follows the newest template.
  numberAvailable: Wanted nodes with a pod that has been ready for minReadySeconds or longer.
  numberUnavailable: Wanted nodes without any available pod.
  collisionCount: How often the name for a new revision was already taken by different content. The controller mixes
    the number into the next name.
  conditions: Observations about the daemon set, at most one of each type.
DaemonSetUpdateStrategy: How a daemon set replaces its pods after a change of the template.
  type: RollingUpdate replaces pods a few at a time. OnDelete leaves them alone: a node gets the new template when
    somebody deletes its old pod. Default RollingUpdate.
  rollingUpdate: How fast the replacement may go. Only for the type RollingUpdate.
Deployment: Keeps a number of equal pods running, and replaces them step by step when their template changes. It works
    through replica sets, one for each template.
DeploymentCondition: One observation about a deployment: whether it is available, moves forward, or fails to make
    pods.
  type: Available: enough pods are available. Progressing: a rollout goes forward or is done; False once
    progressDeadlineSeconds has run out. ReplicaFailure: a pod could not be created or deleted.
DeploymentSpec: What a deployment is asked to keep running, and how it gets from one template to the next.
  replicas: How many pods are wanted. Default 1; 0 stops them all.
  selector: Labels by which the deployment knows its replica sets and pods. The template must carry them, and no other
    controller should use the same. Cannot be changed later.
  template: The pod to run. Any change of it starts a rollout. Its restartPolicy must be Always.
  strategy: How old pods give way to new ones. Without it, they are replaced in a rolling update.
  minReadySeconds: Seconds a new pod has to stay ready, with no container crashing, until it counts as available and
    the rollout goes on. Default 0: ready is enough.
  revisionHistoryLimit: How many old replica sets are kept, scaled to zero, to roll back to. Default 10; with 0 there
    is no way back.
  paused: While true, a changed template is not rolled out. Changes gather until it is false again. Scaling still
    works.
  progressDeadlineSeconds: Seconds that a rollout may stand still before the condition Progressing becomes False, with
    the reason ProgressDeadlineExceeded. The rollout is still tried, and a pause does not count. Must be more than
    minReadySeconds. Default 600.
DeploymentStatus: How many pods a deployment has, how many of them are new, and whether it can serve.
  observedGeneration: The metadata.generation that the controller saw last. While it lags behind, the rest of the
    status speaks of an older spec.
  replicas: Pods of the deployment, old and new, without those being terminated.
  updatedReplicas: Pods that follow the newest template. The rollout is through when this equals spec.replicas and no
    old pod is left.
  readyReplicas: Pods whose condition Ready is True, without those being terminated.
  availableReplicas: Pods that have been ready for minReadySeconds or longer.
  unavailableReplicas: Pods that lack for full strength: not yet made, or made but not yet available.
  terminatingReplicas: Pods that are marked for deletion and have not ended yet. They are in none of the other
    numbers. Stands behind the gate DeploymentReplicaSetTerminatingReplicas.
  conditions: Observations about the deployment, at most one of each type: Available, Progressing, ReplicaFailure.
  collisionCount: How often the name for a new replica set was already taken by another template. The controller mixes
    the number into the next name.
DeploymentStrategy: How a deployment exchanges old pods for new ones.
  type: RollingUpdate exchanges pods a few at a time, so that some always run. Recreate ends all old pods first and
    only then makes new ones, with a gap between. Default RollingUpdate.
  rollingUpdate: How many pods may be missing or in excess on the way. Only for the type RollingUpdate.
ReplicaSet: Keeps a number of equal pods running: makes pods when some are missing, deletes some when there are too
    many. Mostly made by a deployment, seldom by hand.
ReplicaSetCondition: One observation about a replica set, such as a failure to create its pods.
  type: ReplicaFailure: a pod could not be created, for instance because a quota is used up, or could not be deleted.
ReplicaSetSpec: How many pods a replica set holds, which are its own, and what new ones look like.
  replicas: How many pods are wanted. Default 1. Leave it alone where a deployment owns the replica set.
  minReadySeconds: Seconds a new pod has to stay ready, with no container crashing, until it counts as available.
    Default 0: ready is enough.
  selector: Labels by which the replica set knows its pods. Matching pods without an owner are taken over. The
    template must carry these labels. Cannot be changed later.
  template: What new pods look like. A change touches only pods made after it; running ones stay as they are. Its
    restartPolicy must be Always.
ReplicaSetStatus: How many pods a replica set has, and how many of them can serve.
  replicas: Pods that the replica set has at present, without those being terminated.
  fullyLabeledReplicas: Pods that carry all labels of the template, not only those that the selector asks for.
  readyReplicas: Pods whose condition Ready is True, without those being terminated.
  availableReplicas: Pods that have been ready for minReadySeconds or longer.
  terminatingReplicas: Pods that are marked for deletion and have not ended yet. They are in none of the other
    numbers. Stands behind the gate DeploymentReplicaSetTerminatingReplicas.
  observedGeneration: The metadata.generation that the controller saw last. While it lags behind, the numbers speak of
    an older spec.
  conditions: Observations about the replica set, at most one of each type.
RollingUpdateDaemonSet: Sets the pace at which a daemon set replaces its pods. Exactly one of the two members must be
    other than 0.
  maxUnavailable: On how many nodes the pod may be missing at once while it is replaced: a number, or a percentage of
    status.desiredNumberScheduled, rounded up, at most 100%. Default 1.
  maxSurge: On how many nodes a new pod may start next to the old one, which goes once the new one is available: a
    number, or a percentage of the wanted nodes, rounded up, at most 100%. Such nodes need room for both. Default 0.
RollingUpdateDeployment: How far the number of pods may stray from spec.replicas during a rollout. The two members
    must not both be 0.
  maxUnavailable: How many of the wanted pods may be unavailable at a time: a number, or a percentage of replicas,
    rounded down, at most 100%. With 30%, at least 70% keep serving. Default 25%.
  maxSurge: How many pods beyond replicas may exist at a time: a number, or a percentage of replicas, rounded up. With
    30%, old and new pods together stay within 130%. Default 25%.
RollingUpdateStatefulSetStrategy: Which pods of a stateful set a rolling update reaches, and how many at a time.
  partition: The update stops at this ordinal: pods with it and above get the new template, pods below keep the old
    one. Good for trying a change on a few pods first. Default 0: all.
  maxUnavailable: How many pods may be unavailable at once during the update: a number, or a percentage of replicas,
    rounded up, never 0. With podManagementPolicy OrderedReady it may have no effect. Default 1. Stands behind the
    gate MaxUnavailableStatefulSet.
StatefulSet: Runs pods that are not interchangeable: each has a number, a lasting name made of it, and its own
    volumes, and gets all of them back when it is replaced.
StatefulSetCondition: One observation about a stateful set. Without alpha gates, no types are laid down for it.
  type: Progressing: whether an update goes forward; it needs the alpha gate StatefulSetRecreateStrategy.
StatefulSetOrdinals: How the pods of a stateful set are numbered.
  start: Number of the first pod; the others count on from it. Default 0. Another start helps to count from 1, or to
    move pods one after another to a second stateful set.
StatefulSetPersistentVolumeClaimRetentionPolicy: What becomes of the claims made from volumeClaimTemplates when their
    pods are gone for good.
  whenDeleted: What happens to the claims when the stateful set is deleted: Retain leaves them, Delete removes them
    too. Default Retain.
  whenScaled: What happens, when replicas is lowered, to the claims of the pods that go: Retain leaves them for a
    later return, Delete removes them. Default Retain.
StatefulSetSpec: What a stateful set runs, how it names and stores, and in which order it works. Later changes are
    refused for selector, serviceName, podManagementPolicy and volumeClaimTemplates.
  replicas: How many pods are wanted. Default 1. The pods with the highest numbers are the last to come and first to
    go.
  selector: Labels by which the stateful set knows its pods. The template must carry them. Cannot be changed later.
  template: The pod to run. Each copy is named after the set and its number, as in web-3. Its restartPolicy must be
    Always.
  volumeClaimTemplates: Claims made once for each pod and given back to the pod of the same number ever after. A
    container has to mount each by its name; a volume of that name in the template gives way to it. Cannot be changed
    later.
  serviceName: The service, mostly a headless one, under which each pod gets a DNS name of its own. Make it yourself,
    before the stateful set. Cannot be changed later.
  podManagementPolicy: OrderedReady makes pods one after another, each when the one before is ready, and removes them
    in reverse. Parallel makes and removes them all at once. Default OrderedReady. Cannot be changed later.
  updateStrategy: How running pods are brought to a changed template. Without it, they are replaced in a rolling
    update.
  revisionHistoryLimit: How many earlier templates are kept to roll back to. Default 10.
  minReadySeconds: Seconds a new pod has to stay ready, with no container crashing, until it counts as available.
    Default 0: ready is enough.
  persistentVolumeClaimRetentionPolicy: Whether claims made from volumeClaimTemplates go with their pods. Without it,
    they stay until somebody deletes them.
  ordinals: From which number the pods are counted. Without it, from 0.
StatefulSetStatus: How many pods a stateful set has, and how many of them are of the old and of the new revision.
  observedGeneration: The metadata.generation that the controller saw last. While it lags behind, the numbers speak of
    an older spec.
  replicas: Pods that the controller has made and that exist at present.
  readyReplicas: Pods of the set whose condition Ready is True.
  currentReplicas: Pods made from the revision named by currentRevision.
  updatedReplicas: Pods made from the revision named by updateRevision.
  currentRevision: Name of the revision that an update starts from; pods not yet reached are made from it. Equals
    updateRevision when no update is under way.
  updateRevision: Name of the revision that holds the newest template, to which an update brings the pods.
  collisionCount: How often the name for a new revision was already taken by different content. The controller mixes
    the number into the next name.
  conditions: Observations about the stateful set, at most one of each type.
  availableReplicas: Pods that have been ready for minReadySeconds or longer.
StatefulSetUpdateStrategy: How a stateful set replaces its pods after a change of the template.
  type: RollingUpdate replaces pods from the highest number down. OnDelete waits until somebody deletes a pod.
    Recreate ends all old pods before it makes new ones, and needs the alpha gate StatefulSetRecreateStrategy. Default
    RollingUpdate.
  rollingUpdate: Reach and pace of the replacement. Only for the type RollingUpdate.
`;
