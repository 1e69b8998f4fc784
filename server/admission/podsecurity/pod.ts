/** What checks look at, and the words that they share. */
import { items, type Tree } from "../../../schema/rules/tree.ts";

/** A pod or the template of one. */
export interface PodLike {
  readonly metadata: Tree;
  readonly spec: Tree;
}

/** Why a pod is not allowed: in a word, and in detail (which may be empty). */
export interface Finding {
  readonly reason: string;
  readonly detail: string;
}

/** One rule; undefined: the pod keeps it. */
export type Rule = (pod: PodLike) => Finding | undefined;

/** Every container of a pod: those that come first, the others, the ephemeral ones. */
export function containersOf({ spec }: PodLike): readonly Tree[] {
  const first = items<Tree>(spec["initContainers"]), last = items<Tree>(spec["ephemeralContainers"]);
  const usual = items<Tree>(spec["containers"]);
  return first.length === 0 && last.length === 0 ? usual : [...first, ...usual, ...last];
}

/** `"a", "b"`. */
export const quoted = (names: readonly string[]): string => names.map((n) => `"${n}"`).join(", ");
/** One or more of a thing. */
export const plural = (n: number, one: string, more = `${one}s`): string => n === 1 ? one : more;
/** `container "a"`, `containers "a", "b"`. */
export const namedContainers = (names: readonly string[]): string =>
  `${plural(names.length, "container")} ${quoted(names)}`;
/** Sorted, each once. */
export const unique = (texts: Iterable<string>): string[] => [...new Set(texts)].sort();

const NO_SECURITY: Tree = Object.freeze({});

/** Containers for which something holds, by name. */
export function containersWith(pod: PodLike, test: (security: Tree, container: Tree) => boolean): string[] {
  const names: string[] = [];
  for (const c of containersOf(pod)) if (test(c["securityContext"] ?? NO_SECURITY, c)) names.push(c["name"]);
  return names;
}

/** Whether the pod itself or containers set something: `pod and container "a"`. Empty: nobody does. */
export function setters(pod: PodLike, test: (security: Tree) => boolean): string {
  const names = containersWith(pod, test), itself = test(pod.spec["securityContext"] ?? NO_SECURITY);
  if (names.length === 0) return itself ? "pod" : "";
  const own = itself ? ["pod"] : [];
  return [...own, namedContainers(names)].join(" and ");
}

/** What the pod itself and its containers have for a member. */
export function valuesOf<T>(pod: PodLike, member: (security: Tree) => T | undefined): T[] {
  const all = [pod.spec["securityContext"] ?? {}, ...containersOf(pod).map((c) => c["securityContext"] ?? {})];
  return all.map(member).filter((v): v is T & NonNullable<unknown> => v !== undefined && v !== null);
}

/** The rule, but for pods of Windows, where it means nothing. */
export const notOnWindows = (rule: Rule): Rule => (pod) => pod.spec["os"]?.name === "windows" ? undefined : rule(pod);
/** The rule, but for pods whose users are not those of the host. */
export const notWithOwnUsers = (rule: Rule): Rule => (pod) => pod.spec["hostUsers"] === false ? undefined : rule(pod);
