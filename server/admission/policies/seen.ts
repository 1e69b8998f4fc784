/** The objects of a request in the versions in which policies matched it. */
import type { Kind, Obj } from "../../../schema/model/types.ts";
import type { KindTools } from "../kinds.ts";
import type { Attributes } from "../types.ts";

/** What expressions see of one request in one version. */
export interface Seen {
  readonly version: string;
  readonly kind: Kind;
  object: Obj | undefined;
  readonly oldObject: Obj | undefined;
}

/** The kind of a request's object in a version. */
export function kindIn(a: Attributes, version: string): Kind {
  const served = a.resource.served.find((s) => s.version === version);
  const part = a.subresource ? served?.subresources.get(a.subresource)?.kind : undefined;
  return part ?? served?.kind ?? a.resource.storageKind;
}

/** Each version is converted once, when it is asked for. */
export function seenBy(a: Attributes, kinds: KindTools): (version: string) => Seen {
  const known = new Map<string, Seen>();
  return (version) => {
    let seen = known.get(version);
    if (!seen) {
      const kind = kindIn(a, version), as = (o: Obj | undefined) => o && kinds.convert(o, kind);
      known.set(version, seen = { version, kind, object: as(a.object), oldObject: as(a.oldObject) });
    }
    return seen;
  };
}
