/** `/logs/`: files of the host's log directory; directories as pages of links. */
import { readdir } from "node:fs/promises";
import type { IncomingHttpHeaders, OutgoingHttpHeaders } from "node:http";
import { O_PATH, openInside, placeOf } from "../files.ts";
import { type Answer, faultAnswer, NO_SNIFFING, textAnswer } from "./answer.ts";
import type { Ask } from "./routes.ts";

const notFound = (): Answer => faultAnswer(404, "404 page not found");

/** Serves a directory. What is not there, is neither file nor directory, or leads out of it by a link is not found. */
export const logFiles = (root: string) => ({ params, incoming: { request } }: Ask): Promise<Answer> =>
  logFile(root, params["*"] ?? "", request.url ?? "", request.headers);

/** One of its files. @param url as asked, by which links of directories go @param asked which part of it, and whether it is news */
export async function logFile(
  root: string,
  path: string,
  url: string,
  asked: IncomingHttpHeaders = {},
): Promise<Answer> {
  if (path.split("/").includes("..") || path.includes("\0")) return notFound();
  try {
    await using opened = await openInside(root, path, O_PATH);
    const found = await opened.stat();
    const since = Date.parse(asked["if-modified-since"] ?? ""), modified = new Date(found.mtimeMs).toUTCString();
    const [at = ""] = url.split("?");
    if (found.isFile() && at.endsWith("/")) return moved(`../${at.split("/").at(-2)}`, url);
    if (found.isDirectory() && !at.endsWith("/")) return moved(`${at.split("/").at(-1)}/`, url);
    const headers = { "last-modified": modified };
    if (Date.parse(modified) <= since) return { status: 304, headers, body: "" };
    if (found.isDirectory()) return await directory(placeOf(opened), headers);
    return found.isFile() ? file(root, path, found.size, headers, asked.range) : notFound();
  } catch {
    return notFound();
  }
}

/** Links are relative: one who asks may see the path behind a prefix. */
function moved(to: string, url: string): Answer {
  const at = url.indexOf("?");
  return { status: 301, headers: { location: at < 0 ? to : to + url.slice(at) }, body: "" };
}

/** As it is when it is asked for: what is written meanwhile is left out. */
function file(
  root: string,
  path: string,
  size: number,
  common: OutgoingHttpHeaders,
  range: string | undefined,
): Answer {
  const type = /\.(gz|xz|zst|bz2)$/.test(path) ? "application/octet-stream" : "text/plain; charset=utf-8";
  const part = partOf(range, size);
  if (part && part.start >= size) {
    const headers = { "content-range": `bytes */${size}` };
    return textAnswer(416, "invalid range: failed to overlap\n", { ...NO_SNIFFING, ...headers });
  }
  const { start, end } = part ?? { start: 0, end: size - 1 }, length = end - start + 1;
  return {
    status: part ? 206 : 200,
    headers: {
      ...common,
      "accept-ranges": "bytes",
      "content-type": type,
      "content-length": length,
      ...part ? { "content-range": `bytes ${start}-${end}/${size}` } : {},
    },
    async body(out) {
      if (length === 0) return;
      let left = length;
      const opened = await openInside(root, path);
      for await (const chunk of opened.createReadStream({ start, end })) {
        left -= chunk.length;
        await out.write(chunk);
      }
      // Its client would wait for the rest.
      if (left > 0) throw new Error("the file has become shorter");
    },
  };
}

const ENTITIES: Readonly<Record<string, string>> = {
  "<": "&lt;",
  ">": "&gt;",
  "&": "&amp;",
  '"': "&#34;",
  "'": "&#39;",
};
const html = (text: string): string => text.replace(/[<>&"']/g, (c) => ENTITIES[c]!);

/** The first byte and the last one that are asked for; undefined: all, as for several parts. */
function partOf(range: string | undefined, size: number): { start: number; end: number } | undefined {
  const [, first = "", last = ""] = /^bytes=(\d*)-(\d*)$/.exec(range ?? "") ?? [];
  if (first === "") return last === "" ? undefined : { start: Math.max(0, size - Number(last)), end: size - 1 };
  if (last !== "" && Number(last) < Number(first)) return undefined;
  return { start: Number(first), end: last === "" ? size - 1 : Math.min(Number(last), size - 1) };
}

async function directory(path: string, headers: OutgoingHttpHeaders): Promise<Answer> {
  const entries = await readdir(path, { withFileTypes: true });
  const names = entries.map((e) => e.isDirectory() ? `${e.name}/` : e.name).sort();
  const links = names.map((n) =>
    `<a href="${html(encodeURI(n).replace(/[?#]/g, encodeURIComponent))}">${html(n)}</a>\n`
  );
  return {
    status: 200,
    headers: { ...headers, "content-type": "text/html; charset=utf-8" },
    body: `<!doctype html>\n<meta name="viewport" content="width=device-width">\n<pre>\n${links.join("")}</pre>\n`,
  };
}
