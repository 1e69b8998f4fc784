/** The node as the API server has it, and how it is asked (specification, "Node agent options"). */
import { type AgentRow, NOT_NEGATIVE } from "../types.ts";

/** Rows of the group "Node and API server". */
export const NODE = [
  { name: "hostname-override", type: "string", help: "Name of the node in place of the host's" },
  {
    name: "node-ip",
    type: "string",
    help: "Address of the node, or two of different families; 0.0.0.0 or :: to prefer a family",
  },
  {
    name: "node-labels",
    type: "switches",
    help: "key=value labels that the node registers with; few of the product's own domain may be given",
  },
  {
    name: "register-node",
    type: "bool",
    default: "true",
    field: "registerNode",
    help: "Make the node's object at the API server",
  },
  {
    name: "register-with-taints",
    type: "taints",
    field: "registerWithTaints",
    help: "key=value:effect taints that the node registers with",
  },
  {
    name: "provider-id",
    type: "string",
    field: "providerID",
    help: "What the node is called in a database of machines",
  },
  {
    name: "cloud-provider",
    type: "string",
    rule: { oneOf: ["", "external"] },
    help: "external when a provider outside of the agent completes the node; empty for none",
  },
  {
    name: "node-status-update-frequency",
    type: "duration",
    default: "10s",
    field: "nodeStatusUpdateFrequency",
    help: "How often the node's status is computed",
  },
  {
    name: "node-status-max-images",
    type: "int",
    default: "50",
    rule: { min: -1, max: 2 ** 31 - 1 },
    field: "nodeStatusMaxImages",
    help: "Most images in the node's status; -1 for all",
  },
  {
    name: "orch-api-qps",
    type: "int",
    default: "50",
    rule: NOT_NEGATIVE,
    aliases: ["kube-api-qps"],
    field: "kubeAPIQPS",
    help: "Requests a second to the API server, besides events and heartbeats; 0 is 50",
  },
  {
    name: "orch-api-burst",
    type: "int",
    default: "100",
    rule: NOT_NEGATIVE,
    aliases: ["kube-api-burst"],
    field: "kubeAPIBurst",
    help: "Requests to the API server that may come at once; 0 is 100",
  },
  {
    name: "orch-api-content-type",
    type: "string",
    default: "application/vnd.kubernetes.protobuf",
    aliases: ["kube-api-content-type"],
    field: "contentType",
    help: "Media type of what is sent to the API server",
  },
  {
    name: "event-qps",
    type: "int",
    default: "50",
    rule: NOT_NEGATIVE,
    field: "eventRecordQPS",
    help: "Events a second; 0 for no limit",
  },
  {
    name: "event-burst",
    type: "int",
    default: "100",
    rule: NOT_NEGATIVE,
    field: "eventBurst",
    help: "Events that may come at once; 0 is 100",
  },
] as const satisfies readonly AgentRow[];
