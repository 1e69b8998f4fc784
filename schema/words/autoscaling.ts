/** Scales and horizontal pod autoscalers, in words. */
export const AUTOSCALING = `
ContainerResourceMetricSource: Scale by what one container of each pod uses of CPU or memory; sidecars and other
    containers are left out of the sum.
  name: The resource that is measured, such as cpu or memory.
  target: How much the container should use, as an average over the pods: type Utilization or AverageValue.
  container: Name of the container, as the pods of the target have it.
ContainerResourceMetricStatus: What was last measured of CPU or memory for one container of the pods.
  name: The resource that was measured, such as cpu or memory.
  current: What the container used at the last reading, averaged over the pods.
  container: Name of the container that was measured.
CrossVersionObjectReference: Points to an object of any kind in the same namespace.
  kind: Kind of the object, such as Deployment.
  name: Name of the object, in the namespace of the autoscaler.
  apiVersion: Group and version of the kind, such as apps/v1. Needed for kinds outside the core group.
ExternalMetricSource: Scale by a number from outside the cluster, such as messages waiting in a queue.
  metric: Which number it is, by name and, where needed, by labels.
  target: The wanted amount: type Value for the total, AverageValue for the share of each pod. Give exactly one.
ExternalMetricStatus: What was last read of a number from outside the cluster.
  metric: Which number was read, by name and labels.
  current: The amount at the last reading, in total or for each pod.
HPAScalingPolicy: One speed limit: at most so many pods, or so many percent, within so many seconds.
  type: Pods limits the change by a count, Percent by a share of the present pods.
  value: The most that may change within periodSeconds: pods or percent, as type says. At least 1.
  periodSeconds: Length of the span in seconds over which value is counted, 1 to 1800.
HPAScalingRules: How fast and how readily the count may change in one direction.
  stabilizationWindowSeconds: Seconds to look back for earlier proposals, 0 to 3600. The mildest of them is followed,
    which keeps the count from swinging. Default 0 upwards, 300 downwards.
  selectPolicy: Which of several policies counts: Max the one that allows most, Min the one that allows least.
    Disabled forbids all change in this direction. Default Max.
  policies: The speed limits. Default upwards: 4 pods or 100 percent in 15 seconds. Default downwards: 100 percent in
    15 seconds.
  tolerance: How far the metric may be off its target, as a share such as 0.05, before anything is changed in this
    direction. Not negative. Default 10 percent, unless the cluster is set otherwise. Stands behind the gate
    HPAConfigurableTolerance.
HorizontalPodAutoscaler: Changes the number of pods of a deployment, stateful set or other scalable object, so that
    measured load stays near a target.
HorizontalPodAutoscalerBehavior: Limits on how the count changes, given apart for each direction.
  scaleUp: Rules for adding pods. Without them, the count may double or grow by 4 pods, whichever is more, in each
    period, and nothing is held back.
  scaleDown: Rules for removing pods. Without them, it may fall to minReplicas, following the highest proposal of the
    last 300 seconds.
HorizontalPodAutoscalerCondition: One observation about an autoscaler: whether it can work, and whether it hit a
    bound.
  type: ScalingActive: metrics can be read and a count worked out. AbleToScale: the target can be read and changed
    now. ScalingLimited: minReplicas or maxReplicas cut the wanted count. ScaledToZero: the autoscaler has taken the
    target to 0 pods.
HorizontalPodAutoscalerSpec: What is scaled, between which bounds, and by which measure.
  scaleTargetRef: The object to scale, in the same namespace. It must have the subresource scale; its pods are the
    ones measured.
  minReplicas: Fewest pods to go down to. Default 1. 0 needs the gate HPAScaleToZero and a metric of type Object or
    External.
  maxReplicas: Most pods to go up to. At least 1, and not below minReplicas.
  targetCPUUtilizationPercentage: How much of its requested CPU an average pod should use, in percent. Without it, the
    general default of the autoscaler is taken.
  metrics: What is measured. Each entry proposes a count, and the highest wins. A count is the present one times
    measured over target, so a measure must fall as pods are added. Default: 80 percent of requested CPU.
  behavior: How fast the count may rise and fall. Without it, defaults for both directions are used.
HorizontalPodAutoscalerStatus: What an autoscaler last measured, and how many pods it found and wants.
  observedGeneration: The metadata.generation that the controller saw last.
  lastScaleTime: When the autoscaler last changed the number of pods.
  currentReplicas: How many pods the target had when the autoscaler last looked.
  desiredReplicas: How many pods the autoscaler worked out last, after all bounds.
  currentCPUUtilizationPercentage: CPU that an average pod uses, in percent of what it requests. 70 means seven
    tenths.
  currentMetrics: What was last measured for the entries of spec.metrics.
  conditions: Observations about the autoscaler, at most one of each type: ScalingActive, AbleToScale, ScalingLimited,
    ScaledToZero.
MetricIdentifier: Names a metric and, if need be, narrows it down by labels.
  name: Name of the metric, as the metrics API that serves it knows it.
  selector: Labels handed to the metrics API, to pick out one series among several. Without it the name alone decides.
MetricSpec: One measure to scale by. Give type and the one member that goes with it.
  type: Kind of measure: Resource, ContainerResource, Pods, Object or External. The member of that name must be
    filled.
  object: A number that belongs to a single object, such as requests per second at an ingress. For the type Object.
  pods: A number that each pod reports, averaged over all of them, such as requests per second. For the type Pods.
  resource: CPU or memory that each pod uses, all its containers together. For the type Resource.
  containerResource: CPU or memory used by one named container of each pod. For the type ContainerResource.
  external: A number from outside the cluster, such as the length of a queue. For the type External.
MetricStatus: The last reading of one measure. Only the member that goes with type is filled.
  type: Kind of measure: Resource, ContainerResource, Pods, Object or External. It tells which member is filled.
  object: The reading for a single object. For the type Object.
  pods: The reading of a number that each pod reports. For the type Pods.
  resource: The reading of CPU or memory over whole pods. For the type Resource.
  containerResource: The reading of CPU or memory for one container. For the type ContainerResource.
  external: The reading of a number from outside. For the type External.
MetricTarget: How high a measure should be. Give type and the one member that goes with it.
  type: Value compares the whole amount, AverageValue the amount for each pod, Utilization the percentage of what pods
    request. Which are possible depends on the kind of measure.
  value: The wanted whole amount, a quantity above 0. For measures of type Object and External.
  averageValue: The wanted amount for each pod, a quantity above 0. For all types of measure; Pods has only this.
  averageUtilization: The wanted average use in percent of the request, at least 1. For measures of type Resource and
    ContainerResource, whose containers must then have requests.
MetricValueStatus: How high a measure was at the last reading. Only members that apply are filled.
  value: The whole amount at the last reading.
  averageValue: The amount for each pod at the last reading.
  averageUtilization: Average use at the last reading, in percent of what the pods request.
ObjectMetricSource: Scale by a number that belongs to one object, such as requests per second at an ingress.
  describedObject: The object to which the number belongs. It need not be the one that is scaled.
  target: The wanted amount: type Value for the whole, AverageValue for the share of each pod.
  metric: Which number of the object it is, by name and, where needed, by labels.
ObjectMetricStatus: What was last read of a number that belongs to one object.
  metric: Which number was read, by name and labels.
  current: The amount at the last reading, in total or for each pod.
  describedObject: The object to which the number belongs.
PodsMetricSource: Scale by a number that each pod reports, averaged over all pods of the target.
  metric: Which number it is, by name and, where needed, by labels.
  target: The wanted average for each pod. Only type AverageValue is possible.
PodsMetricStatus: What was last read of a number that each pod reports.
  metric: Which number was read, by name and labels.
  current: The average over the pods at the last reading.
ResourceMetricSource: Scale by what pods use of CPU or memory, all their containers together.
  name: The resource that is measured, such as cpu or memory.
  target: How much a pod should use on average: type Utilization or AverageValue. Give exactly one.
ResourceMetricStatus: What was last measured of CPU or memory over whole pods.
  name: The resource that was measured, such as cpu or memory.
  current: What the pods used at the last reading, on average.
Scale: How many pods an object has and should have. It is read and written at the subresource scale, in the same form
    for every kind that can be scaled.
  spec: The wanted number. Writing it changes the number in the object itself.
  status: The number found, and how to select the pods that were counted.
ScaleSpec: The wanted side of a scale, which is the only one that can be written.
  replicas: How many pods are wanted. Default 0; never negative.
ScaleStatus: The observed side of a scale, which cannot be written.
  replicas: How many pods the object has at present, according to its own status.
  selector: Labels of the counted pods, as text like app=web,tier=front that can be used in a list request.
`;
