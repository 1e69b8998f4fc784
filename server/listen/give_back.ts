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

/**
 * Until the signal aborts, asks the C library (glibc's `malloc_trim`) while there is little to do, for some minutes after there was more.
 * Takes 5 to 50 ms of another thread each time. Does nothing where there is no such library, or where it may not be called.
 */
export function giveBackMemory(signal: AbortSignal): void {
  const granted = Deno.permissions.querySync({ name: "ffi" }).state === "granted";
  if (!granted || Deno.build.os !== "linux") return;
  let trim: (() => void) | undefined;
  let before = process.cpuUsage();
  let quiet = LOOKS_AFTER;
  const timer = setInterval(() => {
    const { user, system } = process.cpuUsage(before);
    before = process.cpuUsage();
    if ((user + system) / 1000 > WORK * LOOK_MS) quiet = 0;
    else if (quiet++ < LOOKS_AFTER) (trim ??= trimmer())();
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
