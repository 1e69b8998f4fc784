/** Options of the node agent about volumes, local storage and streams, by their rows. */
import assert from "node:assert/strict";
import http from "node:http";
import type { AddressInfo } from "node:net";
import type { Duplex } from "node:stream";
import { connectTls, readUntil, soon, until } from "../listen/_fixture.ts";
import { type Host, ImpatientClock, onHost, sized, withHost } from "./_host.ts";
import { optionsOf, withFront } from "./_orchlet.ts";
import { spec } from "./_spec.ts";

const HOUR = 3_600_000;
const DIRECTORY = {
  a: {
    containers: [{ ...sized("a"), volumeMounts: [{ name: "v", mountPath: "/v" }] }],
    volumes: [{ name: "v", emptyDir: {} }],
  },
};

/** Inodes of the volumes of the one pod, as statistics say. */
async function inodes({ get }: Host): Promise<number[]> {
  const [pod] = JSON.parse((await get("/stats/summary")).text).pods;
  return (pod?.volume ?? []).map((v: { inodesUsed: number }) => v.inodesUsed);
}

/** A driver of volumes that notes what it is asked for. */
const driver = (host: string): string =>
  `#!/bin/sh
echo "$1" >> ${host}/asked
echo '{"status":"Success","capabilities":{"attach":false}}'
`;

/** Runs with a server that gives back what it gets, as the runtime's server of streams. */
async function withEcho(run: (url: string) => Promise<void>): Promise<void> {
  const streams = new Set<Duplex>();
  const server = http.createServer().on("upgrade", (_, stream) => {
    streams.add(stream.on("error", () => {}));
    stream.write("HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: SPDY/3.1\r\n\r\n");
    stream.pipe(stream);
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  try {
    await run(`http://127.0.0.1:${(server.address() as AddressInfo).port}/exec`);
  } finally {
    for (const stream of streams) stream.destroy();
    await new Promise((done) => server.close(done));
  }
}

/** A stream to a container, and its end. */
async function streamTo({ agent, running }: Host) {
  await running("a");
  const socket = await connectTls(agent.servers.port, { rejectUnauthorized: false });
  socket.write(
    "POST /exec/default/a-localhost/a?command=x&output=1 HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\n" +
      "Upgrade: SPDY/3.1\r\nX-Stream-Protocol-Version: v4.channel.k8s.io\r\n\r\n",
  );
  const over = new Promise<void>((done) => socket.once("close", () => done()));
  assert.match(await readUntil(socket, (text) => text.endsWith("\r\n\r\n")), /^HTTP\/1\.1 101 /);
  return { socket, over };
}

spec(
  "Node agent options",
  onHost({
    "--streaming-connection-idle-timeout": () =>
      withEcho(async (url) => {
        const pods = { a: {} };
        await withHost(["--streaming-connection-idle-timeout=100ms"], async (host) => {
          host.memory.streams = url;
          await soon((await streamTo(host)).over, "the end of the idle stream");
        }, { pods });
        const clock = new ImpatientClock();
        await withHost(["--streaming-connection-idle-timeout=0"], async (host) => {
          host.memory.streams = url;
          const { socket, over } = await streamTo(host);
          socket.write("typed");
          assert.equal(await readUntil(socket, (text) => text === "typed"), "typed");
          clock.pass(4 * HOUR + 1000);
          await soon(over, "the end of the old connection");
        }, { pods, clock });
        assert.equal(optionsOf().streamingConnectionIdleTimeout, 4 * HOUR);
      }),
    "--volume-stats-agg-period": async () => {
      const clock = new ImpatientClock();
      await withHost(["--volume-stats-agg-period=1h"], async (host) => {
        await host.running("a");
        await until("they are told", async () => (await inodes(host)).length === 1);
        const { uid } = (await host.pod("a-localhost")).metadata!;
        await Deno.writeTextFile(`${host.dir}/lib/pods/${uid}/volumes/kubernetes.io~empty-dir/v/f`, "x");
        assert.deepEqual(await inodes(host), [1]);
        clock.pass(HOUR);
        await until("it is looked at again", async () => (await inodes(host))[0] === 2);
      }, { pods: DIRECTORY, clock });
      await withHost(["--volume-stats-agg-period=-1s"], async (host) => {
        await host.running("a");
        assert.deepEqual(await inodes(host), []);
      }, { pods: DIRECTORY });
    },
    "--volume-plugin-dir": async () => {
      const flags = (host: string) => {
        Deno.mkdirSync(`${host}/drivers/acme~disk`, { recursive: true });
        Deno.writeTextFileSync(`${host}/drivers/acme~disk/disk`, driver(host), { mode: 0o755 });
        return [`--volume-plugin-dir=${host}/drivers`];
      };
      await withHost(flags, async ({ running, host }) => {
        await running("a");
        assert.deepEqual((await Deno.readTextFile(`${host}/asked`)).trim().split("\n"), ["init", "mount"]);
      }, {
        pods: { a: { ...DIRECTORY.a, volumes: [{ name: "v", flexVolume: { driver: "acme/disk" } }] } },
      });
    },
    "--enable-controller-attach-detach": async () => {
      for (const [flags, told] of [[[], "true"], [["--enable-controller-attach-detach=false"], undefined]] as const) {
        await withFront(["--api-dialect=kubernetes"], async (front) => {
          await withHost(flags, async ({ node }) => {
            const { annotations } = (await node()).metadata;
            assert.equal(annotations?.["volumes.kubernetes.io/controller-managed-attach-detach"], told);
          }, { front });
        });
      }
    },
    "--local-storage-capacity-isolation": async () => {
      for (const [flag, isTold] of [["", true], ["=false", false]] as const) {
        await withHost([`--local-storage-capacity-isolation${flag}`], async ({ agent }) => {
          assert.equal("ephemeral-storage" in agent.node.node().status!.capacity!, isTold);
        });
      }
    },
  }),
);
