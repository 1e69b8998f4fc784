/** Containers and what they hold: ports, environment, probes, hooks, resources and security, in words. */
export const CORE_CONTAINERS = `
Container: One container of a pod: the image it runs, with which command, environment, volumes, probes and limits.
  name: Name of the container, one DNS label, unique among all containers of the pod. Cannot be changed.
  image: The image to run, by name and tag or digest. May be left out only in templates that something else completes.
    One of the few members that can be changed in a running pod.
  command: The program to run with its first arguments, in place of the ENTRYPOINT of the image; no shell is involved.
    $(NAME) stands for a variable of the container, $$(NAME) for that text itself. Cannot be changed.
  args: Arguments for the program, in place of the CMD of the image. $(NAME) stands for a variable of the container,
    $$(NAME) for that text itself; unknown names stay as written. Cannot be changed.
  workingDir: Directory in which the program starts. When unset, that of the image or of the container runtime. Cannot
    be changed.
  ports: Ports the container listens on. They are mainly a note for readers, names for services and probes, and a means
    to ask for a hostPort; a port not listed can be reached all the same. Cannot be changed.
  envFrom: Config maps and secrets whose keys all become environment variables. On equal names the later source wins,
    and env wins over all of them. Cannot be changed.
  env: Environment variables, one by one. They win over envFrom. Cannot be changed.
  resources: What the container needs and may use at most. In a running pod, cpu and memory change only by way of the
    subresource resize.
  resizePolicy: Whether the container must be restarted when its cpu or memory changes while it runs, one entry for each
    resource. A resource without an entry counts as NotRequired.
  restartPolicy: Always, OnFailure or Never, for this container in place of the restartPolicy of the pod. Always on an
    init container makes it a sidecar: the next one starts once it is up, and it stops after the main containers.
  restartPolicyRules: Up to 20 rules on the exit code, tried in order; the first that matches decides, otherwise
    restartPolicy does, which must be set here too. Behind the beta gate ContainerRestartRules, on by default.
  volumeMounts: Volumes of the pod that the container sees, and at which paths. Cannot be changed.
  volumeDevices: Volumes of the pod that the container gets as raw block devices, without a filesystem.
  livenessProbe: Tells whether the container still works. When it fails, the container is killed and then treated as its
    restart policy says. Cannot be changed.
  readinessProbe: Tells whether the container can take requests. While it fails, services send the pod no traffic;
    nothing is restarted. Cannot be changed.
  startupProbe: Tells whether the container has come up. The other probes wait until it succeeds; when it fails, the
    container is treated as on a failed livenessProbe. Cannot be changed.
  lifecycle: Hooks to run right after start and right before stop, and the signal that stops the container. Cannot be
    changed.
  terminationMessagePath: File inside the container for a last short message, shown in the status after the end. Cut at
    4096 bytes, and at 12 KiB over all containers. Default /dev/termination-log. Cannot be changed.
  terminationMessagePolicy: File (default) takes the last message from terminationMessagePath only.
    FallbackToLogsOnError takes the end of the log, at most 2048 bytes or 80 lines, when the container failed and left
    that file empty.
  imagePullPolicy: Always asks the registry at each start, IfNotPresent pulls what the node lacks, Never uses only what
    is there. Default Always for the tag latest or no tag, else IfNotPresent. Cannot be changed.
  securityContext: Security settings of this container. They win over the same settings in the securityContext of the
    pod.
  stdin: When true, the standard input is kept open so that a client can attach to it. Otherwise a read gives end of
    file at once. Default false.
  stdinOnce: When true, the standard input closes for good, until a restart, once the first attached client leaves. When
    false, it stays open for further clients. Matters only with stdin. Default false.
  tty: When true, the container gets a terminal. Needs stdin as well. Default false.
EphemeralContainer: A container put into a running pod for a while, mostly for debugging. Nothing is reserved for it, it
    is never restarted, and it cannot be taken out again. Added by way of the subresource ephemeralcontainers.
  name: Name of the ephemeral container, one DNS label, unique among all containers of the pod of every sort.
  image: The image to run, by name and tag or digest, often one that holds debugging tools.
  command: The program to run with its first arguments, in place of the ENTRYPOINT of the image; no shell is involved.
    $(NAME) stands for a variable of the container, $$(NAME) for that text itself. Cannot be changed.
  args: Arguments for the program, in place of the CMD of the image. $(NAME) stands for a variable of the container,
    $$(NAME) for that text itself; unknown names stay as written. Cannot be changed.
  workingDir: Directory in which the program starts. When unset, that of the image or of the container runtime. Cannot
    be changed.
  ports: Must stay unset; an ephemeral container has no ports.
  envFrom: Config maps and secrets whose keys all become environment variables. On equal names the later source wins,
    and env wins over all of them. Cannot be changed.
  env: Environment variables, one by one. They win over envFrom. Cannot be changed.
  resources: Must stay unset; an ephemeral container lives on what the pod has to spare.
  resizePolicy: Must stay unset; an ephemeral container has no resources that could be resized.
  restartPolicy: Must stay unset; an ephemeral container is not restarted.
  restartPolicyRules: Must stay unset; an ephemeral container is not restarted.
  volumeMounts: Volumes of the pod that the container sees, and at which paths. Members subPath and subPathExpr are
    refused. Cannot be changed.
  volumeDevices: Volumes of the pod that the container gets as raw block devices, without a filesystem.
  livenessProbe: Must stay unset; an ephemeral container has no probes.
  readinessProbe: Must stay unset; an ephemeral container has no probes.
  startupProbe: Must stay unset; an ephemeral container has no probes.
  lifecycle: Must stay unset; an ephemeral container has no hooks.
  terminationMessagePath: File inside the container for a last short message, shown in the status after the end. Cut at
    4096 bytes, and at 12 KiB over all containers. Default /dev/termination-log. Cannot be changed.
  terminationMessagePolicy: File (default) takes the last message from terminationMessagePath only.
    FallbackToLogsOnError takes the end of the log, at most 2048 bytes or 80 lines, when the container failed and left
    that file empty.
  imagePullPolicy: Always asks the registry at each start, IfNotPresent pulls what the node lacks, Never uses only what
    is there. Default Always for the tag latest or no tag, else IfNotPresent. Cannot be changed.
  securityContext: Security settings of this container. They win over the same settings in the securityContext of the
    pod.
  stdin: When true, the standard input is kept open so that a client can attach to it, as a shell needs. Otherwise a
    read gives end of file at once. Default false.
  stdinOnce: When true, the standard input closes for good once the first attached client leaves. When false, it stays
    open for further clients. Matters only with stdin. Default false.
  tty: When true, the container gets a terminal. Needs stdin as well. Default false.
  targetContainerName: A container of the pod whose namespaces, such as that of the processes, this one joins. When
    unset, it uses those of the pod. The container runtime must support it.
ContainerPort: A port that a container listens on.
  name: Name for the port, so that services and probes can refer to it: at most 15 lower case letters, digits and
    dashes. It should be unique in the pod.
  hostPort: Port of the node that leads to this one, from 1 to 65535. With hostNetwork it must equal containerPort. It
    limits where the pod can run; most containers do without.
  containerPort: The port number on the address of the pod, from 1 to 65535.
  protocol: TCP, UDP or SCTP. Default TCP.
  hostIP: Address of the node on which hostPort listens. When unset, all of its addresses.
EnvVar: One environment variable, with a value given here or taken from elsewhere.
  name: Name of the variable: printable ASCII characters except the equals sign.
  value: The value. $(NAME) stands for a variable set before it or one of a service, $$(NAME) for that text itself;
    unknown names stay as written. Default empty. Excludes valueFrom.
  valueFrom: Where the value comes from, if not from value. Excludes a value that is not empty.
EnvVarSource: Source of the value of an environment variable. Exactly one member must be set.
  fieldRef: A member of the pod: a single label or annotation, name, namespace or uid from metadata, nodeName or
    serviceAccountName from spec, or one of hostIP, hostIPs, podIP and podIPs from status.
  resourceFieldRef: A limit or request of a container: cpu, memory, ephemeral-storage or hugepages, such as limits.cpu.
  configMapKeyRef: One key of a config map in the namespace of the pod.
  secretKeyRef: One key of a secret in the namespace of the pod.
  fileKeyRef: One key of a file with variables, on an emptyDir volume of the pod. Behind the beta gate EnvFiles, on by
    default.
EnvFromSource: A config map or a secret whose keys become environment variables. Exactly one of the two must be set.
  prefix: Text put in front of each name: printable ASCII characters except the equals sign.
  configMapRef: The config map to take the variables from.
  secretRef: The secret to take the variables from.
ConfigMapEnvSource: A config map, in the namespace of the pod, whose data become environment variables.
  name: Name of the config map. It must not be empty.
  optional: When true, the container starts even if the config map does not exist. Otherwise it waits for it.
SecretEnvSource: A secret, in the namespace of the pod, whose data become environment variables.
  name: Name of the secret. It must not be empty.
  optional: When true, the container starts even if the secret does not exist. Otherwise it waits for it.
ConfigMapKeySelector: One key of a config map in the namespace of the pod.
  name: Name of the config map that holds the key.
  key: The key in its data. Keys in binaryData cannot be used here.
  optional: When true, a missing config map or key is no fault, and the variable is left out. Otherwise the container
    does not start.
SecretKeySelector: One key of a secret in the namespace of the pod.
  name: Name of the secret that holds the key.
  key: The key in the data of the secret.
  optional: When true, a missing secret or key is no fault, and the variable is left out. Otherwise the container does
    not start.
FileKeySelector: One key of a file with environment variables that lies on a volume of the pod.
  volumeName: Name of the volume that holds the file. It must be an emptyDir volume of the pod.
  path: Path of the file inside the volume, relative and without two dots as a part.
  key: The variable in the file to take. A name that is not valid keeps the pod from starting.
  optional: When true, a missing key is no fault, and the variable is left out. When false, the container does not
    start. Default false.
ObjectFieldSelector: A member of the pod, by its path.
  apiVersion: Version of the API in which fieldPath is written. Default v1.
  fieldPath: Path of the member, such as metadata.name; a label or annotation has its key in brackets and quotes.
ResourceFieldSelector: A limit or request of a container, as a number in a chosen unit.
  containerName: The container that is meant. Required in volumes; for a variable, the container itself is meant when
    unset.
  resource: Which value: limits or requests, a dot, and the resource, such as limits.memory or requests.cpu.
  divisor: The unit of the number, which is rounded up. 1 or 1m for cpu; 1 or a unit such as 1Mi for memory and storage.
    Default 1.
ExecAction: A command to run inside the container. Exit status 0 means success, any other failure.
  command: The program and its arguments; at least the program. It starts in the root directory and without a shell;
    name a shell if you need one.
HTTPGetAction: A GET request over HTTP to the container. For a probe, a status from 200 to 399 means success.
  path: Path of the request. Default /.
  port: The port to ask: a number from 1 to 65535 or the name of a port of the container.
  host: Where to connect. When unset, the address of the pod. To send another host name, rather set the header Host in
    httpHeaders.
  scheme: HTTP (default) or HTTPS, which does not verify the certificate.
  httpHeaders: Headers to send along. The same name may occur more than once.
  protocol: HTTP1 or HTTP2. HTTP2 is without encryption and needs the scheme HTTP and an empty host. When unset,
    HTTP/1.1. Alpha, gate H2CContainerProbe.
HTTPHeader: One header of a request that a probe or hook sends.
  name: Name of the header. Upper and lower case make no difference.
  value: Value of the header, sent as it is written.
TCPSocketAction: An attempt to open a TCP connection to the container. An open port means success.
  port: The port to try: a number from 1 to 65535 or the name of a port of the container.
  host: Where to connect. When unset, the address of the pod.
GRPCAction: A call to the gRPC health service of the container.
  port: Port of the gRPC server, a number from 1 to 65535.
  service: Name of the service to put into the health request. Default empty, which as a rule asks about the server as a
    whole.
  mode: How to connect: Plaintext without encryption, TLS with it but without a look at the certificate. When unset, as
    with Plaintext. Alpha, gate GRPCContainerProbeTLS.
SleepAction: A pause of fixed length, used as a hook.
  seconds: How long to wait, in seconds: from 0 up to terminationGracePeriodSeconds of the pod.
Probe: A test of a container that the node agent repeats. Exactly one of exec, httpGet, tcpSocket and grpc must be set.
  exec: Runs a command in the container.
  httpGet: Sends a GET request over HTTP.
  tcpSocket: Tries to open a TCP connection.
  grpc: Asks the gRPC health service of the container.
  initialDelaySeconds: Seconds to wait after the start of the container before the first test. Default 0.
  timeoutSeconds: Seconds after which a test without an answer counts as failed. At least 1. Default 1.
  periodSeconds: Seconds from one test to the next. At least 1. Default 10.
  successThreshold: How many tests in a row must succeed to leave the failed state. Must be 1 for livenessProbe and
    startupProbe. Default 1.
  failureThreshold: How many tests in a row must fail before the probe as a whole has failed. At least 1. Default 3.
  terminationGracePeriodSeconds: Seconds between the stop signal and the forced kill when this probe ends the container,
    in place of the value of the pod. At least 1. Not for readinessProbe.
Lifecycle: Hooks around start and stop of a container, and the signal that stops it.
  postStart: Runs right after the container was created. If it fails, the container is killed and its restart policy
    applies. Until it ends, the container does not count as running.
  preStop: Runs before a container is stopped from outside, say on deletion or a failed liveness probe; not when the
    container ends by itself. The grace period runs meanwhile, and when it is over the container is killed.
  stopSignal: Signal that asks the container to stop, such as SIGTERM. Only in pods that set os.name; on windows only
    SIGTERM and SIGKILL. When unset, the image or the container runtime decides. Alpha, gate ContainerStopSignals.
LifecycleHandler: What a hook does. Exactly one member must be set.
  exec: Runs a command in the container.
  httpGet: Sends a GET request over HTTP.
  tcpSocket: Deprecated. It is accepted, but such a hook fails when it is due.
  sleep: Waits for some seconds, for instance to let traffic cease before the stop.
ContainerResizePolicy: Whether a change of one resource restarts the container.
  resourceName: The resource that is meant: cpu or memory. Each may be named once.
  restartPolicy: NotRequired: try the change without a restart. RestartContainer: restart the container to make it. In
    pods with restartPolicy Never, only NotRequired is allowed.
ContainerRestartRule: One rule for the end of a container: when its exit code fits, the action is taken.
  action: Restart restarts the container. RestartAllContainers restarts all containers of the pod; it is behind the beta
    gate RestartAllContainersOnContainerExits, on by default.
  exitCodes: The exit codes that make the rule apply. It must be set.
ContainerRestartRuleOnExitCodes: A condition on the exit code of a container.
  operator: In: the exit code is one of values. NotIn: it is none of them.
  values: The exit codes to compare with, at most 255 and none twice.
ResourceRequirements: What a container, or a pod as a whole, needs and may use at most.
  limits: The most it may use of each resource. Beyond it, cpu is held back, and too much memory gets processes killed.
  requests: What is set aside of each resource; the scheduler looks for a node with that much left. Not above the limit.
    When a request is unset, it takes the value of the limit, if there is one.
  claims: Claims of the pod, from spec.resourceClaims, that this container uses. Only for containers, not for a pod as a
    whole. Cannot be changed.
ResourceClaim: A claim of the pod that a container makes use of.
  name: Name of an entry in spec.resourceClaims of the pod.
  request: One request of the claim whose devices the container gets. When empty, it gets all that the claim was given.
SecurityContext: Security settings of one container. They win over those of the same name that the pod has.
  capabilities: Linux capabilities to add or drop, starting from the usual set of the container runtime. Not on windows.
  privileged: When true, processes in the container have nearly the power of root on the node. Default false. Not on
    windows.
  seLinuxOptions: SELinux label of this container, ahead of that of the pod. When neither is set, the container runtime
    picks one. Not on windows.
  windowsOptions: Settings for a windows container, ahead of those of the pod. Not on linux.
  runAsUser: User id under which the first process runs, ahead of that of the pod. When neither is set, the image
    decides. Not on windows.
  runAsGroup: Primary group id of the first process, ahead of that of the pod. When neither is set, the container
    runtime decides. Not on windows.
  runAsNonRoot: When true, the node agent refuses to start the container if it would run as user 0. Wins over the value
    of the pod.
  readOnlyRootFilesystem: When true, the container cannot write to its root filesystem, only to volumes mounted for
    writing. Default false. Not on windows.
  allowPrivilegeEscalation: Whether a process may gain more rights than its parent. False sets the flag no_new_privs.
    Always true for a privileged container or one with CAP_SYS_ADMIN. Not on windows.
  procMount: How /proc is mounted. Default hides and protects some paths as the container runtime sees fit, Unmasked
    does not, and needs hostUsers false in the pod. Not on windows.
  seccompProfile: Filter of system calls for this container, ahead of that of the pod. Not on windows.
  appArmorProfile: AppArmor profile for this container, ahead of that of the pod. Not on windows.
Capabilities: Linux capabilities that a container gets or loses, as against the usual set of the container runtime.
  add: Capabilities the container gets in addition, such as NET_BIND_SERVICE.
  drop: Capabilities taken from the container. ALL takes away every one that add does not name.
`;
