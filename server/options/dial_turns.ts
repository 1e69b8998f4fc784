/**
 * Connections that are being opened to one server: a few at a time. Where many are begun at once on a busy machine their handshakes
 * get on together, so that none is done in its time; those that wait may find a connection that another request is done with.
 */

/** How many are opened at a time, to one server. */
const MOST = 8;

/** Gives a turn back. `late`: its connection was not there in time. */
export type GiveBack = (late?: Error) => void;

/** Who waits for a turn. */
interface Waiter {
  readonly since: number;
  /** As long as a connection of its own may take, ms. */
  readonly ms: number;
  begin(): void;
  fail(e: Error): void;
}

interface Server {
  opening: number;
  readonly waiters: Set<Waiter>;
}

/** See the top of the file. */
export class DialTurns {
  /** Those to whom something is being opened. */
  readonly #servers = new Map<string, Server>();

  constructor(readonly now: () => number = () => performance.now()) {}

  /**
   * Waits for a turn, which is given back once the connection is there or will not be; further calls do nothing.
   * @param ms as long as a connection may take: who has waited so long when another one's was not there in time fails with it
   * @throws the signal's reason, or why another connection was not there
   */
  async turn(key: string, ms: number, signal: AbortSignal): Promise<GiveBack> {
    signal.throwIfAborted();
    let server = this.#servers.get(key);
    if (!server) this.#servers.set(key, server = { opening: 0, waiters: new Set() });
    if (server.opening < MOST) server.opening++;
    else await this.#wait(server, ms, signal);
    let isBack = false;
    return (late) => {
      if (isBack) return;
      isBack = true;
      this.#back(key, server, late);
    };
  }

  #wait({ waiters }: Server, ms: number, signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const over = (end: () => void) => () => {
        waiters.delete(waiter);
        signal.removeEventListener("abort", cancel);
        end();
      };
      const cancel = over(() => reject(signal.reason));
      const waiter: Waiter = { since: this.now(), ms, begin: over(resolve), fail: (e) => over(() => reject(e))() };
      waiters.add(waiter);
      signal.addEventListener("abort", cancel, { once: true });
    });
  }

  /** A turn goes to who has waited longest. */
  #back(key: string, server: Server, late: Error | undefined): void {
    if (late) {
      for (const waiter of [...server.waiters]) if (this.now() - waiter.since >= waiter.ms) waiter.fail(late);
    }
    const [next] = server.waiters;
    if (next) return next.begin();
    if (--server.opening === 0) this.#servers.delete(key);
  }
}
