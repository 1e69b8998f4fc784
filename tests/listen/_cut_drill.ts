/**
 * Streams over TLS, busy, cut by a stop without grace. What the inner side still sends must not reach a TLS socket whose accepted
 * socket is gone: the runtime ends the process of it.
 *
 *     deno run -A tests/listen/_cut_drill.ts
 */
import { listen } from "../../server/listen/mod.ts";
import { ca, serving } from "./_fixture.ts";

const ROUNDS = 16;
const STREAMS = 10;
const CHUNK = new Uint8Array(2000);

const soon = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

const endless = () =>
  new Response(
    new ReadableStream({
      async pull(controller) {
        await soon(0);
        controller.enqueue(CHUNK);
      },
    }),
  );

/** Reads to the end, whichever it is. */
async function read(response: Response): Promise<void> {
  try {
    await response.body!.pipeTo(new WritableStream());
  } catch {
    // It was cut, as it should be.
  }
}

let answered = 0;
for (let round = 0; round < ROUNDS; round++) {
  const listener = await listen(endless, { hostname: "127.0.0.1", port: 0, tls: serving });
  const client = Deno.createHttpClient({ caCerts: [ca.cert], http1: round % 2 === 0, http2: round % 2 === 1 });
  const streams = await Promise.all(Array.from({ length: STREAMS }, () => fetch(listener.url, { client })));
  answered += streams.length;
  const ends = streams.map(read);
  await soon(20);
  await listener.close(0);
  await Promise.all(ends);
  client.close();
}
console.log(`alive after ${answered} answers`);
Deno.exit(0);
