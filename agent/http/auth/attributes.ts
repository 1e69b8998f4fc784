/** What of the node a request asks for, in the words of authorization. */

/** Verbs by methods; others have none. */
const VERBS: Readonly<Record<string, string>> = {
  POST: "create",
  GET: "get",
  PUT: "update",
  PATCH: "patch",
  DELETE: "delete",
};

/** The verb of a method. */
export const verbOf = (method: string): string => VERBS[method] ?? "";

/** Subresources of nodes by what paths begin with: the first row that fits; who may have any of a row is let in. */
const SUBRESOURCES: readonly (readonly [path: string, subresources: readonly string[]])[] = [
  ["/pods", ["pods", "proxy"]],
  ["/allocatedPods", ["pods", "proxy"]],
  ["/runningpods", ["pods", "proxy"]],
  ["/healthz", ["healthz", "proxy"]],
  ["/configz", ["configz", "proxy"]],
  ["/stats", ["stats"]],
  ["/metrics", ["metrics"]],
  ["/logs", ["log"]],
  ["/checkpoint", ["checkpoint"]],
  ["/statusz", ["statusz"]],
  ["/flagz", ["configz"]],
];

/** The subresources of a path, in the order in which they are asked for. */
export function subresourcesOf(path: string): readonly string[] {
  return SUBRESOURCES.find(([begin]) => path === begin || path.startsWith(`${begin}/`))?.[1] ?? ["proxy"];
}
