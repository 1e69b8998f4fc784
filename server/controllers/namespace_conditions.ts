/** Conditions of a namespace that is being deleted. */
import type { JsonMap } from "../../schema/model/types.ts";

/** What a look at a namespace found. */
export interface Contents {
  /** Objects left, by the full name of their resource. */
  readonly left: Map<string, number>;
  /** Objects left that have a finalizer, by finalizer. */
  readonly finalizers: Map<string, number>;
  /** What could not be deleted. */
  readonly failures: string[];
  /** Group versions whose servers do not say what they serve. */
  readonly undiscovered: string[];
}

interface Row {
  readonly type: string;
  /** Of a namespace with nothing in the way. */
  readonly fine: readonly [reason: string, message: string];
  /** Why it is not so; undefined when it is. */
  wrong(c: Contents): readonly [reason: string, message: string] | undefined;
}

const never = () => undefined;

const listed = (counts: ReadonlyMap<string, number>, each: string): string =>
  [...counts].sort(([a], [b]) => (a < b ? -1 : 1)).map(([name, n]) => `${name} ${each} ${n} resource instances`)
    .join(", ");

const ROWS: readonly Row[] = [
  {
    type: "NamespaceDeletionDiscoveryFailure",
    fine: ["ResourcesDiscovered", "All resources successfully discovered"],
    wrong: (c) =>
      c.undiscovered.length > 0
        ? [
          "DiscoveryFailed",
          `Discovery failed for some groups, ${c.undiscovered.length} failing: ${c.undiscovered.join(", ")}`,
        ]
        : undefined,
  },
  {
    type: "NamespaceDeletionGroupVersionParsingFailure",
    fine: ["ParsedGroupVersions", "All legacy kube types successfully parsed"],
    wrong: never,
  },
  {
    type: "NamespaceDeletionContentFailure",
    fine: ["ContentDeleted", "All content successfully deleted, may be waiting on finalization"],
    wrong: (c) =>
      c.failures.length > 0
        ? [
          "ContentDeletionFailed",
          `Failed to delete all resource types, ${c.failures.length} remaining: ${c.failures.toSorted().join(", ")}`,
        ]
        : undefined,
  },
  {
    type: "NamespaceContentRemaining",
    fine: ["ContentRemoved", "All content successfully removed"],
    wrong: (c) =>
      c.left.size > 0
        ? ["SomeResourcesRemain", `Some resources are remaining: ${listed(dotted(c.left), "has")}`]
        : undefined,
  },
  {
    type: "NamespaceFinalizersRemaining",
    fine: ["ContentHasNoFinalizers", "All content-preserving finalizers finished"],
    wrong: (c) =>
      c.finalizers.size > 0
        ? [
          "SomeFinalizersRemain",
          `Some content in the namespace has finalizers remaining: ${listed(c.finalizers, "in")}`,
        ]
        : undefined,
  },
];

/** Resources with their group, as `pods.` for the core one. */
function dotted(counts: ReadonlyMap<string, number>): Map<string, number> {
  return new Map([...counts].map(([id, n]) => [id.includes(".") ? id : `${id}.`, n]));
}

/**
 * Conditions after a look; the list given when nothing has changed. The first look at an empty namespace adds the list
 * too: it tells that the namespace was looked at. Others' conditions stay.
 */
export function deletionConditions(old: readonly JsonMap[], contents: Contents, now: string): readonly JsonMap[] {
  const next = new Map(old.map((c) => [c.type as string, c]));
  let changed = false;
  for (const row of ROWS) {
    const wrong = row.wrong(contents);
    const [reason, message] = wrong ?? row.fine;
    const status = wrong ? "True" : "False";
    const was = next.get(row.type);
    if (was && was.status === status && was.reason === reason && was.message === message) continue;
    const lastTransitionTime = was?.status === status ? was.lastTransitionTime! : now;
    next.set(row.type, { type: row.type, status, lastTransitionTime, reason, message });
    changed = true;
  }
  return changed ? [...next.values()] : old;
}
