/**
 * Gives memory back to the system after work. What a burst of requests allocated and freed stays with the process: the C library keeps
 * it for the next one, some 100 MB after 50,000 creations; and the engine keeps what starting left behind, some 17 MB, until there is
 * more to collect.
 */
import process from "node:process";
import { collector } from "./collector.ts";

/** How often it is looked whether there was work, ms. */
const LOOK_MS = 10_000;
/** Work: more than this part of a core. */
const WORK = 0.1;
/** So many looks after the last work memory is given back: caches let go of what nobody asks for in the minutes after. */
const LOOKS_AFTER = 20;
/** How long after the start the engine collects what starting left behind, ms. */
const START_MS = 1_000;
/** A heap up to this is collected in some 70 ms, which may pass once; a larger one the engine collects bit by bit. */
const SMALL_HEAP = 64 << 20;

/** When it is time: while there is little to do, for some minutes after there was more. Starting is work. */
export class QuietTimes {
  #looks = 0;

  /** Told the processor time since the last look, as a part of a core; whether memory is to be given back now. */
  look(used: number): boolean {
    const work = used > WORK;
    this.#looks = work ? 0 : this.#looks + 1;
    return !work && this.#looks <= LOOKS_AFTER;
  }
}

/**
 * Until the signal aborts, asks the C library (glibc's `malloc_trim`) at {@linkcode QuietTimes}: 5 to 50 ms of another thread each
 * time; where it is another library, or may not be called (`--allow-ffi`), it is left alone. Shortly after the start the engine
 * collects, where it can be told to and the heap is small.
 */
export function giveBackMemory(signal: AbortSignal): void {
  const collected = setTimeout(() => {
    if (process.memoryUsage().heapUsed <= SMALL_HEAP) collector()?.("whole");
  }, START_MS);
  const quiet = new QuietTimes();
  let trim: (() => void) | undefined;
  let before = process.cpuUsage();
  const timer = setInterval(() => {
    const { user, system } = process.cpuUsage(before);
    before = process.cpuUsage();
    if (quiet.look((user + system) / 1000 / LOOK_MS)) (trim ??= trimmer())();
  }, LOOK_MS);
  for (const t of [collected, timer]) {
    Deno.unrefTimer(t);
    signal.addEventListener("abort", () => clearTimeout(t), { once: true });
  }
}

function trimmer(): () => void {
  const granted = Deno.permissions.querySync({ name: "ffi" }).state === "granted";
  if (!granted || Deno.build.os !== "linux") return () => {};
  try {
    const { symbols } = Deno.dlopen("libc.so.6", {
      malloc_trim: { parameters: ["usize"], result: "i32", nonblocking: true },
    });
    return () => void symbols.malloc_trim(0n);
  } catch {
    return () => {}; // another C library
  }
}
