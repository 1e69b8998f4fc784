/** ClusterTrustBundleAttest: who may say which roots a signer has. */
import { same, type Tree } from "../../../schema/rules/tree.ts";
import { maySign } from "../../authorization/signers.ts";
import { on } from "../handles.ts";
import { refusal } from "../refuse.ts";
import type { Attributes, Plugin, PluginContext } from "../types.ts";

/** Members of metadata that the garbage collector and storage migration may change. */
const UPKEEP = ["ownerReferences", "finalizers", "resourceVersion", "managedFields"];

/** Whether an update leaves everything but upkeep as it was. */
function onlyUpkeep(a: Attributes): boolean {
  const strip = (obj: Tree): Tree => {
    const metadata = { ...obj["metadata"] };
    for (const m of UPKEEP) delete metadata[m];
    return { ...obj, metadata };
  };
  return a.operation === "UPDATE" && same(strip(a.object as Tree), strip(a.oldObject as Tree));
}

/** See the top of the file. */
export function clusterTrustBundleAttest(ctx: PluginContext): Plugin {
  return {
    name: "ClusterTrustBundleAttest",
    handles: on(["CREATE", "UPDATE"], ["clustertrustbundles.certificates.k8s.io"]),
    async validate(a) {
      const signer: string = (a.object as Tree)["spec"]?.signerName ?? "";
      if (signer === "" || onlyUpkeep(a)) return;
      if (await maySign(ctx, a.user, "attest", signer)) return;
      throw refusal(a, `user not permitted to attest for signerName "${signer}"`);
    },
  };
}
