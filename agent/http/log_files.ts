/** `/logs/`: files of the host's log directory; directories as pages of links. */
import { createReadStream } from "node:fs";
import { readdir, realpath, stat } from "node:fs/promises";
import { join, sep } from "node:path";
import { type Answer, textAnswer } from "./answer.ts";
import type { Ask } from "./routes.ts";

const notFound = (): Answer => textAnswer(404, "404 page not found\n", { "x-content-type-options": "nosniff" });

/** Where a path leads that is below a directory. @throws Error: it is not there, or leads out of the directory */
export async function placeBelow(root: string, path: string): Promise<string> {
  const top = await realpath(root), real = await realpath(join(root, path));
  if (real !== top && !real.startsWith(top + sep)) throw new Error("path escapes from parent");
  return real;
}

/** Serves a directory. What is not there, is neither file nor directory, or leads out of it by a link is not found. */
export const logFiles = (root: string) => ({ params, incoming }: Ask): Promise<Answer> =>
  logFile(root, params["*"] ?? "", incoming.request.url ?? "");

/** One of its files. @param url as asked, by which links of directories go */
export async function logFile(root: string, path: string, url: string): Promise<Answer> {
  if (path.split("/").includes("..") || path.includes("\0")) return textAnswer(400, "invalid URL path\n");
  try {
    const real = await placeBelow(root, path), found = await stat(real);
    if (found.isDirectory()) return await directory(real, url);
    return found.isFile() ? file(real, found.size) : notFound();
  } catch {
    return notFound();
  }
}

/** As it is when it is asked for: what is written meanwhile is left out. */
function file(path: string, size: number): Answer {
  const type = /\.(gz|xz|zst|bz2)$/.test(path) ? "application/octet-stream" : "text/plain; charset=utf-8";
  return {
    status: 200,
    headers: { "content-type": type, "content-length": size },
    async body(out) {
      if (size === 0) return;
      let left = size;
      for await (const chunk of createReadStream(path, { end: size - 1 })) {
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

/** Links are relative: one who asks may see the path behind a prefix. */
async function directory(path: string, url: string): Promise<Answer> {
  const [asked = "", query] = url.split("?");
  if (!asked.endsWith("/")) {
    return textAnswer(301, "", { location: `${asked.split("/").at(-1)}/${query === undefined ? "" : `?${query}`}` });
  }
  const entries = await readdir(path, { withFileTypes: true });
  const names = entries.map((e) => e.isDirectory() ? `${e.name}/` : e.name).sort();
  const links = names.map((n) =>
    `<a href="${html(encodeURI(n).replace(/[?#]/g, encodeURIComponent))}">${html(n)}</a>\n`
  );
  return {
    status: 200,
    headers: { "content-type": "text/html; charset=utf-8" },
    body: `<!doctype html>\n<meta name="viewport" content="width=device-width">\n<pre>\n${links.join("")}</pre>\n`,
  };
}
