/** What a request asks for, read from its first line. */
import type { Answer } from "./answer.ts";

/** See the top of the file. */
export interface Target {
  /** The path as it was written. */
  readonly written: string;
  /** Decoded. */
  readonly path: string;
  /** What trees of paths are found by: decoded, but parts in which a slash was written otherwise stay as they were. */
  readonly place: string;
  readonly query: URLSearchParams;
  /** The query as it was written. */
  readonly search: string;
}

/** Reads one. Undefined: it cannot be read. */
export function readTarget(url: string): Target | undefined {
  const at = url.indexOf("?"), written = at < 0 ? url : url.slice(0, at), search = at < 0 ? "" : url.slice(at + 1);
  try {
    const parts = written.split("/").map((part) => {
      const decoded = decodeURIComponent(part);
      return { decoded, place: decoded.includes("/") ? part : decoded };
    });
    const joined = (of: "decoded" | "place") => parts.map((part) => part[of]).join("/");
    return { written, path: joined("decoded"), place: joined("place"), query: new URLSearchParams(search), search };
  } catch {
    return undefined;
  }
}

/** The path without empty parts and dots; a slash at its end stays. */
export function cleanPath(path: string): string {
  const clean: string[] = [];
  for (const part of path.split("/")) {
    if (part === "..") clean.pop();
    else if (part !== "" && part !== ".") clean.push(part);
  }
  return `/${clean.join("/")}${clean.length > 0 && path.endsWith("/") ? "/" : ""}`;
}

/** Who asks for something that is elsewhere is told where. */
export function sentOn(path: string, { search }: Target, method: string): Answer {
  const location = path + (search && `?${search}`);
  if (method !== "GET" && method !== "HEAD") return { status: 307, headers: { location }, body: "" };
  return {
    status: 307,
    headers: { location, "content-type": "text/html; charset=utf-8" },
    body: `<a href="${location.replaceAll("&", "&amp;")}">Temporary Redirect</a>.\n\n`,
  };
}
