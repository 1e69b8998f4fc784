/** The gRPC client on Unix sockets, against a server of another make. */
import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import { socketsClosed } from "../fixture/sockets_closed.ts";
import { LOCK } from "../libraries/lock.ts";
import { AT_ONCE, bytes, callTo, failsWith, text, Trial, trial, until, using, WAITING } from "./_trial.ts";

const ECHO = callTo("echo"), NEVER = callTo("never"), COUNT = callTo("count"), LENGTH = callTo("length");
const MiB = 1024 * 1024;

Deno.test("grpc: one message each way, one without bytes, a status with its text", () =>
  trial((server) =>
    using(server.path, AT_ONCE, async (client) => {
      assert.equal(text(await client.call(ECHO, bytes("hello"), {})), "hello");
      assert.equal(text(await client.call(ECHO, bytes(""), {})), "");
      const why = "grüß 100% of\n“nothing”";
      await assert.rejects(client.call(callTo("fail"), bytes(why), {}), (e) =>
        failsWith("NotFound")(e) && (assert.equal((e as { details: string }).details, why), true));
      await assert.rejects(client.call(callTo("none"), bytes(""), {}), failsWith("Unimplemented"));
    })
  ));

Deno.test("grpc: large messages go both ways, and a limit holds both ways", () =>
  trial(async (server) => {
    const limits = { received: 16 * MiB, sent: 16 * MiB };
    await using(server.path, { ...AT_ONCE, limits }, async (client) => {
      const large = crypto.getRandomValues(new Uint8Array(65536));
      const sent = new Uint8Array(16 * MiB);
      for (let at = 0; at < sent.length; at += large.length) sent.set(large, at);
      const answer = await client.call(ECHO, sent, {});
      assert.equal(answer.length, sent.length);
      assert.equal(Buffer.compare(answer, sent), 0);
      await assert.rejects(
        client.call(LENGTH, bytes(`${16 * MiB + 1}`), {}),
        failsWith("ResourceExhausted", /^Received message larger than max \(16777217 vs 16777216\)$/),
      );
      await assert.rejects(
        client.call(ECHO, new Uint8Array(16 * MiB + 1), {}),
        failsWith("ResourceExhausted", /^Attempted to send message with a size larger than 16777216/),
      );
      assert.equal(text(await client.call(ECHO, bytes("still"), {})), "still");
    });
    await using(server.path, AT_ONCE, async (client) => {
      assert.equal((await client.call(LENGTH, bytes(`${4 * MiB}`), {})).length, 4 * MiB);
      await assert.rejects(client.call(LENGTH, bytes(`${4 * MiB + 1}`), {}), failsWith("ResourceExhausted"));
    });
  }));

Deno.test("grpc: a thousand calls at once", () =>
  trial((server) =>
    using(server.path, AT_ONCE, async (client) => {
      const answers = await Promise.all(Array.from({ length: 1000 }, (_, i) => client.call(ECHO, bytes(`n ${i}`), {})));
      assert.ok(answers.every((b, i) => text(b) === `n ${i}`));
    })
  ));

Deno.test("grpc: what is never answered ends by its time, and the server is told of it", () =>
  trial((server) =>
    using(server.path, AT_ONCE, async (client) => {
      await client.call(ECHO, bytes(""), {});
      await assert.rejects(
        client.call(NEVER, bytes(""), { timeout: 2_000 }),
        failsWith("DeadlineExceeded", /^Deadline exceeded/),
      );
      const [left] = server.timeouts;
      assert.ok(left! > 0 && left! <= 2_000, String(left));
      await until(() => server.open === 0);
    })
  ));

Deno.test("grpc: calls that are cancelled free their streams", () =>
  trial((server) =>
    using(server.path, AT_ONCE, async (client) => {
      await assert.rejects(client.call(ECHO, bytes(""), { signal: AbortSignal.abort() }), failsWith("Canceled"));
      for (let round = 0; round < 5; round++) {
        const end = new AbortController();
        const calls = Array.from({ length: 100 }, () => client.call(NEVER, bytes(""), { signal: end.signal }));
        const ended = Promise.allSettled(calls);
        await until(() => server.open === 100);
        end.abort();
        for (const call of await ended) assert.equal((call as PromiseRejectedResult).reason.status, "Canceled");
        await until(() => server.open === 0);
      }
      assert.equal(text(await client.call(ECHO, bytes("free"), {})), "free");
    })
  ));

Deno.test("grpc: answers in a row come in order, wait for who reads them, and hold back no other call", () =>
  trial((server) =>
    using(server.path, AT_ONCE, async (client) => {
      const order: number[] = [];
      for await (const b of client.stream(COUNT, bytes("500 100"), {})) order.push(new DataView(b.buffer).getUint32(0));
      assert.deepEqual(order, Array.from({ length: 500 }, (_, i) => i));

      const slow = client.stream(COUNT, bytes("64 100000"), {});
      let seen = new DataView((await slow.next()).value!.buffer).getUint32(0);
      for (let i = 0; i < 20; i++) assert.equal((await client.call(LENGTH, bytes("200000"), {})).length, 200_000);
      for await (const b of slow) assert.equal(new DataView(b.buffer).getUint32(0), ++seen);
      assert.equal(seen, 63);

      for await (const _ of client.stream(COUNT, bytes("3 10 hold"), {})) break;
      await until(() => server.open === 0);
      const held = client.stream(COUNT, bytes("2 10 hold"), { timeout: 2_000 });
      await held.next();
      await held.next();
      await assert.rejects(held.next(), failsWith("DeadlineExceeded"));
      await assert.rejects(client.stream(callTo("fail"), bytes("so"), {}).next(), failsWith("NotFound", /^so$/));
    })
  ));

Deno.test("grpc: both sides speak as they like, and end as they like", () =>
  trial((server) =>
    using(server.path, AT_ONCE, async (client) => {
      const chat = await client.open(callTo("chat"), {});
      for (let i = 0; i < 100; i++) {
        await chat.write(bytes(`${i}`));
        assert.equal(text(await chat.next()), `so ${i}`);
      }
      const writing = (async () => {
        for (let i = 0; i < 50; i++) await chat.write(new Uint8Array(100_000));
        chat.end();
      })();
      let count = 0;
      for (let b = await chat.next(); b; b = await chat.next()) count += Number(b.length > 100_000);
      await writing;
      assert.equal(count, 50);

      const left = await client.open(callTo("chat"), {});
      await left.write(bytes("a"));
      assert.equal(text(await left.next()), "so a");
      left.cancel();
      await left.write(bytes("b"));
      await assert.rejects(left.next(), failsWith("Canceled"));
    })
  ));

Deno.test("grpc: nobody listens: fails at once, or waits within its time; both find who comes", async () => {
  const dir = await Deno.makeTempDir();
  const server = new Trial(`${dir}/late.sock`);
  await using(server.path, AT_ONCE, (quick) =>
    using(server.path, WAITING, async (patient) => {
      await assert.rejects(
        quick.call(ECHO, bytes(""), {}),
        failsWith("Unavailable", /^No connection established.*late\.sock/),
      );
      await assert.rejects(
        patient.call(ECHO, bytes(""), { timeout: 100 }),
        failsWith("DeadlineExceeded", /No connection established/),
      );
      const end = new AbortController();
      const ended = patient.call(ECHO, bytes(""), { signal: end.signal });
      const waiting = patient.call(ECHO, bytes("late"), { timeout: 60_000 });
      end.abort();
      await assert.rejects(ended, failsWith("Canceled"));
      await server.start();
      assert.equal(text(await waiting), "late");
      await quickly(() => quick.call(ECHO, bytes("found"), {}));
      server.kill();
      await socketsClosed();
      await Deno.remove(dir, { recursive: true });
    }));
});

/** Until it goes. */
async function quickly<T>(run: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await run();
    } catch (e) {
      failsWith("Unavailable")(e);
      await new Promise((done) => setTimeout(done, 10));
    }
  }
}

Deno.test("grpc: a server that is killed ends calls under way; the next one finds it when it is back", () =>
  trial((server) =>
    using(server.path, AT_ONCE, (quick) =>
      using(server.path, WAITING, async (patient) => {
        for (let round = 0; round < 3; round++) {
          const under = [quick, patient].map((c) => c.call(NEVER, bytes(""), {}));
          const ended = Promise.allSettled(under);
          await until(() => server.open === 2);
          server.kill();
          for (const call of await ended) failsWith("Unavailable")((call as PromiseRejectedResult).reason);
          await until(() => server.open === 0);
          await assert.rejects(quick.call(ECHO, bytes(""), {}), failsWith("Unavailable"));
          const waiting = patient.call(ECHO, bytes("back"), { timeout: 60_000 });
          await server.start();
          assert.equal(text(await waiting), "back");
          await quickly(() => quick.call(ECHO, bytes(""), {}));
        }
      }))
  ));

Deno.test("grpc: a closed client ends its calls, also those that wait for a connection", async () => {
  await trial((server) =>
    using(server.path, AT_ONCE, async (client) => {
      const first = client.call(NEVER, bytes(""), {});
      const ended = assert.rejects(first, failsWith("Canceled", /^the connection is closed$/));
      await until(() => server.open === 1);
      client.close();
      await ended;
      await assert.rejects(client.call(ECHO, bytes(""), {}), failsWith("Canceled"));
      await until(() => server.open === 0);
    })
  );
  await using("/nowhere/none.sock", WAITING, async (client) => {
    const waiting = assert.rejects(client.call(ECHO, bytes(""), {}), failsWith("Canceled"));
    const connecting = assert.rejects(client.call(ECHO, bytes(""), {}), failsWith("Canceled"));
    client.close();
    await waiting;
    await connecting;
  });
});

Deno.test("grpc: a socket without a file", async () => {
  const server = await new Trial(`@orch-trial-${crypto.randomUUID()}`).start();
  await using(
    server.path,
    AT_ONCE,
    async (client) => assert.equal(text(await client.call(ECHO, bytes("abstract"), {})), "abstract"),
  );
  server.kill();
});

Deno.test("grpc: a client that nobody uses does not keep its process", () =>
  trial(async (server) => {
    const args = ["run", "-A", "--no-check", LOCK, new URL("./_left_open.ts", import.meta.url).pathname, server.path];
    const signal = AbortSignal.timeout(120_000);
    const { code, stdout } = await new Deno.Command(Deno.execPath(), { args, signal }).output();
    assert.deepEqual([code, text(stdout)], [0, "answered\n"]);
  }));
