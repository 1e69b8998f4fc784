/** Which of several classes is the default one: storage classes and ingress classes say so by an annotation. */
import type { Obj } from "../../../schema/model/types.ts";

/** The newest one that has the annotation; of equally old ones the first by name. */
export function newestDefault(all: readonly Obj[], annotations: readonly string[]): Obj | undefined {
  return all.filter((c) => annotations.some((a) => c.metadata.annotations?.[a] === "true")).sort(newestFirst)[0];
}

function newestFirst({ metadata: a }: Obj, { metadata: b }: Obj): number {
  const later = Date.parse(b.creationTimestamp ?? "") - Date.parse(a.creationTimestamp ?? "");
  return later || (a.name! < b.name! ? -1 : 1);
}
