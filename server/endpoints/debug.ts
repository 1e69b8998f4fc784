/** Pages for operators: what the server is (`/statusz`), how it was started (`/flagz`), what it takes (`/debug/pprof/`). */
import { pageOf, profileOfTime, profilePage, type TimeProfile } from "../../schema/pages.ts";
import type { JsonMap } from "../../schema/model/types.ts";
import {
  flagzOf,
  statuszOf,
  type Zpage,
  zpageBody,
  zpageForm,
  zpageHeaders,
  zpageRefusal,
} from "../../schema/zpages.ts";
import { StatusError } from "../../schema/status.ts";
import { textAnswer } from "./debug_text.ts";

/** Serves a page; needs to know the path only. */
export type DebugHandler = (scope: DebugScope) => Response | Promise<Response>;

/** What a page is told of its request. */
export interface DebugScope {
  readonly info: { readonly path: string };
  readonly request: Request;
}

/** What the pages tell. */
export interface DebugOptions {
  /** `orch-apiserver` */
  readonly component: string;
  readonly version: string;
  readonly emulated: string;
  /** ms since the epoch */
  readonly startedAt: number;
  /** `config.k8s.io`, in the dialect: the group of what is shown as objects. */
  readonly group: string;
  /** Those are shown in CBOR too. */
  readonly cbor: boolean;
  readonly statusz: boolean;
  readonly flagz: boolean;
  /** `--profiling` */
  readonly profiling: boolean;
  now(): number;
  /** Paths served, for the status page. */
  paths(): readonly string[];
  /** Options and their values, as text. */
  flags(): Iterable<readonly [name: string, value: string]>;
  /** Bytes of the process, by kind; undefined where the process does not tell. */
  memory: (() => Readonly<Record<string, number>>) | undefined;
  /** What takes its time for so many ms, as `pprof` reads it; undefined where that is not made. */
  timeProfile: TimeProfile | undefined;
}

/** Handlers by path. */
export function debugPaths(o: DebugOptions): Map<string, DebugHandler> {
  const paths = new Map<string, DebugHandler>();
  const { group, cbor } = o;
  if (o.statusz) {
    const page: Zpage = { kind: "Statusz", group, cbor };
    const facts = () => statuszOf({ ...o, now: o.now(), paths: told(o) });
    paths.set("/statusz", (scope) => shown(scope, o, page, () => statusPage(o), facts));
  }
  if (o.flagz) {
    const page: Zpage = { kind: "Flagz", group, cbor };
    paths.set("/flagz", (scope) => shown(scope, o, page, () => flagPage(o), () => flagzOf(o.flags())));
  }
  if (!o.profiling) return paths;
  paths.set(
    "/debug/pprof",
    ({ info, request }) => info.path.endsWith("/") ? profile("", o) : toProfiles(request.method),
  );
  paths.set("/debug/pprof/*", (scope) => profile(scope.info.path.slice("/debug/pprof/".length), o));
  const { timeProfile } = o;
  if (timeProfile) paths.set("/debug/pprof/profile", ({ request }) => ofTime(request, timeProfile));
  return paths;
}

/** A redirection; who only reads is given a page too. */
function toProfiles(method: string): Response {
  const page = method === "GET" ? `<a href="/debug/pprof/">Found</a>.\n\n` : null;
  const type = page || method === "HEAD" ? { "content-type": "text/html; charset=utf-8" } : {};
  return new Response(page, { status: 302, headers: { location: "/debug/pprof/", ...type } });
}

/** A page in the form that is asked for. @throws StatusError 406 */
function shown(
  { request }: DebugScope,
  o: DebugOptions,
  page: Zpage,
  text: () => string,
  members: () => JsonMap,
): Response {
  const form = zpageForm(page, request.headers.get("accept"));
  if (!form) throw new StatusError(406, "NotAcceptable", zpageRefusal(page));
  if (!form.version) return textAnswer(text());
  return new Response(zpageBody(page, form, o.component, members()), { headers: zpageHeaders(page, form) });
}

/** Paths that are told: those of objects and documents are not, nor those below others. */
const told = (o: DebugOptions): string[] => o.paths().filter((p) => /^\/(?!api)[^/.]+$/.test(p)).toSorted();

function statusPage(o: DebugOptions): string {
  const rows: [string, string][] = [
    ["Started", new Date(o.startedAt).toUTCString()],
    ["Up", lasted(o.now() - o.startedAt)],
    ["Runtime", "deno"],
    ["Binary version", o.version],
    ["Emulation version", o.emulated],
    ["Paths", told(o).join(" ")],
  ];
  return pageOf(`${o.component} statusz`, rows.map(([name, value]) => `${name}: ${value}`));
}

function flagPage(o: DebugOptions): string {
  return pageOf(`${o.component} flags`, [...o.flags()].map(([name, value]) => `${name}=${value}`));
}

function lasted(ms: number): string {
  const s = Math.floor(ms / 1000);
  const parts = [[Math.floor(s / 3600), "hr"], [Math.floor(s / 60) % 60, "min"], [s % 60, "sec"]] as const;
  return parts.map(([n, unit]) => `${n} ${unit}`).join(" ");
}

function profile(name: string, o: DebugOptions): Response {
  const { status, text } = profilePage(name, o.memory, o.timeProfile !== undefined);
  return textAnswer(text, status);
}

async function ofTime({ url, signal }: Request, made: TimeProfile): Promise<Response> {
  const { body, ...init } = await profileOfTime(new URL(url).searchParams.get("seconds"), signal, made);
  return new Response(body, init);
}
