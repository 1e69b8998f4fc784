/**
 * Gives memory back to the system after work. What a burst of requests allocated and freed stays with the process: the C library keeps
 * it for the next one, some 100 MB after 50,000 creations.
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
 * Until the signal aborts, asks the C library (glibc's `malloc_trim`) at {@linkcode QuietTimes}: 5 to 50 ms of another thread each
 * time. Does nothing where there is no such library, or where it may not be called (`--allow-ffi`).
 */
export function giveBackMemory(signal: AbortSignal): void {
  const granted = Deno.permissions.querySync({ name: "ffi" }).state === "granted";
  if (!granted || Deno.build.os !== "linux") return;
  const quiet = new QuietTimes();
  let trim: (() => void) | undefined;
  let before = process.cpuUsage();
  const timer = setInterval(() => {
    const { user, system } = process.cpuUsage(before);
    before = process.cpuUsage();
    if (quiet.look((user + system) / 1000 / LOOK_MS)) (trim ??= trimmer())();
  }, LOOK_MS);
  Deno.unrefTimer(timer);
  signal.addEventListener("abort", () => clearInterval(timer), { once: true });
}

function trimmer(): () => void {
  try {
    const { symbols } = Deno.dlopen("libc.so.6", {
      malloc_trim: { parameters: ["usize"], result: "i32", nonblocking: true },
    });
    return () => void symbols.malloc_trim(0n);
  } catch {
    return () => {}; // another C library
  }
}
