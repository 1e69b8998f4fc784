/** Which handler a request goes to. */
import { type Answer, textAnswer } from "./answer.ts";
import type { Incoming } from "./listen/listen.ts";

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
   * `/containerLogs/{podNamespace}/{podID}/{containerName}`; `*` at the end, or `{name:*}`, stands for any rest. A slash at the end
   * of a request is nothing.
   */
  readonly path: string;
  /** Absent: any. */
  readonly methods?: readonly string[];
  readonly handler: Handler;
}

/** Which row answers a request. */
export interface Found {
  readonly route: Route;
  readonly params: Ask["params"];
}

interface Row extends Route {
  readonly parts: readonly string[];
}

/** What a request asks for: decoded path and query. Undefined: it cannot be read. */
export function readUrl(url: string): { readonly path: string; readonly query: URLSearchParams } | undefined {
  const at = url.indexOf("?"), path = at < 0 ? url : url.slice(0, at);
  try {
    return { path: decodeURIComponent(path), query: new URLSearchParams(at < 0 ? "" : url.slice(at + 1)) };
  } catch {
    return undefined;
  }
}

/** The table. */
export class Routes {
  readonly #rows: readonly Row[];

  constructor(routes: readonly Route[]) {
    this.#rows = routes.map((route) => ({ ...route, parts: partsOf(route.path) }));
  }

  /** All paths of the table. */
  all(): string[] {
    return this.#rows.map(({ path }) => path);
  }

  /** The first row that fits, and what the path says to it; without one, what is answered. */
  find(method: string, path: string): Found | Answer {
    const parts = partsOf(path);
    const allowed: string[] = [];
    for (const row of this.#rows) {
      const params = match(row.parts, parts);
      if (!params) continue;
      if (!row.methods || row.methods.includes(method)) return { route: row, params };
      allowed.push(...row.methods);
    }
    if (allowed.length === 0) return textAnswer(404, "404: Page Not Found");
    return textAnswer(405, "405: Method Not Allowed", { allow: [...new Set(allowed)].join(", ") });
  }
}

const partsOf = (path: string): string[] => path.split("/").filter((part) => part !== "");

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
