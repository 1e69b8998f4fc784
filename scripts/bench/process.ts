/** What Linux says of the server's processes. */

/** Ticks of the processor times in `/proc`: 100 a second on every Linux of today. */
const TICK_MS = 10;

/** Processor time that the processes have used, user and system, ms. */
export function processorMs(pids: readonly number[]): number {
  return sum(pids, (pid) => {
    const stat = Deno.readTextFileSync(`/proc/${pid}/stat`);
    // The second field is the program's name, in parentheses, and may hold blanks; 14 and 15 are the times.
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return (Number(fields[11]) + Number(fields[12])) * TICK_MS;
  });
}

/** Resident memory of the processes, bytes. */
export function resident(pids: readonly number[]): number {
  return sum(
    pids,
    (pid) => Number(/^VmRSS:\s+(\d+) kB$/m.exec(Deno.readTextFileSync(`/proc/${pid}/status`))![1]) * 1024,
  );
}

/** Highest resident memory while `work` runs, looked at every 10 ms. */
export async function peak(pids: readonly number[], work: Promise<unknown>): Promise<number> {
  let most = resident(pids);
  const timer = setInterval(() => most = Math.max(most, resident(pids)), 10);
  try {
    await work;
  } finally {
    clearInterval(timer);
  }
  return Math.max(most, resident(pids));
}

const sum = (pids: readonly number[], of: (pid: number) => number): number =>
  pids.reduce((total, pid) => total + of(pid), 0);
