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
