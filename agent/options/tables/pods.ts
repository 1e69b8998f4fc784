/** Where pods come from, and how many there may be (specification, "Node agent options"). */
import { type AgentRow, NOT_NEGATIVE, PERIOD } from "../types.ts";

/** Rows of the group "Pods". */
export const PODS = [
  {
    name: "max-pods",
    type: "int",
    default: "110",
    rule: NOT_NEGATIVE,
    field: "maxPods",
    help: "Most pods of the node",
  },
  {
    name: "pods-per-core",
    type: "int",
    rule: NOT_NEGATIVE,
    field: "podsPerCore",
    help: "Most pods for each core, within --max-pods; 0 for no such limit",
  },
  {
    name: "pod-max-pids",
    type: "int",
    default: "-1",
    field: "podPidsLimit",
    help: "Most processes of a pod; -1: as many as the node has for pods",
  },
  {
    name: "pod-manifest-path",
    type: "path",
    field: "staticPodPath",
    help: "File of a static pod, or directory of such files; names that begin with a dot are passed over",
  },
  { name: "manifest-url", type: "url", field: "staticPodURL", help: "URL that further pods are read from" },
  {
    name: "manifest-url-header",
    type: "headers",
    field: "staticPodURLHeader",
    help: "name:value headers of requests to --manifest-url; repeatable",
  },
  {
    name: "file-check-frequency",
    type: "duration",
    default: "20s",
    rule: PERIOD,
    field: "fileCheckFrequency",
    help: "How often --pod-manifest-path is looked at",
  },
  {
    name: "http-check-frequency",
    type: "duration",
    default: "20s",
    rule: PERIOD,
    field: "httpCheckFrequency",
    help: "How often --manifest-url is read",
  },
  {
    name: "sync-frequency",
    type: "duration",
    default: "1m0s",
    rule: PERIOD,
    field: "syncFrequency",
    help: "Longest time until a running pod is compared with what it should be",
  },
  {
    name: "allowed-unsafe-sysctls",
    type: "strings",
    field: "allowedUnsafeSysctls",
    help: "Sysctls, or patterns ending in *, that pods may set though they are not known to be safe",
  },
  {
    name: "seccomp-default",
    type: "bool",
    field: "seccompDefault",
    help: "Use the profile RuntimeDefault where a pod names none",
  },
] as const satisfies readonly AgentRow[];
