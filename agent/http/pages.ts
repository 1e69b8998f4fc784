/** Pages for operators: `/flagz`, `/statusz`, `/debug/flags/v`, `/debug/pprof/`. */
import type { JsonMap } from "../../schema/model/types.ts";
import {
  flagzOf,
  type StatuszFacts,
  statuszOf,
  type Zpage,
  zpageBody,
  zpageForm,
  zpageHeaders,
  zpageRefusal,
} from "../../schema/zpages.ts";
import { cpuProfile } from "../../host/cpu_profile.ts";
import { profileOfTime, profilePage } from "../../schema/pages.ts";
import { StatusError } from "../../schema/status.ts";
import { type Answer, NO_SNIFFING, statusAnswer, textAnswer } from "./answer.ts";
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
  const group = parts.product.local("config.k8s.io");
  const page =
    (kind: Zpage["kind"], lines: () => readonly string[], members: () => JsonMap) => ({ incoming }: Ask): Answer => {
      const page: Zpage = { kind, group }, form = zpageForm(page, incoming.request.headers.accept);
      if (!form) return statusAnswer(new StatusError(406, "NotAcceptable", zpageRefusal(page)));
      if (!form.version) {
        return textAnswer(200, `\norchlet ${kind.toLowerCase()}\n${NOTE}\n${lines().map((l) => `${l}\n`).join("")}`);
      }
      return { status: 200, headers: zpageHeaders(page, form), body: zpageBody(page, form, "orchlet", members()) };
    };
  const flags = () => [...parts.flags()].sort(([a], [b]) => a < b ? -1 : 1).map(([name, value]) => `${name}=${value}`);
  const facts = (): StatuszFacts => ({
    startedAt,
    now: parts.clock.now(),
    version: parts.version.replace(/^v/, ""),
    paths: [...new Set(paths().map((path) => `/${path.split("/")[1]}`))].sort(),
  });
  const settable = options.enableDebugFlagsHandler ?? true;
  return [
    ...parts.gate("ComponentFlagz")
      ? [{ path: "/flagz", handler: page("Flagz", flags, () => flagzOf(parts.flags())) }]
      : [],
    ...parts.gate("ComponentStatusz")
      ? [{ path: "/statusz", handler: page("Statusz", () => statusLines(facts()), () => statuszOf(facts())) }]
      : [],
    {
      path: "/debug/flags/v",
      handler: (ask) => settable ? setLevel(parts, ask) : textAnswer(405, "flags endpoint is disabled.\n"),
    },
  ];
}

function statusLines({ startedAt, now, version, paths }: StatuszFacts): string[] {
  const up = Math.floor((now - startedAt) / 1000);
  const two = (n: number): string => String(n).padStart(2, "0");
  return [
    "",
    `Started: ${new Date(startedAt).toUTCString()}`,
    `Up: ${Math.floor(up / 3600)} hr ${two(Math.floor(up / 60) % 60)} min ${two(up % 60)} sec`,
    `Binary version: ${version}`,
    `Paths: ${paths.join(" ")}`,
  ];
}

/** Of `/debug/pprof/`: bytes of the process, and what takes its time. */
export function profiles({ params, query, incoming: { signal } }: Ask): Answer | Promise<Answer> {
  const name = params["*"] ?? "";
  if (name === "profile") return profileOfTime(query.get("seconds"), signal, cpuProfile);
  const { status, text } = profilePage(name, Deno.memoryUsage, true);
  return textAnswer(status, text, NO_SNIFFING);
}

/** An answer on a line, of a type without its letters. */
const lineAnswer = (status: number, text: string): Answer =>
  textAnswer(status, `${text}\n`, { ...NO_SNIFFING, "content-type": "text/plain" });

async function setLevel({ verbosity }: HttpParts, { incoming: { request } }: Ask): Promise<Answer> {
  if (request.method !== "PUT") return lineAnswer(406, "unsupported http method");
  let body = "";
  for await (const chunk of request) {
    body += new TextDecoder().decode(chunk);
    if (body.length > MAX_BODY) break;
  }
  const level = /^\d{1,10}$/.test(body) ? Number(body) : NaN;
  if (!verbosity || !(level <= MAX_LEVEL)) {
    return lineAnswer(400, `strconv.ParseUint: parsing ${JSON.stringify(body.slice(0, MAX_BODY))}: invalid syntax`);
  }
  verbosity.level = level;
  return lineAnswer(200, `successfully set klog.logging.verbosity to ${body}`);
}
