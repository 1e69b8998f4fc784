// Written by scripts/import_facts.ts from the public API definitions. Do not edit.
import type { ApiModule } from "../model/table.ts";
import type { Int64 } from "../model/types.ts";
import type * as intstr from "./intstr.ts";
import type * as meta_v1 from "./meta_v1.ts";
import type * as quantity from "./quantity.ts";
import type * as runtime from "./runtime.ts";
/** Descriptors of `core.v1`, parsed on first use. */
export const MODULE: ApiModule = {
  group: "",
  version: "v1",
  short: "core.v1",
  protobuf: true,
  kinds: String.raw`{
"Binding":{"introduced":"1.0"},
"ComponentStatus":{"list":"ComponentStatusList","introduced":"1.0"},
"ConfigMap":{"list":"ConfigMapList","introduced":"1.2"},
"Endpoints":{"list":"EndpointsList","introduced":"1.0"},
"Event":{"list":"EventList","introduced":"1.0"},
"LimitRange":{"list":"LimitRangeList","introduced":"1.0"},
"List":{"introduced":"1.0"},
"Namespace":{"list":"NamespaceList","introduced":"1.0"},
"Node":{"list":"NodeList","introduced":"1.0"},
"NodeProxyOptions":{"introduced":"1.2"},
"PersistentVolume":{"list":"PersistentVolumeList","introduced":"1.0"},
"PersistentVolumeClaim":{"list":"PersistentVolumeClaimList","introduced":"1.0"},
"Pod":{"list":"PodList","introduced":"1.0"},
"PodAttachOptions":{"introduced":"1.1"},
"PodExecOptions":{"introduced":"1.0"},
"PodLogOptions":{"introduced":"1.0"},
"PodPortForwardOptions":{"introduced":"1.6"},
"PodProxyOptions":{"introduced":"1.0"},
"PodTemplate":{"list":"PodTemplateList","introduced":"1.0"},
"RangeAllocation":{"introduced":"1.0"},
"ReplicationController":{"list":"ReplicationControllerList","introduced":"1.0"},
"ResourceQuota":{"list":"ResourceQuotaList","introduced":"1.0"},
"Secret":{"list":"SecretList","introduced":"1.0"},
"SerializedReference":{"introduced":"1.0"},
"Service":{"list":"ServiceList","introduced":"1.0"},
"ServiceAccount":{"list":"ServiceAccountList","introduced":"1.0"},
"ServiceProxyOptions":{"introduced":"1.2"}
}`,
  messages: String.raw`{
"AWSElasticBlockStoreVolumeSource":{"f":["volumeID 1 string R","fsType 2 string Oe","partition 3 int32 Oe","readOnly 4 bool Oe"]},
"Affinity":{"f":["nodeAffinity 1 .NodeAffinity pOe","podAffinity 2 .PodAffinity pOe","podAntiAffinity 3 .PodAntiAffinity pOe"]},
"AppArmorProfile":{"union":true,"f":[["type 1 string Ru",{"enum":["Unconfined","RuntimeDefault","Localhost"],"alias":"AppArmorProfileType"}],"localhostProfile 2 string pOe"]},
"AttachedVolume":{"f":[["name 1 string R",{"alias":"UniqueVolumeName"}],"devicePath 2 string R"]},
"AvoidPods":{"f":[["preferAvoidPods 1 .PreferAvoidPodsEntry rOe",{"listType":"atomic"}]]},
"AzureDiskVolumeSource":{"f":["diskName 1 string R","diskURI 2 string R",["cachingMode 3 string pOe",{"default":"ReadWrite","enum":["None","ReadOnly","ReadWrite"],"alias":"AzureDataDiskCachingMode"}],["fsType 4 string pOe",{"default":"ext4"}],["readOnly 5 bool pOe",{"default":false}],["kind 6 string pe",{"default":"Shared","enum":["Shared","Dedicated","Managed"],"alias":"AzureDataDiskKind"}]]},
"AzureFilePersistentVolumeSource":{"f":["secretName 1 string R","shareName 2 string R","readOnly 3 bool Oe","secretNamespace 4 string pO"]},
"AzureFileVolumeSource":{"f":["secretName 1 string R","shareName 2 string R","readOnly 3 bool Oe"]},
"Binding":{"t":1,"f":[["metadata 1 meta.v1.ObjectMeta Oe",{"validate":{"opaqueType":true}}],"target 2 .ObjectReference R"]},
"CSIPersistentVolumeSource":{"f":["driver 1 string R","volumeHandle 2 string R","readOnly 3 bool Oe","fsType 4 string Oe","volumeAttributes 5 string Oem","controllerPublishSecretRef 6 .SecretReference pOe","nodeStageSecretRef 7 .SecretReference pOe","nodePublishSecretRef 8 .SecretReference pOe","controllerExpandSecretRef 9 .SecretReference pOe","nodeExpandSecretRef 10 .SecretReference pOe"]},
"CSIVolumeSource":{"f":["driver 1 string R","readOnly 2 bool pOe","fsType 3 string pOe","volumeAttributes 4 string Oem","nodePublishSecretRef 5 .LocalObjectReference pOe"]},
"Capabilities":{"f":[["add 1 string rOe",{"alias":"Capability","listType":"atomic"}],["drop 2 string rOe",{"alias":"Capability","listType":"atomic"}]]},
"CephFSPersistentVolumeSource":{"f":[["monitors 1 string rR",{"listType":"atomic"}],"path 2 string Oe","user 3 string Oe","secretFile 4 string Oe","secretRef 5 .SecretReference pOe","readOnly 6 bool Oe"]},
"CephFSVolumeSource":{"f":[["monitors 1 string rR",{"listType":"atomic"}],"path 2 string Oe","user 3 string Oe","secretFile 4 string Oe","secretRef 5 .LocalObjectReference pOe","readOnly 6 bool Oe"]},
"CinderPersistentVolumeSource":{"f":["volumeID 1 string R","fsType 2 string Oe","readOnly 3 bool Oe","secretRef 4 .SecretReference pOe"]},
"CinderVolumeSource":{"f":["volumeID 1 string R","fsType 2 string Oe","readOnly 3 bool Oe","secretRef 4 .LocalObjectReference pOe"]},
"ClientIPConfig":{"f":["timeoutSeconds 1 int32 pOe"]},
"ClusterTrustBundleProjection":{"f":["name 1 string pOe","signerName 2 string pOe","labelSelector 3 meta.v1.LabelSelector pOe","optional 5 bool pOe","path 4 string R","user 6 int64 pOe"]},
"ComponentCondition":{"f":[["type 1 string R",{"alias":"ComponentConditionType"}],["status 2 string R",{"alias":"ConditionStatus"}],"message 3 string Oe","error 4 string Oe"]},
"ComponentStatus":{"t":1,"f":[["metadata 1 meta.v1.ObjectMeta Oe",{"validate":{"opaqueType":true}}],["conditions 2 .ComponentCondition rOe",{"patchStrategy":"merge","patchMergeKey":"type","listType":"map","listMapKeys":["type"]}]]},
"ComponentStatusList":{"t":1,"f":["metadata 1 meta.v1.ListMeta Oe","items 2 .ComponentStatus rR"]},
"ConfigMap":{"t":1,"f":["metadata 1 meta.v1.ObjectMeta Oe","immutable 4 bool pOe","data 2 string Oem","binaryData 3 bytes Oem"]},
"ConfigMapEnvSource":{"f":[" 1 .LocalObjectReference i","optional 2 bool pOe"]},
"ConfigMapKeySelector":{"structType":"atomic","f":[" 1 .LocalObjectReference i","key 2 string R","optional 3 bool pOe"]},
"ConfigMapList":{"t":1,"f":["metadata 1 meta.v1.ListMeta Oe","items 2 .ConfigMap rR"]},
"ConfigMapNodeConfigSource":{"f":["namespace 1 string R","name 2 string R",["uid 3 string Oe",{"alias":"types.UID"}],"resourceVersion 4 string Oe","kubeletConfigKey 5 string R"]},
"ConfigMapProjection":{"f":[" 1 .LocalObjectReference i",["items 2 .KeyToPath rOe",{"listType":"atomic"}],"optional 4 bool pOe"]},
"ConfigMapVolumeSource":{"f":[" 1 .LocalObjectReference i",["items 2 .KeyToPath rOe",{"listType":"atomic"}],"defaultMode 3 int32 pOe","optional 4 bool pOe","defaultUser 5 int64 pOe"]},
"Container":{"f":["name 1 string R","image 2 string Oe",["command 3 string rOe",{"listType":"atomic"}],["args 4 string rOe",{"listType":"atomic"}],"workingDir 5 string Oe",["ports 6 .ContainerPort rOe",{"patchStrategy":"merge","patchMergeKey":"containerPort","listType":"map","listMapKeys":["containerPort","protocol"]}],["envFrom 19 .EnvFromSource rOe",{"listType":"atomic"}],["env 7 .EnvVar rOe",{"patchStrategy":"merge","patchMergeKey":"name","listType":"map","listMapKeys":["name"]}],"resources 8 .ResourceRequirements Oe",["resizePolicy 23 .ContainerResizePolicy rOe",{"listType":"atomic"}],["restartPolicy 24 string pOe",{"alias":"ContainerRestartPolicy"}],["restartPolicyRules 25 .ContainerRestartRule rOe",{"listType":"atomic"}],["volumeMounts 9 .VolumeMount rOe",{"patchStrategy":"merge","patchMergeKey":"mountPath","listType":"map","listMapKeys":["mountPath"]}],["volumeDevices 21 .VolumeDevice rOe",{"patchStrategy":"merge","patchMergeKey":"devicePath","listType":"map","listMapKeys":["devicePath"]}],"livenessProbe 10 .Probe pOe","readinessProbe 11 .Probe pOe","startupProbe 22 .Probe pOe","lifecycle 12 .Lifecycle pOe","terminationMessagePath 13 string Oe",["terminationMessagePolicy 20 string Oe",{"enum":["File","FallbackToLogsOnError"],"alias":"TerminationMessagePolicy"}],["imagePullPolicy 14 string Oe",{"enum":["Always","Never","IfNotPresent"],"alias":"PullPolicy"}],"securityContext 15 .SecurityContext pOe","stdin 16 bool Oe","stdinOnce 17 bool Oe","tty 18 bool Oe"]},
"ContainerExtendedResourceRequest":{"f":["containerName 1 string R","resourceName 2 string R","requestName 3 string R"]},
"ContainerImage":{"f":[["names 1 string rO",{"listType":"atomic"}],"sizeBytes 2 int64 Oe"]},
"ContainerPort":{"f":["name 1 string Oe","hostPort 2 int32 Oe","containerPort 3 int32 R",["protocol 4 string Oe",{"default":"TCP","enum":["TCP","UDP","SCTP"],"alias":"Protocol"}],"hostIP 5 string Oe"]},
"ContainerResizePolicy":{"f":[["resourceName 1 string R",{"alias":"ResourceName"}],["restartPolicy 2 string R",{"alias":"ResourceResizeRestartPolicy"}]]},
"ContainerRestartRule":{"f":[["action 1 string Re",{"alias":"ContainerRestartRuleAction"}],"exitCodes 2 .ContainerRestartRuleOnExitCodes pOe"]},
"ContainerRestartRuleOnExitCodes":{"f":[["operator 1 string Re",{"alias":"ContainerRestartRuleOnExitCodesOperator"}],["values 2 int32 rOe",{"listType":"set"}]]},
"ContainerState":{"f":["waiting 1 .ContainerStateWaiting pOe","running 2 .ContainerStateRunning pOe","terminated 3 .ContainerStateTerminated pOe"]},
"ContainerStateRunning":{"f":["startedAt 1 meta.v1.Time Oe"]},
"ContainerStateTerminated":{"f":["exitCode 1 int32 R","signal 2 int32 Oe","reason 3 string Oe","message 4 string Oe","startedAt 5 meta.v1.Time Oe","finishedAt 6 meta.v1.Time Oe","containerID 7 string Oe"]},
"ContainerStateWaiting":{"f":["reason 1 string Oe","message 2 string Oe"]},
"ContainerStatus":{"f":["name 1 string R","state 2 .ContainerState Oe","lastState 3 .ContainerState Oe","ready 4 bool R","restartCount 5 int32 R","image 6 string R","imageID 7 string R","containerID 8 string Oe","started 9 bool pOe",["allocatedResources 10 quantity.Quantity Oem",{"alias":"ResourceList"}],"resources 11 .ResourceRequirements pOe",["volumeMounts 12 .VolumeMountStatus rOe",{"patchStrategy":"merge","patchMergeKey":"mountPath","listType":"map","listMapKeys":["mountPath"]}],"user 13 .ContainerUser pOe",["allocatedResourcesStatus 14 .ResourceStatus rOe",{"patchStrategy":"merge","patchMergeKey":"name","listType":"map","listMapKeys":["name"]}],["stopSignal 15 string pOe",{"enum":["SIGABRT","SIGALRM","SIGBUS","SIGCHLD","SIGCLD","SIGCONT","SIGFPE","SIGHUP","SIGILL","SIGINT","SIGIO","SIGIOT","SIGKILL","SIGPIPE","SIGPOLL","SIGPROF","SIGPWR","SIGQUIT","SIGSEGV","SIGSTKFLT","SIGSTOP","SIGSYS","SIGTERM","SIGTRAP","SIGTSTP","SIGTTIN","SIGTTOU","SIGURG","SIGUSR1","SIGUSR2","SIGVTALRM","SIGWINCH","SIGXCPU","SIGXFSZ","SIGRTMIN","SIGRTMIN+1","SIGRTMIN+2","SIGRTMIN+3","SIGRTMIN+4","SIGRTMIN+5","SIGRTMIN+6","SIGRTMIN+7","SIGRTMIN+8","SIGRTMIN+9","SIGRTMIN+10","SIGRTMIN+11","SIGRTMIN+12","SIGRTMIN+13","SIGRTMIN+14","SIGRTMIN+15","SIGRTMAX-14","SIGRTMAX-13","SIGRTMAX-12","SIGRTMAX-11","SIGRTMAX-10","SIGRTMAX-9","SIGRTMAX-8","SIGRTMAX-7","SIGRTMAX-6","SIGRTMAX-5","SIGRTMAX-4","SIGRTMAX-3","SIGRTMAX-2","SIGRTMAX-1","SIGRTMAX"],"alias":"Signal"}]]},
"ContainerUser":{"f":["linux 1 .LinuxContainerUser pOe"]},
"DaemonEndpoint":{"f":["Port 1 int32 R"]},
"DownwardAPIProjection":{"f":[["items 1 .DownwardAPIVolumeFile rOe",{"listType":"atomic"}]]},
"DownwardAPIVolumeFile":{"f":["path 1 string R","fieldRef 2 .ObjectFieldSelector pOe","resourceFieldRef 3 .ResourceFieldSelector pOe","mode 4 int32 pOe","user 5 int64 pOe"]},
"DownwardAPIVolumeSource":{"f":[["items 1 .DownwardAPIVolumeFile rOe",{"listType":"atomic"}],"defaultMode 2 int32 pOe","defaultUser 3 int64 pOe"]},
"EmptyDirVolumeSource":{"f":[["medium 1 string Oe",{"alias":"StorageMedium"}],"sizeLimit 2 quantity.Quantity pOe","mode 3 int32 pOe"]},
"EndpointAddress":{"structType":"atomic","f":["ip 1 string R","hostname 3 string Oe","nodeName 4 string pOe","targetRef 2 .ObjectReference pOe"]},
"EndpointPort":{"structType":"atomic","f":["name 1 string Oe","port 2 int32 R",["protocol 3 string Oe",{"enum":["TCP","UDP","SCTP"],"alias":"Protocol"}],"appProtocol 4 string pOe"]},
"EndpointSubset":{"f":[["addresses 1 .EndpointAddress rOe",{"listType":"atomic"}],["notReadyAddresses 2 .EndpointAddress rOe",{"listType":"atomic"}],["ports 3 .EndpointPort rOe",{"listType":"atomic"}]]},
"Endpoints":{"t":1,"f":["metadata 1 meta.v1.ObjectMeta Oe",["subsets 2 .EndpointSubset rOe",{"listType":"atomic"}]]},
"EndpointsList":{"t":1,"f":["metadata 1 meta.v1.ListMeta Oe","items 2 .Endpoints rR"]},
"EnvFromSource":{"f":["prefix 1 string Oe","configMapRef 2 .ConfigMapEnvSource pOe","secretRef 3 .SecretEnvSource pOe"]},
"EnvVar":{"f":["name 1 string R","value 2 string Oe","valueFrom 3 .EnvVarSource pOe"]},
"EnvVarSource":{"f":["fieldRef 1 .ObjectFieldSelector pOe","resourceFieldRef 2 .ResourceFieldSelector pOe","configMapKeyRef 3 .ConfigMapKeySelector pOe","secretKeyRef 4 .SecretKeySelector pOe","fileKeyRef 5 .FileKeySelector pOe"]},
"EphemeralContainer":{"f":[" 1 .EphemeralContainerCommon i","targetContainerName 2 string Oe"]},
"EphemeralContainerCommon":{"f":["name 1 string R","image 2 string e",["command 3 string rOe",{"listType":"atomic"}],["args 4 string rOe",{"listType":"atomic"}],"workingDir 5 string Oe",["ports 6 .ContainerPort rOe",{"patchStrategy":"merge","patchMergeKey":"containerPort","listType":"map","listMapKeys":["containerPort","protocol"]}],["envFrom 19 .EnvFromSource rOe",{"listType":"atomic"}],["env 7 .EnvVar rOe",{"patchStrategy":"merge","patchMergeKey":"name","listType":"map","listMapKeys":["name"]}],"resources 8 .ResourceRequirements Oe",["resizePolicy 23 .ContainerResizePolicy rOe",{"listType":"atomic"}],["restartPolicy 24 string pOe",{"alias":"ContainerRestartPolicy"}],["restartPolicyRules 25 .ContainerRestartRule rOe",{"listType":"atomic"}],["volumeMounts 9 .VolumeMount rOe",{"patchStrategy":"merge","patchMergeKey":"mountPath","listType":"map","listMapKeys":["mountPath"]}],["volumeDevices 21 .VolumeDevice rOe",{"patchStrategy":"merge","patchMergeKey":"devicePath","listType":"map","listMapKeys":["devicePath"]}],"livenessProbe 10 .Probe pOe","readinessProbe 11 .Probe pOe","startupProbe 22 .Probe pOe","lifecycle 12 .Lifecycle pOe","terminationMessagePath 13 string Oe",["terminationMessagePolicy 20 string Oe",{"enum":["File","FallbackToLogsOnError"],"alias":"TerminationMessagePolicy"}],["imagePullPolicy 14 string Oe",{"enum":["Always","Never","IfNotPresent"],"alias":"PullPolicy"}],"securityContext 15 .SecurityContext pOe","stdin 16 bool Oe","stdinOnce 17 bool Oe","tty 18 bool Oe"]},
"EphemeralVolumeSource":{"f":["volumeClaimTemplate 1 .PersistentVolumeClaimTemplate pe"]},
"Event":{"t":1,"f":["metadata 1 meta.v1.ObjectMeta R","involvedObject 2 .ObjectReference R","reason 3 string Oe","message 4 string Oe","source 5 .EventSource Oe","firstTimestamp 6 meta.v1.Time Oe","lastTimestamp 7 meta.v1.Time Oe","count 8 int32 Oe","type 9 string Oe","eventTime 10 meta.v1.MicroTime Oe","series 11 .EventSeries pOe","action 12 string Oe","related 13 .ObjectReference pOe","reportingComponent 14 string O","reportingInstance 15 string O"]},
"EventList":{"t":1,"f":["metadata 1 meta.v1.ListMeta Oe","items 2 .Event rR"]},
"EventSeries":{"f":["count 1 int32 e","lastObservedTime 2 meta.v1.MicroTime e"]},
"EventSource":{"f":["component 1 string Oe","host 2 string Oe"]},
"EvictionResponder":{"structType":"atomic","f":[["name 1 string R",{"validate":{"required":true,"format":"k8s-prefixed-label-key","customValidation":true}}],["priority 2 int32 pR",{"validate":{"required":true,"minimum":0,"maximum":100000,"customValidation":true}}]]},
"ExecAction":{"f":[["command 1 string rOe",{"listType":"atomic"}]]},
"FCVolumeSource":{"f":[["targetWWNs 1 string rOe",{"listType":"atomic"}],"lun 2 int32 pOe","fsType 3 string Oe","readOnly 4 bool Oe",["wwids 5 string rOe",{"listType":"atomic"}]]},
"FileKeySelector":{"structType":"atomic","f":["volumeName 1 string R","path 2 string R","key 3 string R",["optional 4 bool pOe",{"default":false}]]},
"FlexPersistentVolumeSource":{"f":["driver 1 string R","fsType 2 string Oe","secretRef 3 .SecretReference pOe","readOnly 4 bool Oe","options 5 string Oem"]},
"FlexVolumeSource":{"f":["driver 1 string R","fsType 2 string Oe","secretRef 3 .LocalObjectReference pOe","readOnly 4 bool Oe","options 5 string Oem"]},
"FlockerVolumeSource":{"f":["datasetName 1 string Oe","datasetUUID 2 string Oe"]},
"GCEPersistentDiskVolumeSource":{"f":["pdName 1 string R","fsType 2 string Oe","partition 3 int32 Oe","readOnly 4 bool Oe"]},
"GRPCAction":{"f":["port 1 int32 R",["service 2 string pO",{"default":""}],["mode 3 string pOe",{"enum":["Plaintext","TLS"],"alias":"GRPCProbeMode"}]]},
"GitRepoVolumeSource":{"f":["repository 1 string R","revision 2 string Oe","directory 3 string Oe"]},
"GlusterfsPersistentVolumeSource":{"f":["endpoints 1 string R","path 2 string R","readOnly 3 bool Oe","endpointsNamespace 4 string pOe"]},
"GlusterfsVolumeSource":{"f":["endpoints 1 string R","path 2 string R","readOnly 3 bool Oe"]},
"HTTPGetAction":{"f":["path 1 string Oe","port 2 intstr.IntOrString R","host 3 string Oe",["scheme 4 string Oe",{"enum":["HTTP","HTTPS"],"alias":"URIScheme"}],["httpHeaders 5 .HTTPHeader rOe",{"listType":"atomic"}],["protocol 6 string pOe",{"enum":["HTTP1","HTTP2"],"alias":"HTTPProtocol"}]]},
"HTTPHeader":{"f":["name 1 string R","value 2 string R"]},
"HostAlias":{"f":["ip 1 string R",["hostnames 2 string re",{"listType":"atomic"}]]},
"HostIP":{"f":["ip 1 string R"]},
"HostPathVolumeSource":{"f":["path 1 string R",["type 2 string pOe",{"enum":["","DirectoryOrCreate","Directory","FileOrCreate","File","Socket","CharDevice","BlockDevice"],"alias":"HostPathType"}]]},
"ISCSIPersistentVolumeSource":{"f":["targetPortal 1 string R","iqn 2 string R","lun 3 int32 R",["iscsiInterface 4 string Oe",{"default":"default"}],"fsType 5 string Oe","readOnly 6 bool Oe",["portals 7 string rOe",{"listType":"atomic"}],"chapAuthDiscovery 8 bool Oe","chapAuthSession 11 bool Oe","secretRef 10 .SecretReference pOe","initiatorName 12 string pOe"]},
"ISCSIVolumeSource":{"f":["targetPortal 1 string R","iqn 2 string R","lun 3 int32 R",["iscsiInterface 4 string Oe",{"default":"default"}],"fsType 5 string Oe","readOnly 6 bool Oe",["portals 7 string rOe",{"listType":"atomic"}],"chapAuthDiscovery 8 bool Oe","chapAuthSession 11 bool Oe","secretRef 10 .LocalObjectReference pOe","initiatorName 12 string pOe"]},
"ImageVolumeSource":{"f":["reference 1 string Oe",["pullPolicy 2 string Oe",{"enum":["Always","Never","IfNotPresent"],"alias":"PullPolicy"}]]},
"ImageVolumeStatus":{"f":["imageRef 1 string Re"]},
"KeyToPath":{"f":["key 1 string R","path 2 string R","mode 3 int32 pOe","user 4 int64 pOe"]},
"Lifecycle":{"f":["postStart 1 .LifecycleHandler pOe","preStop 2 .LifecycleHandler pOe",["stopSignal 3 string pOe",{"enum":["SIGABRT","SIGALRM","SIGBUS","SIGCHLD","SIGCLD","SIGCONT","SIGFPE","SIGHUP","SIGILL","SIGINT","SIGIO","SIGIOT","SIGKILL","SIGPIPE","SIGPOLL","SIGPROF","SIGPWR","SIGQUIT","SIGSEGV","SIGSTKFLT","SIGSTOP","SIGSYS","SIGTERM","SIGTRAP","SIGTSTP","SIGTTIN","SIGTTOU","SIGURG","SIGUSR1","SIGUSR2","SIGVTALRM","SIGWINCH","SIGXCPU","SIGXFSZ","SIGRTMIN","SIGRTMIN+1","SIGRTMIN+2","SIGRTMIN+3","SIGRTMIN+4","SIGRTMIN+5","SIGRTMIN+6","SIGRTMIN+7","SIGRTMIN+8","SIGRTMIN+9","SIGRTMIN+10","SIGRTMIN+11","SIGRTMIN+12","SIGRTMIN+13","SIGRTMIN+14","SIGRTMIN+15","SIGRTMAX-14","SIGRTMAX-13","SIGRTMAX-12","SIGRTMAX-11","SIGRTMAX-10","SIGRTMAX-9","SIGRTMAX-8","SIGRTMAX-7","SIGRTMAX-6","SIGRTMAX-5","SIGRTMAX-4","SIGRTMAX-3","SIGRTMAX-2","SIGRTMAX-1","SIGRTMAX"],"alias":"Signal"}]]},
"LifecycleHandler":{"f":["exec 1 .ExecAction pOe","httpGet 2 .HTTPGetAction pOe","tcpSocket 3 .TCPSocketAction pOe","sleep 4 .SleepAction pOe"]},
"LimitRange":{"t":1,"f":["metadata 1 meta.v1.ObjectMeta Oe","spec 2 .LimitRangeSpec Oe"]},
"LimitRangeItem":{"f":[["type 1 string R",{"alias":"LimitType"}],["max 2 quantity.Quantity Oem",{"alias":"ResourceList"}],["min 3 quantity.Quantity Oem",{"alias":"ResourceList"}],["default 4 quantity.Quantity Oem",{"alias":"ResourceList"}],["defaultRequest 5 quantity.Quantity Oem",{"alias":"ResourceList"}],["maxLimitRequestRatio 6 quantity.Quantity Oem",{"alias":"ResourceList"}]]},
"LimitRangeList":{"t":1,"f":["metadata 1 meta.v1.ListMeta Oe","items 2 .LimitRange rR"]},
"LimitRangeSpec":{"f":[["limits 1 .LimitRangeItem rR",{"listType":"atomic"}]]},
"LinuxContainerUser":{"f":["uid 1 int64 R","gid 2 int64 R",["supplementalGroups 3 int64 rOe",{"listType":"atomic"}]]},
"List":{"t":1,"f":["metadata 1 meta.v1.ListMeta Oe","items 2 runtime.RawExtension rR"]},
"LoadBalancerIngress":{"f":["ip 1 string Oe","hostname 2 string Oe",["ipMode 3 string pOe",{"alias":"LoadBalancerIPMode"}],["ports 4 .PortStatus rOe",{"listType":"atomic"}]]},
"LoadBalancerStatus":{"f":[["ingress 1 .LoadBalancerIngress rOe",{"listType":"atomic"}]]},
"LocalObjectReference":{"structType":"atomic","f":[["name 1 string Oe",{"default":""}]]},
"LocalVolumeSource":{"f":["path 1 string R","fsType 2 string pOe"]},
"ModifyVolumeStatus":{"f":["targetVolumeAttributesClassName 1 string e",["status 2 string R",{"enum":["Pending","InProgress","Infeasible"],"alias":"PersistentVolumeClaimModifyVolumeStatus"}]]},
"NFSVolumeSource":{"f":["server 1 string R","path 2 string R","readOnly 3 bool Oe"]},
"Namespace":{"t":1,"f":["metadata 1 meta.v1.ObjectMeta Oe","spec 2 .NamespaceSpec Oe","status 3 .NamespaceStatus Oe"]},
"NamespaceCondition":{"f":[["type 1 string R",{"alias":"NamespaceConditionType"}],["status 2 string R",{"alias":"ConditionStatus"}],"lastTransitionTime 4 meta.v1.Time Oe","reason 5 string Oe","message 6 string Oe"]},
"NamespaceList":{"t":1,"f":["metadata 1 meta.v1.ListMeta Oe","items 2 .Namespace rR"]},
"NamespaceSpec":{"f":[["finalizers 1 string rOe",{"alias":"FinalizerName","listType":"atomic"}]]},
"NamespaceStatus":{"f":[["phase 1 string Oe",{"enum":["Active","Terminating"],"alias":"NamespacePhase"}],["conditions 2 .NamespaceCondition rOe",{"patchStrategy":"merge","patchMergeKey":"type","listType":"map","listMapKeys":["type"]}]]},
"Node":{"t":1,"f":["metadata 1 meta.v1.ObjectMeta Oe","spec 2 .NodeSpec Oe","status 3 .NodeStatus Oe"]},
"NodeAddress":{"f":[["type 1 string R",{"alias":"NodeAddressType"}],"address 2 string R"]},
"NodeAffinity":{"f":["requiredDuringSchedulingIgnoredDuringExecution 1 .NodeSelector pOe",["preferredDuringSchedulingIgnoredDuringExecution 2 .PreferredSchedulingTerm rOe",{"listType":"atomic"}]]},
"NodeAllocatableMappedResources":{"f":[["name 1 string R",{"alias":"ResourceName","validate":{"required":true}}],["quantity 2 quantity.Quantity pR",{"validate":{"required":true}}]]},
"NodeAllocatableOverheadResources":{"f":[["name 1 string R",{"alias":"ResourceName","validate":{"required":true}}],["perPod 2 quantity.Quantity pOe",{"validate":{"optional":true}}],["perContainer 3 quantity.Quantity pOe",{"validate":{"optional":true}}]]},
"NodeAllocatableResourceClaimStatus":{"f":[["resourceClaimName 1 string R",{"validate":{"required":true}}],["containers 2 string rOe",{"listType":"set","validate":{"optional":true,"listType":"set"}}],["mapping 4 .NodeAllocatableMappedResources rOe",{"patchStrategy":"merge","patchMergeKey":"name","listType":"map","listMapKeys":["name"],"validate":{"optional":true,"listType":"map","listMapKey":"name"}}],["overhead 5 .NodeAllocatableOverheadResources rOe",{"patchStrategy":"merge","patchMergeKey":"name","listType":"map","listMapKeys":["name"],"validate":{"optional":true,"listType":"map","listMapKey":"name"}}]]},
"NodeCondition":{"f":[["type 1 string R",{"alias":"NodeConditionType"}],["status 2 string R",{"alias":"ConditionStatus"}],"lastHeartbeatTime 3 meta.v1.Time Oe","lastTransitionTime 4 meta.v1.Time Oe","reason 5 string Oe","message 6 string Oe"]},
"NodeConfigSource":{"f":["configMap 2 .ConfigMapNodeConfigSource pe"]},
"NodeConfigStatus":{"f":["assigned 1 .NodeConfigSource pOe","active 2 .NodeConfigSource pOe","lastKnownGood 3 .NodeConfigSource pOe","error 4 string Oe"]},
"NodeDaemonEndpoints":{"f":["kubeletEndpoint 1 .DaemonEndpoint Oe"]},
"NodeFeatures":{"f":["supplementalGroupsPolicy 1 bool pOe"]},
"NodeList":{"t":1,"f":["metadata 1 meta.v1.ListMeta Oe","items 2 .Node rR"]},
"NodePodPreemptionPolicy":{"f":[["disableResizePreemption 1 string rOe",{"listType":"set","validate":{"listType":"set","maxItems":20,"optional":true,"eachVal>format":"k8s-label-key"}}]]},
"NodeProxyOptions":{"t":1,"f":["path 1 string Oe"]},
"NodeRuntimeHandler":{"f":["name 1 string O","features 2 .NodeRuntimeHandlerFeatures pOe"]},
"NodeRuntimeHandlerFeatures":{"f":["recursiveReadOnlyMounts 1 bool pOe","userNamespaces 2 bool pOe"]},
"NodeSelector":{"structType":"atomic","f":[["nodeSelectorTerms 1 .NodeSelectorTerm rR",{"listType":"atomic"}]]},
"NodeSelectorRequirement":{"f":["key 1 string R",["operator 2 string R",{"enum":["In","NotIn","Exists","DoesNotExist","Gt","Lt"],"alias":"NodeSelectorOperator"}],["values 3 string rOe",{"listType":"atomic"}]]},
"NodeSelectorTerm":{"structType":"atomic","f":[["matchExpressions 1 .NodeSelectorRequirement rOe",{"listType":"atomic"}],["matchFields 2 .NodeSelectorRequirement rOe",{"listType":"atomic"}]]},
"NodeSpec":{"f":["podCIDR 1 string Oe",["podCIDRs 7 string rOe",{"patchStrategy":"merge","listType":"set"}],["providerID 3 string Oe",{"validate":{"alpha@1.36:optional":true,"alpha@1.36:update":["NoModify","NoUnset"]}}],"unschedulable 4 bool Oe",["taints 5 .Taint rOe",{"listType":"atomic"}],"configSource 6 .NodeConfigSource pOe","externalID 2 string Oe",["podPreemptionPolicy 8 .NodePodPreemptionPolicy pOe",{"validate":{"optional":true,"ifDisabled(InPlacePodVerticalScalingSchedulerPreemption)>forbidden":true}}]]},
"NodeStatus":{"f":[["capacity 1 quantity.Quantity Oem",{"alias":"ResourceList"}],["allocatable 2 quantity.Quantity Oem",{"alias":"ResourceList"}],["phase 3 string Oe",{"enum":["Pending","Running","Terminated"],"alias":"NodePhase"}],["conditions 4 .NodeCondition rOe",{"patchStrategy":"merge","patchMergeKey":"type","listType":"map","listMapKeys":["type"]}],["addresses 5 .NodeAddress rOe",{"patchStrategy":"merge","patchMergeKey":"type","listType":"map","listMapKeys":["type"]}],"daemonEndpoints 6 .NodeDaemonEndpoints Oe","nodeInfo 7 .NodeSystemInfo Oe",["images 8 .ContainerImage rOe",{"listType":"atomic"}],["volumesInUse 9 string rOe",{"alias":"UniqueVolumeName","listType":"atomic"}],["volumesAttached 10 .AttachedVolume rOe",{"listType":"atomic"}],"config 11 .NodeConfigStatus pOe",["runtimeHandlers 12 .NodeRuntimeHandler rOe",{"listType":"atomic"}],"features 13 .NodeFeatures pOe",["declaredFeatures 14 string rOe",{"listType":"atomic"}]]},
"NodeSwapStatus":{"f":["capacity 1 int64 pOe"]},
"NodeSystemInfo":{"f":["machineID 1 string R","systemUUID 2 string R","bootID 3 string R","kernelVersion 4 string R","osImage 5 string R","containerRuntimeVersion 6 string R","kubeletVersion 7 string R","kubeProxyVersion 8 string R","operatingSystem 9 string R","architecture 10 string R","swap 11 .NodeSwapStatus pe","runningInUserNamespace 12 bool pOe"]},
"ObjectFieldSelector":{"structType":"atomic","f":["apiVersion 1 string Oe","fieldPath 2 string R"]},
"ObjectReference":{"structType":"atomic","f":["kind 1 string Oe","namespace 2 string Oe","name 3 string Oe",["uid 4 string Oe",{"alias":"types.UID"}],"apiVersion 5 string Oe","resourceVersion 6 string Oe","fieldPath 7 string Oe"]},
"PersistentVolume":{"t":1,"f":["metadata 1 meta.v1.ObjectMeta Oe","spec 2 .PersistentVolumeSpec Oe","status 3 .PersistentVolumeStatus Oe"]},
"PersistentVolumeClaim":{"t":1,"f":["metadata 1 meta.v1.ObjectMeta Oe","spec 2 .PersistentVolumeClaimSpec Oe","status 3 .PersistentVolumeClaimStatus Oe"]},
"PersistentVolumeClaimCondition":{"f":[["type 1 string R",{"alias":"PersistentVolumeClaimConditionType"}],["status 2 string R",{"alias":"ConditionStatus"}],"lastProbeTime 3 meta.v1.Time Oe","lastTransitionTime 4 meta.v1.Time Oe","reason 5 string Oe","message 6 string Oe"]},
"PersistentVolumeClaimList":{"t":1,"f":["metadata 1 meta.v1.ListMeta Oe","items 2 .PersistentVolumeClaim rR"]},
"PersistentVolumeClaimSpec":{"f":[["accessModes 1 string rOe",{"listType":"atomic","enum":["ReadWriteOnce","ReadOnlyMany","ReadWriteMany","ReadWriteOncePod"],"alias":"PersistentVolumeAccessMode"}],"selector 4 meta.v1.LabelSelector pOe","resources 2 .VolumeResourceRequirements Oe","volumeName 3 string Oe","storageClassName 5 string pOe",["volumeMode 6 string pOe",{"enum":["Block","Filesystem"],"alias":"PersistentVolumeMode"}],"dataSource 7 .TypedLocalObjectReference pOe","dataSourceRef 8 .TypedObjectReference pOe","volumeAttributesClassName 9 string pOe"]},
"PersistentVolumeClaimStatus":{"f":[["phase 1 string Oe",{"enum":["Pending","Bound","Lost"],"alias":"PersistentVolumeClaimPhase"}],["accessModes 2 string rOe",{"listType":"atomic","enum":["ReadWriteOnce","ReadOnlyMany","ReadWriteMany","ReadWriteOncePod"],"alias":"PersistentVolumeAccessMode"}],["capacity 3 quantity.Quantity Oem",{"alias":"ResourceList"}],["conditions 4 .PersistentVolumeClaimCondition rOe",{"patchStrategy":"merge","patchMergeKey":"type","listType":"map","listMapKeys":["type"]}],["allocatedResources 5 quantity.Quantity Oem",{"alias":"ResourceList"}],["allocatedResourceStatuses 7 string Oem",{"mapType":"granular","enum":["ControllerResizeInProgress","ControllerResizeInfeasible","NodeResizePending","NodeResizeInProgress","NodeResizeInfeasible"],"alias":"ClaimResourceStatus"}],"currentVolumeAttributesClassName 8 string pOe","modifyVolumeStatus 9 .ModifyVolumeStatus pOe",["healthStatus 10 .VolumeHealthStatus pOe",{"validate":{"optional":true}}]]},
"PersistentVolumeClaimTemplate":{"f":[["metadata 1 meta.v1.ObjectMeta Oe",{"validate":{"opaqueType":true}}],"spec 2 .PersistentVolumeClaimSpec R"]},
"PersistentVolumeClaimVolumeSource":{"f":["claimName 1 string R","readOnly 2 bool Oe"]},
"PersistentVolumeList":{"t":1,"f":["metadata 1 meta.v1.ListMeta Oe","items 2 .PersistentVolume rR"]},
"PersistentVolumeSource":{"f":["gcePersistentDisk 1 .GCEPersistentDiskVolumeSource pOe","awsElasticBlockStore 2 .AWSElasticBlockStoreVolumeSource pOe","hostPath 3 .HostPathVolumeSource pOe","glusterfs 4 .GlusterfsPersistentVolumeSource pOe","nfs 5 .NFSVolumeSource pOe","rbd 6 .RBDPersistentVolumeSource pOe","iscsi 7 .ISCSIPersistentVolumeSource pOe","cinder 8 .CinderPersistentVolumeSource pOe","cephfs 9 .CephFSPersistentVolumeSource pOe","fc 10 .FCVolumeSource pOe","flocker 11 .FlockerVolumeSource pOe","flexVolume 12 .FlexPersistentVolumeSource pOe","azureFile 13 .AzureFilePersistentVolumeSource pOe","vsphereVolume 14 .VsphereVirtualDiskVolumeSource pOe","quobyte 15 .QuobyteVolumeSource pOe","azureDisk 16 .AzureDiskVolumeSource pOe","photonPersistentDisk 17 .PhotonPersistentDiskVolumeSource pe","portworxVolume 18 .PortworxVolumeSource pOe","scaleIO 19 .ScaleIOPersistentVolumeSource pOe","local 20 .LocalVolumeSource pOe","storageos 21 .StorageOSPersistentVolumeSource pOe","csi 22 .CSIPersistentVolumeSource pOe"]},
"PersistentVolumeSpec":{"f":[["capacity 1 quantity.Quantity Oem",{"alias":"ResourceList"}]," 2 .PersistentVolumeSource i",["accessModes 3 string rOe",{"listType":"atomic","enum":["ReadWriteOnce","ReadOnlyMany","ReadWriteMany","ReadWriteOncePod"],"alias":"PersistentVolumeAccessMode"}],["claimRef 4 .ObjectReference pOe",{"structType":"granular"}],["persistentVolumeReclaimPolicy 5 string Oe",{"enum":["Recycle","Delete","Retain"],"alias":"PersistentVolumeReclaimPolicy"}],"storageClassName 6 string Oe",["mountOptions 7 string rOe",{"listType":"atomic"}],["volumeMode 8 string pOe",{"enum":["Block","Filesystem"],"alias":"PersistentVolumeMode"}],"nodeAffinity 9 .VolumeNodeAffinity pOe","volumeAttributesClassName 10 string pOe"]},
"PersistentVolumeStatus":{"f":[["phase 1 string Oe",{"enum":["Pending","Available","Bound","Released","Failed"],"alias":"PersistentVolumePhase"}],"message 2 string Oe","reason 3 string Oe","lastPhaseTransitionTime 4 meta.v1.Time pOe"]},
"PhotonPersistentDiskVolumeSource":{"f":["pdID 1 string R","fsType 2 string e"]},
"Pod":{"t":1,"f":["metadata 1 meta.v1.ObjectMeta Oe","spec 2 .PodSpec Oe","status 3 .PodStatus Oe"]},
"PodAffinity":{"f":[["requiredDuringSchedulingIgnoredDuringExecution 1 .PodAffinityTerm rOe",{"listType":"atomic"}],["preferredDuringSchedulingIgnoredDuringExecution 2 .WeightedPodAffinityTerm rOe",{"listType":"atomic"}]]},
"PodAffinityTerm":{"f":["labelSelector 1 meta.v1.LabelSelector pOe",["namespaces 2 string rOe",{"listType":"atomic"}],"topologyKey 3 string R","namespaceSelector 4 meta.v1.LabelSelector pOe",["matchLabelKeys 5 string rOe",{"listType":"atomic"}],["mismatchLabelKeys 6 string rOe",{"listType":"atomic"}]]},
"PodAntiAffinity":{"f":[["requiredDuringSchedulingIgnoredDuringExecution 1 .PodAffinityTerm rOe",{"listType":"atomic"}],["preferredDuringSchedulingIgnoredDuringExecution 2 .WeightedPodAffinityTerm rOe",{"listType":"atomic"}]]},
"PodAttachOptions":{"t":1,"f":["stdin 1 bool Oe","stdout 2 bool Oe","stderr 3 bool Oe","tty 4 bool Oe","container 5 string Oe"]},
"PodCertificateProjection":{"f":["signerName 1 string Re","keyType 2 string Re","maxExpirationSeconds 3 int32 pOe","credentialBundlePath 4 string Oe","keyPath 5 string Oe","certificateChainPath 6 string Oe","userAnnotations 7 string em","user 8 int64 pOe"]},
"PodCondition":{"f":[["type 1 string R",{"alias":"PodConditionType"}],"observedGeneration 7 int64 Oe",["status 2 string R",{"alias":"ConditionStatus"}],"lastProbeTime 3 meta.v1.Time Oe","lastTransitionTime 4 meta.v1.Time Oe","reason 5 string Oe","message 6 string Oe"]},
"PodDNSConfig":{"f":[["nameservers 1 string rOe",{"listType":"atomic"}],["searches 2 string rOe",{"listType":"atomic"}],["options 3 .PodDNSConfigOption rOe",{"listType":"atomic"}]]},
"PodDNSConfigOption":{"f":["name 1 string e","value 2 string pOe"]},
"PodExecOptions":{"t":1,"f":["stdin 1 bool Oe","stdout 2 bool Oe","stderr 3 bool Oe","tty 4 bool Oe","container 5 string Oe",["command 6 string rR",{"listType":"atomic"}]]},
"PodExtendedResourceClaimStatus":{"f":[["requestMappings 1 .ContainerExtendedResourceRequest rR",{"listType":"atomic"}],"resourceClaimName 2 string R"]},
"PodIP":{"f":["ip 1 string R"]},
"PodList":{"t":1,"f":["metadata 1 meta.v1.ListMeta Oe","items 2 .Pod rR"]},
"PodLogOptions":{"t":1,"f":["container 1 string Oe","follow 2 bool Oe","previous 3 bool Oe","sinceSeconds 4 int64 pOe","sinceTime 5 meta.v1.Time pOe","timestamps 6 bool Oe","tailLines 7 int64 pOe","limitBytes 8 int64 pOe","insecureSkipTLSVerifyBackend 9 bool Oe","stream 10 string pOe"]},
"PodOS":{"f":[["name 1 string R",{"alias":"OSName"}]]},
"PodPortForwardOptions":{"t":1,"f":[["ports 1 int32 rOe",{"listType":"atomic"}]]},
"PodProxyOptions":{"t":1,"f":["path 1 string Oe"]},
"PodReadinessGate":{"f":[["conditionType 1 string R",{"alias":"PodConditionType"}]]},
"PodResourceClaim":{"f":["name 1 string R","resourceClaimName 3 string pe","resourceClaimTemplateName 4 string pe"]},
"PodResourceClaimStatus":{"f":["name 1 string R","resourceClaimName 2 string pOe"]},
"PodSchedulingGate":{"f":["name 1 string R"]},
"PodSchedulingGroup":{"union":true,"f":["podGroupName 1 string pOe"]},
"PodSecurityContext":{"f":["seLinuxOptions 1 .SELinuxOptions pOe","windowsOptions 8 .WindowsSecurityContextOptions pOe","runAsUser 2 int64 pOe","runAsGroup 6 int64 pOe","runAsNonRoot 3 bool pOe",["supplementalGroups 4 int64 rOe",{"listType":"atomic"}],["supplementalGroupsPolicy 12 string pOe",{"enum":["Merge","Strict"],"alias":"SupplementalGroupsPolicy"}],"fsGroup 5 int64 pOe",["sysctls 7 .Sysctl rOe",{"listType":"atomic"}],["fsGroupChangePolicy 9 string pOe",{"enum":["OnRootMismatch","Always"],"alias":"PodFSGroupChangePolicy"}],"seccompProfile 10 .SeccompProfile pOe","appArmorProfile 11 .AppArmorProfile pOe",["seLinuxChangePolicy 13 string pOe",{"alias":"PodSELinuxChangePolicy"}]]},
"PodSignature":{"f":["podController 1 meta.v1.OwnerReference pOe"]},
"PodSpec":{"f":[["volumes 1 .Volume rOe",{"patchStrategy":"merge,retainKeys","patchMergeKey":"name","listType":"map","listMapKeys":["name"]}],["initContainers 20 .Container re",{"patchStrategy":"merge","patchMergeKey":"name","listType":"map","listMapKeys":["name"]}],["containers 2 .Container rR",{"patchStrategy":"merge","patchMergeKey":"name","listType":"map","listMapKeys":["name"]}],["ephemeralContainers 34 .EphemeralContainer rOe",{"patchStrategy":"merge","patchMergeKey":"name","listType":"map","listMapKeys":["name"]}],["restartPolicy 3 string Oe",{"enum":["Always","OnFailure","Never"],"alias":"RestartPolicy"}],"terminationGracePeriodSeconds 4 int64 pOe","activeDeadlineSeconds 5 int64 pOe",["dnsPolicy 6 string Oe",{"enum":["ClusterFirstWithHostNet","ClusterFirst","Default","None"],"alias":"DNSPolicy"}],["nodeSelector 7 string Oem",{"mapType":"atomic"}],"serviceAccountName 8 string Oe","serviceAccount 9 string Oe","automountServiceAccountToken 21 bool pOe","nodeName 10 string Oe","hostNetwork 11 bool Oe","hostPID 12 bool Oe","hostIPC 13 bool Oe","shareProcessNamespace 27 bool pOe","securityContext 14 .PodSecurityContext pOe",["imagePullSecrets 15 .LocalObjectReference rOe",{"patchStrategy":"merge","patchMergeKey":"name","listType":"map","listMapKeys":["name"]}],"hostname 16 string Oe","subdomain 17 string Oe","affinity 18 .Affinity pOe","schedulerName 19 string Oe",["tolerations 22 .Toleration rOe",{"listType":"atomic","validate":{"alpha@1.37:optional":true}}],["hostAliases 23 .HostAlias rOe",{"patchStrategy":"merge","patchMergeKey":"ip","listType":"map","listMapKeys":["ip"]}],"priorityClassName 24 string Oe","priority 25 int32 pOe","dnsConfig 26 .PodDNSConfig pOe",["readinessGates 28 .PodReadinessGate rOe",{"listType":"atomic"}],"runtimeClassName 29 string pOe","enableServiceLinks 30 bool pOe",["preemptionPolicy 31 string pOe",{"enum":["PreemptLowerPriority","Never"],"alias":"PreemptionPolicy"}],["overhead 32 quantity.Quantity Oem",{"alias":"ResourceList"}],["topologySpreadConstraints 33 .TopologySpreadConstraint rOe",{"patchStrategy":"merge","patchMergeKey":"topologyKey","listType":"map","listMapKeys":["topologyKey","whenUnsatisfiable"]}],"setHostnameAsFQDN 35 bool pOe","os 36 .PodOS pOe","hostUsers 37 bool pOe",["schedulingGates 38 .PodSchedulingGate rOe",{"patchStrategy":"merge","patchMergeKey":"name","listType":"map","listMapKeys":["name"]}],["resourceClaims 39 .PodResourceClaim rOe",{"patchStrategy":"merge,retainKeys","patchMergeKey":"name","listType":"map","listMapKeys":["name"]}],"resources 40 .ResourceRequirements pOe","hostnameOverride 41 string pOe","schedulingGroup 43 .PodSchedulingGroup pOe",["evictionResponders 44 .EvictionResponder rOe",{"patchStrategy":"merge","patchMergeKey":"name","listType":"map","listMapKeys":["name"],"validate":{"optional":true,"listType":"map","listMapKey":"name","maxItems":10,"alpha@1.37:dependentForbidden(schedulingGroup)":true}}]]},
"PodStatus":{"f":["observedGeneration 17 int64 Oe",["phase 1 string Oe",{"enum":["Pending","Running","Succeeded","Failed","Unknown"],"alias":"PodPhase"}],["conditions 2 .PodCondition rOe",{"patchStrategy":"merge","patchMergeKey":"type","listType":"map","listMapKeys":["type"]}],"message 3 string Oe","reason 4 string Oe","nominatedNodeName 11 string Oe","hostIP 5 string Oe",["hostIPs 16 .HostIP rOe",{"patchStrategy":"merge","patchMergeKey":"ip","listType":"atomic"}],"podIP 6 string Oe",["podIPs 12 .PodIP rOe",{"patchStrategy":"merge","patchMergeKey":"ip","listType":"map","listMapKeys":["ip"]}],"startTime 7 meta.v1.Time pOe",["initContainerStatuses 10 .ContainerStatus re",{"listType":"atomic"}],["containerStatuses 8 .ContainerStatus rOe",{"listType":"atomic"}],["qosClass 9 string Oe",{"enum":["Guaranteed","Burstable","BestEffort"],"alias":"PodQOSClass"}],["ephemeralContainerStatuses 13 .ContainerStatus rOe",{"listType":"atomic"}],["resize 14 string Oe",{"alias":"PodResizeStatus"}],["resourceClaimStatuses 15 .PodResourceClaimStatus rOe",{"patchStrategy":"merge,retainKeys","patchMergeKey":"name","listType":"map","listMapKeys":["name"]}],"extendedResourceClaimStatus 18 .PodExtendedResourceClaimStatus pOe",["allocatedResources 19 quantity.Quantity Oem",{"alias":"ResourceList"}],"resources 20 .ResourceRequirements pOe",["nodeAllocatableResourceClaimStatuses 21 .NodeAllocatableResourceClaimStatus rOe",{"patchStrategy":"merge","patchMergeKey":"resourceClaimName","listType":"map","listMapKeys":["resourceClaimName"],"validate":{"optional":true,"listType":"map","listMapKey":"resourceClaimName"}}],["volumeHealth 22 .PodVolumeHealth rOe",{"listType":"map","listMapKeys":["name"],"validate":{"optional":true,"listType":"map","listMapKey":"name"}}]]},
"PodTemplate":{"t":1,"f":["metadata 1 meta.v1.ObjectMeta Oe","template 2 .PodTemplateSpec Oe"]},
"PodTemplateList":{"t":1,"f":["metadata 1 meta.v1.ListMeta Oe","items 2 .PodTemplate rR"]},
"PodTemplateSpec":{"f":[["metadata 1 meta.v1.ObjectMeta Oe",{"validate":{"opaqueType":true}}],"spec 2 .PodSpec Oe"]},
"PodVolumeHealth":{"f":[["name 1 string R",{"validate":{"required":true}}],["healthConditions 2 .VolumeHealthCondition rOe",{"patchStrategy":"merge","patchMergeKey":"status","listType":"map","listMapKeys":["status","reason"],"validate":{"optional":true,"listType":"map","listMapKey":["status","reason"],"maxItems":16}}],"lastTransitionTime 3 meta.v1.Time Oe"]},
"PortStatus":{"f":["port 1 int32 R",["protocol 2 string R",{"enum":["TCP","UDP","SCTP"],"alias":"Protocol"}],"error 3 string pOe"]},
"PortworxVolumeSource":{"f":["volumeID 1 string R","fsType 2 string e","readOnly 3 bool Oe"]},
"Preconditions":{"f":[["uid 1 string pOe",{"alias":"types.UID"}]]},
"PreferAvoidPodsEntry":{"f":["podSignature 1 .PodSignature R","evictionTime 2 meta.v1.Time Oe","reason 3 string Oe","message 4 string Oe"]},
"PreferredSchedulingTerm":{"f":["weight 1 int32 R","preference 2 .NodeSelectorTerm R"]},
"Probe":{"f":[" 1 .ProbeHandler i","initialDelaySeconds 2 int32 Oe","timeoutSeconds 3 int32 Oe","periodSeconds 4 int32 Oe","successThreshold 5 int32 Oe","failureThreshold 6 int32 Oe","terminationGracePeriodSeconds 7 int64 pOe"]},
"ProbeHandler":{"f":["exec 1 .ExecAction pOe","httpGet 2 .HTTPGetAction pOe","tcpSocket 3 .TCPSocketAction pOe","grpc 4 .GRPCAction pOe"]},
"ProjectedVolumeSource":{"f":[["sources 1 .VolumeProjection rO",{"listType":"atomic"}],"defaultMode 2 int32 pOe","defaultUser 3 int64 pOe"]},
"QuobyteVolumeSource":{"f":["registry 1 string R","volume 2 string R","readOnly 3 bool Oe","user 4 string Oe","group 5 string Oe","tenant 6 string Oe"]},
"RBDPersistentVolumeSource":{"f":[["monitors 1 string rR",{"listType":"atomic"}],"image 2 string R","fsType 3 string Oe",["pool 4 string Oe",{"default":"rbd"}],["user 5 string Oe",{"default":"admin"}],["keyring 6 string Oe",{"default":"/etc/ceph/keyring"}],"secretRef 7 .SecretReference pOe","readOnly 8 bool Oe"]},
"RBDVolumeSource":{"f":[["monitors 1 string rR",{"listType":"atomic"}],"image 2 string R","fsType 3 string Oe",["pool 4 string Oe",{"default":"rbd"}],["user 5 string Oe",{"default":"admin"}],["keyring 6 string Oe",{"default":"/etc/ceph/keyring"}],"secretRef 7 .LocalObjectReference pOe","readOnly 8 bool Oe"]},
"RangeAllocation":{"t":1,"f":[["metadata 1 meta.v1.ObjectMeta Oe",{"validate":{"opaqueType":true}}],"range 2 string R","data 3 bytes R"]},
"ReplicationController":{"t":1,"f":[["metadata 1 meta.v1.ObjectMeta Oe",{"validate":{"beta@1.37:subfield(name)>optional":true,"beta@1.37:subfield(name)>format":"k8s-long-name"}}],"spec 2 .ReplicationControllerSpec Oe","status 3 .ReplicationControllerStatus Oe"]},
"ReplicationControllerCondition":{"f":[["type 1 string R",{"alias":"ReplicationControllerConditionType"}],["status 2 string R",{"alias":"ConditionStatus"}],"lastTransitionTime 3 meta.v1.Time Oe","reason 4 string Oe","message 5 string Oe"]},
"ReplicationControllerList":{"t":1,"f":["metadata 1 meta.v1.ListMeta Oe","items 2 .ReplicationController rR"]},
"ReplicationControllerSpec":{"f":[["replicas 1 int32 pOe",{"default":1,"validate":{"beta@1.37:optional":true,"beta@1.37:minimum":0}}],["minReadySeconds 4 int32 Oe",{"default":0,"validate":{"beta@1.37:optional":true,"beta@1.37:minimum":0}}],["selector 2 string Oem",{"mapType":"atomic"}],["template 3 .PodTemplateSpec pOe",{"validate":{"alpha@1.37:optional":true}}]]},
"ReplicationControllerStatus":{"f":["replicas 1 int32 R","fullyLabeledReplicas 2 int32 Oe","readyReplicas 4 int32 Oe","availableReplicas 5 int32 Oe","observedGeneration 3 int64 Oe",["conditions 6 .ReplicationControllerCondition rOe",{"patchStrategy":"merge","patchMergeKey":"type","listType":"map","listMapKeys":["type"]}]]},
"ResourceClaim":{"f":["name 1 string R","request 2 string Oe"]},
"ResourceFieldSelector":{"structType":"atomic","f":["containerName 1 string Oe","resource 2 string R","divisor 3 quantity.Quantity Oe"]},
"ResourceHealth":{"f":[["resourceID 1 string R",{"alias":"ResourceID"}],["health 2 string e",{"alias":"ResourceHealthStatus"}],"message 6 string pOe"]},
"ResourceQuota":{"t":1,"f":["metadata 1 meta.v1.ObjectMeta Oe","spec 2 .ResourceQuotaSpec Oe","status 3 .ResourceQuotaStatus Oe"]},
"ResourceQuotaList":{"t":1,"f":["metadata 1 meta.v1.ListMeta Oe","items 2 .ResourceQuota rR"]},
"ResourceQuotaSpec":{"f":[["hard 1 quantity.Quantity Oem",{"alias":"ResourceList"}],["scopes 2 string rOe",{"listType":"atomic","enum":["Terminating","NotTerminating","BestEffort","NotBestEffort","PriorityClass","CrossNamespacePodAffinity","VolumeAttributesClass"],"alias":"ResourceQuotaScope"}],"scopeSelector 3 .ScopeSelector pOe"]},
"ResourceQuotaStatus":{"f":[["hard 1 quantity.Quantity Oem",{"alias":"ResourceList"}],["used 2 quantity.Quantity Oem",{"alias":"ResourceList"}]]},
"ResourceRequirements":{"f":[["limits 1 quantity.Quantity Oem",{"alias":"ResourceList"}],["requests 2 quantity.Quantity Oem",{"alias":"ResourceList"}],["claims 3 .ResourceClaim rOe",{"listType":"map","listMapKeys":["name"]}]]},
"ResourceStatus":{"f":[["name 1 string R",{"alias":"ResourceName"}],["resources 2 .ResourceHealth re",{"listType":"map","listMapKeys":["resourceID"]}]]},
"SELinuxOptions":{"f":["user 1 string Oe","role 2 string Oe","type 3 string Oe","level 4 string Oe"]},
"ScaleIOPersistentVolumeSource":{"f":["gateway 1 string R","system 2 string R","secretRef 3 .SecretReference p","sslEnabled 4 bool Oe","protectionDomain 5 string Oe","storagePool 6 string Oe",["storageMode 7 string Oe",{"default":"ThinProvisioned"}],"volumeName 8 string e",["fsType 9 string Oe",{"default":"xfs"}],"readOnly 10 bool Oe"]},
"ScaleIOVolumeSource":{"f":["gateway 1 string R","system 2 string R","secretRef 3 .LocalObjectReference p","sslEnabled 4 bool Oe","protectionDomain 5 string Oe","storagePool 6 string Oe",["storageMode 7 string Oe",{"default":"ThinProvisioned"}],"volumeName 8 string e",["fsType 9 string Oe",{"default":"xfs"}],"readOnly 10 bool Oe"]},
"ScopeSelector":{"structType":"atomic","f":[["matchExpressions 1 .ScopedResourceSelectorRequirement rOe",{"listType":"atomic"}]]},
"ScopedResourceSelectorRequirement":{"f":[["scopeName 1 string R",{"enum":["Terminating","NotTerminating","BestEffort","NotBestEffort","PriorityClass","CrossNamespacePodAffinity","VolumeAttributesClass"],"alias":"ResourceQuotaScope"}],["operator 2 string R",{"enum":["In","NotIn","Exists","DoesNotExist"],"alias":"ScopeSelectorOperator"}],["values 3 string rOe",{"listType":"atomic"}]]},
"SeccompProfile":{"union":true,"f":[["type 1 string Ru",{"enum":["Unconfined","RuntimeDefault","Localhost"],"alias":"SeccompProfileType"}],"localhostProfile 2 string pOe"]},
"Secret":{"t":1,"f":["metadata 1 meta.v1.ObjectMeta Oe","immutable 5 bool pOe","data 2 bytes Oem","stringData 4 string Oem",["type 3 string Oe",{"alias":"SecretType","validate":{"optional":true,"alpha@1.37:immutable":true}}]]},
"SecretEnvSource":{"f":[" 1 .LocalObjectReference i","optional 2 bool pOe"]},
"SecretKeySelector":{"structType":"atomic","f":[" 1 .LocalObjectReference i","key 2 string R","optional 3 bool pOe"]},
"SecretList":{"t":1,"f":["metadata 1 meta.v1.ListMeta Oe","items 2 .Secret rR"]},
"SecretProjection":{"f":[" 1 .LocalObjectReference i",["items 2 .KeyToPath rOe",{"listType":"atomic"}],"optional 4 bool pOe"]},
"SecretReference":{"structType":"atomic","f":["name 1 string Oe","namespace 2 string Oe"]},
"SecretVolumeSource":{"f":["secretName 1 string Oe",["items 2 .KeyToPath rOe",{"listType":"atomic"}],"defaultMode 3 int32 pOe","optional 4 bool pOe","defaultUser 5 int64 pOe"]},
"SecurityContext":{"f":["capabilities 1 .Capabilities pOe","privileged 2 bool pOe","seLinuxOptions 3 .SELinuxOptions pOe","windowsOptions 10 .WindowsSecurityContextOptions pOe","runAsUser 4 int64 pOe","runAsGroup 8 int64 pOe","runAsNonRoot 5 bool pOe","readOnlyRootFilesystem 6 bool pOe","allowPrivilegeEscalation 7 bool pOe",["procMount 9 string pOe",{"enum":["Default","Unmasked"],"alias":"ProcMountType"}],"seccompProfile 11 .SeccompProfile pOe","appArmorProfile 12 .AppArmorProfile pOe"]},
"SerializedReference":{"t":1,"f":["reference 1 .ObjectReference Oe"]},
"Service":{"t":1,"f":["metadata 1 meta.v1.ObjectMeta Oe","spec 2 .ServiceSpec Oe","status 3 .ServiceStatus Oe"]},
"ServiceAccount":{"t":1,"f":["metadata 1 meta.v1.ObjectMeta Oe",["secrets 2 .ObjectReference rOe",{"patchStrategy":"merge","patchMergeKey":"name","listType":"map","listMapKeys":["name"]}],["imagePullSecrets 3 .LocalObjectReference rOe",{"listType":"atomic"}],"automountServiceAccountToken 4 bool pOe"]},
"ServiceAccountList":{"t":1,"f":["metadata 1 meta.v1.ListMeta Oe","items 2 .ServiceAccount rR"]},
"ServiceAccountTokenProjection":{"f":["audience 1 string Oe","expirationSeconds 2 int64 pOe","path 3 string R","user 4 int64 pOe"]},
"ServiceList":{"t":1,"f":["metadata 1 meta.v1.ListMeta Oe","items 2 .Service rR"]},
"ServicePort":{"f":["name 1 string Oe",["protocol 2 string Oe",{"default":"TCP","enum":["TCP","UDP","SCTP"],"alias":"Protocol"}],"appProtocol 6 string pOe","port 3 int32 R","targetPort 4 intstr.IntOrString Oe","nodePort 5 int32 Oe"]},
"ServiceProxyOptions":{"t":1,"f":["path 1 string Oe"]},
"ServiceSpec":{"f":[["ports 1 .ServicePort re",{"patchStrategy":"merge","patchMergeKey":"port","listType":"map","listMapKeys":["port","protocol"]}],["selector 2 string Oem",{"mapType":"atomic"}],"clusterIP 3 string Oe",["clusterIPs 18 string rOe",{"listType":"atomic"}],["type 4 string Oe",{"enum":["ClusterIP","NodePort","LoadBalancer","ExternalName"],"alias":"ServiceType"}],["externalIPs 5 string rOe",{"listType":"atomic"}],["sessionAffinity 7 string Oe",{"enum":["ClientIP","None"],"alias":"ServiceAffinity"}],"loadBalancerIP 8 string Oe",["loadBalancerSourceRanges 9 string rOe",{"listType":"atomic"}],"externalName 10 string Oe",["externalTrafficPolicy 11 string Oe",{"enum":["Cluster","Local"],"alias":"ServiceExternalTrafficPolicy"}],"healthCheckNodePort 12 int32 Oe","publishNotReadyAddresses 13 bool Oe","sessionAffinityConfig 14 .SessionAffinityConfig pOe",["ipFamilies 19 string rOe",{"listType":"atomic","enum":["IPv4","IPv6",""],"alias":"IPFamily"}],["ipFamilyPolicy 17 string pOe",{"enum":["SingleStack","PreferDualStack","RequireDualStack"],"alias":"IPFamilyPolicy"}],"allocateLoadBalancerNodePorts 20 bool pOe","loadBalancerClass 21 string pOe",["internalTrafficPolicy 22 string pOe",{"enum":["Cluster","Local"],"alias":"ServiceInternalTrafficPolicy"}],"trafficDistribution 23 string pOe"]},
"ServiceStatus":{"f":["loadBalancer 1 .LoadBalancerStatus Oe",["conditions 2 meta.v1.Condition rOe",{"patchStrategy":"merge","patchMergeKey":"type","listType":"map","listMapKeys":["type"],"validate":{"alpha@1.37:eachVal>opaqueType":true}}]]},
"SessionAffinityConfig":{"f":["clientIP 1 .ClientIPConfig pOe"]},
"SleepAction":{"f":["seconds 1 int64 R"]},
"StorageOSPersistentVolumeSource":{"f":["volumeName 1 string e","volumeNamespace 2 string Oe","fsType 3 string Oe","readOnly 4 bool Oe","secretRef 5 .ObjectReference pOe"]},
"StorageOSVolumeSource":{"f":["volumeName 1 string e","volumeNamespace 2 string Oe","fsType 3 string Oe","readOnly 4 bool Oe","secretRef 5 .LocalObjectReference pOe"]},
"Sysctl":{"f":["name 1 string R","value 2 string R"]},
"TCPSocketAction":{"f":["port 1 intstr.IntOrString R","host 2 string Oe"]},
"Taint":{"f":["key 1 string R","value 2 string Oe",["effect 3 string R",{"enum":["NoSchedule","PreferNoSchedule","NoExecute"],"alias":"TaintEffect"}],"timeAdded 4 meta.v1.Time pOe"]},
"Toleration":{"f":[["key 1 string Oe",{"validate":{"alpha@1.37:optional":true,"alpha@1.37:format":"k8s-label-key"}}],["operator 2 string Oe",{"enum":["Exists","Equal","Lt","Gt"],"alias":"TolerationOperator"}],"value 3 string Oe",["effect 4 string Oe",{"enum":["NoSchedule","PreferNoSchedule","NoExecute"],"alias":"TaintEffect"}],"tolerationSeconds 5 int64 pOe"]},
"TopologySelectorLabelRequirement":{"f":["key 1 string R",["values 2 string rR",{"listType":"atomic"}]]},
"TopologySelectorTerm":{"structType":"atomic","f":[["matchLabelExpressions 1 .TopologySelectorLabelRequirement rOe",{"listType":"atomic"}]]},
"TopologySpreadConstraint":{"f":["maxSkew 1 int32 R","topologyKey 2 string R",["whenUnsatisfiable 3 string R",{"enum":["DoNotSchedule","ScheduleAnyway"],"alias":"UnsatisfiableConstraintAction"}],"labelSelector 4 meta.v1.LabelSelector pOe","minDomains 5 int32 pOe",["nodeAffinityPolicy 6 string pOe",{"enum":["Ignore","Honor"],"alias":"NodeInclusionPolicy"}],["nodeTaintsPolicy 7 string pOe",{"enum":["Ignore","Honor"],"alias":"NodeInclusionPolicy"}],["matchLabelKeys 8 string rOe",{"listType":"atomic"}]]},
"TypedLocalObjectReference":{"structType":"atomic","f":["apiGroup 1 string pO","kind 2 string R","name 3 string R"]},
"TypedObjectReference":{"f":["apiGroup 1 string pO","kind 2 string R","name 3 string R","namespace 4 string pOe"]},
"Volume":{"f":["name 1 string R"," 2 .VolumeSource i"]},
"VolumeDevice":{"f":["name 1 string R","devicePath 2 string R"]},
"VolumeHealthCondition":{"f":[["status 1 string R",{"enum":["Inaccessible","DataLoss","Degraded"],"alias":"VolumeHealthStatusType","validate":{"enum":true,"required":true}}],["reason 2 string R",{"validate":{"required":true,"maxBytes":256}}],["message 3 string Oe",{"validate":{"optional":true,"maxBytes":1024}}]]},
"VolumeHealthStatus":{"f":[["healthConditions 1 .VolumeHealthCondition rOe",{"patchStrategy":"merge","patchMergeKey":"status","listType":"map","listMapKeys":["status","reason"],"validate":{"optional":true,"listType":"map","listMapKey":["status","reason"],"maxItems":16}}],"lastTransitionTime 2 meta.v1.Time Oe"]},
"VolumeMount":{"f":["name 1 string R","readOnly 2 bool Oe",["recursiveReadOnly 7 string pOe",{"alias":"RecursiveReadOnlyMode"}],"mountPath 3 string R","subPath 4 string Oe",["mountPropagation 5 string pOe",{"enum":["None","HostToContainer","Bidirectional"],"alias":"MountPropagationMode"}],"subPathExpr 6 string Oe",["bindMountOptions 8 string rOe",{"listType":"set"}]]},
"VolumeMountStatus":{"f":["name 1 string R","mountPath 2 string R","readOnly 3 bool Oe",["recursiveReadOnly 4 string pOe",{"alias":"RecursiveReadOnlyMode"}],"volumeStatus 5 .VolumeStatus pOe"]},
"VolumeNodeAffinity":{"f":["required 1 .NodeSelector pe"]},
"VolumeProjection":{"f":["secret 1 .SecretProjection pOe","downwardAPI 2 .DownwardAPIProjection pOe","configMap 3 .ConfigMapProjection pOe","serviceAccountToken 4 .ServiceAccountTokenProjection pOe","clusterTrustBundle 5 .ClusterTrustBundleProjection pOe","podCertificate 6 .PodCertificateProjection pOe"]},
"VolumeResourceRequirements":{"f":[["limits 1 quantity.Quantity Oem",{"alias":"ResourceList"}],["requests 2 quantity.Quantity Oem",{"alias":"ResourceList"}]]},
"VolumeSource":{"f":["hostPath 1 .HostPathVolumeSource pOe","emptyDir 2 .EmptyDirVolumeSource pOe","gcePersistentDisk 3 .GCEPersistentDiskVolumeSource pOe","awsElasticBlockStore 4 .AWSElasticBlockStoreVolumeSource pOe","gitRepo 5 .GitRepoVolumeSource pOe","secret 6 .SecretVolumeSource pOe","nfs 7 .NFSVolumeSource pOe","iscsi 8 .ISCSIVolumeSource pOe","glusterfs 9 .GlusterfsVolumeSource pOe","persistentVolumeClaim 10 .PersistentVolumeClaimVolumeSource pOe","rbd 11 .RBDVolumeSource pOe","flexVolume 12 .FlexVolumeSource pOe","cinder 13 .CinderVolumeSource pOe","cephfs 14 .CephFSVolumeSource pOe","flocker 15 .FlockerVolumeSource pOe","downwardAPI 16 .DownwardAPIVolumeSource pOe","fc 17 .FCVolumeSource pOe","azureFile 18 .AzureFileVolumeSource pOe","configMap 19 .ConfigMapVolumeSource pOe","vsphereVolume 20 .VsphereVirtualDiskVolumeSource pOe","quobyte 21 .QuobyteVolumeSource pOe","azureDisk 22 .AzureDiskVolumeSource pOe","photonPersistentDisk 23 .PhotonPersistentDiskVolumeSource pe","projected 26 .ProjectedVolumeSource pe","portworxVolume 24 .PortworxVolumeSource pOe","scaleIO 25 .ScaleIOVolumeSource pOe","storageos 27 .StorageOSVolumeSource pOe","csi 28 .CSIVolumeSource pOe","ephemeral 29 .EphemeralVolumeSource pOe","image 30 .ImageVolumeSource pOe"]},
"VolumeStatus":{"f":["image 1 .ImageVolumeStatus pOe"]},
"VsphereVirtualDiskVolumeSource":{"f":["volumePath 1 string R","fsType 2 string Oe","storagePolicyName 3 string Oe","storagePolicyID 4 string Oe"]},
"WeightedPodAffinityTerm":{"f":["weight 1 int32 R","podAffinityTerm 2 .PodAffinityTerm R"]},
"WindowsSecurityContextOptions":{"f":["gmsaCredentialSpecName 1 string pOe","gmsaCredentialSpec 2 string pOe","runAsUserName 3 string pOe","hostProcess 4 bool pOe"]}
}`,
};

/** An EBS volume of AWS. It must exist, in the zone of the node, and is mounted on one node at a time. */
export interface AWSElasticBlockStoreVolumeSource {
  volumeID: string;
  fsType?: string;
  partition?: number;
  readOnly?: boolean;
}
/** Three kinds of rules for the place of a pod: by labels of nodes, near other pods, and away from other pods. */
export interface Affinity {
  nodeAffinity?: NodeAffinity;
  podAffinity?: PodAffinity;
  podAntiAffinity?: PodAntiAffinity;
}
/** Which AppArmor profile confines a container or all of a pod. */
export interface AppArmorProfile {
  type: "Unconfined" | "RuntimeDefault" | "Localhost";
  localhostProfile?: string;
}
/** A volume that is attached to a node, and the device under which it is found there. */
export interface AttachedVolume {
  name: string;
  devicePath: string;
}
export interface AvoidPods {
  preferAvoidPods?: PreferAvoidPodsEntry[];
}
/** A data disk of Azure, mounted on the node and from there into the pod. */
export interface AzureDiskVolumeSource {
  diskName: string;
  diskURI: string;
  cachingMode?: "None" | "ReadOnly" | "ReadWrite";
  fsType?: string;
  readOnly?: boolean;
  kind?: "Shared" | "Dedicated" | "Managed";
}
/** A file share of Azure, mounted on the node and from there into the pod. */
export interface AzureFilePersistentVolumeSource {
  secretName: string;
  shareName: string;
  readOnly?: boolean;
  secretNamespace?: string | null;
}
/** A file share of Azure, mounted on the node and from there into the pod. */
export interface AzureFileVolumeSource {
  secretName: string;
  shareName: string;
  readOnly?: boolean;
}
/** Puts a pod on a node. A scheduler posts it to the pod's subresource binding, and the API server then writes the node into the pod. It can be done only once for each pod. */
export interface Binding {
  apiVersion?: string;
  kind?: string;
  metadata?: meta_v1.ObjectMeta;
  target: ObjectReference;
}
/** A volume kept by a CSI driver. References to secrets give name and namespace; all keys of the secret go to the driver. */
export interface CSIPersistentVolumeSource {
  driver: string;
  volumeHandle: string;
  readOnly?: boolean;
  fsType?: string;
  volumeAttributes?: Record<string, string>;
  controllerPublishSecretRef?: SecretReference;
  nodeStageSecretRef?: SecretReference;
  nodePublishSecretRef?: SecretReference;
  controllerExpandSecretRef?: SecretReference;
  nodeExpandSecretRef?: SecretReference;
}
/** A volume made by a CSI driver on the node, as part of the pod. */
export interface CSIVolumeSource {
  driver: string;
  readOnly?: boolean;
  fsType?: string;
  volumeAttributes?: Record<string, string>;
  nodePublishSecretRef?: LocalObjectReference;
}
/** Linux capabilities that a container gets or loses, as against the usual set of the container runtime. */
export interface Capabilities {
  add?: string[];
  drop?: string[];
}
/** A directory of a Ceph file system. Deprecated and no longer supported. */
export interface CephFSPersistentVolumeSource {
  monitors: string[] | null;
  path?: string;
  user?: string;
  secretFile?: string;
  secretRef?: SecretReference;
  readOnly?: boolean;
}
/** A directory of a Ceph file system. Deprecated and no longer supported. */
export interface CephFSVolumeSource {
  monitors: string[] | null;
  path?: string;
  user?: string;
  secretFile?: string;
  secretRef?: LocalObjectReference;
  readOnly?: boolean;
}
/** A Cinder volume of OpenStack. It must exist, in the region of the node. */
export interface CinderPersistentVolumeSource {
  volumeID: string;
  fsType?: string;
  readOnly?: boolean;
  secretRef?: SecretReference;
}
/** A Cinder volume of OpenStack. It must exist, in the region of the node. */
export interface CinderVolumeSource {
  volumeID: string;
  fsType?: string;
  readOnly?: boolean;
  secretRef?: LocalObjectReference;
}
/** How long a client stays with the same pod when sessionAffinity is ClientIP. */
export interface ClientIPConfig {
  timeoutSeconds?: number;
}
/** Root certificates out of cluster trust bundles, in one PEM file. Choose the bundles either by name or by signerName with labelSelector. */
export interface ClusterTrustBundleProjection {
  name?: string;
  signerName?: string;
  labelSelector?: meta_v1.LabelSelector;
  optional?: boolean;
  path: string;
  user?: Int64;
}
/** One statement about a part of the control plane. Healthy is the only type. */
export interface ComponentCondition {
  type: string;
  status: string;
  message?: string;
  error?: string;
}
/** Health of one part of the control plane. Deprecated; use the health endpoints of the components themselves. */
export interface ComponentStatus {
  apiVersion?: string;
  kind?: string;
  metadata?: meta_v1.ObjectMeta;
  conditions?: ComponentCondition[];
}
/** List of component statuses. */
export interface ComponentStatusList {
  apiVersion?: string;
  kind?: string;
  metadata?: meta_v1.ListMeta;
  items: ComponentStatus[] | null;
}
/** Plain settings, as keys with values, that pods read as environment variables, arguments or files. Not for secrets. */
export interface ConfigMap {
  apiVersion?: string;
  kind?: string;
  metadata?: meta_v1.ObjectMeta;
  immutable?: boolean;
  data?: Record<string, string>;
  binaryData?: Record<string, string>;
}
/** A config map, in the namespace of the pod, whose data become environment variables. */
export interface ConfigMapEnvSource {
  name?: string;
  optional?: boolean;
}
/** One key of a config map in the namespace of the pod. */
export interface ConfigMapKeySelector {
  name?: string;
  key: string;
  optional?: boolean;
}
/** List of config maps. */
export interface ConfigMapList {
  apiVersion?: string;
  kind?: string;
  metadata?: meta_v1.ListMeta;
  items: ConfigMap[] | null;
}
/** Names the config map from which a node was to take its configuration. Deprecated: the feature has been removed. */
export interface ConfigMapNodeConfigSource {
  namespace: string;
  name: string;
  uid?: string;
  resourceVersion?: string;
  kubeletConfigKey: string;
}
/** Files in a projected volume made from a config map. */
export interface ConfigMapProjection {
  name?: string;
  items?: KeyToPath[];
  optional?: boolean;
}
/** Files in a volume made from a config map. Changes of the config map reach the files after a while, but not mounts with subPath. */
export interface ConfigMapVolumeSource {
  name?: string;
  items?: KeyToPath[];
  defaultMode?: number;
  optional?: boolean;
  defaultUser?: Int64;
}
/** One container of a pod: the image it runs, with which command, environment, volumes, probes and limits. */
export interface Container {
  name: string;
  image?: string;
  command?: string[];
  args?: string[];
  workingDir?: string;
  ports?: ContainerPort[];
  envFrom?: EnvFromSource[];
  env?: EnvVar[];
  resources?: ResourceRequirements;
  resizePolicy?: ContainerResizePolicy[];
  restartPolicy?: string;
  restartPolicyRules?: ContainerRestartRule[];
  volumeMounts?: VolumeMount[];
  volumeDevices?: VolumeDevice[];
  livenessProbe?: Probe;
  readinessProbe?: Probe;
  startupProbe?: Probe;
  lifecycle?: Lifecycle;
  terminationMessagePath?: string;
  terminationMessagePolicy?: "File" | "FallbackToLogsOnError";
  imagePullPolicy?: "Always" | "Never" | "IfNotPresent";
  securityContext?: SecurityContext;
  stdin?: boolean;
  stdinOnce?: boolean;
  tty?: boolean;
}
/** Tells which request of the generated claim serves one extended resource of one container. */
export interface ContainerExtendedResourceRequest {
  containerName: string;
  resourceName: string;
  requestName: string;
}
/** A container image that lies on a node. */
export interface ContainerImage {
  names?: string[] | null;
  sizeBytes?: Int64;
}
/** A port that a container listens on. */
export interface ContainerPort {
  name?: string;
  hostPort?: number;
  containerPort: number;
  protocol?: "TCP" | "UDP" | "SCTP";
  hostIP?: string;
}
/** Whether a change of one resource restarts the container. */
export interface ContainerResizePolicy {
  resourceName: string;
  restartPolicy: string;
}
/** One rule for the end of a container: when its exit code fits, the action is taken. */
export interface ContainerRestartRule {
  action?: string;
  exitCodes?: ContainerRestartRuleOnExitCodes;
}
/** A condition on the exit code of a container. */
export interface ContainerRestartRuleOnExitCodes {
  operator?: string;
  values?: number[];
}
/** Where a container stands now. At most one member is set; with none set the container counts as waiting. */
export interface ContainerState {
  waiting?: ContainerStateWaiting;
  running?: ContainerStateRunning;
  terminated?: ContainerStateTerminated;
}
/** Details of a container that runs. */
export interface ContainerStateRunning {
  startedAt?: meta_v1.Time;
}
/** Details of a container that has ended: its exit code, the reason and the times. */
export interface ContainerStateTerminated {
  exitCode: number;
  signal?: number;
  reason?: string;
  message?: string;
  startedAt?: meta_v1.Time;
  finishedAt?: meta_v1.Time;
  containerID?: string;
}
/** Details of a container that does not run yet, such as one whose image is still on its way. */
export interface ContainerStateWaiting {
  reason?: string;
  message?: string;
}
/** What the node agent has seen last of one container in a pod. */
export interface ContainerStatus {
  name: string;
  state?: ContainerState;
  lastState?: ContainerState;
  ready: boolean;
  restartCount: number;
  image: string;
  imageID: string;
  containerID?: string;
  started?: boolean;
  allocatedResources?: Record<string, quantity.Quantity>;
  resources?: ResourceRequirements;
  volumeMounts?: VolumeMountStatus[];
  user?: ContainerUser;
  allocatedResourcesStatus?: ResourceStatus[];
  stopSignal?: "SIGABRT" | "SIGALRM" | "SIGBUS" | "SIGCHLD" | "SIGCLD" | "SIGCONT" | "SIGFPE" | "SIGHUP" | "SIGILL" | "SIGINT" | "SIGIO" | "SIGIOT" | "SIGKILL" | "SIGPIPE" | "SIGPOLL" | "SIGPROF" | "SIGPWR" | "SIGQUIT" | "SIGSEGV" | "SIGSTKFLT" | "SIGSTOP" | "SIGSYS" | "SIGTERM" | "SIGTRAP" | "SIGTSTP" | "SIGTTIN" | "SIGTTOU" | "SIGURG" | "SIGUSR1" | "SIGUSR2" | "SIGVTALRM" | "SIGWINCH" | "SIGXCPU" | "SIGXFSZ" | "SIGRTMIN" | "SIGRTMIN+1" | "SIGRTMIN+2" | "SIGRTMIN+3" | "SIGRTMIN+4" | "SIGRTMIN+5" | "SIGRTMIN+6" | "SIGRTMIN+7" | "SIGRTMIN+8" | "SIGRTMIN+9" | "SIGRTMIN+10" | "SIGRTMIN+11" | "SIGRTMIN+12" | "SIGRTMIN+13" | "SIGRTMIN+14" | "SIGRTMIN+15" | "SIGRTMAX-14" | "SIGRTMAX-13" | "SIGRTMAX-12" | "SIGRTMAX-11" | "SIGRTMAX-10" | "SIGRTMAX-9" | "SIGRTMAX-8" | "SIGRTMAX-7" | "SIGRTMAX-6" | "SIGRTMAX-5" | "SIGRTMAX-4" | "SIGRTMAX-3" | "SIGRTMAX-2" | "SIGRTMAX-1" | "SIGRTMAX";
}
/** The identity with which the first process of a container was started. */
export interface ContainerUser {
  linux?: LinuxContainerUser;
}
/** Where a daemon of the node can be reached. */
export interface DaemonEndpoint {
  Port: number;
}
/** Files in a projected volume that hold facts about the pod. */
export interface DownwardAPIProjection {
  items?: DownwardAPIVolumeFile[];
}
/** One file with a fact about the pod. Give either fieldRef or resourceFieldRef. */
export interface DownwardAPIVolumeFile {
  path: string;
  fieldRef?: ObjectFieldSelector;
  resourceFieldRef?: ResourceFieldSelector;
  mode?: number;
  user?: Int64;
}
/** Files in a volume that hold facts about the pod. Changed labels and annotations reach the files after a while. */
export interface DownwardAPIVolumeSource {
  items?: DownwardAPIVolumeFile[];
  defaultMode?: number;
  defaultUser?: Int64;
}
/** Settings of a scratch directory that lives as long as the pod does. */
export interface EmptyDirVolumeSource {
  medium?: string;
  sizeLimit?: quantity.Quantity;
  mode?: number;
}
/** One address that serves a service. Deprecated along with Endpoints. */
export interface EndpointAddress {
  ip: string;
  hostname?: string;
  nodeName?: string;
  targetRef?: ObjectReference;
}
/** One port that the addresses of a subset serve. Deprecated along with Endpoints. */
export interface EndpointPort {
  name?: string;
  port: number;
  protocol?: "TCP" | "UDP" | "SCTP";
  appProtocol?: string;
}
/** Addresses that all serve the same ports. Every address stands for an endpoint on every port. Deprecated along with Endpoints. */
export interface EndpointSubset {
  addresses?: EndpointAddress[];
  notReadyAddresses?: EndpointAddress[];
  ports?: EndpointPort[];
}
/** Addresses and ports behind the service of the same name. Deprecated and incomplete for some services; use EndpointSlice instead. */
export interface Endpoints {
  apiVersion?: string;
  kind?: string;
  metadata?: meta_v1.ObjectMeta;
  subsets?: EndpointSubset[];
}
/** List of endpoints. */
export interface EndpointsList {
  apiVersion?: string;
  kind?: string;
  metadata?: meta_v1.ListMeta;
  items: Endpoints[] | null;
}
/** A config map or a secret whose keys become environment variables. Exactly one of the two must be set. */
export interface EnvFromSource {
  prefix?: string;
  configMapRef?: ConfigMapEnvSource;
  secretRef?: SecretEnvSource;
}
/** One environment variable, with a value given here or taken from elsewhere. */
export interface EnvVar {
  name: string;
  value?: string;
  valueFrom?: EnvVarSource;
}
/** Source of the value of an environment variable. Exactly one member must be set. */
export interface EnvVarSource {
  fieldRef?: ObjectFieldSelector;
  resourceFieldRef?: ResourceFieldSelector;
  configMapKeyRef?: ConfigMapKeySelector;
  secretKeyRef?: SecretKeySelector;
  fileKeyRef?: FileKeySelector;
}
/** A container put into a running pod for a while, mostly for debugging. Nothing is reserved for it, it is never restarted, and it cannot be taken out again. Added by way of the subresource ephemeralcontainers. */
export interface EphemeralContainer {
  name: string;
  image?: string;
  command?: string[];
  args?: string[];
  workingDir?: string;
  ports?: ContainerPort[];
  envFrom?: EnvFromSource[];
  env?: EnvVar[];
  resources?: ResourceRequirements;
  resizePolicy?: ContainerResizePolicy[];
  restartPolicy?: string;
  restartPolicyRules?: ContainerRestartRule[];
  volumeMounts?: VolumeMount[];
  volumeDevices?: VolumeDevice[];
  livenessProbe?: Probe;
  readinessProbe?: Probe;
  startupProbe?: Probe;
  lifecycle?: Lifecycle;
  terminationMessagePath?: string;
  terminationMessagePolicy?: "File" | "FallbackToLogsOnError";
  imagePullPolicy?: "Always" | "Never" | "IfNotPresent";
  securityContext?: SecurityContext;
  stdin?: boolean;
  stdinOnce?: boolean;
  tty?: boolean;
  targetContainerName?: string;
}
export interface EphemeralContainerCommon {
  name: string;
  image?: string;
  command?: string[];
  args?: string[];
  workingDir?: string;
  ports?: ContainerPort[];
  envFrom?: EnvFromSource[];
  env?: EnvVar[];
  resources?: ResourceRequirements;
  resizePolicy?: ContainerResizePolicy[];
  restartPolicy?: string;
  restartPolicyRules?: ContainerRestartRule[];
  volumeMounts?: VolumeMount[];
  volumeDevices?: VolumeDevice[];
  livenessProbe?: Probe;
  readinessProbe?: Probe;
  startupProbe?: Probe;
  lifecycle?: Lifecycle;
  terminationMessagePath?: string;
  terminationMessagePolicy?: "File" | "FallbackToLogsOnError";
  imagePullPolicy?: "Always" | "Never" | "IfNotPresent";
  securityContext?: SecurityContext;
  stdin?: boolean;
  stdinOnce?: boolean;
  tty?: boolean;
}
/** A volume whose claim comes and goes with the pod. */
export interface EphemeralVolumeSource {
  volumeClaimTemplate?: PersistentVolumeClaimTemplate;
}
/** A note that something happened to an object, for people and for tools that watch. Events are best effort, may be merged and are kept for a limited time only. */
export interface Event {
  apiVersion?: string;
  kind?: string;
  metadata: meta_v1.ObjectMeta;
  involvedObject: ObjectReference;
  reason?: string;
  message?: string;
  source?: EventSource;
  firstTimestamp?: meta_v1.Time;
  lastTimestamp?: meta_v1.Time;
  count?: number;
  type?: string;
  eventTime?: meta_v1.MicroTime;
  series?: EventSeries;
  action?: string;
  related?: ObjectReference;
  reportingComponent?: string;
  reportingInstance?: string;
}
/** List of events. */
export interface EventList {
  apiVersion?: string;
  kind?: string;
  metadata?: meta_v1.ListMeta;
  items: Event[] | null;
}
/** Repeats of an event that went on happening. */
export interface EventSeries {
  count?: number;
  lastObservedTime?: meta_v1.MicroTime;
}
/** Where an event comes from, in the older form. */
export interface EventSource {
  component?: string;
  host?: string;
}
/** A party that handles a requested eviction of the pod. It reports progress in the status of the Eviction; when it falls silent for too long, the next one is asked. */
export interface EvictionResponder {
  name: string;
  priority?: number | null;
}
/** A command to run inside the container. Exit status 0 means success, any other failure. */
export interface ExecAction {
  command?: string[];
}
/** A disk reached over Fibre Channel. Name it by targetWWNs with lun, or by wwids. Only one node at a time may mount it for writing. */
export interface FCVolumeSource {
  targetWWNs?: string[];
  lun?: number;
  fsType?: string;
  readOnly?: boolean;
  wwids?: string[];
}
/** One key of a file with environment variables that lies on a volume of the pod. */
export interface FileKeySelector {
  volumeName: string;
  path: string;
  key: string;
  optional?: boolean;
}
/** A volume handled by a FlexVolume driver, a program the node agent calls. Deprecated in favour of CSI. */
export interface FlexPersistentVolumeSource {
  driver: string;
  fsType?: string;
  secretRef?: SecretReference;
  readOnly?: boolean;
  options?: Record<string, string>;
}
/** A volume handled by a FlexVolume driver, a program the node agent calls. Deprecated in favour of CSI. */
export interface FlexVolumeSource {
  driver: string;
  fsType?: string;
  secretRef?: LocalObjectReference;
  readOnly?: boolean;
  options?: Record<string, string>;
}
/** A dataset of Flocker, named by exactly one of the members. Deprecated and no longer supported. */
export interface FlockerVolumeSource {
  datasetName?: string;
  datasetUUID?: string;
}
/** A disk of Google Compute Engine. It must exist, in the project and zone of the node. One node may write to it, or many may read. */
export interface GCEPersistentDiskVolumeSource {
  pdName: string;
  fsType?: string;
  partition?: number;
  readOnly?: boolean;
}
/** A call to the gRPC health service of the container. */
export interface GRPCAction {
  port: number;
  service?: string | null;
  mode?: "Plaintext" | "TLS";
}
/** A clone of a git repository. Deprecated and switched off: the node agent refuses such volumes. */
export interface GitRepoVolumeSource {
  repository: string;
  revision?: string;
  directory?: string;
}
/** A volume of a Gluster file system. Deprecated and no longer supported. */
export interface GlusterfsPersistentVolumeSource {
  endpoints: string;
  path: string;
  readOnly?: boolean;
  endpointsNamespace?: string;
}
/** A volume of a Gluster file system. Deprecated and no longer supported. */
export interface GlusterfsVolumeSource {
  endpoints: string;
  path: string;
  readOnly?: boolean;
}
/** A GET request over HTTP to the container. For a probe, a status from 200 to 399 means success. */
export interface HTTPGetAction {
  path?: string;
  port: intstr.IntOrString;
  host?: string;
  scheme?: "HTTP" | "HTTPS";
  httpHeaders?: HTTPHeader[];
  protocol?: "HTTP1" | "HTTP2";
}
/** One header of a request that a probe or hook sends. */
export interface HTTPHeader {
  name: string;
  value: string;
}
/** One address and the names it shall have in the hosts file of the pod. */
export interface HostAlias {
  ip: string;
  hostnames?: string[];
}
/** One address of the node on which a pod runs. */
export interface HostIP {
  ip: string;
}
/** A file or directory of the node. Ownership and SELinux labels are left as they are. */
export interface HostPathVolumeSource {
  path: string;
  type?: "" | "DirectoryOrCreate" | "Directory" | "FileOrCreate" | "File" | "Socket" | "CharDevice" | "BlockDevice";
}
/** A disk reached over iSCSI. Only one node at a time may mount it for writing. */
export interface ISCSIPersistentVolumeSource {
  targetPortal: string;
  iqn: string;
  lun: number;
  iscsiInterface?: string;
  fsType?: string;
  readOnly?: boolean;
  portals?: string[];
  chapAuthDiscovery?: boolean;
  chapAuthSession?: boolean;
  secretRef?: SecretReference;
  initiatorName?: string;
}
/** A disk reached over iSCSI. Only one node at a time may mount it for writing. */
export interface ISCSIVolumeSource {
  targetPortal: string;
  iqn: string;
  lun: number;
  iscsiInterface?: string;
  fsType?: string;
  readOnly?: boolean;
  portals?: string[];
  chapAuthDiscovery?: boolean;
  chapAuthSession?: boolean;
  secretRef?: LocalObjectReference;
  initiatorName?: string;
}
/** Contents of an OCI image or artifact as a read-only volume. Resolved anew for each new pod. */
export interface ImageVolumeSource {
  reference?: string;
  pullPolicy?: "Always" | "Never" | "IfNotPresent";
}
/** Which image stands behind a volume of the type image. */
export interface ImageVolumeStatus {
  imageRef?: string;
}
/** Puts one key of a secret or config map into a file of the volume. */
export interface KeyToPath {
  key: string;
  path: string;
  mode?: number;
  user?: Int64;
}
/** Hooks around start and stop of a container, and the signal that stops it. */
export interface Lifecycle {
  postStart?: LifecycleHandler;
  preStop?: LifecycleHandler;
  stopSignal?: "SIGABRT" | "SIGALRM" | "SIGBUS" | "SIGCHLD" | "SIGCLD" | "SIGCONT" | "SIGFPE" | "SIGHUP" | "SIGILL" | "SIGINT" | "SIGIO" | "SIGIOT" | "SIGKILL" | "SIGPIPE" | "SIGPOLL" | "SIGPROF" | "SIGPWR" | "SIGQUIT" | "SIGSEGV" | "SIGSTKFLT" | "SIGSTOP" | "SIGSYS" | "SIGTERM" | "SIGTRAP" | "SIGTSTP" | "SIGTTIN" | "SIGTTOU" | "SIGURG" | "SIGUSR1" | "SIGUSR2" | "SIGVTALRM" | "SIGWINCH" | "SIGXCPU" | "SIGXFSZ" | "SIGRTMIN" | "SIGRTMIN+1" | "SIGRTMIN+2" | "SIGRTMIN+3" | "SIGRTMIN+4" | "SIGRTMIN+5" | "SIGRTMIN+6" | "SIGRTMIN+7" | "SIGRTMIN+8" | "SIGRTMIN+9" | "SIGRTMIN+10" | "SIGRTMIN+11" | "SIGRTMIN+12" | "SIGRTMIN+13" | "SIGRTMIN+14" | "SIGRTMIN+15" | "SIGRTMAX-14" | "SIGRTMAX-13" | "SIGRTMAX-12" | "SIGRTMAX-11" | "SIGRTMAX-10" | "SIGRTMAX-9" | "SIGRTMAX-8" | "SIGRTMAX-7" | "SIGRTMAX-6" | "SIGRTMAX-5" | "SIGRTMAX-4" | "SIGRTMAX-3" | "SIGRTMAX-2" | "SIGRTMAX-1" | "SIGRTMAX";
}
/** What a hook does. Exactly one member must be set. */
export interface LifecycleHandler {
  exec?: ExecAction;
  httpGet?: HTTPGetAction;
  tcpSocket?: TCPSocketAction;
  sleep?: SleepAction;
}
/** Bounds and defaults for what single pods, containers and claims of a namespace may ask for. Checked when such objects are created or resized; what exists already is left alone. */
export interface LimitRange {
  apiVersion?: string;
  kind?: string;
  metadata?: meta_v1.ObjectMeta;
  spec?: LimitRangeSpec;
}
/** Bounds and defaults for one type of thing. */
export interface LimitRangeItem {
  type: string;
  max?: Record<string, quantity.Quantity>;
  min?: Record<string, quantity.Quantity>;
  default?: Record<string, quantity.Quantity>;
  defaultRequest?: Record<string, quantity.Quantity>;
  maxLimitRequestRatio?: Record<string, quantity.Quantity>;
}
/** List of limit ranges. */
export interface LimitRangeList {
  apiVersion?: string;
  kind?: string;
  metadata?: meta_v1.ListMeta;
  items: LimitRange[] | null;
}
/** The bounds and defaults that a limit range sets. */
export interface LimitRangeSpec {
  limits: LimitRangeItem[] | null;
}
/** User and groups with which a container's first process began. A process with the rights to do so may have changed them since. */
export interface LinuxContainerUser {
  uid: Int64;
  gid: Int64;
  supplementalGroups?: Int64[];
}
/** List of s. */
export interface List {
  apiVersion?: string;
  kind?: string;
  metadata?: meta_v1.ListMeta;
  items: runtime.RawExtension[] | null;
}
/** One place at which a load balancer takes traffic for a service. */
export interface LoadBalancerIngress {
  ip?: string;
  hostname?: string;
  ipMode?: string;
  ports?: PortStatus[];
}
/** Where the load balancer of a service can be reached. */
export interface LoadBalancerStatus {
  ingress?: LoadBalancerIngress[];
}
/** Points to an object in the same namespace by its name alone; the place of use tells the kind. */
export interface LocalObjectReference {
  name?: string;
}
/** A disk, partition or directory of one node. The volume needs nodeAffinity for that node. */
export interface LocalVolumeSource {
  path: string;
  fsType?: string;
}
/** State of a change of a volume's attributes. */
export interface ModifyVolumeStatus {
  targetVolumeAttributesClassName?: string;
  status: "Pending" | "InProgress" | "Infeasible";
}
/** A directory exported by an NFS server. Ownership and SELinux labels are left as they are. */
export interface NFSVolumeSource {
  server: string;
  path: string;
  readOnly?: boolean;
}
/** A space of names. Objects of different namespaces may bear the same name, and rights, quotas and deletion can be settled for each namespace on its own. */
export interface Namespace {
  apiVersion?: string;
  kind?: string;
  metadata?: meta_v1.ObjectMeta;
  spec?: NamespaceSpec;
  status?: NamespaceStatus;
}
/** One statement about a namespace that is being deleted, such as what still holds it up. */
export interface NamespaceCondition {
  type: string;
  status: string;
  lastTransitionTime?: meta_v1.Time;
  reason?: string;
  message?: string;
}
/** List of namespaces. */
export interface NamespaceList {
  apiVersion?: string;
  kind?: string;
  metadata?: meta_v1.ListMeta;
  items: Namespace[] | null;
}
/** What is settled about a namespace from outside: only what must happen before it may vanish. */
export interface NamespaceSpec {
  finalizers?: string[];
}
/** Whether a namespace is in use or being deleted, and what holds the deletion up. */
export interface NamespaceStatus {
  phase?: "Active" | "Terminating";
  conditions?: NamespaceCondition[];
}
/** A machine on which pods run. Made by the node agent itself when it registers, or by the cloud's controller; removed when the machine is gone. */
export interface Node {
  apiVersion?: string;
  kind?: string;
  metadata?: meta_v1.ObjectMeta;
  spec?: NodeSpec;
  status?: NodeStatus;
}
/** One address of a node, and what kind of address it is. */
export interface NodeAddress {
  type: string;
  address: string;
}
/** Rules about nodes, hard and soft. They count when the pod is placed; what changes on the node afterwards does not move it. */
export interface NodeAffinity {
  requiredDuringSchedulingIgnoredDuringExecution?: NodeSelector;
  preferredDuringSchedulingIgnoredDuringExecution?: PreferredSchedulingTerm[];
}
/** Amount of one resource of the node, such as cpu or memory, that a claim brings to the pod. */
export interface NodeAllocatableMappedResources {
  name: string;
  quantity?: quantity.Quantity | null;
}
/** Further amount of one resource that the use of a claim costs. At least one of perPod and perContainer is set. */
export interface NodeAllocatableOverheadResources {
  name: string;
  perPod?: quantity.Quantity;
  perContainer?: quantity.Quantity;
}
/** What one claim of the pod brings or costs in resources that the node otherwise gives out itself, such as cpu and memory. Alpha, behind the gate DRANodeAllocatableResources. */
export interface NodeAllocatableResourceClaimStatus {
  resourceClaimName: string;
  containers?: string[];
  mapping?: NodeAllocatableMappedResources[];
  overhead?: NodeAllocatableOverheadResources[];
}
/** One statement about a node, such as whether it is ready or short of memory. */
export interface NodeCondition {
  type: string;
  status: string;
  lastHeartbeatTime?: meta_v1.Time;
  lastTransitionTime?: meta_v1.Time;
  reason?: string;
  message?: string;
}
/** Where a node was to take its configuration from. Exactly one member is set. Deprecated: the feature has been removed. */
export interface NodeConfigSource {
  configMap?: ConfigMapNodeConfigSource;
}
/** How the configuration named in spec.configSource stood on the node. Deprecated: the feature has been removed and nothing writes this any more. */
export interface NodeConfigStatus {
  assigned?: NodeConfigSource;
  active?: NodeConfigSource;
  lastKnownGood?: NodeConfigSource;
  error?: string;
}
/** Where the daemons of a node can be reached. */
export interface NodeDaemonEndpoints {
  kubeletEndpoint?: DaemonEndpoint;
}
/** What the container runtime of a node can do, whichever handler is used. */
export interface NodeFeatures {
  supplementalGroupsPolicy?: boolean;
}
/** List of nodes. */
export interface NodeList {
  apiVersion?: string;
  kind?: string;
  metadata?: meta_v1.ListMeta;
  items: Node[] | null;
}
/** Rules of a node about pushing pods out for others. Alpha, behind the gate InPlacePodVerticalScalingSchedulerPreemption. */
export interface NodePodPreemptionPolicy {
  disableResizePreemption?: string[];
}
export interface NodeProxyOptions {
  apiVersion?: string;
  kind?: string;
  path?: string;
}
/** A handler of the container runtime on a node, and what it can do. */
export interface NodeRuntimeHandler {
  name?: string;
  features?: NodeRuntimeHandlerFeatures;
}
/** What a handler of the container runtime can do. A member that is not set counts as false. */
export interface NodeRuntimeHandlerFeatures {
  recursiveReadOnlyMounts?: boolean;
  userNamespaces?: boolean;
}
/** A choice of nodes. A node is chosen when at least one of the terms fits it. */
export interface NodeSelector {
  nodeSelectorTerms: NodeSelectorTerm[] | null;
}
/** One requirement on a label or member of a node. */
export interface NodeSelectorRequirement {
  key: string;
  operator: "In" | "NotIn" | "Exists" | "DoesNotExist" | "Gt" | "Lt";
  values?: string[];
}
/** One alternative of a node selector. All its requirements must hold; a term without any fits no node. */
export interface NodeSelectorTerm {
  matchExpressions?: NodeSelectorRequirement[];
  matchFields?: NodeSelectorRequirement[];
}
/** What is settled about a node from outside: its address ranges, its taints and whether it takes new pods. */
export interface NodeSpec {
  podCIDR?: string;
  podCIDRs?: string[];
  providerID?: string;
  unschedulable?: boolean;
  taints?: Taint[];
  configSource?: NodeConfigSource;
  externalID?: string;
  podPreemptionPolicy?: NodePodPreemptionPolicy;
}
/** What is known of a node: its size, condition, addresses and software. Written by the node agent for the most part. */
export interface NodeStatus {
  capacity?: Record<string, quantity.Quantity>;
  allocatable?: Record<string, quantity.Quantity>;
  phase?: "Pending" | "Running" | "Terminated";
  conditions?: NodeCondition[];
  addresses?: NodeAddress[];
  daemonEndpoints?: NodeDaemonEndpoints;
  nodeInfo?: NodeSystemInfo;
  images?: ContainerImage[];
  volumesInUse?: string[];
  volumesAttached?: AttachedVolume[];
  config?: NodeConfigStatus;
  runtimeHandlers?: NodeRuntimeHandler[];
  features?: NodeFeatures;
  declaredFeatures?: string[];
}
/** How much swap memory a node has. */
export interface NodeSwapStatus {
  capacity?: Int64;
}
/** Ids of a machine and versions of the software on it, as its node agent reports them. */
export interface NodeSystemInfo {
  machineID: string;
  systemUUID: string;
  bootID: string;
  kernelVersion: string;
  osImage: string;
  containerRuntimeVersion: string;
  kubeletVersion: string;
  kubeProxyVersion: string;
  operatingSystem: string;
  architecture: string;
  swap?: NodeSwapStatus;
  runningInUserNamespace?: boolean;
}
/** A member of the pod, by its path. */
export interface ObjectFieldSelector {
  apiVersion?: string;
  fieldPath: string;
}
/** Points at an object of any kind. Which members count depends on where the reference stands. */
export interface ObjectReference {
  kind?: string;
  namespace?: string;
  name?: string;
  uid?: string;
  apiVersion?: string;
  resourceVersion?: string;
  fieldPath?: string;
}
/** A piece of storage the cluster has, made by hand or by a provisioner. It belongs to no namespace, and is bound to at most one claim at a time. */
export interface PersistentVolume {
  apiVersion?: string;
  kind?: string;
  metadata?: meta_v1.ObjectMeta;
  spec?: PersistentVolumeSpec;
  status?: PersistentVolumeStatus;
}
/** Asks for storage in a namespace and, once bound, stands for one persistent volume. Pods use the volume by the name of the claim. */
export interface PersistentVolumeClaim {
  apiVersion?: string;
  kind?: string;
  metadata?: meta_v1.ObjectMeta;
  spec?: PersistentVolumeClaimSpec;
  status?: PersistentVolumeClaimStatus;
}
/** One observation about a claim, true, false or unknown. */
export interface PersistentVolumeClaimCondition {
  type: string;
  status: string;
  lastProbeTime?: meta_v1.Time;
  lastTransitionTime?: meta_v1.Time;
  reason?: string;
  message?: string;
}
/** List of persistent volume claims. */
export interface PersistentVolumeClaimList {
  apiVersion?: string;
  kind?: string;
  metadata?: meta_v1.ListMeta;
  items: PersistentVolumeClaim[] | null;
}
/** What storage is wanted. Cannot be changed, except resources.requests and volumeAttributesClassName of a bound claim; an unset volumeName or storageClassName may be filled in later. */
export interface PersistentVolumeClaimSpec {
  accessModes?: ("ReadWriteOnce" | "ReadOnlyMany" | "ReadWriteMany" | "ReadWriteOncePod")[];
  selector?: meta_v1.LabelSelector;
  resources?: VolumeResourceRequirements;
  volumeName?: string;
  storageClassName?: string;
  volumeMode?: "Block" | "Filesystem";
  dataSource?: TypedLocalObjectReference;
  dataSourceRef?: TypedObjectReference;
  volumeAttributesClassName?: string;
}
/** What has become of the request for storage. */
export interface PersistentVolumeClaimStatus {
  phase?: "Pending" | "Bound" | "Lost";
  accessModes?: ("ReadWriteOnce" | "ReadOnlyMany" | "ReadWriteMany" | "ReadWriteOncePod")[];
  capacity?: Record<string, quantity.Quantity>;
  conditions?: PersistentVolumeClaimCondition[];
  allocatedResources?: Record<string, quantity.Quantity>;
  allocatedResourceStatuses?: Record<string, string>;
  currentVolumeAttributesClassName?: string;
  modifyVolumeStatus?: ModifyVolumeStatus;
  healthStatus?: VolumeHealthStatus;
}
/** Pattern for the claim of an ephemeral volume. */
export interface PersistentVolumeClaimTemplate {
  metadata?: meta_v1.ObjectMeta;
  spec: PersistentVolumeClaimSpec;
}
/** Uses whatever volume is bound to a claim. The pod waits until the claim is bound. */
export interface PersistentVolumeClaimVolumeSource {
  claimName: string;
  readOnly?: boolean;
}
/** List of persistent volumes. */
export interface PersistentVolumeList {
  apiVersion?: string;
  kind?: string;
  metadata?: meta_v1.ListMeta;
  items: PersistentVolume[] | null;
}
export interface PersistentVolumeSource {
  gcePersistentDisk?: GCEPersistentDiskVolumeSource;
  awsElasticBlockStore?: AWSElasticBlockStoreVolumeSource;
  hostPath?: HostPathVolumeSource;
  glusterfs?: GlusterfsPersistentVolumeSource;
  nfs?: NFSVolumeSource;
  rbd?: RBDPersistentVolumeSource;
  iscsi?: ISCSIPersistentVolumeSource;
  cinder?: CinderPersistentVolumeSource;
  cephfs?: CephFSPersistentVolumeSource;
  fc?: FCVolumeSource;
  flocker?: FlockerVolumeSource;
  flexVolume?: FlexPersistentVolumeSource;
  azureFile?: AzureFilePersistentVolumeSource;
  vsphereVolume?: VsphereVirtualDiskVolumeSource;
  quobyte?: QuobyteVolumeSource;
  azureDisk?: AzureDiskVolumeSource;
  photonPersistentDisk?: PhotonPersistentDiskVolumeSource;
  portworxVolume?: PortworxVolumeSource;
  scaleIO?: ScaleIOPersistentVolumeSource;
  local?: LocalVolumeSource;
  storageos?: StorageOSPersistentVolumeSource;
  csi?: CSIPersistentVolumeSource;
}
/** What a persistent volume is and who may use it. Set exactly one source; it cannot be changed later. */
export interface PersistentVolumeSpec {
  capacity?: Record<string, quantity.Quantity>;
  gcePersistentDisk?: GCEPersistentDiskVolumeSource;
  awsElasticBlockStore?: AWSElasticBlockStoreVolumeSource;
  hostPath?: HostPathVolumeSource;
  glusterfs?: GlusterfsPersistentVolumeSource;
  nfs?: NFSVolumeSource;
  rbd?: RBDPersistentVolumeSource;
  iscsi?: ISCSIPersistentVolumeSource;
  cinder?: CinderPersistentVolumeSource;
  cephfs?: CephFSPersistentVolumeSource;
  fc?: FCVolumeSource;
  flocker?: FlockerVolumeSource;
  flexVolume?: FlexPersistentVolumeSource;
  azureFile?: AzureFilePersistentVolumeSource;
  vsphereVolume?: VsphereVirtualDiskVolumeSource;
  quobyte?: QuobyteVolumeSource;
  azureDisk?: AzureDiskVolumeSource;
  photonPersistentDisk?: PhotonPersistentDiskVolumeSource;
  portworxVolume?: PortworxVolumeSource;
  scaleIO?: ScaleIOPersistentVolumeSource;
  local?: LocalVolumeSource;
  storageos?: StorageOSPersistentVolumeSource;
  csi?: CSIPersistentVolumeSource;
  accessModes?: ("ReadWriteOnce" | "ReadOnlyMany" | "ReadWriteMany" | "ReadWriteOncePod")[];
  claimRef?: ObjectReference;
  persistentVolumeReclaimPolicy?: "Recycle" | "Delete" | "Retain";
  storageClassName?: string;
  mountOptions?: string[];
  volumeMode?: "Block" | "Filesystem";
  nodeAffinity?: VolumeNodeAffinity;
  volumeAttributesClassName?: string;
}
/** Where a persistent volume stands in its life. */
export interface PersistentVolumeStatus {
  phase?: "Pending" | "Available" | "Bound" | "Released" | "Failed";
  message?: string;
  reason?: string;
  lastPhaseTransitionTime?: meta_v1.Time;
}
/** A disk of Photon Controller. Deprecated and no longer supported. */
export interface PhotonPersistentDiskVolumeSource {
  pdID: string;
  fsType?: string;
}
/** One or more containers that run together on one node and share its network address and volumes. The smallest unit that is scheduled; mostly made by a controller rather than by hand. */
export interface Pod {
  apiVersion?: string;
  kind?: string;
  metadata?: meta_v1.ObjectMeta;
  spec?: PodSpec;
  status?: PodStatus;
}
/** Rules that draw a pod towards other pods. They count when the pod is placed; later changes do not move it. */
export interface PodAffinity {
  requiredDuringSchedulingIgnoredDuringExecution?: PodAffinityTerm[];
  preferredDuringSchedulingIgnoredDuringExecution?: WeightedPodAffinityTerm[];
}
/** Which pods are meant and what counts as near them: all nodes with an equal value of the label topologyKey. */
export interface PodAffinityTerm {
  labelSelector?: meta_v1.LabelSelector;
  namespaces?: string[];
  topologyKey: string;
  namespaceSelector?: meta_v1.LabelSelector;
  matchLabelKeys?: string[];
  mismatchLabelKeys?: string[];
}
/** Rules that keep a pod away from other pods. They count when the pod is placed; later changes do not move it. */
export interface PodAntiAffinity {
  requiredDuringSchedulingIgnoredDuringExecution?: PodAffinityTerm[];
  preferredDuringSchedulingIgnoredDuringExecution?: WeightedPodAffinityTerm[];
}
export interface PodAttachOptions {
  apiVersion?: string;
  kind?: string;
  stdin?: boolean;
  stdout?: boolean;
  stderr?: boolean;
  tty?: boolean;
  container?: string;
}
/** A private key made on the node and a certificate for it from a signer. At least one of the three paths must be set. */
export interface PodCertificateProjection {
  signerName?: string;
  keyType?: string;
  maxExpirationSeconds?: number;
  credentialBundlePath?: string;
  keyPath?: string;
  certificateChainPath?: string;
  userAnnotations?: Record<string, string>;
  user?: Int64;
}
/** One statement about a pod, such as whether it has been scheduled or is ready. */
export interface PodCondition {
  type: string;
  observedGeneration?: Int64;
  status: string;
  lastProbeTime?: meta_v1.Time;
  lastTransitionTime?: meta_v1.Time;
  reason?: string;
  message?: string;
}
/** Settings for name resolution in the containers, added to those that dnsPolicy gives. */
export interface PodDNSConfig {
  nameservers?: string[];
  searches?: string[];
  options?: PodDNSConfigOption[];
}
/** One option of the resolver in the containers. */
export interface PodDNSConfigOption {
  name?: string;
  value?: string;
}
export interface PodExecOptions {
  apiVersion?: string;
  kind?: string;
  stdin?: boolean;
  stdout?: boolean;
  stderr?: boolean;
  tty?: boolean;
  container?: string;
  command: string[] | null;
}
/** The claim that was made for those extended resources of a pod that devices of a driver serve. */
export interface PodExtendedResourceClaimStatus {
  requestMappings: ContainerExtendedResourceRequest[] | null;
  resourceClaimName: string;
}
/** One address that a pod has been given. */
export interface PodIP {
  ip: string;
}
/** List of pods. */
export interface PodList {
  apiVersion?: string;
  kind?: string;
  metadata?: meta_v1.ListMeta;
  items: Pod[] | null;
}
export interface PodLogOptions {
  apiVersion?: string;
  kind?: string;
  container?: string;
  follow?: boolean;
  previous?: boolean;
  sinceSeconds?: Int64;
  sinceTime?: meta_v1.Time;
  timestamps?: boolean;
  tailLines?: Int64;
  limitBytes?: Int64;
  insecureSkipTLSVerifyBackend?: boolean;
  stream?: string;
}
/** The operating system a pod is made for. */
export interface PodOS {
  name: string;
}
export interface PodPortForwardOptions {
  apiVersion?: string;
  kind?: string;
  ports?: number[];
}
export interface PodProxyOptions {
  apiVersion?: string;
  kind?: string;
  path?: string;
}
/** One more condition that a pod must meet to count as ready. */
export interface PodReadinessGate {
  conditionType: string;
}
/** A claim for devices and the like that a pod uses, either one that exists or one made for it. Set exactly one of resourceClaimName and resourceClaimTemplateName. */
export interface PodResourceClaim {
  name: string;
  resourceClaimName?: string;
  resourceClaimTemplateName?: string;
}
/** Which claim stands behind an entry of spec.resourceClaims that is filled from a template. */
export interface PodResourceClaimStatus {
  name: string;
  resourceClaimName?: string;
}
/** A named hold on a pod. The scheduler waits until all are removed. */
export interface PodSchedulingGate {
  name: string;
}
/** The group a pod belongs to for scheduling. Exactly one member must be set. */
export interface PodSchedulingGroup {
  podGroupName?: string;
}
/** Security settings of a whole pod. Several of them are defaults that a container may override in its securityContext. */
export interface PodSecurityContext {
  seLinuxOptions?: SELinuxOptions;
  windowsOptions?: WindowsSecurityContextOptions;
  runAsUser?: Int64;
  runAsGroup?: Int64;
  runAsNonRoot?: boolean;
  supplementalGroups?: Int64[];
  supplementalGroupsPolicy?: "Merge" | "Strict";
  fsGroup?: Int64;
  sysctls?: Sysctl[];
  fsGroupChangePolicy?: "OnRootMismatch" | "Always";
  seccompProfile?: SeccompProfile;
  appArmorProfile?: AppArmorProfile;
  seLinuxChangePolicy?: string;
}
export interface PodSignature {
  podController?: meta_v1.OwnerReference;
}
/** What a pod runs, where it may run and how it is set up. An ordinary update may later change only few members: images, tolerations that are added, activeDeadlineSeconds, and schedulingGates that are taken away. */
export interface PodSpec {
  volumes?: Volume[];
  initContainers?: Container[];
  containers: Container[] | null;
  ephemeralContainers?: EphemeralContainer[];
  restartPolicy?: "Always" | "OnFailure" | "Never";
  terminationGracePeriodSeconds?: Int64;
  activeDeadlineSeconds?: Int64;
  dnsPolicy?: "ClusterFirstWithHostNet" | "ClusterFirst" | "Default" | "None";
  nodeSelector?: Record<string, string>;
  serviceAccountName?: string;
  serviceAccount?: string;
  automountServiceAccountToken?: boolean;
  nodeName?: string;
  hostNetwork?: boolean;
  hostPID?: boolean;
  hostIPC?: boolean;
  shareProcessNamespace?: boolean;
  securityContext?: PodSecurityContext;
  imagePullSecrets?: LocalObjectReference[];
  hostname?: string;
  subdomain?: string;
  affinity?: Affinity;
  schedulerName?: string;
  tolerations?: Toleration[];
  hostAliases?: HostAlias[];
  priorityClassName?: string;
  priority?: number;
  dnsConfig?: PodDNSConfig;
  readinessGates?: PodReadinessGate[];
  runtimeClassName?: string;
  enableServiceLinks?: boolean;
  preemptionPolicy?: "PreemptLowerPriority" | "Never";
  overhead?: Record<string, quantity.Quantity>;
  topologySpreadConstraints?: TopologySpreadConstraint[];
  setHostnameAsFQDN?: boolean;
  os?: PodOS;
  hostUsers?: boolean;
  schedulingGates?: PodSchedulingGate[];
  resourceClaims?: PodResourceClaim[];
  resources?: ResourceRequirements;
  hostnameOverride?: string;
  schedulingGroup?: PodSchedulingGroup;
  evictionResponders?: EvictionResponder[];
}
/** What is known of a pod: its phase, conditions, addresses and containers. Written by the node agent and the scheduler; it can be out of date when the node is cut off. */
export interface PodStatus {
  observedGeneration?: Int64;
  phase?: "Pending" | "Running" | "Succeeded" | "Failed" | "Unknown";
  conditions?: PodCondition[];
  message?: string;
  reason?: string;
  nominatedNodeName?: string;
  hostIP?: string;
  hostIPs?: HostIP[];
  podIP?: string;
  podIPs?: PodIP[];
  startTime?: meta_v1.Time;
  initContainerStatuses?: ContainerStatus[];
  containerStatuses?: ContainerStatus[];
  qosClass?: "Guaranteed" | "Burstable" | "BestEffort";
  ephemeralContainerStatuses?: ContainerStatus[];
  resize?: string;
  resourceClaimStatuses?: PodResourceClaimStatus[];
  extendedResourceClaimStatus?: PodExtendedResourceClaimStatus;
  allocatedResources?: Record<string, quantity.Quantity>;
  resources?: ResourceRequirements;
  nodeAllocatableResourceClaimStatuses?: NodeAllocatableResourceClaimStatus[];
  volumeHealth?: PodVolumeHealth[];
}
/** A template for pods, kept as an object of its own. Nothing makes pods from it by itself. */
export interface PodTemplate {
  apiVersion?: string;
  kind?: string;
  metadata?: meta_v1.ObjectMeta;
  template?: PodTemplateSpec;
}
/** List of pod templates. */
export interface PodTemplateList {
  apiVersion?: string;
  kind?: string;
  metadata?: meta_v1.ListMeta;
  items: PodTemplate[] | null;
}
/** Metadata and spec for the pods that a controller makes. */
export interface PodTemplateSpec {
  metadata?: meta_v1.ObjectMeta;
  spec?: PodSpec;
}
/** Health of one volume of a pod, as the storage driver on the node reports it. Alpha, behind the gate CSIVolumeHealth. */
export interface PodVolumeHealth {
  name: string;
  healthConditions?: VolumeHealthCondition[];
  lastTransitionTime?: meta_v1.Time;
}
/** How one port of a service stands at the load balancer. */
export interface PortStatus {
  port: number;
  protocol: "TCP" | "UDP" | "SCTP";
  error?: string;
}
/** A volume of a Portworx cluster. */
export interface PortworxVolumeSource {
  volumeID: string;
  fsType?: string;
  readOnly?: boolean;
}
export interface Preconditions {
  uid?: string;
}
export interface PreferAvoidPodsEntry {
  podSignature: PodSignature;
  evictionTime?: meta_v1.Time;
  reason?: string;
  message?: string;
}
/** A wish about nodes and how much it weighs. */
export interface PreferredSchedulingTerm {
  weight: number;
  preference: NodeSelectorTerm;
}
/** A test of a container that the node agent repeats. Exactly one of exec, httpGet, tcpSocket and grpc must be set. */
export interface Probe {
  exec?: ExecAction;
  httpGet?: HTTPGetAction;
  tcpSocket?: TCPSocketAction;
  grpc?: GRPCAction;
  initialDelaySeconds?: number;
  timeoutSeconds?: number;
  periodSeconds?: number;
  successThreshold?: number;
  failureThreshold?: number;
  terminationGracePeriodSeconds?: Int64;
}
export interface ProbeHandler {
  exec?: ExecAction;
  httpGet?: HTTPGetAction;
  tcpSocket?: TCPSocketAction;
  grpc?: GRPCAction;
}
/** One directory filled from several sources. No two of them may write the same path. */
export interface ProjectedVolumeSource {
  sources?: VolumeProjection[] | null;
  defaultMode?: number;
  defaultUser?: Int64;
}
/** A Quobyte volume. Deprecated and no longer supported. */
export interface QuobyteVolumeSource {
  registry: string;
  volume: string;
  readOnly?: boolean;
  user?: string;
  group?: string;
  tenant?: string;
}
/** A RADOS block device of Ceph. Deprecated and no longer supported. */
export interface RBDPersistentVolumeSource {
  monitors: string[] | null;
  image: string;
  fsType?: string;
  pool?: string;
  user?: string;
  keyring?: string;
  secretRef?: SecretReference;
  readOnly?: boolean;
}
/** A RADOS block device of Ceph. Deprecated and no longer supported. */
export interface RBDVolumeSource {
  monitors: string[] | null;
  image: string;
  fsType?: string;
  pool?: string;
  user?: string;
  keyring?: string;
  secretRef?: LocalObjectReference;
  readOnly?: boolean;
}
export interface RangeAllocation {
  apiVersion?: string;
  kind?: string;
  metadata?: meta_v1.ObjectMeta;
  range: string;
  data: string | null;
}
/** Keeps a number of equal pods running. An older kind; use a Deployment or a ReplicaSet for new work. */
export interface ReplicationController {
  apiVersion?: string;
  kind?: string;
  metadata?: meta_v1.ObjectMeta;
  spec?: ReplicationControllerSpec;
  status?: ReplicationControllerStatus;
}
/** One statement about a replication controller. ReplicaFailure is the usual one: a pod could not be created or deleted. */
export interface ReplicationControllerCondition {
  type: string;
  status: string;
  lastTransitionTime?: meta_v1.Time;
  reason?: string;
  message?: string;
}
/** List of replication controllers. */
export interface ReplicationControllerList {
  apiVersion?: string;
  kind?: string;
  metadata?: meta_v1.ListMeta;
  items: ReplicationController[] | null;
}
/** How many pods a replication controller keeps, which ones count and how new ones are made. */
export interface ReplicationControllerSpec {
  replicas?: number;
  minReadySeconds?: number;
  selector?: Record<string, string>;
  template?: PodTemplateSpec;
}
/** How many pods a replication controller has, and how far they are. */
export interface ReplicationControllerStatus {
  replicas: number;
  fullyLabeledReplicas?: number;
  readyReplicas?: number;
  availableReplicas?: number;
  observedGeneration?: Int64;
  conditions?: ReplicationControllerCondition[];
}
/** A claim of the pod that a container makes use of. */
export interface ResourceClaim {
  name: string;
  request?: string;
}
/** A limit or request of a container, as a number in a chosen unit. */
export interface ResourceFieldSelector {
  containerName?: string;
  resource: string;
  divisor?: quantity.Quantity;
}
/** Health of one device that a container uses. */
export interface ResourceHealth {
  resourceID: string;
  health?: string;
  message?: string;
}
/** Upper bounds for what all objects of a namespace use together. A request that would go over them is refused; what exists already stays. */
export interface ResourceQuota {
  apiVersion?: string;
  kind?: string;
  metadata?: meta_v1.ObjectMeta;
  spec?: ResourceQuotaSpec;
  status?: ResourceQuotaStatus;
}
/** List of resource quotas. */
export interface ResourceQuotaList {
  apiVersion?: string;
  kind?: string;
  metadata?: meta_v1.ListMeta;
  items: ResourceQuota[] | null;
}
/** The bounds of a quota, and which objects count towards them. */
export interface ResourceQuotaSpec {
  hard?: Record<string, quantity.Quantity>;
  scopes?: ("Terminating" | "NotTerminating" | "BestEffort" | "NotBestEffort" | "PriorityClass" | "CrossNamespacePodAffinity" | "VolumeAttributesClass")[];
  scopeSelector?: ScopeSelector;
}
/** The bounds that are enforced now, and what is used of them. */
export interface ResourceQuotaStatus {
  hard?: Record<string, quantity.Quantity>;
  used?: Record<string, quantity.Quantity>;
}
/** What a container, or a pod as a whole, needs and may use at most. */
export interface ResourceRequirements {
  limits?: Record<string, quantity.Quantity>;
  requests?: Record<string, quantity.Quantity>;
  claims?: ResourceClaim[];
}
/** Health of the devices that stand behind one resource of a container. */
export interface ResourceStatus {
  name: string;
  resources?: ResourceHealth[];
}
/** The parts of an SELinux label for containers. Parts left out are chosen by the container runtime. */
export interface SELinuxOptions {
  user?: string;
  role?: string;
  type?: string;
  level?: string;
}
/** A ScaleIO volume. Deprecated and no longer supported. */
export interface ScaleIOPersistentVolumeSource {
  gateway: string;
  system: string;
  secretRef?: SecretReference | null;
  sslEnabled?: boolean;
  protectionDomain?: string;
  storagePool?: string;
  storageMode?: string;
  volumeName?: string;
  fsType?: string;
  readOnly?: boolean;
}
/** A ScaleIO volume. Deprecated and no longer supported. */
export interface ScaleIOVolumeSource {
  gateway: string;
  system: string;
  secretRef?: LocalObjectReference | null;
  sslEnabled?: boolean;
  protectionDomain?: string;
  storagePool?: string;
  storageMode?: string;
  volumeName?: string;
  fsType?: string;
  readOnly?: boolean;
}
/** Chooses the objects that count towards a quota. All expressions must fit. */
export interface ScopeSelector {
  matchExpressions?: ScopedResourceSelectorRequirement[];
}
/** One expression: a scope, an operator and values. */
export interface ScopedResourceSelectorRequirement {
  scopeName: "Terminating" | "NotTerminating" | "BestEffort" | "NotBestEffort" | "PriorityClass" | "CrossNamespacePodAffinity" | "VolumeAttributesClass";
  operator: "In" | "NotIn" | "Exists" | "DoesNotExist";
  values?: string[];
}
/** Which filter of system calls applies to a container or to all of a pod. */
export interface SeccompProfile {
  type: "Unconfined" | "RuntimeDefault" | "Localhost";
  localhostProfile?: string;
}
/** Small confidential data, such as passwords, keys and certificates, that pods read as files or environment variables. At most 1 MiB. */
export interface Secret {
  apiVersion?: string;
  kind?: string;
  metadata?: meta_v1.ObjectMeta;
  immutable?: boolean;
  data?: Record<string, string>;
  stringData?: Record<string, string>;
  type?: string;
}
/** A secret, in the namespace of the pod, whose data become environment variables. */
export interface SecretEnvSource {
  name?: string;
  optional?: boolean;
}
/** One key of a secret in the namespace of the pod. */
export interface SecretKeySelector {
  name?: string;
  key: string;
  optional?: boolean;
}
/** List of secrets. */
export interface SecretList {
  apiVersion?: string;
  kind?: string;
  metadata?: meta_v1.ListMeta;
  items: Secret[] | null;
}
/** Files in a projected volume made from a secret. */
export interface SecretProjection {
  name?: string;
  items?: KeyToPath[];
  optional?: boolean;
}
/** Points at a secret in any namespace. */
export interface SecretReference {
  name?: string;
  namespace?: string;
}
/** Files in a volume made from a secret. Changes of the secret reach the files after a while, but not mounts with subPath. */
export interface SecretVolumeSource {
  secretName?: string;
  items?: KeyToPath[];
  defaultMode?: number;
  optional?: boolean;
  defaultUser?: Int64;
}
/** Security settings of one container. They win over those of the same name that the pod has. */
export interface SecurityContext {
  capabilities?: Capabilities;
  privileged?: boolean;
  seLinuxOptions?: SELinuxOptions;
  windowsOptions?: WindowsSecurityContextOptions;
  runAsUser?: Int64;
  runAsGroup?: Int64;
  runAsNonRoot?: boolean;
  readOnlyRootFilesystem?: boolean;
  allowPrivilegeEscalation?: boolean;
  procMount?: "Default" | "Unmasked";
  seccompProfile?: SeccompProfile;
  appArmorProfile?: AppArmorProfile;
}
export interface SerializedReference {
  apiVersion?: string;
  kind?: string;
  reference?: ObjectReference;
}
/** One stable address and name for a set of pods that may change, or an alias for a name outside the cluster. */
export interface Service {
  apiVersion?: string;
  kind?: string;
  metadata?: meta_v1.ObjectMeta;
  spec?: ServiceSpec;
  status?: ServiceStatus;
}
/** An identity for programs in pods when they talk to the API server. Rights are given to it by role bindings. */
export interface ServiceAccount {
  apiVersion?: string;
  kind?: string;
  metadata?: meta_v1.ObjectMeta;
  secrets?: ObjectReference[];
  imagePullSecrets?: LocalObjectReference[];
  automountServiceAccountToken?: boolean;
}
/** List of service accounts. */
export interface ServiceAccountList {
  apiVersion?: string;
  kind?: string;
  metadata?: meta_v1.ListMeta;
  items: ServiceAccount[] | null;
}
/** Token of the pod's service account, written to a file and renewed by the node agent. */
export interface ServiceAccountTokenProjection {
  audience?: string;
  expirationSeconds?: Int64;
  path: string;
  user?: Int64;
}
/** List of services. */
export interface ServiceList {
  apiVersion?: string;
  kind?: string;
  metadata?: meta_v1.ListMeta;
  items: Service[] | null;
}
/** One port of a service, and where its traffic goes. */
export interface ServicePort {
  name?: string;
  protocol?: "TCP" | "UDP" | "SCTP";
  appProtocol?: string;
  port: number;
  targetPort?: intstr.IntOrString;
  nodePort?: number;
}
export interface ServiceProxyOptions {
  apiVersion?: string;
  kind?: string;
  path?: string;
}
/** Which pods a service stands for, at which addresses and ports, and how traffic is shared out. */
export interface ServiceSpec {
  ports?: ServicePort[];
  selector?: Record<string, string>;
  clusterIP?: string;
  clusterIPs?: string[];
  type?: "ClusterIP" | "NodePort" | "LoadBalancer" | "ExternalName";
  externalIPs?: string[];
  sessionAffinity?: "ClientIP" | "None";
  loadBalancerIP?: string;
  loadBalancerSourceRanges?: string[];
  externalName?: string;
  externalTrafficPolicy?: "Cluster" | "Local";
  healthCheckNodePort?: number;
  publishNotReadyAddresses?: boolean;
  sessionAffinityConfig?: SessionAffinityConfig;
  ipFamilies?: ("IPv4" | "IPv6" | "")[];
  ipFamilyPolicy?: "SingleStack" | "PreferDualStack" | "RequireDualStack";
  allocateLoadBalancerNodePorts?: boolean;
  loadBalancerClass?: string;
  internalTrafficPolicy?: "Cluster" | "Local";
  trafficDistribution?: string;
}
/** What is known of a service beyond its spec: its load balancer and conditions. */
export interface ServiceStatus {
  loadBalancer?: LoadBalancerStatus;
  conditions?: meta_v1.Condition[];
}
/** Details of the session affinity of a service. */
export interface SessionAffinityConfig {
  clientIP?: ClientIPConfig;
}
/** A pause of fixed length, used as a hook. */
export interface SleepAction {
  seconds: Int64;
}
/** A StorageOS volume. Deprecated and no longer supported. */
export interface StorageOSPersistentVolumeSource {
  volumeName?: string;
  volumeNamespace?: string;
  fsType?: string;
  readOnly?: boolean;
  secretRef?: ObjectReference;
}
/** A StorageOS volume. Deprecated and no longer supported. */
export interface StorageOSVolumeSource {
  volumeName?: string;
  volumeNamespace?: string;
  fsType?: string;
  readOnly?: boolean;
  secretRef?: LocalObjectReference;
}
/** One kernel parameter with the value it gets in the pod. */
export interface Sysctl {
  name: string;
  value: string;
}
/** An attempt to open a TCP connection to the container. An open port means success. */
export interface TCPSocketAction {
  port: intstr.IntOrString;
  host?: string;
}
/** A mark on a node that keeps away pods which do not tolerate it. */
export interface Taint {
  key: string;
  value?: string;
  effect: "NoSchedule" | "PreferNoSchedule" | "NoExecute";
  timeAdded?: meta_v1.Time;
}
/** Lets a pod put up with taints of nodes that match key, value and effect. */
export interface Toleration {
  key?: string;
  operator?: "Exists" | "Equal" | "Lt" | "Gt";
  value?: string;
  effect?: "NoSchedule" | "PreferNoSchedule" | "NoExecute";
  tolerationSeconds?: Int64;
}
/** One label that a node must bear, with one of some values. */
export interface TopologySelectorLabelRequirement {
  key: string;
  values: string[] | null;
}
/** Chooses nodes by their labels, so that volumes are made only where such nodes are. An empty term fits nothing. */
export interface TopologySelectorTerm {
  matchLabelExpressions?: TopologySelectorLabelRequirement[];
}
/** Keeps the number of matching pods even over domains. Nodes with the same value of the label topologyKey make up a domain. */
export interface TopologySpreadConstraint {
  maxSkew: number;
  topologyKey: string;
  whenUnsatisfiable: "DoNotSchedule" | "ScheduleAnyway";
  labelSelector?: meta_v1.LabelSelector;
  minDomains?: number;
  nodeAffinityPolicy?: "Ignore" | "Honor";
  nodeTaintsPolicy?: "Ignore" | "Honor";
  matchLabelKeys?: string[];
}
/** Points to an object of any kind in the same namespace. */
export interface TypedLocalObjectReference {
  apiGroup?: string | null;
  kind: string;
  name: string;
}
/** Points to an object of any kind, if need be in another namespace. */
export interface TypedObjectReference {
  apiGroup?: string | null;
  kind: string;
  name: string;
  namespace?: string;
}
/** A named piece of storage that containers of the pod can mount. Set exactly one source besides the name; without any source the volume is an emptyDir, which is deprecated. */
export interface Volume {
  name: string;
  hostPath?: HostPathVolumeSource;
  emptyDir?: EmptyDirVolumeSource;
  gcePersistentDisk?: GCEPersistentDiskVolumeSource;
  awsElasticBlockStore?: AWSElasticBlockStoreVolumeSource;
  gitRepo?: GitRepoVolumeSource;
  secret?: SecretVolumeSource;
  nfs?: NFSVolumeSource;
  iscsi?: ISCSIVolumeSource;
  glusterfs?: GlusterfsVolumeSource;
  persistentVolumeClaim?: PersistentVolumeClaimVolumeSource;
  rbd?: RBDVolumeSource;
  flexVolume?: FlexVolumeSource;
  cinder?: CinderVolumeSource;
  cephfs?: CephFSVolumeSource;
  flocker?: FlockerVolumeSource;
  downwardAPI?: DownwardAPIVolumeSource;
  fc?: FCVolumeSource;
  azureFile?: AzureFileVolumeSource;
  configMap?: ConfigMapVolumeSource;
  vsphereVolume?: VsphereVirtualDiskVolumeSource;
  quobyte?: QuobyteVolumeSource;
  azureDisk?: AzureDiskVolumeSource;
  photonPersistentDisk?: PhotonPersistentDiskVolumeSource;
  projected?: ProjectedVolumeSource;
  portworxVolume?: PortworxVolumeSource;
  scaleIO?: ScaleIOVolumeSource;
  storageos?: StorageOSVolumeSource;
  csi?: CSIVolumeSource;
  ephemeral?: EphemeralVolumeSource;
  image?: ImageVolumeSource;
}
/** A volume handed to a container as a raw block device, without a file system. */
export interface VolumeDevice {
  name: string;
  devicePath: string;
}
/** One trouble reported for a volume. */
export interface VolumeHealthCondition {
  status: "Inaccessible" | "DataLoss" | "Degraded";
  reason: string;
  message?: string;
}
/** What is wrong with a volume, as the driver's controller sees it. */
export interface VolumeHealthStatus {
  healthConditions?: VolumeHealthCondition[];
  lastTransitionTime?: meta_v1.Time;
}
/** Place in a container's file system where a volume of the pod appears. */
export interface VolumeMount {
  name: string;
  readOnly?: boolean;
  recursiveReadOnly?: string;
  mountPath: string;
  subPath?: string;
  mountPropagation?: "None" | "HostToContainer" | "Bidirectional";
  subPathExpr?: string;
  bindMountOptions?: string[];
}
/** How a volume is mounted in a container in fact. */
export interface VolumeMountStatus {
  name: string;
  mountPath: string;
  readOnly?: boolean;
  recursiveReadOnly?: string;
  volumeStatus?: VolumeStatus;
}
/** Which nodes can reach a volume. */
export interface VolumeNodeAffinity {
  required?: NodeSelector;
}
/** One source of a projected volume. Set exactly one member. */
export interface VolumeProjection {
  secret?: SecretProjection;
  downwardAPI?: DownwardAPIProjection;
  configMap?: ConfigMapProjection;
  serviceAccountToken?: ServiceAccountTokenProjection;
  clusterTrustBundle?: ClusterTrustBundleProjection;
  podCertificate?: PodCertificateProjection;
}
/** How much storage a claim asks for. */
export interface VolumeResourceRequirements {
  limits?: Record<string, quantity.Quantity>;
  requests?: Record<string, quantity.Quantity>;
}
export interface VolumeSource {
  hostPath?: HostPathVolumeSource;
  emptyDir?: EmptyDirVolumeSource;
  gcePersistentDisk?: GCEPersistentDiskVolumeSource;
  awsElasticBlockStore?: AWSElasticBlockStoreVolumeSource;
  gitRepo?: GitRepoVolumeSource;
  secret?: SecretVolumeSource;
  nfs?: NFSVolumeSource;
  iscsi?: ISCSIVolumeSource;
  glusterfs?: GlusterfsVolumeSource;
  persistentVolumeClaim?: PersistentVolumeClaimVolumeSource;
  rbd?: RBDVolumeSource;
  flexVolume?: FlexVolumeSource;
  cinder?: CinderVolumeSource;
  cephfs?: CephFSVolumeSource;
  flocker?: FlockerVolumeSource;
  downwardAPI?: DownwardAPIVolumeSource;
  fc?: FCVolumeSource;
  azureFile?: AzureFileVolumeSource;
  configMap?: ConfigMapVolumeSource;
  vsphereVolume?: VsphereVirtualDiskVolumeSource;
  quobyte?: QuobyteVolumeSource;
  azureDisk?: AzureDiskVolumeSource;
  photonPersistentDisk?: PhotonPersistentDiskVolumeSource;
  projected?: ProjectedVolumeSource;
  portworxVolume?: PortworxVolumeSource;
  scaleIO?: ScaleIOVolumeSource;
  storageos?: StorageOSVolumeSource;
  csi?: CSIVolumeSource;
  ephemeral?: EphemeralVolumeSource;
  image?: ImageVolumeSource;
}
/** More about a mounted volume, by its type. At most one member is set. */
export interface VolumeStatus {
  image?: ImageVolumeStatus;
}
/** A virtual disk of vSphere, mounted on the node and from there into the pod. */
export interface VsphereVirtualDiskVolumeSource {
  volumePath: string;
  fsType?: string;
  storagePolicyName?: string;
  storagePolicyID?: string;
}
/** A wish about neighbouring pods and how much it weighs. */
export interface WeightedPodAffinityTerm {
  weight: number;
  podAffinityTerm: PodAffinityTerm;
}
/** Security settings that only windows containers know. */
export interface WindowsSecurityContextOptions {
  gmsaCredentialSpecName?: string;
  gmsaCredentialSpec?: string;
  runAsUserName?: string;
  hostProcess?: boolean;
}
