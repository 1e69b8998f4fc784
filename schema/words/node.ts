/** Runtime classes, in words. */
export const NODE = `
Overhead: What a pod costs by itself, on top of its containers, when run with a runtime class.
  podFixed: Amounts by resource name, such as cpu and memory. They are written into the overhead of each pod of the
    class, and the scheduler adds them to what its containers request.
RuntimeClass: A way of running containers that pods can choose with runtimeClassName. A pod that names a class which
    does not exist is refused.
  handler: Name of the setup in the container runtime that runs such pods, as configured on the nodes; a lower-case DNS
    label. Cannot be changed. It should mean the same on all nodes.
  overhead: What a pod of this class costs on top of its containers. A pod that gives another overhead is refused.
  scheduling: On which nodes pods of this class can run. Without it all nodes are taken to be able.
Scheduling: Which nodes can run pods of a runtime class. It is worked into each pod when the pod is created.
  nodeSelector: Labels that a node must have. They are joined with the pod's own nodeSelector; a pod that asks for
    another value of the same label is refused.
  tolerations: Tolerations given to pods of the class besides their own. None may stand twice.
`;
