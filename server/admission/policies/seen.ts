/** The objects of a request in the versions in which policies matched it. */
import type { Obj } from "../../../schema/model/types.ts";
import { withConverted } from "../converted.ts";
import type { KindTools } from "../kinds.ts";
import type { Target } from "../target.ts";
import type { Attributes } from "../types.ts";
import { Misconfigured } from "./matching.ts";

/** What expressions see of one request in one version. */
export interface Seen {
  readonly target: Target;
  object: Obj | undefined;
  readonly oldObject: Obj | undefined;
}

const unseen = (message: string) => new Misconfigured(`failed to convert object version: ${message}`);

/** Each version is converted once, when it is asked for; then it throws Misconfigured where that fails. */
export function seenBy(a: Attributes, kinds: KindTools): (target: Target) => Seen | Promise<Seen> {
  const known = new Map<string, Seen | Promise<Seen>>();
  return (target) => {
    const key = `${target.group}/${target.version}`;
    let seen = known.get(key);
    if (!seen) {
      const as = (o: Obj | undefined) => o && kinds.convert(o, target.kind);
      const make = (): Seen => ({ target, object: as(a.object), oldObject: as(a.oldObject) });
      known.set(key, seen = withConverted(a, target.kind, make, unseen));
    }
    return seen;
  };
}
