/** What authors should know of containers: variables and ports that hide one another. */
import type { Path } from "../path.ts";
import { items, type Tree } from "../tree.ts";

/** A container and where it stands. */
export type Placed = readonly [container: Tree, path: Path];

/** Variables that a later one of the same name hides without building on it. */
export function envWarnings([c, path]: Placed): string[] {
  const seen = new Set<string>(), out: string[] = [];
  for (const [i, e] of items(c["env"]).entries()) {
    const name: string = e["name"] ?? "", ref = `$(${name})`, value: string = e["value"] ?? "";
    if (out.length === MOST_TOLD) break;
    if (!seen.has(name)) seen.add(name);
    else if (e["valueFrom"] || value === ref || !value.includes(ref)) {
      out.push(`${path.child("env").index(i)}: hides previous definition of "${name}", which apply may drop`);
    }
  }
  return out;
}

interface Seen {
  at: Path;
  hostPort: number;
  hostIP: string;
}

function clash(a: Seen, b: Seen): string | undefined {
  if (a.hostIP === b.hostIP && a.hostPort === b.hostPort) return "duplicate";
  if (!a.hostPort || !b.hostPort) return "overlapping";
  return a.hostPort === b.hostPort && (a.hostIP === "") !== (b.hostIP === "") ? "dangerously ambiguous" : undefined;
}

/** Warnings of one sort that are made of a pod: an answer tells fewer. */
const MOST_TOLD = 1000;
/** Definitions of one port that others are compared with: a list may be as long as a body can hold. */
const MOST_COMPARED = 64;

/** Ports of all containers of a pod that are one port, or have one name. */
export function portWarnings(containers: readonly Placed[]): string[] {
  const byPort = new Map<string, Seen[]>(), byName = new Map<string, Path>(), out: string[] = [], named: string[] = [];
  for (const [c, path] of containers) {
    for (const [i, p] of items(c["ports"]).entries()) {
      const at = path.child("ports").index(i), key = `${p["containerPort"]}/${p["protocol"]}`;
      const mine: Seen = { at, hostPort: p["hostPort"] ?? 0, hostIP: p["hostIP"] ?? "" };
      if (mine.hostIP && !mine.hostPort) out.push(`${at}: hostIP set without hostPort: ${mine.hostIP}`);
      const others = byPort.get(key);
      if (others === undefined) byPort.set(key, [mine]);
      else {
        for (const o of out.length < MOST_TOLD ? others : []) {
          const how = clash(mine, o);
          if (how) out.push(`${at}: ${how} port definition with ${o.at}`);
        }
        if (others.length < MOST_COMPARED) others.push(mine);
      }
      const first = byName.get(p["name"]);
      if (p["name"] && first) {
        named.push(`${at}: duplicate port name "${p["name"]}" with ${first}; what selects ports by name uses ${first}`);
      } else if (p["name"]) byName.set(p["name"], at);
    }
  }
  return [...out, ...named];
}
