/** Pages for operators: `/flagz`, `/statusz`, `/debug/flags/v`, `/debug/pprof/`. */
import { profilePage } from "../../schema/pages.ts";
import { type Answer, textAnswer } from "./answer.ts";
import type { Ask, Route } from "./routes.ts";
import type { HttpOptions, HttpParts } from "./types.ts";

/** What pages say first, as no program may read them. */
const NOTE = "Warning: This page is for debugging by people; its form may change at any time.";
/** Longest body that is read, bytes. */
const MAX_BODY = 64;
const MAX_LEVEL = 2 ** 31 - 1;

/** The routes. @param paths of the server, told when asked for */
export function pageRoutes(parts: HttpParts, options: HttpOptions, paths: () => readonly string[]): readonly Route[] {
  const startedAt = parts.clock.now();
  const page = (name: string, lines: () => readonly string[]) => ({ incoming }: Ask): Answer => {
    if (!takesText(incoming.request.headers.accept)) return textAnswer(406, "only text/plain is served here\n");
    return textAnswer(200, `\norchlet ${name}\n${NOTE}\n${lines().map((l) => `${l}\n`).join("")}`);
  };
  const flags = () => [...parts.flags()].sort(([a], [b]) => a < b ? -1 : 1).map(([name, value]) => `${name}=${value}`);
  const status = () => statusLines(parts, startedAt, paths());
  const settable = options.enableDebugFlagsHandler ?? true;
  return [
    ...parts.gate("ComponentFlagz") ? [{ path: "/flagz", handler: page("flagz", flags) }] : [],
    ...parts.gate("ComponentStatusz") ? [{ path: "/statusz", handler: page("statusz", status) }] : [],
    {
      path: "/debug/flags/v",
      handler: (ask) => settable ? setLevel(parts, ask) : textAnswer(405, "flags endpoint is disabled.\n"),
    },
  ];
}

const takesText = (accept = ""): boolean =>
  accept.trim() === "" || accept.split(",").some((range) => /^\s*(\*\/\*|text\/(\*|plain))\s*(;|$)/.test(range));

function statusLines({ clock, version }: HttpParts, startedAt: number, paths: readonly string[]): string[] {
  const up = Math.floor((clock.now() - startedAt) / 1000);
  const two = (n: number): string => String(n).padStart(2, "0");
  const roots = [...new Set(paths.map((path) => `/${path.split("/")[1]}`))].sort();
  return [
    "",
    `Started: ${new Date(startedAt).toUTCString()}`,
    `Up: ${Math.floor(up / 3600)} hr ${two(Math.floor(up / 60) % 60)} min ${two(up % 60)} sec`,
    `Binary version: ${version.replace(/^v/, "")}`,
    `Paths: ${roots.join(" ")}`,
  ];
}

/** Of `/debug/pprof/`: bytes of the process. */
export function profiles({ params }: Ask): Answer {
  const { status, text } = profilePage(params["*"] ?? "", Deno.memoryUsage);
  return textAnswer(status, text, { "x-content-type-options": "nosniff" });
}

async function setLevel({ verbosity }: HttpParts, { incoming: { request } }: Ask): Promise<Answer> {
  if (request.method !== "PUT") return textAnswer(406, "unsupported http method");
  let body = "";
  for await (const chunk of request) {
    body += new TextDecoder().decode(chunk);
    if (body.length > MAX_BODY) break;
  }
  const level = /^\d{1,10}$/.test(body) ? Number(body) : NaN;
  if (!verbosity || !(level <= MAX_LEVEL)) {
    return textAnswer(400, `failed set klog.logging.verbosity ${JSON.stringify(body.slice(0, MAX_BODY))}`);
  }
  verbosity.level = level;
  return textAnswer(200, `successfully set klog.logging.verbosity to ${body}`);
}
