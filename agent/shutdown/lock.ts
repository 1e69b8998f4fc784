/**
 * The lock that makes the host wait with its shutdown. It is a descriptor that comes over a socket, which this runtime cannot
 * take: a child of ours holds it, until it or the agent ends.
 */
import { spawn } from "node:child_process";
import { unstarted } from "../unstarted.ts";

/** A lock that is held. */
export interface Lock {
  /** Lets the host go on; done twice it does nothing. */
  release(): void;
  /** Fulfilled when it is held no more, whoever has ended it. */
  readonly lost: Promise<void>;
}

const COMMAND = "systemd-inhibit";
const HELD = "held\n";
/** What is kept of what the child says, characters. */
const MOST = 1_000;

/** Takes it. @param signal lets go of it, too @throws Error: it cannot be had */
export function takeLock(signal: AbortSignal): Promise<Lock> {
  const why = "--why=Kubelet needs time to handle node shutdown";
  const args = ["--what=shutdown", "--mode=delay", "--who=kubelet", why, "cat"];
  const child = spawn(COMMAND, args, { stdio: ["pipe", "pipe", "pipe"] });
  const failed = (why: string) => new Error(`failed creating systemd inhibitor: ${why}`);
  const fault = unstarted(child);
  if (fault) return fault.then((e) => Promise.reject(failed(e.message)));
  const { stdin, stdout, stderr } = child;
  const release = () => void stdin.end();
  const stop = () => void (release(), child.kill());
  const lost = new Promise<void>((ended) => child.once("close", () => ended()));
  let said = "";
  return new Promise((resolve, reject) => {
    const fail = (why: string) => reject(failed(why));
    child.once("error", (e) => fail(e.message));
    child.once("close", (code) => {
      signal.removeEventListener("abort", stop);
      fail(said.trim() || `${COMMAND} ended with ${code}`);
    });
    signal.addEventListener("abort", stop, { once: true });
    if (signal.aborted) stop();
    stdin.on("error", () => {});
    stderr.on("data", (piece) => said = (said + piece).slice(0, MOST));
    // What it says back it says once it has the lock.
    stdout.once("data", () => resolve({ release, lost }));
    stdin.write(HELD);
  });
}
