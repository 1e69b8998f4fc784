/**
 * Gives memory back to the system. What a burst of requests allocated and freed stays with the process: the C library keeps it for the
 * next one, some 100 MB after 50,000 creations. So what is long has pages of its own, which go back when it is freed, and the rest goes
 * back after work.
 */
import process from "node:process";

/** How often it is looked whether there was work, ms. */
const LOOK_MS = 10_000;
/** Work: more than this part of a core. */
const WORK = 0.1;
/** So many looks after the last work memory is given back: caches let go of what nobody asks for in the minutes after. */
const LOOKS_AFTER = 20;

/** When it is time: while there is little to do, for some minutes after there was more. */
export class QuietTimes {
  /** Since there was work. At the start there was none. */
  #looks = LOOKS_AFTER;

  /** Told the processor time since the last look, as a part of a core; whether memory is to be given back now. */
  look(used: number): boolean {
    const work = used > WORK;
    this.#looks = work ? 0 : this.#looks + 1;
    return !work && this.#looks <= LOOKS_AFTER;
  }
}

/**
 * What is as long has pages of its own, bytes: above what a socket is read into and a piece of a list, which come and go too often to
 * be mapped each time.
 */
const OWN_PAGES = 96 << 10;
/** So many of them at most: the system bounds a process's mappings to some 65,000. */
const MOST_OWN = 16_384;
/** What is free at the end of the heap and is left there between two turns, bytes: without it each would be faulted in again. */
const KEPT = 16 << 20;
/** Parameters of glibc's `mallopt`. */
const M_TRIM_THRESHOLD = -1, M_MMAP_THRESHOLD = -3, M_MMAP_MAX = -4;

/**
 * Until the signal aborts, asks the C library (glibc's `mallopt` once, and `malloc_trim` at {@linkcode QuietTimes}: 5 to 50 ms of
 * another thread each time). Does nothing where there is no such library, or where it may not be called (`--allow-ffi`).
 */
export function giveBackMemory(signal: AbortSignal): void {
  const granted = Deno.permissions.querySync({ name: "ffi" }).state === "granted";
  if (!granted || Deno.build.os !== "linux") return;
  const library = cLibrary();
  if (!library) return;
  library.mallopt(M_MMAP_THRESHOLD, OWN_PAGES);
  library.mallopt(M_MMAP_MAX, MOST_OWN);
  library.mallopt(M_TRIM_THRESHOLD, KEPT);
  const quiet = new QuietTimes();
  let before = process.cpuUsage();
  const timer = setInterval(() => {
    const { user, system } = process.cpuUsage(before);
    before = process.cpuUsage();
    if (quiet.look((user + system) / 1000 / LOOK_MS)) void library.malloc_trim(0n);
  }, LOOK_MS);
  Deno.unrefTimer(timer);
  signal.addEventListener("abort", () => clearInterval(timer), { once: true });
}

function cLibrary() {
  try {
    return Deno.dlopen("libc.so.6", {
      mallopt: { parameters: ["i32", "i32"], result: "i32" },
      malloc_trim: { parameters: ["usize"], result: "i32", nonblocking: true },
    }).symbols;
  } catch {
    return undefined; // another C library
  }
}
