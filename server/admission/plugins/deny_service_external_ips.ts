/** DenyServiceExternalIPs: services take no new external addresses. */
import { items, type Tree } from "../../../schema/rules/tree.ts";
import { on } from "../handles.ts";
import { refusal } from "../refuse.ts";
import type { Plugin } from "../types.ts";

/** See the top of the file. */
export function denyServiceExternalIPs(): Plugin {
  return {
    name: "DenyServiceExternalIPs",
    handles: on(["CREATE", "UPDATE"], ["services"]),
    validate(a) {
      const old = new Set(items<string>((a.oldObject as Tree | undefined)?.["spec"]?.externalIPs));
      if (items<string>((a.object as Tree)["spec"]?.externalIPs).every((ip) => old.has(ip))) return;
      throw refusal(a, "Use of external IPs is denied by admission control");
    },
  };
}
