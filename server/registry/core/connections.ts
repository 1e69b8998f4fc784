/** Subresources that lead beyond the server: to agents of nodes, to pods and to services. Rows by `resource id/subresource`. */
import type { Beyond } from "../../agents/beyond.ts";
import type { SubresourceHandler } from "../../endpoints/api.ts";
import { podLog } from "./logs.ts";
import { nodeProxy, podProxy, serviceProxy } from "./proxies.ts";
import { podPortForward, podProcess } from "./streams.ts";

/** See the top of the file. */
export const connections = (beyond: Beyond): Readonly<Record<string, SubresourceHandler>> => ({
  "nodes/proxy": nodeProxy(beyond),
  "pods/attach": podProcess(beyond, "attach"),
  "pods/exec": podProcess(beyond, "exec"),
  "pods/log": podLog(beyond),
  "pods/portforward": podPortForward(beyond),
  "pods/proxy": podProxy(beyond),
  "services/proxy": serviceProxy(beyond),
});
