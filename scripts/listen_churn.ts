/**
 * Opens and closes connections and tells what stays in memory.
 *
 *     deno run -A scripts/listen_churn.ts [connections, 10000] [--lazy]
 *
 * The clients are a process of their own, so that the memory told is the listener's. The collector runs ten times a second, because a
 * closed socket holds some 30 KB that it does not see: after a round to warm up, five rounds stay within a few megabytes of each
 * other. With `--lazy` it runs when it wants, and memory rises to a plateau of some 300 MB.
 */
import { connect } from "node:tls";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { listen } from "../server/listen/mod.ts";
import { generateKey, issueAuthority, issueLeaf } from "../pki/mod.ts";

const ROUNDS = 5;

function open(port: number): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const socket = connect({ host: "127.0.0.1", port, rejectUnauthorized: false, ALPNProtocols: ["http/1.1"] });
  socket.once("secureConnect", () => socket.write("GET / HTTP/1.1\r\nHost: x\r\n\r\n"));
  socket.on("data", () => socket.destroy());
  socket.on("error", () => {});
  socket.once("close", () => resolve());
  return promise;
}

async function clients(port: number, count: number): Promise<void> {
  for (let done = 0; done < count; done += 50) {
    await Promise.all(Array.from({ length: Math.min(50, count - done) }, () => open(port)));
  }
}

async function main(total: number): Promise<void> {
  if (!Deno.args.includes("--lazy")) {
    setFlagsFromString("--expose-gc");
    setInterval(runInNewContext("gc"), 100);
  }
  const now = Date.now();
  const key = generateKey();
  const ca = { cert: issueAuthority("churn", key, now), key };
  const leafKey = generateKey();
  const cert = issueLeaf(
    ca,
    { subject: { commonName: "churn" }, usage: "server", key: leafKey, ips: ["127.0.0.1"] },
    now,
  );
  let answered = 0;
  const handler = () => {
    answered++;
    return new Response("ok");
  };
  const listener = await listen(handler, { hostname: "127.0.0.1", port: 0, tls: { cert, key: leafKey } });
  for (let round = 0; round <= ROUNDS; round++) {
    const child = new Deno.Command(Deno.execPath(), {
      args: [
        "run",
        "-A",
        "--v8-flags=--expose-gc",
        import.meta.filename!,
        "client",
        `${listener.port}`,
        `${total / ROUNDS}`,
      ],
    });
    await child.spawn().status;
    // Time for the last sockets to go.
    await new Promise((resolve) => setTimeout(resolve, 500));
    const { rss, heapUsed, external } = Deno.memoryUsage();
    const mb = (n: number) => (n / 1e6).toFixed(1);
    console.log(
      `${answered} answered, ${listener.connections()} open, rss ${mb(rss)} MB, heap ${mb(heapUsed)} MB, external ${
        mb(external)
      } MB`,
    );
  }
  await listener.close(0);
  Deno.exit();
}

const [role, port, count] = Deno.args;
if (role === "client") await clients(Number(port), Number(count));
else await main(Number(role) || 10_000);
