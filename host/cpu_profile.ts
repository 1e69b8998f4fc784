/** Profiles of the process's time, by the engine's own profiler, which runs while one is made. */
import type { Session } from "node:inspector";
import { type EngineProfile, pprofOf } from "../schema/pprof.ts";

let busy = false;

/**
 * What takes the process's time for so many ms, or until the signal aborts, as `pprof` reads it.
 * @throws Error while another one is made
 */
export async function cpuProfile(ms: number, signal: AbortSignal): Promise<Uint8Array> {
  if (busy) throw new Error("another profile of time is being made");
  busy = true;
  try {
    const { Session } = await import("node:inspector");
    const session = new Session(), startedAt = Date.now();
    session.connect();
    try {
      await post(session, "Profiler.enable");
      await post(session, "Profiler.start");
      await waited(ms, signal);
      const { profile } = await post(session, "Profiler.stop") as { profile: EngineProfile };
      return pprofOf(profile, startedAt);
    } finally {
      session.disconnect();
    }
  } finally {
    busy = false;
  }
}

function post(session: Session, method: string): Promise<unknown> {
  return new Promise((done, fail) => session.post(method, (error, answer) => error ? fail(error) : done(answer)));
}

function waited(ms: number, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((done) => {
    const over = () => {
      clearTimeout(timer);
      signal.removeEventListener("abort", over);
      done();
    };
    const timer = setTimeout(over, ms);
    signal.addEventListener("abort", over);
  });
}
