/** The provider `identity`: values are stored as they are. */
import { beginsWith } from "../../../schema/values/bytes.ts";
import type { Transformer } from "./types.ts";

/** `encrypted`: how encrypted values begin (`k8s:enc:`): those are refused, as their bytes are no object. */
export function identity(encrypted: Uint8Array): Transformer {
  return {
    seal: (plain) => [plain],
    open(stored) {
      if (beginsWith(stored, encrypted)) throw new Error("the value is encrypted, and only identity may read it");
      return { plain: stored, stale: false };
    },
  };
}
