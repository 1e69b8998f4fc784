/** Opens and closes connections in a process of its own, as others of the tests' process take memory too; prints what is left behind. */
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { connectTls, readUntil, until, withListener } from "./_fixture.ts";

const GET = "GET / HTTP/1.1\r\nHost: x\r\n\r\n";

/** Frees what nothing refers to: sockets hold memory that the collector does not see. */
function collect(): void {
  setFlagsFromString("--expose-gc");
  runInNewContext("gc")();
}

await withListener(() => new Response("ok"), {}, async (listener) => {
  const round = async (n: number) => {
    for (let i = 0; i < n; i += 20) {
      await Promise.all(Array.from({ length: 20 }, async (_, k) => {
        const socket = await connectTls(listener.port);
        if (k % 2) {
          socket.write(GET);
          await readUntil(socket, (text) => text.endsWith("ok"));
        }
        socket.destroy();
      }));
    }
    await until("all are forgotten", () => listener.connections() === 0);
    collect();
  };
  for (let i = 0; i < 4; i++) await round(100);
  const before = Deno.memoryUsage().rss;
  for (let i = 0; i < 6; i++) await round(100);
  console.log(Deno.memoryUsage().rss - before);
});
