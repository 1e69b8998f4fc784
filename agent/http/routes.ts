/** Which handler a request goes to. */
import { type Answer, faultAnswer, textAnswer } from "./answer.ts";
import type { Incoming } from "./listen/listen.ts";
import { cleanPath, sentOn, type Target } from "./target.ts";

/** What a handler is asked. */
export interface Ask {
  /** Decoded parts of the path, by the names in the route; `*` is the rest of it. */
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  /** Decoded. */
  readonly path: string;
  readonly incoming: Incoming;
}

/** Answers; undefined: the connection was given to another protocol. */
export type Handler = (ask: Ask) => Answer | undefined | Promise<Answer | undefined>;

/** A row of the table of paths. */
export interface Route {
  /**
   * `/containerLogs/{podNamespace}/{podID}/{containerName}`; `*` at the end, or `{name:*}`, stands for any rest. In a tree a slash at
   * the end of a request is nothing.
   */
  readonly path: string;
  /** What it is a branch of: `/exec`, `/logs/`. Who asks for one with a slash without it is sent there. Absent: it is all by itself. */
  readonly tree?: string;
  /** Absent: any. */
  readonly methods?: readonly string[];
  /** Media types that may be wanted; none: whoever wants anything. Absent: nobody is asked. */
  readonly produces?: readonly string[];
  readonly handler: Handler;
}

/** Which row answers a request. */
export interface Found {
  readonly route: Route;
  readonly params: Ask["params"];
}

/** What is asked of rows. */
export interface Wanted {
  readonly method: string;
  /** The header. */
  readonly accept: string | undefined;
}

/** Rows that share a place: whoever comes there is asked who it is before one of them is chosen. */
export interface Place {
  choose(wanted: Wanted): Found | Answer;
}

/** The table. */
export class Routes {
  readonly #alone: ReadonlyMap<string, Route>;
  readonly #trees: ReadonlyMap<string, readonly Row[]>;

  constructor(readonly routes: readonly Route[]) {
    this.#alone = new Map(routes.filter(({ tree }) => tree === undefined).map((route) => [route.path, route]));
    const rows = routes.map((route): Row => ({ ...route, parts: partsOf(route.path) }));
    this.#trees = Map.groupBy(rows.filter(({ tree }) => tree !== undefined), ({ tree }) => tree!);
  }

  /** Where a target leads; an answer where there is nothing, or what is there is elsewhere. */
  at(target: Target, method: string): Place | Answer {
    const { written, place } = target, clean = cleanPath(written);
    if (clean !== written) return sentOn(clean, target, method);
    if (this.#trees.has(`${place}/`)) return sentOn(`${written}/`, target, method);
    const alone = this.#alone.get(place);
    if (alone) return { choose: () => ({ route: alone, params: {} }) };
    const tree = [...this.#trees.keys()].find((root) => isIn(place, root));
    if (tree === undefined) return faultAnswer(404, "404 page not found");
    const rows = this.#trees.get(tree)!, parts = partsOf(target.path);
    return { choose: (wanted) => chosen(rows, parts, wanted) };
  }
}

interface Row extends Route {
  readonly parts: readonly string[];
}

const isIn = (path: string, tree: string): boolean =>
  path === tree || path.startsWith(tree.endsWith("/") ? tree : `${tree}/`);

const partsOf = (path: string): string[] => path.split("/").filter((part) => part !== "");

function chosen(rows: readonly Row[], parts: readonly string[], { method, accept }: Wanted): Found | Answer {
  const fitting = rows.flatMap((route) => {
    const params = match(route.parts, parts);
    return params ? [{ route, params }] : [];
  });
  if (fitting.length === 0) return textAnswer(404, "404: Page Not Found");
  const found = fitting.find(({ route: { methods } }) => !methods || methods.includes(method));
  if (!found) {
    const allow = [...new Set(fitting.flatMap(({ route }) => route.methods ?? []))].join(", ");
    return textAnswer(405, "405: Method Not Allowed", { allow });
  }
  const { produces } = found.route;
  if (!produces || isWanted(accept, produces)) return found;
  return textAnswer(406, `406: Not Acceptable\n\nAvailable representations: ${produces.join(", ")}`);
}

/** Whether one of the types is wanted, by its name or by that of all. */
function isWanted(accept: string | undefined, types: readonly string[]): boolean {
  const named = (accept || "*/*").split(",").map((range) => range.split(";")[0]!.trim());
  return named.some((name) => name === "*/*" || types.includes(name));
}

function match(pattern: readonly string[], parts: readonly string[]): Record<string, string> | undefined {
  const params: Record<string, string> = {};
  for (const [i, part] of pattern.entries()) {
    if (/(^|:)\*\}?$/.test(part)) {
      params["*"] = parts.slice(i).join("/");
      return params;
    }
    const given = parts[i];
    if (given === undefined) return undefined;
    if (part.startsWith("{")) params[part.slice(1, -1)] = given;
    else if (part !== given) return undefined;
  }
  return pattern.length === parts.length ? params : undefined;
}
