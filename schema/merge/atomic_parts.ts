/** Parts of an applied configuration that can only be set as a whole. */
import { isMap } from "../model/members.ts";
import type { Json } from "../model/types.ts";
import type { Atom } from "./atoms.ts";

/** Paths of lists, maps and structs in a value that are owned whole, as far as its schema declares them. */
export function atomicParts(atom: Atom, value: Json, path = ""): string[] {
  if (isMap(value) && atom.map) {
    const { map } = atom,
      below = Object.entries(value).flatMap(([name, v]) => {
        const member = map.declares(name) ? map.member(name) : undefined;
        return member ? atomicParts(member, v, `${path}.${name}`) : [];
      });
    return map.atomic ? [path, ...below] : below;
  }
  if (!Array.isArray(value) || !atom.list) return [];
  const { list } = atom, below = value.flatMap((v, i) => atomicParts(list.element, v, `${path}[${i}]`));
  return list.atomic ? [path, ...below] : below;
}
