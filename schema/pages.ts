/** Pages for operators, of server and agent. */

/** What every page says first. */
const NOTE = "Warning: this page is for people; its form may change at any time.";

/** A title, a note that nothing may read this, and lines. */
export const pageOf = (title: string, lines: readonly string[]): string => [title, NOTE, "", ...lines, ""].join("\n");

const profiles = (timed: boolean): string =>
  pageOf("/debug/pprof/", [
    "heap: bytes of the process by kind, as text",
    ...timed ? ["profile: what takes time, in so many seconds (?seconds=, 30), as pprof reads it"] : [],
    `Profiles of ${timed ? "" : "time and of "}other kinds are not made here: the runtime's own inspector makes them.`,
  ]);

/** Of public components. */
const KINDS: readonly string[] = ["profile", "goroutine", "block", "mutex", "threadcreate", "allocs", "trace"];

/**
 * What `/debug/pprof/` tells of a profile: only what the platform can, a page of bytes, not the binary form that profiling tools read.
 * @param name empty: what there is @param memory bytes of the process, by kind; absent where it does not tell
 * @param timed whether profiles of time are made, elsewhere
 */
export function profilePage(
  name: string,
  memory: (() => object) | undefined,
  timed = false,
): { readonly status: number; readonly text: string } {
  if (name === "") return { status: 200, text: profiles(timed) };
  if (name === "heap") {
    if (!memory) return { status: 501, text: "the process does not tell what it takes\n" };
    return { status: 200, text: pageOf("heap", Object.entries(memory()).map(([kind, n]) => `${kind}: ${n}`)) };
  }
  if (!KINDS.includes(name)) return { status: 404, text: "unknown profile\n" };
  return { status: 501, text: `the runtime makes no profile of kind ${name} here; use its inspector\n` };
}

/** What takes a process its time for so many ms, or until the signal aborts, as `pprof` reads it. @throws Error: none is made */
export type TimeProfile = (ms: number, signal: AbortSignal) => Promise<Uint8Array>;

/** Seconds of a profile whose request tells none, and the most. */
const PROFILE_S = 30, LONGEST_S = 600;

/** An answer of {@linkcode profileOfTime}. */
export interface ProfileAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array<ArrayBuffer>;
}

/**
 * What `/debug/pprof/profile` answers, packed. It slows all else down a little.
 * @param seconds as they are asked for @param signal the client has gone
 */
export async function profileOfTime(
  seconds: string | null,
  signal: AbortSignal,
  made: TimeProfile,
): Promise<ProfileAnswer> {
  const asked = /^[1-9]\d*$/.test(seconds ?? "") ? Number(seconds) : PROFILE_S;
  if (asked > LONGEST_S) return inWords(400, `a profile of time has at most ${LONGEST_S} seconds\n`);
  try {
    const packed = new Blob([new Uint8Array(await made(asked * 1000, signal))]).stream()
      .pipeThrough(new CompressionStream("gzip"));
    return { status: 200, headers: PROFILE, body: await new Response(packed).bytes() };
  } catch (e) {
    return inWords(500, `no profile of time was made: ${e instanceof Error ? e.message : e}\n`);
  }
}

const NO_SNIFFING = { "x-content-type-options": "nosniff" };
const PROFILE = {
  ...NO_SNIFFING,
  "content-type": "application/octet-stream",
  "content-disposition": 'attachment; filename="profile"',
};
const inWords = (status: number, body: string): ProfileAnswer => ({
  status,
  headers: { ...NO_SNIFFING, "content-type": "text/plain; charset=utf-8" },
  body,
});
