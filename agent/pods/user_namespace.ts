/** Whether a pod's users are its own, and which of the host's they are. */
import type { UserNamespace } from "../runtime/types.ts";
import { handlerFeatures } from "./handler.ts";
import type { PodMemory } from "./memory.ts";
import type { PodParts } from "./parts.ts";

/** @throws Error: it wants users of its own and they cannot be had */
export async function userNamespace(parts: PodParts, memory: PodMemory): Promise<UserNamespace> {
  if (memory.pod.spec?.hostUsers !== false) return { mode: "NODE" };
  const { handler = "", ref } = memory;
  const can = handlerFeatures(parts, memory);
  if (!can?.userNamespaces) {
    const who = handler === "" ? "runtime" : `RuntimeClass handler "${handler}"`;
    const unknown = can ? "" : `: the handler "${handler}" is not known`;
    throw new Error(`can't set \`spec.hostUsers: false\`, ${who} does not support user namespaces${unknown}`);
  }
  const range = await parts.users.of(ref.uid);
  return { mode: "POD", uids: [range], gids: [range] };
}
