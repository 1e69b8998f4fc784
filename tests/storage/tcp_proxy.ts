/** A TCP proxy that is bad at its work when told to be. */

/** What it does to what passes. */
export interface Mischief {
  /** Each piece is held up so long, ms. */
  delay: number;
  /** Nothing passes, nothing ends. */
  stalled: boolean;
}

/** A running proxy. */
export interface TcpProxy {
  readonly address: string;
  readonly mischief: Mischief;
  /** Ends all connections at once; new ones are taken. */
  drop(): void;
  /** Nothing passes any more in all connections, and none of them ends; new ones are taken. */
  forget(): void;
  /** Ends the direction to the client of all connections, and leaves the other open. */
  halfClose(): Promise<void>;
  close(): Promise<void>;
}

interface Pair {
  readonly near: Deno.TcpConn;
  readonly far: Deno.TcpConn;
  forgotten: boolean;
}

/** Starts one on a free loopback port. */
export function tcpProxy(target: string): TcpProxy {
  const { hostname, port } = new URL(target);
  const listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const pairs = new Set<Pair>();
  const mischief: Mischief = { delay: 0, stalled: false };

  const end = (pair: Pair) => {
    if (!pairs.delete(pair)) return;
    for (const side of [pair.near, pair.far]) {
      try {
        side.close();
      } catch { /* closed already */ }
    }
  };
  const pipe = async (pair: Pair, from: Deno.TcpConn, to: Deno.TcpConn) => {
    const buffer = new Uint8Array(16_384);
    try {
      for (let n = await from.read(buffer); n !== null; n = await from.read(buffer)) {
        while ((mischief.stalled || pair.forgotten) && pairs.has(pair)) await pause(10);
        if (mischief.delay > 0) await pause(mischief.delay);
        for (let at = 0; at < n;) at += await to.write(buffer.subarray(at, n));
      }
    } catch { /* one of the sides has gone */ }
    end(pair);
  };
  const serving = (async () => {
    for await (const near of listener) {
      try {
        const far = await Deno.connect({ hostname, port: Number(port) });
        const pair = { near, far, forgotten: false };
        pairs.add(pair);
        void pipe(pair, near, far);
        void pipe(pair, far, near);
      } catch {
        near.close();
      }
    }
  })();
  return {
    address: `http://127.0.0.1:${(listener.addr as Deno.NetAddr).port}`,
    mischief,
    drop: () => [...pairs].forEach(end),
    forget: () => pairs.forEach((pair) => pair.forgotten = true),
    halfClose: async () => {
      await Promise.all([...pairs].map((pair) => pair.near.closeWrite().catch(() => {})));
    },
    async close() {
      listener.close();
      for (const pair of pairs) end(pair);
      await serving;
      // Reads that were under way end with the next turn.
      await pause(20);
    },
  };
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
