/** The node agent: the node that it is, and its ways to the API server. */
import assert from "node:assert/strict";
import { openEvents } from "../../agent/events/mod.ts";
import { productOf } from "../../schema/product.ts";
import { uuid } from "../../schema/values/random.ts";
import { Signer } from "../agent/certificates/_signer.ts";
import { clientOf } from "../agent/client/_client.ts";
import type { Loose } from "../fixture/loose.ts";
import { ca, until } from "../listen/_fixture.ts";
import {
  type AgentSurroundings,
  faultsOf,
  type Front,
  HeldClock,
  MovedClock,
  noAgent,
  noContainers,
  optionsOf,
  sharedContainerd,
  type Whole,
  withAgent,
  withBase,
  withFront,
} from "./_orchlet.ts";
import { spec } from "./_spec.ts";
import { withDirectory } from "../fixture/directory.ts";

const containerd = sharedContainerd();
const HOUR = 3_600_000;

/** The node of an agent with these flags, once it has registered. */
async function registered(
  flags: readonly string[],
  run: (node: Loose, whole: Whole, front: Front) => void | Promise<void>,
  o: Omit<AgentSurroundings, "front"> = {},
): Promise<void> {
  await withFront([], (front) =>
    withAgent(flags, async (whole) => {
      await run(await whole.node((node) => node.status?.conditions), whole, front);
    }, { ...o, front }));
}

const asks = ({ asked }: Front, method: string, path: RegExp) =>
  asked.filter((a) => a.method === method && path.test(a.path));

/** A pod's network address of this machine, not the loopback's. */
const ownAddress = (): string | undefined =>
  Deno.networkInterfaces().find(({ family, address }) => family === "IPv4" && !address.startsWith("127."))?.address;

spec("Node agent options", {
  "--orchconfig": async () => {
    await withFront([], async (front) => {
      await withAgent([], async ({ agent, base }) => {
        assert.equal(base.client, undefined);
        assert.equal(agent.delivered(), true);
      });
      assert.deepEqual(front.asked, []);
      await withAgent([], async ({ node, agent }) => {
        assert.equal((await node()).metadata.name, "localhost");
        await until("pods of the API server are known", () => agent.delivered());
      }, { front });
      assert.equal(asks(front, "GET", /^\/api\/v1\/pods\?fieldSelector=spec\.nodeName%3Dlocalhost/).length > 0, true);
    });
    await assert.rejects(withAgent(["--orchconfig=/none"], async () => {}), /--orchconfig: cannot read "\/none"/);
  },
  "--bootstrap-orchconfig": () =>
    withFront([], (front) =>
      withDirectory(async (dir) => {
        await Deno.writeTextFile(`${dir}/ca.crt`, ca.cert);
        await Deno.writeTextFile(`${dir}/ca.key`, ca.key);
        const signer = await Signer.of(dir), life = new AbortController();
        const admin = clientOf({ server: front.url }, "kubernetes");
        const signs = signer.run(admin, productOf("kubernetes"), life.signal);
        try {
          const file = `${dir}/own`;
          const flags = (agent: string) => [`--orchconfig=${file}`, `--bootstrap-orchconfig=${agent}/orchconfig`];
          await withAgent(flags, async ({ node, dir: agent }) => {
            await node();
            assert.match(await Deno.readTextFile(file), new RegExp(`${agent}/pki/kubelet-client-current\\.pem`));
            await Deno.writeTextFile(file, await Deno.readTextFile(`${agent}/orchconfig`));
          }, { front });
          const asked = "kubernetes.io/kube-apiserver-client-kubelet O=system:nodes, CN=system:node:localhost";
          assert.match(signer.seen.join("\n"), new RegExp(`^${asked}`));
          // The file is there now: nothing is asked for.
          await withAgent(flags, async ({ node }) => void await node(), { front });
          assert.equal(signer.seen.length, 1);
        } finally {
          life.abort();
          await signs;
          admin.renew();
        }
      })),
  "--hostname-override": () =>
    withFront([], async (front) => {
      await withAgent(["--hostname-override=Other.Name"], async () => {
        const found = () => front.t.fetch("/api/v1/nodes/other.name");
        await until("it is registered", async () => (await found()).status === 200);
        const { metadata } = (await found()).body;
        assert.equal(metadata.labels["kubernetes.io/hostname"], "other.name");
      }, { front });
    }),
  "--node-ip": async () => {
    const own = ownAddress();
    if (own) {
      await registered([`--node-ip=${own}`], ({ status }) => {
        assert.deepEqual(status.addresses[0], { type: "InternalIP", address: own });
      });
    }
    await registered(["--node-ip=198.51.100.1"], ({ status }, { logged }) => {
      assert.equal(status.addresses, undefined);
      assert.match(logged.join("\n"), /failed to validate nodeIP/);
    });
    assert.equal(faultsOf("--node-ip=192.0.2.1,2001:db8::1"), "");
    assert.match(faultsOf("--node-ip=192.0.2.1,192.0.2.2"), /two addresses should be of different families/);
  },
  "--node-labels": async () => {
    await registered(["--node-labels=a=b,node.kubernetes.io/c=d"], ({ metadata: { labels } }) => {
      assert.deepEqual([labels.a, labels["node.kubernetes.io/c"]], ["b", "d"]);
    });
    assert.match(faultsOf("--node-labels=orch.io/role=x"), /labels of orch\.io should be of /);
    assert.equal(faultsOf("--node-labels=example.com/role=x"), "");
  },
  "--register-node": () =>
    withFront([], async (front) => {
      await withAgent(["--register-node=false", "--node-status-update-frequency=50ms"], async ({ node }) => {
        const own = () => asks(front, "GET", /^\/api\/v1\/nodes\/localhost$/);
        await until("the node is looked for", () => own().length > 1);
        assert.deepEqual(asks(front, "POST", /^\/api\/v1\/nodes$/), []);
        await front.t.fetch("/api/v1/nodes", { body: { metadata: { name: "localhost" } } });
        await node(({ status }) => status?.capacity);
      }, { front });
    }),
  "--register-with-taints": () =>
    registered(["--register-with-taints=a=b:NoSchedule,c:NoExecute"], ({ spec: { taints } }) => {
      const own = taints.filter(({ key }: Loose) => ["a", "c"].includes(key));
      assert.deepEqual(own.map(({ key, value = "", effect }: Loose) => [key, value, effect]), [
        ["a", "b", "NoSchedule"],
        ["c", "", "NoExecute"],
      ]);
    }),
  "--provider-id": () =>
    registered(["--provider-id=cloud://machine-7"], (node) => assert.equal(node.spec.providerID, "cloud://machine-7")),
  "--cloud-provider": async () => {
    const uninitialized = ({ spec: { taints = [] } }: Loose) =>
      taints.some(({ key }: Loose) => key === "node.cloudprovider.kubernetes.io/uninitialized");
    await registered(["--cloud-provider=external"], (node) => {
      assert.equal(uninitialized(node), true);
      assert.deepEqual(node.status.addresses, [{ type: "Hostname", address: "localhost" }]);
    });
    await registered(["--cloud-provider="], (node) => assert.equal(uninitialized(node), false));
    assert.notEqual(faultsOf("--cloud-provider=some"), "");
  },
  "--node-status-update-frequency": async () => {
    const clock = new MovedClock();
    await registered(["--node-status-update-frequency=1000h"], async (_node, _whole, front) => {
      const told = () => asks(front, "PATCH", /\/nodes\/localhost\/status$/).length;
      const renewed = () => asks(front, "PUT", /\/leases\/localhost$/).length;
      const after = (ms: number, holds: () => boolean) => () => {
        clock.pass(ms);
        return holds();
      };
      await until("the status is told", () => told() === 1);
      // Far less than the thousand hours, however slow the renewals are, and more than a status is kept back that says nothing new.
      await until("the lease is renewed", after(20_000, () => renewed() > 40));
      assert.equal(told(), 1);
      await until("the status is told again", after(100 * HOUR, () => told() > 1));
    }, { clock });
  },
  "--max-pods": () =>
    registered(["--max-pods=3"], ({ status }) => {
      assert.deepEqual([status.capacity.pods, status.allocatable.pods], ["3", "3"]);
    }),
  "--pods-per-core": async () => {
    await registered(["--pods-per-core=2"], ({ status }, { base }) => {
      assert.equal(status.capacity.pods, String(Math.min(110, 2 * base.machine.cpus.length)));
    });
    await registered(["--pods-per-core=2", "--max-pods=1"], ({ status }) => assert.equal(status.capacity.pods, "1"));
    await registered(["--pods-per-core=0"], ({ status }) => assert.equal(status.capacity.pods, "110"));
  },
  "--orch-api-qps": () => paced(["--orch-api-qps=2", "--orch-api-burst=1"], 1, 500),
  "--orch-api-burst": () => paced(["--orch-api-qps=2", "--orch-api-burst=7"], 7, 500),
  "--orch-api-content-type": async () => {
    const typeBy = async (...flags: string[]) => {
      let type: string | null | undefined;
      await registered(flags, (_node, _whole, front) => {
        type = asks(front, "POST", /^\/api\/v1\/nodes$/)[0]!.headers.get("content-type");
      });
      return type;
    };
    assert.equal(await typeBy(), "application/vnd.kubernetes.protobuf");
    assert.equal(await typeBy("--orch-api-content-type=application/json"), "application/json");
    assert.equal(optionsOf().orchApiContentType, "application/vnd.orch.protobuf");
    assert.notEqual(faultsOf("--orch-api-content-type=text/plain"), "");
  },
  "--event-qps": async () => {
    await told(["--event-qps=2", "--event-burst=1"], 1, 500);
    await withEvents(["--event-qps=0"], async (tell, count) => {
      tell(150);
      await until("all are sent", () => count() === 150);
    });
  },
  "--event-burst": async () => {
    await told(["--event-qps=2", "--event-burst=7"], 7, 500);
    assert.equal(optionsOf("--event-burst=0").eventBurst, 100);
  },
}, noAgent);

spec("Limits", {
  "node agent --kube-api-qps equivalent --orch-api-qps / burst": async () => {
    await paced([], 100, 20);
    const { orchApiQps, orchApiBurst } = optionsOf("--orch-api-qps=0", "--orch-api-burst=0");
    assert.deepEqual([orchApiQps, orchApiBurst], [50, 100]);
  },
  "node agent --event-qps / burst": () => told([], 100, 20),
}, noAgent);

spec("Node agent options", {
  "--node-status-max-images": async () => {
    const imagesBy = async (most: number, seen: number) => {
      await registered([`--node-status-max-images=${most}`], async (_, { node }) => {
        await node(({ status }) => status.images?.length === seen);
      }, { containerd: await containerd() });
    };
    await imagesBy(-1, 2);
    await imagesBy(1, 1);
    assert.notEqual(faultsOf("--node-status-max-images=-2"), "");
  },
}, noContainers);

/** Of more requests than may come at once so many are sent, then one more after each pause, ms. */
async function paced(flags: readonly string[], burst: number, pauseMs: number): Promise<void> {
  const clock = new HeldClock();
  await withFront([], (front) =>
    withBase(flags, async ({ base: { client } }) => {
      const count = () => asks(front, "GET", /^\/version$/).length;
      let answered = 0;
      const requests = Array.from(
        { length: burst + 3 },
        () => client!.request("GET", "/version").then(() => answered++),
      );
      await stepped(count, () => answered, burst, 3, () => clock.pass(pauseMs));
      await Promise.all(requests);
    }, { front, clientClock: clock }));
}

/** The same for events. */
async function told(flags: readonly string[], burst: number, pauseMs: number): Promise<void> {
  const clock = new HeldClock();
  await withEvents(flags, async (tell, count) => {
    tell(burst + 3);
    await stepped(count, count, burst, 3, () => clock.pass(pauseMs));
  }, clock);
}

async function stepped(
  sent: () => number,
  answered: () => number,
  first: number,
  more: number,
  pass: () => void,
): Promise<void> {
  for (let n = first; n <= first + more; n++) {
    await until(`${n} are answered`, () => answered() === n);
    // Time enough for what should have waited.
    await new Promise((done) => setTimeout(done, 20));
    assert.equal(sent(), n);
    if (n < first + more) pass();
  }
}

/** Runs with what tells so many events of as many pods, and how many the API server was sent. */
async function withEvents(
  flags: readonly string[],
  run: (tell: (events: number) => void, count: () => number) => Promise<void>,
  clock = new HeldClock(),
): Promise<void> {
  await withFront([], (front) =>
    withBase(flags, async ({ base, end }) => {
      const { client, options, random } = base;
      const events = openEvents(client, { ...base, ...options, nodeUid: () => undefined });
      const runs = events.run(base.signal);
      const tell = (count: number) => {
        for (let i = 0; i < count; i++) {
          events.pod(
            { metadata: { name: `pod-${i}`, namespace: "default", uid: uuid(random) } } as Loose,
            "Normal",
            "R",
            "m",
          );
        }
      };
      try {
        await run(tell, () => asks(front, "POST", /\/events$/).length);
      } finally {
        end();
        await runs;
      }
    }, { front, clock, clientClock: clock }));
}
