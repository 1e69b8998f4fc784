/** What each option of "Audit events" does, by its row. */
import assert from "node:assert/strict";
import { parseOptions } from "../../server/options/mod.ts";
import { ALL, metric, recording, type RecordingOptions, settled, until } from "../audit/_recording.ts";

const BATCH = ["--audit-log-mode=batch", "--audit-log-batch-max-wait=1h"];
const HOOK: RecordingOptions = { file: "", webhook: () => ({}) };
const NO_WAIT = ["--audit-webhook-batch-max-size=1"];
const MEGA = 600 * 1024;
const OLD = "audit-2001-02-03T04-05-06.789.log";

const names = (dir: string): string[] => [...Deno.readDirSync(dir)].map((e) => e.name).sort();
const rotated = (dir: string, end: string): number =>
  names(dir).filter((n) => n.startsWith("audit-") && n.endsWith(end)).length;
const refused = (...flags: string[]): void => assert.equal(parseOptions(flags).kind, "errors", flags.join(" "));

/** Seven events of which two fill a file. */
const filling = async (flags: readonly string[], after: (dir: string) => void): Promise<void> =>
  await recording(
    ["--audit-log-maxsize=1", ...flags],
    async ({ make }) => {
      // Parts that were rotated in the same millisecond would be one.
      for (let i = 0; i < 4; i++) {
        assert.equal(await make(`m${i}`, MEGA), 201);
        await new Promise((done) => setTimeout(done, 2));
      }
    },
    { policy: { rules: [{ ...ALL.rules[0], level: "Request" }] } },
    ({ dir }) => after(dir),
  );

/** See the top of the file. */
export const AUDIT_EFFECTS: Readonly<Record<string, () => Promise<void>>> = {
  "--audit-policy-file": async () => {
    await recording([], async ({ t, make, events }) => {
      await make("a");
      await t.fetch("/api/v1/namespaces");
      assert.deepEqual(events().map((e) => [e.verb, e.objectRef.resource]), [["create", "configmaps"]]);
    });
    await assert.rejects(
      recording([], async () => {}, { policy: { rules: [{ level: "Some" }] } }),
      /rules\[0\]\.level/,
    );
  },
  "--audit-log-path": async () => {
    await recording([], async ({ make, events }) => {
      await make("a");
      assert.equal(events().length, 1);
    });
    const out: string[] = [], { writeSync } = Deno.stdout;
    Deno.stdout.writeSync = (bytes) => (out.push(new TextDecoder().decode(bytes)), bytes.length);
    try {
      await recording([], async ({ make }) => void await make("a"), { file: "-" });
    } finally {
      Deno.stdout.writeSync = writeSync;
    }
    assert.equal(out.filter((text) => JSON.parse(text).kind === "Event").length, 1);
  },
  "--audit-log-format": async () =>
    await recording(["--audit-log-format=legacy"], async ({ make, text }) => {
      await make("a");
      assert.match(
        text(),
        /^\S+ AUDIT: id="[^"]+" stage="ResponseComplete" ip="<unknown>" method="create" user="admin" /,
      );
      assert.match(text(), / as="<self>" .* namespace="default" uri="[^"]+" response="201"\n$/);
    }),
  "--audit-log-mode": async () => {
    const first = { policy: { rules: [{ level: "Metadata", resources: [{ group: "" }] }] } };
    const full = { ...first, file: "/dev/full" };
    const lost = 'apiserver_audit_error_total{plugin="log"}', rejected = "apiserver_audit_requests_rejected_total";
    await recording(["--audit-log-mode=blocking"], async ({ t, make }) => {
      assert.equal(await make("a"), 201);
      assert.deepEqual([await metric(t, lost), await metric(t, rejected)], [2, 0]);
    }, full);
    await recording(["--audit-log-mode=blocking-strict"], async ({ t, make }) => {
      assert.equal(await make("a"), 500);
      assert.equal((await t.fetch("/version")).status, 200);
      assert.deepEqual([await metric(t, lost), await metric(t, rejected)], [1, 1]);
    }, full);
    await recording(
      [...BATCH, "--audit-log-batch-max-size=99"],
      async ({ make, events }) => {
        assert.equal(await make("a"), 201);
        assert.equal(events().length, 0);
      },
      first,
      ({ events }) => assert.equal(events().length, 2),
    );
  },
  "--audit-log-version": async () =>
    await recording(["--audit-log-version=audit.orch.io/v1"], async ({ make, events }) => {
      await make("a");
      assert.equal(events()[0].apiVersion, "audit.orch.io/v1");
    }),
  "--audit-log-maxage": async () => {
    const before = (dir: string) => Deno.writeTextFileSync(`${dir}/${OLD}`, "");
    for (const [days, kept] of [[1, false], [0, true]] as const) {
      await recording(
        [`--audit-log-maxage=${days}`],
        async () => {},
        { before },
        ({ dir }) => assert.equal(names(dir).includes(OLD), kept),
      );
    }
  },
  "--audit-log-maxbackup": async () => {
    await filling(["--audit-log-maxbackup=2"], (dir) => assert.equal(rotated(dir, ".log"), 2));
    await filling(["--audit-log-maxbackup=0"], (dir) => assert.equal(rotated(dir, ".log"), 3));
  },
  "--audit-log-maxsize": async () => {
    await filling([], (dir) => assert.equal(rotated(dir, ".log"), 3));
    await filling(["--audit-log-maxsize=0"], (dir) => assert.equal(rotated(dir, ".log"), 0));
  },
  "--audit-log-compress": async () =>
    await filling(["--audit-log-compress"], (dir) => {
      assert.deepEqual([rotated(dir, ".log"), rotated(dir, ".log.gz")], [0, 3]);
      const zipped = names(dir).find((n) => n.endsWith(".gz"))!;
      assert.deepEqual([...Deno.readFileSync(`${dir}/${zipped}`).subarray(0, 2)], [0x1f, 0x8b]);
    }),
  "--audit-log-batch-buffer-size": async () =>
    await recording(
      [...BATCH, "--audit-log-batch-max-size=99", "--audit-log-batch-buffer-size=2"],
      async ({ t, make }) => {
        for (let i = 0; i < 5; i++) await make(`m${i}`);
        assert.equal(await metric(t, 'apiserver_audit_error_total{plugin="buffered"}'), 3);
      },
      {},
      ({ events }) => assert.equal(events().length, 2),
    ),
  "--audit-log-batch-max-size": async () =>
    await recording([...BATCH, "--audit-log-batch-max-size=3"], async ({ make, events }) => {
      for (const [name, written] of [["a", 0], ["b", 0], ["c", 3], ["d", 3]] as const) {
        await make(name);
        await settled();
        assert.equal(events().length, written);
      }
    }),
  "--audit-log-batch-max-wait": async () =>
    await recording(
      ["--audit-log-mode=batch", "--audit-log-batch-max-size=99", "--audit-log-batch-max-wait=1ms"],
      async ({ make, events }) => {
        await make("a");
        await until(() => events().length === 1);
      },
    ),
  "--audit-log-batch-throttle-enable, -qps, -burst": async () => {
    const throttle = ["-enable=true", "-qps=0.001", "-burst=2"].map((f) => `--audit-log-batch-throttle${f}`);
    await recording(
      ["--audit-log-mode=batch", ...throttle],
      async ({ make, events }) => {
        for (let i = 0; i < 4; i++) await make(`m${i}`);
        await settled();
        assert.equal(events().length, 2);
      },
      {},
      ({ events }) => assert.equal(events().length, 4),
    );
    refused("--audit-log-mode=batch", "--audit-log-batch-throttle-enable");
  },
  "--audit-log-truncate-enabled": async () => {
    for (const [flags, cut] of [[["--audit-log-truncate-enabled"], true], [[], false]] as const) {
      await recording(flags, async ({ make, events }) => {
        await make("a", 120_000);
        const [{ requestObject, responseObject, annotations }] = events();
        assert.deepEqual([!requestObject, !responseObject], [cut, cut]);
        assert.equal(annotations["audit.k8s.io/truncated"], cut ? "true" : undefined);
      });
    }
  },
  "--audit-log-truncate-max-batch-size": async () =>
    // Lines are written one by one: what the bound does is seen with the webhook.
    await Promise.resolve(refused("--audit-log-path=x", "--audit-log-truncate-max-batch-size=100")),
  "--audit-log-truncate-max-event-size": async () =>
    await recording(
      ["--audit-log-truncate-enabled", "--audit-log-truncate-max-event-size=1000"],
      async ({ t, make, events }) => {
        await make("a", 10);
        await make("b", 1000);
        assert.deepEqual(events().map((e) => !e.requestObject), [false, true]);
        await t.fetch(`/api/v1/namespaces/default/configmaps?labelSelector=${"a".repeat(1000)}`);
        assert.equal(events().length, 2);
        assert.equal(await metric(t, 'apiserver_audit_error_total{plugin="truncate"}'), 1);
      },
    ),
  "--audit-webhook-config-file": async () =>
    await recording(NO_WAIT, async (r) => {
      await r.make("a");
      await until(() => r.lists.length === 1);
      const [{ kind, apiVersion, items }] = r.lists;
      assert.deepEqual([kind, apiVersion, items.length, items[0].kind], ["EventList", "audit.k8s.io/v1", 1, undefined]);
      assert.equal(items[0].requestObject.metadata.name, "a");
    }, HOOK),
  "--audit-webhook-mode": async () => {
    await recording(["--audit-webhook-mode=blocking"], async (r) => {
      await r.make("a");
      assert.equal(r.lists.length, 1);
    }, HOOK);
    const broken = { ...HOOK, policy: { rules: [{ level: "Metadata" }] }, webhook: () => ({ status: 500 }) };
    await recording(["--audit-webhook-mode=blocking-strict", "--audit-webhook-initial-backoff=0s"], async (r) => {
      assert.equal(await r.make("a"), 500);
    }, broken);
  },
  "--audit-webhook-version": async () => {
    const parsed = parseOptions(["--api-dialect=orch"]);
    assert.equal(parsed.kind === "run" && parsed.options.auditWebhookVersion, "audit.orch.io/v1");
    await recording(["--api-dialect=orch", "--audit-webhook-mode=blocking"], async (r) => {
      await r.make("a");
      assert.equal(r.lists[0].apiVersion, "audit.orch.io/v1");
    }, HOOK);
    refused("--audit-webhook-version=audit.k8s.io/v2");
  },
  "--audit-webhook-batch-buffer-size": async () =>
    await recording(["--audit-webhook-batch-buffer-size=1"], async ({ t, make }) => {
      for (let i = 0; i < 3; i++) await make(`m${i}`);
      assert.equal(await metric(t, 'apiserver_audit_error_total{plugin="buffered"}'), 2);
    }, HOOK),
  "--audit-webhook-batch-max-size": async () =>
    await recording(["--audit-webhook-batch-max-size=2", "--audit-webhook-batch-max-wait=1h"], async (r) => {
      for (let i = 0; i < 4; i++) await r.make(`m${i}`);
      await until(() => r.lists.length === 2);
      assert.deepEqual(r.lists.map((l) => l.items.length), [2, 2]);
    }, HOOK),
  "--audit-webhook-batch-max-wait": async () =>
    await recording(["--audit-webhook-batch-max-wait=1ms"], async (r) => {
      await r.make("a");
      await until(() => r.lists.length === 1);
    }, HOOK),
  "--audit-webhook-batch-throttle-enable": async () =>
    await recording(
      [...NO_WAIT, "--audit-webhook-batch-throttle-enable=false", "--audit-webhook-batch-throttle-burst=1"],
      async (r) => {
        for (let i = 0; i < 20; i++) await r.make(`m${i}`);
        await until(() => r.lists.length === 20);
      },
      HOOK,
    ),
  "--audit-webhook-batch-throttle-qps": async () => {
    refused("--audit-webhook-config-file=x", "--audit-webhook-batch-throttle-qps=0");
    const flags = ["--audit-webhook-batch-throttle-qps=1000", "--audit-webhook-batch-throttle-burst=1"];
    await recording([...NO_WAIT, ...flags], async (r) => {
      for (let i = 0; i < 5; i++) await r.make(`m${i}`);
      await until(() => r.lists.length === 5);
    }, HOOK);
  },
  "--audit-webhook-batch-throttle-burst": async () => {
    refused("--audit-webhook-config-file=x", "--audit-webhook-batch-throttle-burst=0");
    const flags = ["--audit-webhook-batch-throttle-qps=0.001", "--audit-webhook-batch-throttle-burst=3"];
    await recording([...NO_WAIT, ...flags], async (r) => {
      for (let i = 0; i < 5; i++) await r.make(`m${i}`);
      await until(() => r.lists.length === 3);
    }, HOOK);
  },
  "--audit-webhook-initial-backoff": async () => {
    for (const [wait, tries] of [["0s", 5], ["1h", 1]] as const) {
      await recording([...NO_WAIT, `--audit-webhook-initial-backoff=${wait}`], async (r) => {
        await r.make("a");
        await until(() => r.lists.length === tries);
      }, { ...HOOK, webhook: () => ({ status: 503 }) });
    }
  },
  "--audit-webhook-truncate-enabled, -max-batch-size (10485760), -max-event-size (102400)": async () => {
    const sizes = ["--audit-webhook-truncate-max-event-size=2000", "--audit-webhook-truncate-max-batch-size=3000"];
    const flags = ["--audit-webhook-truncate-enabled", "--audit-webhook-batch-max-size=4", ...sizes];
    await recording(flags, async (r) => {
      for (const [name, bytes] of [["a", 300], ["b", 300], ["c", 300], ["d", 5000]] as const) await r.make(name, bytes);
      await until(() => r.lists.flatMap((l) => l.items).length === 4);
      assert.ok(r.lists.length > 1);
      const last = r.lists.flatMap((l) => l.items).find((e) => e.objectRef.name === "d");
      assert.deepEqual([last.requestObject, last.annotations["audit.k8s.io/truncated"]], [undefined, "true"]);
    }, HOOK);
  },
};
