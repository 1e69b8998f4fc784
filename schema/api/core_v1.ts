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
"ClusterTrustBundleProjection":{"f":["name 1 string pOe","signerName 2 string pOe","labelSelector 3 meta.v1.LabelSelector pOe","optional 5 bool pOe","path 4 string R",["user 6 int64 pOe",{"featureGates":["AtomicWriteVolumeUserFields"]}]]},
"ComponentCondition":{"f":[["type 1 string R",{"alias":"ComponentConditionType"}],["status 2 string R",{"alias":"ConditionStatus"}],"message 3 string Oe","error 4 string Oe"]},
"ComponentStatus":{"t":1,"f":[["metadata 1 meta.v1.ObjectMeta Oe",{"validate":{"opaqueType":true}}],["conditions 2 .ComponentCondition rOe",{"patchStrategy":"merge","patchMergeKey":"type","listType":"map","listMapKeys":["type"]}]]},
"ComponentStatusList":{"t":1,"f":["metadata 1 meta.v1.ListMeta Oe","items 2 .ComponentStatus rR"]},
"ConfigMap":{"t":1,"f":["metadata 1 meta.v1.ObjectMeta Oe","immutable 4 bool pOe","data 2 string Oem","binaryData 3 bytes Oem"]},
"ConfigMapEnvSource":{"f":[" 1 .LocalObjectReference i","optional 2 bool pOe"]},
"ConfigMapKeySelector":{"structType":"atomic","f":[" 1 .LocalObjectReference i","key 2 string R","optional 3 bool pOe"]},
"ConfigMapList":{"t":1,"f":["metadata 1 meta.v1.ListMeta Oe","items 2 .ConfigMap rR"]},
"ConfigMapNodeConfigSource":{"f":["namespace 1 string R","name 2 string R",["uid 3 string Oe",{"alias":"types.UID"}],"resourceVersion 4 string Oe","kubeletConfigKey 5 string R"]},
"ConfigMapProjection":{"f":[" 1 .LocalObjectReference i",["items 2 .KeyToPath rOe",{"listType":"atomic"}],"optional 4 bool pOe"]},
"ConfigMapVolumeSource":{"f":[" 1 .LocalObjectReference i",["items 2 .KeyToPath rOe",{"listType":"atomic"}],"defaultMode 3 int32 pOe","optional 4 bool pOe",["defaultUser 5 int64 pOe",{"featureGates":["AtomicWriteVolumeUserFields"]}]]},
"Container":{"f":["name 1 string R","image 2 string Oe",["command 3 string rOe",{"listType":"atomic"}],["args 4 string rOe",{"listType":"atomic"}],"workingDir 5 string Oe",["ports 6 .ContainerPort rOe",{"patchStrategy":"merge","patchMergeKey":"containerPort","listType":"map","listMapKeys":["containerPort","protocol"]}],["envFrom 19 .EnvFromSource rOe",{"listType":"atomic"}],["env 7 .EnvVar rOe",{"patchStrategy":"merge","patchMergeKey":"name","listType":"map","listMapKeys":["name"]}],"resources 8 .ResourceRequirements Oe",["resizePolicy 23 .ContainerResizePolicy rOe",{"listType":"atomic","featureGates":["InPlacePodVerticalScaling"]}],["restartPolicy 24 string pOe",{"alias":"ContainerRestartPolicy"}],["restartPolicyRules 25 .ContainerRestartRule rOe",{"listType":"atomic","featureGates":["ContainerRestartRules"]}],["volumeMounts 9 .VolumeMount rOe",{"patchStrategy":"merge","patchMergeKey":"mountPath","listType":"map","listMapKeys":["mountPath"]}],["volumeDevices 21 .VolumeDevice rOe",{"patchStrategy":"merge","patchMergeKey":"devicePath","listType":"map","listMapKeys":["devicePath"]}],"livenessProbe 10 .Probe pOe","readinessProbe 11 .Probe pOe","startupProbe 22 .Probe pOe","lifecycle 12 .Lifecycle pOe","terminationMessagePath 13 string Oe",["terminationMessagePolicy 20 string Oe",{"enum":["File","FallbackToLogsOnError"],"alias":"TerminationMessagePolicy"}],["imagePullPolicy 14 string Oe",{"enum":["Always","Never","IfNotPresent"],"alias":"PullPolicy"}],"securityContext 15 .SecurityContext pOe","stdin 16 bool Oe","stdinOnce 17 bool Oe","tty 18 bool Oe"]},
"ContainerExtendedResourceRequest":{"f":["containerName 1 string R","resourceName 2 string R","requestName 3 string R"]},
"ContainerImage":{"f":[["names 1 string rO",{"listType":"atomic"}],"sizeBytes 2 int64 Oe"]},
"ContainerPort":{"f":["name 1 string Oe","hostPort 2 int32 Oe","containerPort 3 int32 R",["protocol 4 string Oe",{"default":"TCP","enum":["TCP","UDP","SCTP"],"alias":"Protocol"}],"hostIP 5 string Oe"]},
"ContainerResizePolicy":{"f":[["resourceName 1 string R",{"alias":"ResourceName"}],["restartPolicy 2 string R",{"alias":"ResourceResizeRestartPolicy"}]]},
"ContainerRestartRule":{"f":[["action 1 string Re",{"alias":"ContainerRestartRuleAction"}],["exitCodes 2 .ContainerRestartRuleOnExitCodes pOe",{"oneOf":"when"}]]},
"ContainerRestartRuleOnExitCodes":{"f":[["operator 1 string Re",{"alias":"ContainerRestartRuleOnExitCodesOperator"}],["values 2 int32 rOe",{"listType":"set"}]]},
"ContainerState":{"f":["waiting 1 .ContainerStateWaiting pOe","running 2 .ContainerStateRunning pOe","terminated 3 .ContainerStateTerminated pOe"]},
"ContainerStateRunning":{"f":["startedAt 1 meta.v1.Time Oe"]},
"ContainerStateTerminated":{"f":["exitCode 1 int32 R","signal 2 int32 Oe","reason 3 string Oe","message 4 string Oe","startedAt 5 meta.v1.Time Oe","finishedAt 6 meta.v1.Time Oe","containerID 7 string Oe"]},
"ContainerStateWaiting":{"f":["reason 1 string Oe","message 2 string Oe"]},
"ContainerStatus":{"f":["name 1 string R","state 2 .ContainerState Oe","lastState 3 .ContainerState Oe","ready 4 bool R","restartCount 5 int32 R","image 6 string R","imageID 7 string R","containerID 8 string Oe","started 9 bool pOe",["allocatedResources 10 quantity.Quantity Oem",{"alias":"ResourceList"}],["resources 11 .ResourceRequirements pOe",{"featureGates":["InPlacePodVerticalScaling"]}],["volumeMounts 12 .VolumeMountStatus rOe",{"patchStrategy":"merge","patchMergeKey":"mountPath","listType":"map","listMapKeys":["mountPath"]}],["user 13 .ContainerUser pOe",{"featureGates":["SupplementalGroupsPolicy"]}],["allocatedResourcesStatus 14 .ResourceStatus rOe",{"patchStrategy":"merge","patchMergeKey":"name","listType":"map","listMapKeys":["name"],"featureGates":["ResourceHealthStatus"]}],["stopSignal 15 string pOe",{"featureGates":["ContainerStopSignals"],"enum":["SIGABRT","SIGALRM","SIGBUS","SIGCHLD","SIGCLD","SIGCONT","SIGFPE","SIGHUP","SIGILL","SIGINT","SIGIO","SIGIOT","SIGKILL","SIGPIPE","SIGPOLL","SIGPROF","SIGPWR","SIGQUIT","SIGSEGV","SIGSTKFLT","SIGSTOP","SIGSYS","SIGTERM","SIGTRAP","SIGTSTP","SIGTTIN","SIGTTOU","SIGURG","SIGUSR1","SIGUSR2","SIGVTALRM","SIGWINCH","SIGXCPU","SIGXFSZ","SIGRTMIN","SIGRTMIN+1","SIGRTMIN+2","SIGRTMIN+3","SIGRTMIN+4","SIGRTMIN+5","SIGRTMIN+6","SIGRTMIN+7","SIGRTMIN+8","SIGRTMIN+9","SIGRTMIN+10","SIGRTMIN+11","SIGRTMIN+12","SIGRTMIN+13","SIGRTMIN+14","SIGRTMIN+15","SIGRTMAX-14","SIGRTMAX-13","SIGRTMAX-12","SIGRTMAX-11","SIGRTMAX-10","SIGRTMAX-9","SIGRTMAX-8","SIGRTMAX-7","SIGRTMAX-6","SIGRTMAX-5","SIGRTMAX-4","SIGRTMAX-3","SIGRTMAX-2","SIGRTMAX-1","SIGRTMAX"],"alias":"Signal"}]]},
"ContainerUser":{"f":["linux 1 .LinuxContainerUser pOe"]},
"DaemonEndpoint":{"f":["Port 1 int32 R"]},
"DownwardAPIProjection":{"f":[["items 1 .DownwardAPIVolumeFile rOe",{"listType":"atomic"}]]},
"DownwardAPIVolumeFile":{"f":["path 1 string R","fieldRef 2 .ObjectFieldSelector pOe","resourceFieldRef 3 .ResourceFieldSelector pOe","mode 4 int32 pOe",["user 5 int64 pOe",{"featureGates":["AtomicWriteVolumeUserFields"]}]]},
"DownwardAPIVolumeSource":{"f":[["items 1 .DownwardAPIVolumeFile rOe",{"listType":"atomic"}],"defaultMode 2 int32 pOe",["defaultUser 3 int64 pOe",{"featureGates":["AtomicWriteVolumeUserFields"]}]]},
"EmptyDirVolumeSource":{"f":[["medium 1 string Oe",{"alias":"StorageMedium"}],"sizeLimit 2 quantity.Quantity pOe",["mode 3 int32 pOe",{"featureGates":["EmptyDirVolumeMode"]}]]},
"EndpointAddress":{"structType":"atomic","f":["ip 1 string R","hostname 3 string Oe","nodeName 4 string pOe","targetRef 2 .ObjectReference pOe"]},
"EndpointPort":{"structType":"atomic","f":["name 1 string Oe","port 2 int32 R",["protocol 3 string Oe",{"enum":["TCP","UDP","SCTP"],"alias":"Protocol"}],"appProtocol 4 string pOe"]},
"EndpointSubset":{"f":[["addresses 1 .EndpointAddress rOe",{"listType":"atomic"}],["notReadyAddresses 2 .EndpointAddress rOe",{"listType":"atomic"}],["ports 3 .EndpointPort rOe",{"listType":"atomic"}]]},
"Endpoints":{"t":1,"f":["metadata 1 meta.v1.ObjectMeta Oe",["subsets 2 .EndpointSubset rOe",{"listType":"atomic"}]]},
"EndpointsList":{"t":1,"f":["metadata 1 meta.v1.ListMeta Oe","items 2 .Endpoints rR"]},
"EnvFromSource":{"f":["prefix 1 string Oe","configMapRef 2 .ConfigMapEnvSource pOe","secretRef 3 .SecretEnvSource pOe"]},
"EnvVar":{"f":["name 1 string R","value 2 string Oe","valueFrom 3 .EnvVarSource pOe"]},
"EnvVarSource":{"f":["fieldRef 1 .ObjectFieldSelector pOe","resourceFieldRef 2 .ResourceFieldSelector pOe","configMapKeyRef 3 .ConfigMapKeySelector pOe","secretKeyRef 4 .SecretKeySelector pOe",["fileKeyRef 5 .FileKeySelector pOe",{"featureGates":["EnvFiles"]}]]},
"EphemeralContainer":{"f":[" 1 .EphemeralContainerCommon i","targetContainerName 2 string Oe"]},
"EphemeralContainerCommon":{"f":["name 1 string R","image 2 string e",["command 3 string rOe",{"listType":"atomic"}],["args 4 string rOe",{"listType":"atomic"}],"workingDir 5 string Oe",["ports 6 .ContainerPort rOe",{"patchStrategy":"merge","patchMergeKey":"containerPort","listType":"map","listMapKeys":["containerPort","protocol"]}],["envFrom 19 .EnvFromSource rOe",{"listType":"atomic"}],["env 7 .EnvVar rOe",{"patchStrategy":"merge","patchMergeKey":"name","listType":"map","listMapKeys":["name"]}],"resources 8 .ResourceRequirements Oe",["resizePolicy 23 .ContainerResizePolicy rOe",{"listType":"atomic","featureGates":["InPlacePodVerticalScaling"]}],["restartPolicy 24 string pOe",{"alias":"ContainerRestartPolicy"}],["restartPolicyRules 25 .ContainerRestartRule rOe",{"listType":"atomic","featureGates":["ContainerRestartRules"]}],["volumeMounts 9 .VolumeMount rOe",{"patchStrategy":"merge","patchMergeKey":"mountPath","listType":"map","listMapKeys":["mountPath"]}],["volumeDevices 21 .VolumeDevice rOe",{"patchStrategy":"merge","patchMergeKey":"devicePath","listType":"map","listMapKeys":["devicePath"]}],"livenessProbe 10 .Probe pOe","readinessProbe 11 .Probe pOe","startupProbe 22 .Probe pOe","lifecycle 12 .Lifecycle pOe","terminationMessagePath 13 string Oe",["terminationMessagePolicy 20 string Oe",{"enum":["File","FallbackToLogsOnError"],"alias":"TerminationMessagePolicy"}],["imagePullPolicy 14 string Oe",{"enum":["Always","Never","IfNotPresent"],"alias":"PullPolicy"}],"securityContext 15 .SecurityContext pOe","stdin 16 bool Oe","stdinOnce 17 bool Oe","tty 18 bool Oe"]},
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
"GRPCAction":{"f":["port 1 int32 R",["service 2 string pO",{"default":""}],["mode 3 string pOe",{"featureGates":["GRPCContainerProbeTLS"],"enum":["Plaintext","TLS"],"alias":"GRPCProbeMode"}]]},
"GitRepoVolumeSource":{"f":["repository 1 string R","revision 2 string Oe","directory 3 string Oe"]},
"GlusterfsPersistentVolumeSource":{"f":["endpoints 1 string R","path 2 string R","readOnly 3 bool Oe","endpointsNamespace 4 string pOe"]},
"GlusterfsVolumeSource":{"f":["endpoints 1 string R","path 2 string R","readOnly 3 bool Oe"]},
"HTTPGetAction":{"f":["path 1 string Oe","port 2 intstr.IntOrString R","host 3 string Oe",["scheme 4 string Oe",{"enum":["HTTP","HTTPS"],"alias":"URIScheme"}],["httpHeaders 5 .HTTPHeader rOe",{"listType":"atomic"}],["protocol 6 string pOe",{"featureGates":["H2CContainerProbe"],"enum":["HTTP1","HTTP2"],"alias":"HTTPProtocol"}]]},
"HTTPHeader":{"f":["name 1 string R","value 2 string R"]},
"HostAlias":{"f":["ip 1 string R",["hostnames 2 string re",{"listType":"atomic"}]]},
"HostIP":{"f":["ip 1 string R"]},
"HostPathVolumeSource":{"f":["path 1 string R",["type 2 string pOe",{"enum":["","DirectoryOrCreate","Directory","FileOrCreate","File","Socket","CharDevice","BlockDevice"],"alias":"HostPathType"}]]},
"ISCSIPersistentVolumeSource":{"f":["targetPortal 1 string R","iqn 2 string R","lun 3 int32 R",["iscsiInterface 4 string Oe",{"default":"default"}],"fsType 5 string Oe","readOnly 6 bool Oe",["portals 7 string rOe",{"listType":"atomic"}],"chapAuthDiscovery 8 bool Oe","chapAuthSession 11 bool Oe","secretRef 10 .SecretReference pOe","initiatorName 12 string pOe"]},
"ISCSIVolumeSource":{"f":["targetPortal 1 string R","iqn 2 string R","lun 3 int32 R",["iscsiInterface 4 string Oe",{"default":"default"}],"fsType 5 string Oe","readOnly 6 bool Oe",["portals 7 string rOe",{"listType":"atomic"}],"chapAuthDiscovery 8 bool Oe","chapAuthSession 11 bool Oe","secretRef 10 .LocalObjectReference pOe","initiatorName 12 string pOe"]},
"ImageVolumeSource":{"f":["reference 1 string Oe",["pullPolicy 2 string Oe",{"enum":["Always","Never","IfNotPresent"],"alias":"PullPolicy"}]]},
"ImageVolumeStatus":{"f":["imageRef 1 string Re"]},
"KeyToPath":{"f":["key 1 string R","path 2 string R","mode 3 int32 pOe",["user 4 int64 pOe",{"featureGates":["AtomicWriteVolumeUserFields"]}]]},
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
"Namespace":{"t":1,"validate":{"supportsSubresource":["/status","/finalize"]},"f":["metadata 1 meta.v1.ObjectMeta Oe","spec 2 .NamespaceSpec Oe","status 3 .NamespaceStatus Oe"]},
"NamespaceCondition":{"f":[["type 1 string R",{"alias":"NamespaceConditionType"}],["status 2 string R",{"alias":"ConditionStatus"}],"lastTransitionTime 4 meta.v1.Time Oe","reason 5 string Oe","message 6 string Oe"]},
"NamespaceList":{"t":1,"f":["metadata 1 meta.v1.ListMeta Oe","items 2 .Namespace rR"]},
"NamespaceSpec":{"f":[["finalizers 1 string rOe",{"alias":"FinalizerName","listType":"atomic"}]]},
"NamespaceStatus":{"f":[["phase 1 string Oe",{"enum":["Active","Terminating"],"alias":"NamespacePhase"}],["conditions 2 .NamespaceCondition rOe",{"patchStrategy":"merge","patchMergeKey":"type","listType":"map","listMapKeys":["type"]}]]},
"Node":{"t":1,"validate":{"supportsSubresource":["/status","/proxy"]},"f":["metadata 1 meta.v1.ObjectMeta Oe","spec 2 .NodeSpec Oe","status 3 .NodeStatus Oe"]},
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
"NodeSpec":{"f":["podCIDR 1 string Oe",["podCIDRs 7 string rOe",{"patchStrategy":"merge","listType":"set"}],["providerID 3 string Oe",{"validate":{"alpha@1.36:optional":true,"alpha@1.36:update":["NoModify","NoUnset"]}}],"unschedulable 4 bool Oe",["taints 5 .Taint rOe",{"listType":"atomic"}],"configSource 6 .NodeConfigSource pOe","externalID 2 string Oe",["podPreemptionPolicy 8 .NodePodPreemptionPolicy pOe",{"featureGates":["InPlacePodVerticalScalingSchedulerPreemption"],"validate":{"optional":true,"ifDisabled(InPlacePodVerticalScalingSchedulerPreemption)>forbidden":true}}]]},
"NodeStatus":{"f":[["capacity 1 quantity.Quantity Oem",{"alias":"ResourceList"}],["allocatable 2 quantity.Quantity Oem",{"alias":"ResourceList"}],["phase 3 string Oe",{"enum":["Pending","Running","Terminated"],"alias":"NodePhase"}],["conditions 4 .NodeCondition rOe",{"patchStrategy":"merge","patchMergeKey":"type","listType":"map","listMapKeys":["type"]}],["addresses 5 .NodeAddress rOe",{"patchStrategy":"merge","patchMergeKey":"type","listType":"map","listMapKeys":["type"]}],"daemonEndpoints 6 .NodeDaemonEndpoints Oe","nodeInfo 7 .NodeSystemInfo Oe",["images 8 .ContainerImage rOe",{"listType":"atomic"}],["volumesInUse 9 string rOe",{"alias":"UniqueVolumeName","listType":"atomic"}],["volumesAttached 10 .AttachedVolume rOe",{"listType":"atomic"}],"config 11 .NodeConfigStatus pOe",["runtimeHandlers 12 .NodeRuntimeHandler rOe",{"listType":"atomic"}],["features 13 .NodeFeatures pOe",{"featureGates":["SupplementalGroupsPolicy"]}],["declaredFeatures 14 string rOe",{"listType":"atomic","featureGates":["NodeDeclaredFeatures"]}]]},
"NodeSwapStatus":{"f":["capacity 1 int64 pOe"]},
"NodeSystemInfo":{"f":["machineID 1 string R","systemUUID 2 string R","bootID 3 string R","kernelVersion 4 string R","osImage 5 string R","containerRuntimeVersion 6 string R","kubeletVersion 7 string R","kubeProxyVersion 8 string R","operatingSystem 9 string R","architecture 10 string R","swap 11 .NodeSwapStatus pe"]},
"ObjectFieldSelector":{"structType":"atomic","f":["apiVersion 1 string Oe","fieldPath 2 string R"]},
"ObjectReference":{"structType":"atomic","f":["kind 1 string Oe","namespace 2 string Oe","name 3 string Oe",["uid 4 string Oe",{"alias":"types.UID"}],"apiVersion 5 string Oe","resourceVersion 6 string Oe","fieldPath 7 string Oe"]},
"PersistentVolume":{"t":1,"validate":{"supportsSubresource":"/status"},"f":["metadata 1 meta.v1.ObjectMeta Oe","spec 2 .PersistentVolumeSpec Oe","status 3 .PersistentVolumeStatus Oe"]},
"PersistentVolumeClaim":{"t":1,"validate":{"supportsSubresource":"/status"},"f":["metadata 1 meta.v1.ObjectMeta Oe","spec 2 .PersistentVolumeClaimSpec Oe","status 3 .PersistentVolumeClaimStatus Oe"]},
"PersistentVolumeClaimCondition":{"f":[["type 1 string R",{"alias":"PersistentVolumeClaimConditionType"}],["status 2 string R",{"alias":"ConditionStatus"}],"lastProbeTime 3 meta.v1.Time Oe","lastTransitionTime 4 meta.v1.Time Oe","reason 5 string Oe","message 6 string Oe"]},
"PersistentVolumeClaimList":{"t":1,"f":["metadata 1 meta.v1.ListMeta Oe","items 2 .PersistentVolumeClaim rR"]},
"PersistentVolumeClaimSpec":{"f":[["accessModes 1 string rOe",{"listType":"atomic","enum":["ReadWriteOnce","ReadOnlyMany","ReadWriteMany","ReadWriteOncePod"],"alias":"PersistentVolumeAccessMode"}],"selector 4 meta.v1.LabelSelector pOe","resources 2 .VolumeResourceRequirements Oe","volumeName 3 string Oe","storageClassName 5 string pOe",["volumeMode 6 string pOe",{"enum":["Block","Filesystem"],"alias":"PersistentVolumeMode"}],"dataSource 7 .TypedLocalObjectReference pOe","dataSourceRef 8 .TypedObjectReference pOe",["volumeAttributesClassName 9 string pOe",{"featureGates":["VolumeAttributesClass"]}]]},
"PersistentVolumeClaimStatus":{"f":[["phase 1 string Oe",{"enum":["Pending","Bound","Lost"],"alias":"PersistentVolumeClaimPhase"}],["accessModes 2 string rOe",{"listType":"atomic","enum":["ReadWriteOnce","ReadOnlyMany","ReadWriteMany","ReadWriteOncePod"],"alias":"PersistentVolumeAccessMode"}],["capacity 3 quantity.Quantity Oem",{"alias":"ResourceList"}],["conditions 4 .PersistentVolumeClaimCondition rOe",{"patchStrategy":"merge","patchMergeKey":"type","listType":"map","listMapKeys":["type"]}],["allocatedResources 5 quantity.Quantity Oem",{"alias":"ResourceList"}],["allocatedResourceStatuses 7 string Oem",{"mapType":"granular","enum":["ControllerResizeInProgress","ControllerResizeInfeasible","NodeResizePending","NodeResizeInProgress","NodeResizeInfeasible"],"alias":"ClaimResourceStatus"}],["currentVolumeAttributesClassName 8 string pOe",{"featureGates":["VolumeAttributesClass"]}],["modifyVolumeStatus 9 .ModifyVolumeStatus pOe",{"featureGates":["VolumeAttributesClass"]}],["healthStatus 10 .VolumeHealthStatus pOe",{"featureGates":["CSIVolumeHealth"],"validate":{"optional":true}}]]},
"PersistentVolumeClaimTemplate":{"f":[["metadata 1 meta.v1.ObjectMeta Oe",{"validate":{"opaqueType":true}}],"spec 2 .PersistentVolumeClaimSpec R"]},
"PersistentVolumeClaimVolumeSource":{"f":["claimName 1 string R","readOnly 2 bool Oe"]},
"PersistentVolumeList":{"t":1,"f":["metadata 1 meta.v1.ListMeta Oe","items 2 .PersistentVolume rR"]},
"PersistentVolumeSource":{"f":["gcePersistentDisk 1 .GCEPersistentDiskVolumeSource pOe","awsElasticBlockStore 2 .AWSElasticBlockStoreVolumeSource pOe","hostPath 3 .HostPathVolumeSource pOe","glusterfs 4 .GlusterfsPersistentVolumeSource pOe","nfs 5 .NFSVolumeSource pOe","rbd 6 .RBDPersistentVolumeSource pOe","iscsi 7 .ISCSIPersistentVolumeSource pOe","cinder 8 .CinderPersistentVolumeSource pOe","cephfs 9 .CephFSPersistentVolumeSource pOe","fc 10 .FCVolumeSource pOe","flocker 11 .FlockerVolumeSource pOe","flexVolume 12 .FlexPersistentVolumeSource pOe","azureFile 13 .AzureFilePersistentVolumeSource pOe","vsphereVolume 14 .VsphereVirtualDiskVolumeSource pOe","quobyte 15 .QuobyteVolumeSource pOe","azureDisk 16 .AzureDiskVolumeSource pOe","photonPersistentDisk 17 .PhotonPersistentDiskVolumeSource pe","portworxVolume 18 .PortworxVolumeSource pOe","scaleIO 19 .ScaleIOPersistentVolumeSource pOe","local 20 .LocalVolumeSource pOe","storageos 21 .StorageOSPersistentVolumeSource pOe","csi 22 .CSIPersistentVolumeSource pOe"]},
"PersistentVolumeSpec":{"f":[["capacity 1 quantity.Quantity Oem",{"alias":"ResourceList"}]," 2 .PersistentVolumeSource i",["accessModes 3 string rOe",{"listType":"atomic","enum":["ReadWriteOnce","ReadOnlyMany","ReadWriteMany","ReadWriteOncePod"],"alias":"PersistentVolumeAccessMode"}],["claimRef 4 .ObjectReference pOe",{"structType":"granular"}],["persistentVolumeReclaimPolicy 5 string Oe",{"enum":["Recycle","Delete","Retain"],"alias":"PersistentVolumeReclaimPolicy"}],"storageClassName 6 string Oe",["mountOptions 7 string rOe",{"listType":"atomic"}],["volumeMode 8 string pOe",{"enum":["Block","Filesystem"],"alias":"PersistentVolumeMode"}],"nodeAffinity 9 .VolumeNodeAffinity pOe",["volumeAttributesClassName 10 string pOe",{"featureGates":["VolumeAttributesClass"]}]]},
"PersistentVolumeStatus":{"f":[["phase 1 string Oe",{"enum":["Pending","Available","Bound","Released","Failed"],"alias":"PersistentVolumePhase"}],"message 2 string Oe","reason 3 string Oe","lastPhaseTransitionTime 4 meta.v1.Time pOe"]},
"PhotonPersistentDiskVolumeSource":{"f":["pdID 1 string R","fsType 2 string e"]},
"Pod":{"t":1,"validate":{"supportsSubresource":["/status","/ephemeralcontainers","/resize","/eviction"]},"f":["metadata 1 meta.v1.ObjectMeta Oe","spec 2 .PodSpec Oe","status 3 .PodStatus Oe"]},
"PodAffinity":{"f":[["requiredDuringSchedulingIgnoredDuringExecution 1 .PodAffinityTerm rOe",{"listType":"atomic"}],["preferredDuringSchedulingIgnoredDuringExecution 2 .WeightedPodAffinityTerm rOe",{"listType":"atomic"}]]},
"PodAffinityTerm":{"f":["labelSelector 1 meta.v1.LabelSelector pOe",["namespaces 2 string rOe",{"listType":"atomic"}],"topologyKey 3 string R","namespaceSelector 4 meta.v1.LabelSelector pOe",["matchLabelKeys 5 string rOe",{"listType":"atomic"}],["mismatchLabelKeys 6 string rOe",{"listType":"atomic"}]]},
"PodAntiAffinity":{"f":[["requiredDuringSchedulingIgnoredDuringExecution 1 .PodAffinityTerm rOe",{"listType":"atomic"}],["preferredDuringSchedulingIgnoredDuringExecution 2 .WeightedPodAffinityTerm rOe",{"listType":"atomic"}]]},
"PodAttachOptions":{"t":1,"f":["stdin 1 bool Oe","stdout 2 bool Oe","stderr 3 bool Oe","tty 4 bool Oe","container 5 string Oe"]},
"PodCertificateProjection":{"f":["signerName 1 string Re","keyType 2 string Re","maxExpirationSeconds 3 int32 pOe","credentialBundlePath 4 string Oe","keyPath 5 string Oe","certificateChainPath 6 string Oe","userAnnotations 7 string em",["user 8 int64 pOe",{"featureGates":["AtomicWriteVolumeUserFields"]}]]},
"PodCondition":{"f":[["type 1 string R",{"alias":"PodConditionType"}],"observedGeneration 7 int64 Oe",["status 2 string R",{"alias":"ConditionStatus"}],"lastProbeTime 3 meta.v1.Time Oe","lastTransitionTime 4 meta.v1.Time Oe","reason 5 string Oe","message 6 string Oe"]},
"PodDNSConfig":{"f":[["nameservers 1 string rOe",{"listType":"atomic"}],["searches 2 string rOe",{"listType":"atomic"}],["options 3 .PodDNSConfigOption rOe",{"listType":"atomic"}]]},
"PodDNSConfigOption":{"f":["name 1 string e","value 2 string pOe"]},
"PodExecOptions":{"t":1,"f":["stdin 1 bool Oe","stdout 2 bool Oe","stderr 3 bool Oe","tty 4 bool Oe","container 5 string Oe",["command 6 string rR",{"listType":"atomic"}]]},
"PodExtendedResourceClaimStatus":{"f":[["requestMappings 1 .ContainerExtendedResourceRequest rR",{"listType":"atomic"}],"resourceClaimName 2 string R"]},
"PodIP":{"f":["ip 1 string R"]},
"PodList":{"t":1,"f":["metadata 1 meta.v1.ListMeta Oe","items 2 .Pod rR"]},
"PodLogOptions":{"t":1,"f":["container 1 string Oe","follow 2 bool Oe","previous 3 bool Oe","sinceSeconds 4 int64 pOe","sinceTime 5 meta.v1.Time pOe","timestamps 6 bool Oe","tailLines 7 int64 pOe","limitBytes 8 int64 pOe","insecureSkipTLSVerifyBackend 9 bool Oe",["stream 10 string pOe",{"featureGates":["PodLogsQuerySplitStreams"]}]]},
"PodOS":{"f":[["name 1 string R",{"alias":"OSName"}]]},
"PodPortForwardOptions":{"t":1,"f":[["ports 1 int32 rOe",{"listType":"atomic"}]]},
"PodProxyOptions":{"t":1,"f":["path 1 string Oe"]},
"PodReadinessGate":{"f":[["conditionType 1 string R",{"alias":"PodConditionType"}]]},
"PodResourceClaim":{"f":["name 1 string R","resourceClaimName 3 string pe","resourceClaimTemplateName 4 string pe"]},
"PodResourceClaimStatus":{"f":["name 1 string R","resourceClaimName 2 string pOe"]},
"PodSchedulingGate":{"f":["name 1 string R"]},
"PodSchedulingGroup":{"union":true,"f":[["podGroupName 1 string pOe",{"oneOf":"GroupSelection"}]]},
"PodSecurityContext":{"f":["seLinuxOptions 1 .SELinuxOptions pOe","windowsOptions 8 .WindowsSecurityContextOptions pOe","runAsUser 2 int64 pOe","runAsGroup 6 int64 pOe","runAsNonRoot 3 bool pOe",["supplementalGroups 4 int64 rOe",{"listType":"atomic"}],["supplementalGroupsPolicy 12 string pOe",{"featureGates":["SupplementalGroupsPolicy"],"enum":["Merge","Strict"],"alias":"SupplementalGroupsPolicy"}],"fsGroup 5 int64 pOe",["sysctls 7 .Sysctl rOe",{"listType":"atomic"}],["fsGroupChangePolicy 9 string pOe",{"enum":["OnRootMismatch","Always"],"alias":"PodFSGroupChangePolicy"}],"seccompProfile 10 .SeccompProfile pOe","appArmorProfile 11 .AppArmorProfile pOe",["seLinuxChangePolicy 13 string pOe",{"alias":"PodSELinuxChangePolicy","featureGates":["SELinuxChangePolicy"]}]]},
"PodSignature":{"f":["podController 1 meta.v1.OwnerReference pOe"]},
"PodSpec":{"f":[["volumes 1 .Volume rOe",{"patchStrategy":"merge,retainKeys","patchMergeKey":"name","listType":"map","listMapKeys":["name"]}],["initContainers 20 .Container re",{"patchStrategy":"merge","patchMergeKey":"name","listType":"map","listMapKeys":["name"]}],["containers 2 .Container rR",{"patchStrategy":"merge","patchMergeKey":"name","listType":"map","listMapKeys":["name"]}],["ephemeralContainers 34 .EphemeralContainer rOe",{"patchStrategy":"merge","patchMergeKey":"name","listType":"map","listMapKeys":["name"]}],["restartPolicy 3 string Oe",{"enum":["Always","OnFailure","Never"],"alias":"RestartPolicy"}],"terminationGracePeriodSeconds 4 int64 pOe","activeDeadlineSeconds 5 int64 pOe",["dnsPolicy 6 string Oe",{"enum":["ClusterFirstWithHostNet","ClusterFirst","Default","None"],"alias":"DNSPolicy"}],["nodeSelector 7 string Oem",{"mapType":"atomic"}],"serviceAccountName 8 string Oe","serviceAccount 9 string Oe","automountServiceAccountToken 21 bool pOe","nodeName 10 string Oe","hostNetwork 11 bool Oe","hostPID 12 bool Oe","hostIPC 13 bool Oe","shareProcessNamespace 27 bool pOe","securityContext 14 .PodSecurityContext pOe",["imagePullSecrets 15 .LocalObjectReference rOe",{"patchStrategy":"merge","patchMergeKey":"name","listType":"map","listMapKeys":["name"]}],"hostname 16 string Oe","subdomain 17 string Oe","affinity 18 .Affinity pOe","schedulerName 19 string Oe",["tolerations 22 .Toleration rOe",{"listType":"atomic","validate":{"alpha@1.37:optional":true}}],["hostAliases 23 .HostAlias rOe",{"patchStrategy":"merge","patchMergeKey":"ip","listType":"map","listMapKeys":["ip"]}],"priorityClassName 24 string Oe","priority 25 int32 pOe","dnsConfig 26 .PodDNSConfig pOe",["readinessGates 28 .PodReadinessGate rOe",{"listType":"atomic"}],"runtimeClassName 29 string pOe","enableServiceLinks 30 bool pOe",["preemptionPolicy 31 string pOe",{"enum":["PreemptLowerPriority","Never"],"alias":"PreemptionPolicy"}],["overhead 32 quantity.Quantity Oem",{"alias":"ResourceList"}],["topologySpreadConstraints 33 .TopologySpreadConstraint rOe",{"patchStrategy":"merge","patchMergeKey":"topologyKey","listType":"map","listMapKeys":["topologyKey","whenUnsatisfiable"]}],"setHostnameAsFQDN 35 bool pOe","os 36 .PodOS pOe","hostUsers 37 bool pOe",["schedulingGates 38 .PodSchedulingGate rOe",{"patchStrategy":"merge","patchMergeKey":"name","listType":"map","listMapKeys":["name"]}],["resourceClaims 39 .PodResourceClaim rOe",{"patchStrategy":"merge,retainKeys","patchMergeKey":"name","listType":"map","listMapKeys":["name"],"featureGates":["DynamicResourceAllocation"]}],["resources 40 .ResourceRequirements pOe",{"featureGates":["PodLevelResources"]}],["hostnameOverride 41 string pOe",{"featureGates":["HostnameOverride"]}],["schedulingGroup 43 .PodSchedulingGroup pOe",{"featureGates":["GenericWorkload"]}],["evictionResponders 44 .EvictionResponder rOe",{"patchStrategy":"merge","patchMergeKey":"name","listType":"map","listMapKeys":["name"],"featureGates":["EvictionRequestAPI"],"validate":{"optional":true,"listType":"map","listMapKey":"name","maxItems":10,"alpha@1.37:dependentForbidden(schedulingGroup)":true}}]]},
"PodStatus":{"f":["observedGeneration 17 int64 Oe",["phase 1 string Oe",{"enum":["Pending","Running","Succeeded","Failed","Unknown"],"alias":"PodPhase"}],["conditions 2 .PodCondition rOe",{"patchStrategy":"merge","patchMergeKey":"type","listType":"map","listMapKeys":["type"]}],"message 3 string Oe","reason 4 string Oe","nominatedNodeName 11 string Oe","hostIP 5 string Oe",["hostIPs 16 .HostIP rOe",{"patchStrategy":"merge","patchMergeKey":"ip","listType":"atomic"}],"podIP 6 string Oe",["podIPs 12 .PodIP rOe",{"patchStrategy":"merge","patchMergeKey":"ip","listType":"map","listMapKeys":["ip"]}],"startTime 7 meta.v1.Time pOe",["initContainerStatuses 10 .ContainerStatus re",{"listType":"atomic"}],["containerStatuses 8 .ContainerStatus rOe",{"listType":"atomic"}],["qosClass 9 string Oe",{"enum":["Guaranteed","Burstable","BestEffort"],"alias":"PodQOSClass"}],["ephemeralContainerStatuses 13 .ContainerStatus rOe",{"listType":"atomic"}],["resize 14 string Oe",{"alias":"PodResizeStatus","featureGates":["InPlacePodVerticalScaling"]}],["resourceClaimStatuses 15 .PodResourceClaimStatus rOe",{"patchStrategy":"merge,retainKeys","patchMergeKey":"name","listType":"map","listMapKeys":["name"],"featureGates":["DynamicResourceAllocation"]}],["extendedResourceClaimStatus 18 .PodExtendedResourceClaimStatus pOe",{"featureGates":["DRAExtendedResource"]}],["allocatedResources 19 quantity.Quantity Oem",{"alias":"ResourceList","featureGates":["InPlacePodLevelResourcesVerticalScaling"]}],["resources 20 .ResourceRequirements pOe",{"featureGates":["InPlacePodLevelResourcesVerticalScaling"]}],["nodeAllocatableResourceClaimStatuses 21 .NodeAllocatableResourceClaimStatus rOe",{"patchStrategy":"merge","patchMergeKey":"resourceClaimName","listType":"map","listMapKeys":["resourceClaimName"],"featureGates":["DRANodeAllocatableResources"],"validate":{"optional":true,"listType":"map","listMapKey":"resourceClaimName"}}],["volumeHealth 22 .PodVolumeHealth rOe",{"listType":"map","listMapKeys":["name"],"featureGates":["CSIVolumeHealth"],"validate":{"optional":true,"listType":"map","listMapKey":"name"}}]]},
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
"ProjectedVolumeSource":{"f":[["sources 1 .VolumeProjection rO",{"listType":"atomic"}],"defaultMode 2 int32 pOe",["defaultUser 3 int64 pOe",{"featureGates":["AtomicWriteVolumeUserFields"]}]]},
"QuobyteVolumeSource":{"f":["registry 1 string R","volume 2 string R","readOnly 3 bool Oe","user 4 string Oe","group 5 string Oe","tenant 6 string Oe"]},
"RBDPersistentVolumeSource":{"f":[["monitors 1 string rR",{"listType":"atomic"}],"image 2 string R","fsType 3 string Oe",["pool 4 string Oe",{"default":"rbd"}],["user 5 string Oe",{"default":"admin"}],["keyring 6 string Oe",{"default":"/etc/ceph/keyring"}],"secretRef 7 .SecretReference pOe","readOnly 8 bool Oe"]},
"RBDVolumeSource":{"f":[["monitors 1 string rR",{"listType":"atomic"}],"image 2 string R","fsType 3 string Oe",["pool 4 string Oe",{"default":"rbd"}],["user 5 string Oe",{"default":"admin"}],["keyring 6 string Oe",{"default":"/etc/ceph/keyring"}],"secretRef 7 .LocalObjectReference pOe","readOnly 8 bool Oe"]},
"RangeAllocation":{"t":1,"f":[["metadata 1 meta.v1.ObjectMeta Oe",{"validate":{"opaqueType":true}}],"range 2 string R","data 3 bytes R"]},
"ReplicationController":{"t":1,"validate":{"supportsSubresource":["/scale","/status"]},"f":[["metadata 1 meta.v1.ObjectMeta Oe",{"validate":{"beta@1.37:subfield(name)>optional":true,"beta@1.37:subfield(name)>format":"k8s-long-name"}}],"spec 2 .ReplicationControllerSpec Oe","status 3 .ReplicationControllerStatus Oe"]},
"ReplicationControllerCondition":{"f":[["type 1 string R",{"alias":"ReplicationControllerConditionType"}],["status 2 string R",{"alias":"ConditionStatus"}],"lastTransitionTime 3 meta.v1.Time Oe","reason 4 string Oe","message 5 string Oe"]},
"ReplicationControllerList":{"t":1,"f":["metadata 1 meta.v1.ListMeta Oe","items 2 .ReplicationController rR"]},
"ReplicationControllerSpec":{"f":[["replicas 1 int32 pOe",{"default":1,"validate":{"beta@1.37:optional":true,"beta@1.37:minimum":0}}],["minReadySeconds 4 int32 Oe",{"default":0,"validate":{"beta@1.37:optional":true,"beta@1.37:minimum":0}}],["selector 2 string Oem",{"mapType":"atomic"}],["template 3 .PodTemplateSpec pOe",{"validate":{"alpha@1.37:optional":true}}]]},
"ReplicationControllerStatus":{"f":["replicas 1 int32 R","fullyLabeledReplicas 2 int32 Oe","readyReplicas 4 int32 Oe","availableReplicas 5 int32 Oe","observedGeneration 3 int64 Oe",["conditions 6 .ReplicationControllerCondition rOe",{"patchStrategy":"merge","patchMergeKey":"type","listType":"map","listMapKeys":["type"]}]]},
"ResourceClaim":{"f":["name 1 string R","request 2 string Oe"]},
"ResourceFieldSelector":{"structType":"atomic","f":["containerName 1 string Oe","resource 2 string R","divisor 3 quantity.Quantity Oe"]},
"ResourceHealth":{"f":[["resourceID 1 string R",{"alias":"ResourceID"}],["health 2 string e",{"alias":"ResourceHealthStatus"}],["message 6 string pOe",{"featureGates":["ResourceHealthStatusMessage"]}]]},
"ResourceQuota":{"t":1,"validate":{"supportsSubresource":"/status"},"f":["metadata 1 meta.v1.ObjectMeta Oe","spec 2 .ResourceQuotaSpec Oe","status 3 .ResourceQuotaStatus Oe"]},
"ResourceQuotaList":{"t":1,"f":["metadata 1 meta.v1.ListMeta Oe","items 2 .ResourceQuota rR"]},
"ResourceQuotaSpec":{"f":[["hard 1 quantity.Quantity Oem",{"alias":"ResourceList"}],["scopes 2 string rOe",{"listType":"atomic","enum":["Terminating","NotTerminating","BestEffort","NotBestEffort","PriorityClass","CrossNamespacePodAffinity","VolumeAttributesClass"],"alias":"ResourceQuotaScope"}],"scopeSelector 3 .ScopeSelector pOe"]},
"ResourceQuotaStatus":{"f":[["hard 1 quantity.Quantity Oem",{"alias":"ResourceList"}],["used 2 quantity.Quantity Oem",{"alias":"ResourceList"}]]},
"ResourceRequirements":{"f":[["limits 1 quantity.Quantity Oem",{"alias":"ResourceList"}],["requests 2 quantity.Quantity Oem",{"alias":"ResourceList"}],["claims 3 .ResourceClaim rOe",{"listType":"map","listMapKeys":["name"],"featureGates":["DynamicResourceAllocation"]}]]},
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
"SecretVolumeSource":{"f":["secretName 1 string Oe",["items 2 .KeyToPath rOe",{"listType":"atomic"}],"defaultMode 3 int32 pOe","optional 4 bool pOe",["defaultUser 5 int64 pOe",{"featureGates":["AtomicWriteVolumeUserFields"]}]]},
"SecurityContext":{"f":["capabilities 1 .Capabilities pOe","privileged 2 bool pOe","seLinuxOptions 3 .SELinuxOptions pOe","windowsOptions 10 .WindowsSecurityContextOptions pOe","runAsUser 4 int64 pOe","runAsGroup 8 int64 pOe","runAsNonRoot 5 bool pOe","readOnlyRootFilesystem 6 bool pOe","allowPrivilegeEscalation 7 bool pOe",["procMount 9 string pOe",{"enum":["Default","Unmasked"],"alias":"ProcMountType"}],"seccompProfile 11 .SeccompProfile pOe","appArmorProfile 12 .AppArmorProfile pOe"]},
"SerializedReference":{"t":1,"f":["reference 1 .ObjectReference Oe"]},
"Service":{"t":1,"validate":{"supportsSubresource":["/status","/proxy"]},"f":["metadata 1 meta.v1.ObjectMeta Oe","spec 2 .ServiceSpec Oe","status 3 .ServiceStatus Oe"]},
"ServiceAccount":{"t":1,"f":["metadata 1 meta.v1.ObjectMeta Oe",["secrets 2 .ObjectReference rOe",{"patchStrategy":"merge","patchMergeKey":"name","listType":"map","listMapKeys":["name"]}],["imagePullSecrets 3 .LocalObjectReference rOe",{"listType":"atomic"}],"automountServiceAccountToken 4 bool pOe"]},
"ServiceAccountList":{"t":1,"f":["metadata 1 meta.v1.ListMeta Oe","items 2 .ServiceAccount rR"]},
"ServiceAccountTokenProjection":{"f":["audience 1 string Oe","expirationSeconds 2 int64 pOe","path 3 string R",["user 4 int64 pOe",{"featureGates":["AtomicWriteVolumeUserFields"]}]]},
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
"TypedObjectReference":{"f":["apiGroup 1 string pO","kind 2 string R","name 3 string R",["namespace 4 string pOe",{"featureGates":["CrossNamespaceVolumeDataSource"]}]]},
"Volume":{"f":["name 1 string R"," 2 .VolumeSource i"]},
"VolumeDevice":{"f":["name 1 string R","devicePath 2 string R"]},
"VolumeHealthCondition":{"f":[["status 1 string R",{"enum":["Inaccessible","DataLoss","Degraded"],"alias":"VolumeHealthStatusType","validate":{"enum":true,"required":true}}],["reason 2 string R",{"validate":{"required":true,"maxBytes":256}}],["message 3 string Oe",{"validate":{"optional":true,"maxBytes":1024}}]]},
"VolumeHealthStatus":{"f":[["healthConditions 1 .VolumeHealthCondition rOe",{"patchStrategy":"merge","patchMergeKey":"status","listType":"map","listMapKeys":["status","reason"],"validate":{"optional":true,"listType":"map","listMapKey":["status","reason"],"maxItems":16}}],"lastTransitionTime 2 meta.v1.Time Oe"]},
"VolumeMount":{"f":["name 1 string R","readOnly 2 bool Oe",["recursiveReadOnly 7 string pOe",{"alias":"RecursiveReadOnlyMode"}],"mountPath 3 string R","subPath 4 string Oe",["mountPropagation 5 string pOe",{"enum":["None","HostToContainer","Bidirectional"],"alias":"MountPropagationMode"}],"subPathExpr 6 string Oe",["bindMountOptions 8 string rOe",{"listType":"set","featureGates":["VolumeBindMountOptions"]}]]},
"VolumeMountStatus":{"f":["name 1 string R","mountPath 2 string R","readOnly 3 bool Oe",["recursiveReadOnly 4 string pOe",{"alias":"RecursiveReadOnlyMode"}],"volumeStatus 5 .VolumeStatus pOe"]},
"VolumeNodeAffinity":{"f":["required 1 .NodeSelector pe"]},
"VolumeProjection":{"f":["secret 1 .SecretProjection pOe","downwardAPI 2 .DownwardAPIProjection pOe","configMap 3 .ConfigMapProjection pOe","serviceAccountToken 4 .ServiceAccountTokenProjection pOe",["clusterTrustBundle 5 .ClusterTrustBundleProjection pOe",{"featureGates":["ClusterTrustBundleProjection"]}],["podCertificate 6 .PodCertificateProjection pOe",{"featureGates":["PodCertificateProjection"]}]]},
"VolumeResourceRequirements":{"f":[["limits 1 quantity.Quantity Oem",{"alias":"ResourceList"}],["requests 2 quantity.Quantity Oem",{"alias":"ResourceList"}]]},
"VolumeSource":{"f":["hostPath 1 .HostPathVolumeSource pOe","emptyDir 2 .EmptyDirVolumeSource pOe","gcePersistentDisk 3 .GCEPersistentDiskVolumeSource pOe","awsElasticBlockStore 4 .AWSElasticBlockStoreVolumeSource pOe","gitRepo 5 .GitRepoVolumeSource pOe","secret 6 .SecretVolumeSource pOe","nfs 7 .NFSVolumeSource pOe","iscsi 8 .ISCSIVolumeSource pOe","glusterfs 9 .GlusterfsVolumeSource pOe","persistentVolumeClaim 10 .PersistentVolumeClaimVolumeSource pOe","rbd 11 .RBDVolumeSource pOe","flexVolume 12 .FlexVolumeSource pOe","cinder 13 .CinderVolumeSource pOe","cephfs 14 .CephFSVolumeSource pOe","flocker 15 .FlockerVolumeSource pOe","downwardAPI 16 .DownwardAPIVolumeSource pOe","fc 17 .FCVolumeSource pOe","azureFile 18 .AzureFileVolumeSource pOe","configMap 19 .ConfigMapVolumeSource pOe","vsphereVolume 20 .VsphereVirtualDiskVolumeSource pOe","quobyte 21 .QuobyteVolumeSource pOe","azureDisk 22 .AzureDiskVolumeSource pOe","photonPersistentDisk 23 .PhotonPersistentDiskVolumeSource pe","projected 26 .ProjectedVolumeSource pe","portworxVolume 24 .PortworxVolumeSource pOe","scaleIO 25 .ScaleIOVolumeSource pOe","storageos 27 .StorageOSVolumeSource pOe","csi 28 .CSIVolumeSource pOe","ephemeral 29 .EphemeralVolumeSource pOe","image 30 .ImageVolumeSource pOe"]},
"VolumeStatus":{"f":[["image 1 .ImageVolumeStatus pOe",{"featureGates":["ImageVolumeWithDigest"]}]]},
"VsphereVirtualDiskVolumeSource":{"f":["volumePath 1 string R","fsType 2 string Oe","storagePolicyName 3 string Oe","storagePolicyID 4 string Oe"]},
"WeightedPodAffinityTerm":{"f":["weight 1 int32 R","podAffinityTerm 2 .PodAffinityTerm R"]},
"WindowsSecurityContextOptions":{"f":["gmsaCredentialSpecName 1 string pOe","gmsaCredentialSpec 2 string pOe","runAsUserName 3 string pOe","hostProcess 4 bool pOe"]}
}`,
};

export interface AWSElasticBlockStoreVolumeSource {
  volumeID: string;
  fsType?: string;
  partition?: number;
  readOnly?: boolean;
}
export interface Affinity {
  nodeAffinity?: NodeAffinity;
  podAffinity?: PodAffinity;
  podAntiAffinity?: PodAntiAffinity;
}
export interface AppArmorProfile {
  type: "Unconfined" | "RuntimeDefault" | "Localhost";
  localhostProfile?: string;
}
export interface AttachedVolume {
  name: string;
  devicePath: string;
}
export interface AvoidPods {
  preferAvoidPods?: PreferAvoidPodsEntry[];
}
export interface AzureDiskVolumeSource {
  diskName: string;
  diskURI: string;
  cachingMode?: "None" | "ReadOnly" | "ReadWrite";
  fsType?: string;
  readOnly?: boolean;
  kind?: "Shared" | "Dedicated" | "Managed";
}
export interface AzureFilePersistentVolumeSource {
  secretName: string;
  shareName: string;
  readOnly?: boolean;
  secretNamespace?: string | null;
}
export interface AzureFileVolumeSource {
  secretName: string;
  shareName: string;
  readOnly?: boolean;
}
export interface Binding {
  apiVersion?: string;
  kind?: string;
  metadata?: meta_v1.ObjectMeta;
  target: ObjectReference;
}
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
export interface CSIVolumeSource {
  driver: string;
  readOnly?: boolean;
  fsType?: string;
  volumeAttributes?: Record<string, string>;
  nodePublishSecretRef?: LocalObjectReference;
}
export interface Capabilities {
  add?: string[];
  drop?: string[];
}
export interface CephFSPersistentVolumeSource {
  monitors: string[] | null;
  path?: string;
  user?: string;
  secretFile?: string;
  secretRef?: SecretReference;
  readOnly?: boolean;
}
export interface CephFSVolumeSource {
  monitors: string[] | null;
  path?: string;
  user?: string;
  secretFile?: string;
  secretRef?: LocalObjectReference;
  readOnly?: boolean;
}
export interface CinderPersistentVolumeSource {
  volumeID: string;
  fsType?: string;
  readOnly?: boolean;
  secretRef?: SecretReference;
}
export interface CinderVolumeSource {
  volumeID: string;
  fsType?: string;
  readOnly?: boolean;
  secretRef?: LocalObjectReference;
}
export interface ClientIPConfig {
  timeoutSeconds?: number;
}
export interface ClusterTrustBundleProjection {
  name?: string;
  signerName?: string;
  labelSelector?: meta_v1.LabelSelector;
  optional?: boolean;
  path: string;
  user?: Int64;
}
export interface ComponentCondition {
  type: string;
  status: string;
  message?: string;
  error?: string;
}
export interface ComponentStatus {
  apiVersion?: string;
  kind?: string;
  metadata?: meta_v1.ObjectMeta;
  conditions?: ComponentCondition[];
}
export interface ComponentStatusList {
  apiVersion?: string;
  kind?: string;
  metadata?: meta_v1.ListMeta;
  items: ComponentStatus[] | null;
}
export interface ConfigMap {
  apiVersion?: string;
  kind?: string;
  metadata?: meta_v1.ObjectMeta;
  immutable?: boolean;
  data?: Record<string, string>;
  binaryData?: Record<string, string>;
}
export interface ConfigMapEnvSource {
  name?: string;
  optional?: boolean;
}
export interface ConfigMapKeySelector {
  name?: string;
  key: string;
  optional?: boolean;
}
export interface ConfigMapList {
  apiVersion?: string;
  kind?: string;
  metadata?: meta_v1.ListMeta;
  items: ConfigMap[] | null;
}
export interface ConfigMapNodeConfigSource {
  namespace: string;
  name: string;
  uid?: string;
  resourceVersion?: string;
  kubeletConfigKey: string;
}
export interface ConfigMapProjection {
  name?: string;
  items?: KeyToPath[];
  optional?: boolean;
}
export interface ConfigMapVolumeSource {
  name?: string;
  items?: KeyToPath[];
  defaultMode?: number;
  optional?: boolean;
  defaultUser?: Int64;
}
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
export interface ContainerExtendedResourceRequest {
  containerName: string;
  resourceName: string;
  requestName: string;
}
export interface ContainerImage {
  names?: string[] | null;
  sizeBytes?: Int64;
}
export interface ContainerPort {
  name?: string;
  hostPort?: number;
  containerPort: number;
  protocol?: "TCP" | "UDP" | "SCTP";
  hostIP?: string;
}
export interface ContainerResizePolicy {
  resourceName: string;
  restartPolicy: string;
}
export interface ContainerRestartRule {
  action?: string;
  exitCodes?: ContainerRestartRuleOnExitCodes;
}
export interface ContainerRestartRuleOnExitCodes {
  operator?: string;
  values?: number[];
}
export interface ContainerState {
  waiting?: ContainerStateWaiting;
  running?: ContainerStateRunning;
  terminated?: ContainerStateTerminated;
}
export interface ContainerStateRunning {
  startedAt?: meta_v1.Time;
}
export interface ContainerStateTerminated {
  exitCode: number;
  signal?: number;
  reason?: string;
  message?: string;
  startedAt?: meta_v1.Time;
  finishedAt?: meta_v1.Time;
  containerID?: string;
}
export interface ContainerStateWaiting {
  reason?: string;
  message?: string;
}
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
export interface ContainerUser {
  linux?: LinuxContainerUser;
}
export interface DaemonEndpoint {
  Port: number;
}
export interface DownwardAPIProjection {
  items?: DownwardAPIVolumeFile[];
}
export interface DownwardAPIVolumeFile {
  path: string;
  fieldRef?: ObjectFieldSelector;
  resourceFieldRef?: ResourceFieldSelector;
  mode?: number;
  user?: Int64;
}
export interface DownwardAPIVolumeSource {
  items?: DownwardAPIVolumeFile[];
  defaultMode?: number;
  defaultUser?: Int64;
}
export interface EmptyDirVolumeSource {
  medium?: string;
  sizeLimit?: quantity.Quantity;
  mode?: number;
}
export interface EndpointAddress {
  ip: string;
  hostname?: string;
  nodeName?: string;
  targetRef?: ObjectReference;
}
export interface EndpointPort {
  name?: string;
  port: number;
  protocol?: "TCP" | "UDP" | "SCTP";
  appProtocol?: string;
}
export interface EndpointSubset {
  addresses?: EndpointAddress[];
  notReadyAddresses?: EndpointAddress[];
  ports?: EndpointPort[];
}
export interface Endpoints {
  apiVersion?: string;
  kind?: string;
  metadata?: meta_v1.ObjectMeta;
  subsets?: EndpointSubset[];
}
export interface EndpointsList {
  apiVersion?: string;
  kind?: string;
  metadata?: meta_v1.ListMeta;
  items: Endpoints[] | null;
}
export interface EnvFromSource {
  prefix?: string;
  configMapRef?: ConfigMapEnvSource;
  secretRef?: SecretEnvSource;
}
export interface EnvVar {
  name: string;
  value?: string;
  valueFrom?: EnvVarSource;
}
export interface EnvVarSource {
  fieldRef?: ObjectFieldSelector;
  resourceFieldRef?: ResourceFieldSelector;
  configMapKeyRef?: ConfigMapKeySelector;
  secretKeyRef?: SecretKeySelector;
  fileKeyRef?: FileKeySelector;
}
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
export interface EphemeralVolumeSource {
  volumeClaimTemplate?: PersistentVolumeClaimTemplate;
}
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
export interface EventList {
  apiVersion?: string;
  kind?: string;
  metadata?: meta_v1.ListMeta;
  items: Event[] | null;
}
export interface EventSeries {
  count?: number;
  lastObservedTime?: meta_v1.MicroTime;
}
export interface EventSource {
  component?: string;
  host?: string;
}
export interface EvictionResponder {
  name: string;
  priority?: number | null;
}
export interface ExecAction {
  command?: string[];
}
export interface FCVolumeSource {
  targetWWNs?: string[];
  lun?: number;
  fsType?: string;
  readOnly?: boolean;
  wwids?: string[];
}
export interface FileKeySelector {
  volumeName: string;
  path: string;
  key: string;
  optional?: boolean;
}
export interface FlexPersistentVolumeSource {
  driver: string;
  fsType?: string;
  secretRef?: SecretReference;
  readOnly?: boolean;
  options?: Record<string, string>;
}
export interface FlexVolumeSource {
  driver: string;
  fsType?: string;
  secretRef?: LocalObjectReference;
  readOnly?: boolean;
  options?: Record<string, string>;
}
export interface FlockerVolumeSource {
  datasetName?: string;
  datasetUUID?: string;
}
export interface GCEPersistentDiskVolumeSource {
  pdName: string;
  fsType?: string;
  partition?: number;
  readOnly?: boolean;
}
export interface GRPCAction {
  port: number;
  service?: string | null;
  mode?: "Plaintext" | "TLS";
}
export interface GitRepoVolumeSource {
  repository: string;
  revision?: string;
  directory?: string;
}
export interface GlusterfsPersistentVolumeSource {
  endpoints: string;
  path: string;
  readOnly?: boolean;
  endpointsNamespace?: string;
}
export interface GlusterfsVolumeSource {
  endpoints: string;
  path: string;
  readOnly?: boolean;
}
export interface HTTPGetAction {
  path?: string;
  port: intstr.IntOrString;
  host?: string;
  scheme?: "HTTP" | "HTTPS";
  httpHeaders?: HTTPHeader[];
  protocol?: "HTTP1" | "HTTP2";
}
export interface HTTPHeader {
  name: string;
  value: string;
}
export interface HostAlias {
  ip: string;
  hostnames?: string[];
}
export interface HostIP {
  ip: string;
}
export interface HostPathVolumeSource {
  path: string;
  type?: "" | "DirectoryOrCreate" | "Directory" | "FileOrCreate" | "File" | "Socket" | "CharDevice" | "BlockDevice";
}
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
export interface ImageVolumeSource {
  reference?: string;
  pullPolicy?: "Always" | "Never" | "IfNotPresent";
}
export interface ImageVolumeStatus {
  imageRef?: string;
}
export interface KeyToPath {
  key: string;
  path: string;
  mode?: number;
  user?: Int64;
}
export interface Lifecycle {
  postStart?: LifecycleHandler;
  preStop?: LifecycleHandler;
  stopSignal?: "SIGABRT" | "SIGALRM" | "SIGBUS" | "SIGCHLD" | "SIGCLD" | "SIGCONT" | "SIGFPE" | "SIGHUP" | "SIGILL" | "SIGINT" | "SIGIO" | "SIGIOT" | "SIGKILL" | "SIGPIPE" | "SIGPOLL" | "SIGPROF" | "SIGPWR" | "SIGQUIT" | "SIGSEGV" | "SIGSTKFLT" | "SIGSTOP" | "SIGSYS" | "SIGTERM" | "SIGTRAP" | "SIGTSTP" | "SIGTTIN" | "SIGTTOU" | "SIGURG" | "SIGUSR1" | "SIGUSR2" | "SIGVTALRM" | "SIGWINCH" | "SIGXCPU" | "SIGXFSZ" | "SIGRTMIN" | "SIGRTMIN+1" | "SIGRTMIN+2" | "SIGRTMIN+3" | "SIGRTMIN+4" | "SIGRTMIN+5" | "SIGRTMIN+6" | "SIGRTMIN+7" | "SIGRTMIN+8" | "SIGRTMIN+9" | "SIGRTMIN+10" | "SIGRTMIN+11" | "SIGRTMIN+12" | "SIGRTMIN+13" | "SIGRTMIN+14" | "SIGRTMIN+15" | "SIGRTMAX-14" | "SIGRTMAX-13" | "SIGRTMAX-12" | "SIGRTMAX-11" | "SIGRTMAX-10" | "SIGRTMAX-9" | "SIGRTMAX-8" | "SIGRTMAX-7" | "SIGRTMAX-6" | "SIGRTMAX-5" | "SIGRTMAX-4" | "SIGRTMAX-3" | "SIGRTMAX-2" | "SIGRTMAX-1" | "SIGRTMAX";
}
export interface LifecycleHandler {
  exec?: ExecAction;
  httpGet?: HTTPGetAction;
  tcpSocket?: TCPSocketAction;
  sleep?: SleepAction;
}
export interface LimitRange {
  apiVersion?: string;
  kind?: string;
  metadata?: meta_v1.ObjectMeta;
  spec?: LimitRangeSpec;
}
export interface LimitRangeItem {
  type: string;
  max?: Record<string, quantity.Quantity>;
  min?: Record<string, quantity.Quantity>;
  default?: Record<string, quantity.Quantity>;
  defaultRequest?: Record<string, quantity.Quantity>;
  maxLimitRequestRatio?: Record<string, quantity.Quantity>;
}
export interface LimitRangeList {
  apiVersion?: string;
  kind?: string;
  metadata?: meta_v1.ListMeta;
  items: LimitRange[] | null;
}
export interface LimitRangeSpec {
  limits: LimitRangeItem[] | null;
}
export interface LinuxContainerUser {
  uid: Int64;
  gid: Int64;
  supplementalGroups?: Int64[];
}
export interface List {
  apiVersion?: string;
  kind?: string;
  metadata?: meta_v1.ListMeta;
  items: runtime.RawExtension[] | null;
}
export interface LoadBalancerIngress {
  ip?: string;
  hostname?: string;
  ipMode?: string;
  ports?: PortStatus[];
}
export interface LoadBalancerStatus {
  ingress?: LoadBalancerIngress[];
}
export interface LocalObjectReference {
  name?: string;
}
export interface LocalVolumeSource {
  path: string;
  fsType?: string;
}
export interface ModifyVolumeStatus {
  targetVolumeAttributesClassName?: string;
  status: "Pending" | "InProgress" | "Infeasible";
}
export interface NFSVolumeSource {
  server: string;
  path: string;
  readOnly?: boolean;
}
export interface Namespace {
  apiVersion?: string;
  kind?: string;
  metadata?: meta_v1.ObjectMeta;
  spec?: NamespaceSpec;
  status?: NamespaceStatus;
}
export interface NamespaceCondition {
  type: string;
  status: string;
  lastTransitionTime?: meta_v1.Time;
  reason?: string;
  message?: string;
}
export interface NamespaceList {
  apiVersion?: string;
  kind?: string;
  metadata?: meta_v1.ListMeta;
  items: Namespace[] | null;
}
export interface NamespaceSpec {
  finalizers?: string[];
}
export interface NamespaceStatus {
  phase?: "Active" | "Terminating";
  conditions?: NamespaceCondition[];
}
export interface Node {
  apiVersion?: string;
  kind?: string;
  metadata?: meta_v1.ObjectMeta;
  spec?: NodeSpec;
  status?: NodeStatus;
}
export interface NodeAddress {
  type: string;
  address: string;
}
export interface NodeAffinity {
  requiredDuringSchedulingIgnoredDuringExecution?: NodeSelector;
  preferredDuringSchedulingIgnoredDuringExecution?: PreferredSchedulingTerm[];
}
export interface NodeAllocatableMappedResources {
  name: string;
  quantity?: quantity.Quantity | null;
}
export interface NodeAllocatableOverheadResources {
  name: string;
  perPod?: quantity.Quantity;
  perContainer?: quantity.Quantity;
}
export interface NodeAllocatableResourceClaimStatus {
  resourceClaimName: string;
  containers?: string[];
  mapping?: NodeAllocatableMappedResources[];
  overhead?: NodeAllocatableOverheadResources[];
}
export interface NodeCondition {
  type: string;
  status: string;
  lastHeartbeatTime?: meta_v1.Time;
  lastTransitionTime?: meta_v1.Time;
  reason?: string;
  message?: string;
}
export interface NodeConfigSource {
  configMap?: ConfigMapNodeConfigSource;
}
export interface NodeConfigStatus {
  assigned?: NodeConfigSource;
  active?: NodeConfigSource;
  lastKnownGood?: NodeConfigSource;
  error?: string;
}
export interface NodeDaemonEndpoints {
  kubeletEndpoint?: DaemonEndpoint;
}
export interface NodeFeatures {
  supplementalGroupsPolicy?: boolean;
}
export interface NodeList {
  apiVersion?: string;
  kind?: string;
  metadata?: meta_v1.ListMeta;
  items: Node[] | null;
}
export interface NodePodPreemptionPolicy {
  disableResizePreemption?: string[];
}
export interface NodeProxyOptions {
  apiVersion?: string;
  kind?: string;
  path?: string;
}
export interface NodeRuntimeHandler {
  name?: string;
  features?: NodeRuntimeHandlerFeatures;
}
export interface NodeRuntimeHandlerFeatures {
  recursiveReadOnlyMounts?: boolean;
  userNamespaces?: boolean;
}
export interface NodeSelector {
  nodeSelectorTerms: NodeSelectorTerm[] | null;
}
export interface NodeSelectorRequirement {
  key: string;
  operator: "In" | "NotIn" | "Exists" | "DoesNotExist" | "Gt" | "Lt";
  values?: string[];
}
export interface NodeSelectorTerm {
  matchExpressions?: NodeSelectorRequirement[];
  matchFields?: NodeSelectorRequirement[];
}
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
export interface NodeSwapStatus {
  capacity?: Int64;
}
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
}
export interface ObjectFieldSelector {
  apiVersion?: string;
  fieldPath: string;
}
export interface ObjectReference {
  kind?: string;
  namespace?: string;
  name?: string;
  uid?: string;
  apiVersion?: string;
  resourceVersion?: string;
  fieldPath?: string;
}
export interface PersistentVolume {
  apiVersion?: string;
  kind?: string;
  metadata?: meta_v1.ObjectMeta;
  spec?: PersistentVolumeSpec;
  status?: PersistentVolumeStatus;
}
export interface PersistentVolumeClaim {
  apiVersion?: string;
  kind?: string;
  metadata?: meta_v1.ObjectMeta;
  spec?: PersistentVolumeClaimSpec;
  status?: PersistentVolumeClaimStatus;
}
export interface PersistentVolumeClaimCondition {
  type: string;
  status: string;
  lastProbeTime?: meta_v1.Time;
  lastTransitionTime?: meta_v1.Time;
  reason?: string;
  message?: string;
}
export interface PersistentVolumeClaimList {
  apiVersion?: string;
  kind?: string;
  metadata?: meta_v1.ListMeta;
  items: PersistentVolumeClaim[] | null;
}
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
export interface PersistentVolumeClaimTemplate {
  metadata?: meta_v1.ObjectMeta;
  spec: PersistentVolumeClaimSpec;
}
export interface PersistentVolumeClaimVolumeSource {
  claimName: string;
  readOnly?: boolean;
}
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
export interface PersistentVolumeStatus {
  phase?: "Pending" | "Available" | "Bound" | "Released" | "Failed";
  message?: string;
  reason?: string;
  lastPhaseTransitionTime?: meta_v1.Time;
}
export interface PhotonPersistentDiskVolumeSource {
  pdID: string;
  fsType?: string;
}
export interface Pod {
  apiVersion?: string;
  kind?: string;
  metadata?: meta_v1.ObjectMeta;
  spec?: PodSpec;
  status?: PodStatus;
}
export interface PodAffinity {
  requiredDuringSchedulingIgnoredDuringExecution?: PodAffinityTerm[];
  preferredDuringSchedulingIgnoredDuringExecution?: WeightedPodAffinityTerm[];
}
export interface PodAffinityTerm {
  labelSelector?: meta_v1.LabelSelector;
  namespaces?: string[];
  topologyKey: string;
  namespaceSelector?: meta_v1.LabelSelector;
  matchLabelKeys?: string[];
  mismatchLabelKeys?: string[];
}
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
export interface PodCondition {
  type: string;
  observedGeneration?: Int64;
  status: string;
  lastProbeTime?: meta_v1.Time;
  lastTransitionTime?: meta_v1.Time;
  reason?: string;
  message?: string;
}
export interface PodDNSConfig {
  nameservers?: string[];
  searches?: string[];
  options?: PodDNSConfigOption[];
}
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
export interface PodExtendedResourceClaimStatus {
  requestMappings: ContainerExtendedResourceRequest[] | null;
  resourceClaimName: string;
}
export interface PodIP {
  ip: string;
}
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
export interface PodReadinessGate {
  conditionType: string;
}
export interface PodResourceClaim {
  name: string;
  resourceClaimName?: string;
  resourceClaimTemplateName?: string;
}
export interface PodResourceClaimStatus {
  name: string;
  resourceClaimName?: string;
}
export interface PodSchedulingGate {
  name: string;
}
export interface PodSchedulingGroup {
  podGroupName?: string;
}
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
export interface PodTemplate {
  apiVersion?: string;
  kind?: string;
  metadata?: meta_v1.ObjectMeta;
  template?: PodTemplateSpec;
}
export interface PodTemplateList {
  apiVersion?: string;
  kind?: string;
  metadata?: meta_v1.ListMeta;
  items: PodTemplate[] | null;
}
export interface PodTemplateSpec {
  metadata?: meta_v1.ObjectMeta;
  spec?: PodSpec;
}
export interface PodVolumeHealth {
  name: string;
  healthConditions?: VolumeHealthCondition[];
  lastTransitionTime?: meta_v1.Time;
}
export interface PortStatus {
  port: number;
  protocol: "TCP" | "UDP" | "SCTP";
  error?: string;
}
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
export interface PreferredSchedulingTerm {
  weight: number;
  preference: NodeSelectorTerm;
}
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
export interface ProjectedVolumeSource {
  sources?: VolumeProjection[] | null;
  defaultMode?: number;
  defaultUser?: Int64;
}
export interface QuobyteVolumeSource {
  registry: string;
  volume: string;
  readOnly?: boolean;
  user?: string;
  group?: string;
  tenant?: string;
}
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
export interface ReplicationController {
  apiVersion?: string;
  kind?: string;
  metadata?: meta_v1.ObjectMeta;
  spec?: ReplicationControllerSpec;
  status?: ReplicationControllerStatus;
}
export interface ReplicationControllerCondition {
  type: string;
  status: string;
  lastTransitionTime?: meta_v1.Time;
  reason?: string;
  message?: string;
}
export interface ReplicationControllerList {
  apiVersion?: string;
  kind?: string;
  metadata?: meta_v1.ListMeta;
  items: ReplicationController[] | null;
}
export interface ReplicationControllerSpec {
  replicas?: number;
  minReadySeconds?: number;
  selector?: Record<string, string>;
  template?: PodTemplateSpec;
}
export interface ReplicationControllerStatus {
  replicas: number;
  fullyLabeledReplicas?: number;
  readyReplicas?: number;
  availableReplicas?: number;
  observedGeneration?: Int64;
  conditions?: ReplicationControllerCondition[];
}
export interface ResourceClaim {
  name: string;
  request?: string;
}
export interface ResourceFieldSelector {
  containerName?: string;
  resource: string;
  divisor?: quantity.Quantity;
}
export interface ResourceHealth {
  resourceID: string;
  health?: string;
  message?: string;
}
export interface ResourceQuota {
  apiVersion?: string;
  kind?: string;
  metadata?: meta_v1.ObjectMeta;
  spec?: ResourceQuotaSpec;
  status?: ResourceQuotaStatus;
}
export interface ResourceQuotaList {
  apiVersion?: string;
  kind?: string;
  metadata?: meta_v1.ListMeta;
  items: ResourceQuota[] | null;
}
export interface ResourceQuotaSpec {
  hard?: Record<string, quantity.Quantity>;
  scopes?: ("Terminating" | "NotTerminating" | "BestEffort" | "NotBestEffort" | "PriorityClass" | "CrossNamespacePodAffinity" | "VolumeAttributesClass")[];
  scopeSelector?: ScopeSelector;
}
export interface ResourceQuotaStatus {
  hard?: Record<string, quantity.Quantity>;
  used?: Record<string, quantity.Quantity>;
}
export interface ResourceRequirements {
  limits?: Record<string, quantity.Quantity>;
  requests?: Record<string, quantity.Quantity>;
  claims?: ResourceClaim[];
}
export interface ResourceStatus {
  name: string;
  resources?: ResourceHealth[];
}
export interface SELinuxOptions {
  user?: string;
  role?: string;
  type?: string;
  level?: string;
}
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
export interface ScopeSelector {
  matchExpressions?: ScopedResourceSelectorRequirement[];
}
export interface ScopedResourceSelectorRequirement {
  scopeName: "Terminating" | "NotTerminating" | "BestEffort" | "NotBestEffort" | "PriorityClass" | "CrossNamespacePodAffinity" | "VolumeAttributesClass";
  operator: "In" | "NotIn" | "Exists" | "DoesNotExist";
  values?: string[];
}
export interface SeccompProfile {
  type: "Unconfined" | "RuntimeDefault" | "Localhost";
  localhostProfile?: string;
}
export interface Secret {
  apiVersion?: string;
  kind?: string;
  metadata?: meta_v1.ObjectMeta;
  immutable?: boolean;
  data?: Record<string, string>;
  stringData?: Record<string, string>;
  type?: string;
}
export interface SecretEnvSource {
  name?: string;
  optional?: boolean;
}
export interface SecretKeySelector {
  name?: string;
  key: string;
  optional?: boolean;
}
export interface SecretList {
  apiVersion?: string;
  kind?: string;
  metadata?: meta_v1.ListMeta;
  items: Secret[] | null;
}
export interface SecretProjection {
  name?: string;
  items?: KeyToPath[];
  optional?: boolean;
}
export interface SecretReference {
  name?: string;
  namespace?: string;
}
export interface SecretVolumeSource {
  secretName?: string;
  items?: KeyToPath[];
  defaultMode?: number;
  optional?: boolean;
  defaultUser?: Int64;
}
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
export interface Service {
  apiVersion?: string;
  kind?: string;
  metadata?: meta_v1.ObjectMeta;
  spec?: ServiceSpec;
  status?: ServiceStatus;
}
export interface ServiceAccount {
  apiVersion?: string;
  kind?: string;
  metadata?: meta_v1.ObjectMeta;
  secrets?: ObjectReference[];
  imagePullSecrets?: LocalObjectReference[];
  automountServiceAccountToken?: boolean;
}
export interface ServiceAccountList {
  apiVersion?: string;
  kind?: string;
  metadata?: meta_v1.ListMeta;
  items: ServiceAccount[] | null;
}
export interface ServiceAccountTokenProjection {
  audience?: string;
  expirationSeconds?: Int64;
  path: string;
  user?: Int64;
}
export interface ServiceList {
  apiVersion?: string;
  kind?: string;
  metadata?: meta_v1.ListMeta;
  items: Service[] | null;
}
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
export interface ServiceStatus {
  loadBalancer?: LoadBalancerStatus;
  conditions?: meta_v1.Condition[];
}
export interface SessionAffinityConfig {
  clientIP?: ClientIPConfig;
}
export interface SleepAction {
  seconds: Int64;
}
export interface StorageOSPersistentVolumeSource {
  volumeName?: string;
  volumeNamespace?: string;
  fsType?: string;
  readOnly?: boolean;
  secretRef?: ObjectReference;
}
export interface StorageOSVolumeSource {
  volumeName?: string;
  volumeNamespace?: string;
  fsType?: string;
  readOnly?: boolean;
  secretRef?: LocalObjectReference;
}
export interface Sysctl {
  name: string;
  value: string;
}
export interface TCPSocketAction {
  port: intstr.IntOrString;
  host?: string;
}
export interface Taint {
  key: string;
  value?: string;
  effect: "NoSchedule" | "PreferNoSchedule" | "NoExecute";
  timeAdded?: meta_v1.Time;
}
export interface Toleration {
  key?: string;
  operator?: "Exists" | "Equal" | "Lt" | "Gt";
  value?: string;
  effect?: "NoSchedule" | "PreferNoSchedule" | "NoExecute";
  tolerationSeconds?: Int64;
}
export interface TopologySelectorLabelRequirement {
  key: string;
  values: string[] | null;
}
export interface TopologySelectorTerm {
  matchLabelExpressions?: TopologySelectorLabelRequirement[];
}
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
export interface TypedLocalObjectReference {
  apiGroup?: string | null;
  kind: string;
  name: string;
}
export interface TypedObjectReference {
  apiGroup?: string | null;
  kind: string;
  name: string;
  namespace?: string;
}
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
export interface VolumeDevice {
  name: string;
  devicePath: string;
}
export interface VolumeHealthCondition {
  status: "Inaccessible" | "DataLoss" | "Degraded";
  reason: string;
  message?: string;
}
export interface VolumeHealthStatus {
  healthConditions?: VolumeHealthCondition[];
  lastTransitionTime?: meta_v1.Time;
}
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
export interface VolumeMountStatus {
  name: string;
  mountPath: string;
  readOnly?: boolean;
  recursiveReadOnly?: string;
  volumeStatus?: VolumeStatus;
}
export interface VolumeNodeAffinity {
  required?: NodeSelector;
}
export interface VolumeProjection {
  secret?: SecretProjection;
  downwardAPI?: DownwardAPIProjection;
  configMap?: ConfigMapProjection;
  serviceAccountToken?: ServiceAccountTokenProjection;
  clusterTrustBundle?: ClusterTrustBundleProjection;
  podCertificate?: PodCertificateProjection;
}
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
export interface VolumeStatus {
  image?: ImageVolumeStatus;
}
export interface VsphereVirtualDiskVolumeSource {
  volumePath: string;
  fsType?: string;
  storagePolicyName?: string;
  storagePolicyID?: string;
}
export interface WeightedPodAffinityTerm {
  weight: number;
  podAffinityTerm: PodAffinityTerm;
}
export interface WindowsSecurityContextOptions {
  gmsaCredentialSpecName?: string;
  gmsaCredentialSpec?: string;
  runAsUserName?: string;
  hostProcess?: boolean;
}
