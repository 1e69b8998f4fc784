/** `/logs/?query=…`: logs of services and files of the host, where the configuration serves them; else `/logs/` alone. */
import { normalize } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGzip } from "node:zlib";
import { within } from "../../client/within.ts";
import { ESCAPES, O_PATH, openInside } from "../../files.ts";
import type { Clock } from "../../types.ts";
import { type Answer, faultAnswer } from "../answer.ts";
import { logFile, logFiles } from "../log_files.ts";
import type { Ask } from "../routes.ts";
import type { LogPlaces } from "./places.ts";
import { BadNodeLogQuery, checkNodeLogQuery, readNodeLogQuery } from "./query.ts";
import { serviceLogs } from "./service_logs.ts";

/** Longest time of an answer, ms. */
const TIME = 30_000;

/** Answers queries, and without one as {@linkcode logFiles}. */
export const nodeLogs = (places: LogPlaces, clock: Clock) => async (ask: Ask): Promise<Answer> => {
  const { params, query, incoming } = ask, { root } = places;
  try {
    const asked = readNodeLogQuery(query);
    if (!asked) return await logFiles(root)(ask);
    if (params["*"]) return faultAnswer(406, "path not allowed in query mode");
    await checkNodeLogQuery(asked, (name) => missing(root, name));
    const [name] = asked.files;
    if (name !== undefined) return await logFile(root, inside(name), `/${name}`, incoming.request.headers);
    const zip = incoming.request.headers["accept-encoding"] === "gzip";
    return {
      status: 200,
      headers: { "content-type": "text/plain;charset=UTF-8", ...(zip ? { "content-encoding": "gzip" } : {}) },
      body: (out) =>
        within(clock, TIME, "context deadline exceeded", [incoming.signal], (signal) => {
          const said = Readable.from(serviceLogs(asked, places, signal), { objectMode: false });
          const send = async (chunks: AsyncIterable<Uint8Array>) => {
            for await (const chunk of chunks) await out.write(chunk);
          };
          return zip ? pipeline(said, createGzip({ level: 1 }), send) : pipeline(said, send);
        }),
    };
  } catch (e) {
    if (e instanceof BadNodeLogQuery) return faultAnswer(e.status, e.message);
    throw e;
  }
};

/** A path within the directory; one that leads out of it begins with dots. */
const inside = (name: string): string => normalize(name.replace(/^\/+/, ""));

async function missing(root: string, name: string): Promise<string | undefined> {
  try {
    const path = inside(name);
    if (path.startsWith("..")) throw new Error(ESCAPES);
    await (await openInside(root, path, O_PATH)).close();
    return undefined;
  } catch (e) {
    const { code, message } = e as NodeJS.ErrnoException;
    return `statat ${name}: ${code === "ENOENT" ? "no such file or directory" : message}`;
  }
}
