/** One test for each option of the specification's tables: it is known, has the type and the default that the row says. */
import assert from "node:assert/strict";
import { readRows, type SpecRow } from "../../scripts/spec_rows.ts";
import { productOf } from "../../schema/product.ts";
import { versionInfo } from "../../server/endpoints/about.ts";
import { parseOptions } from "../../server/options/mod.ts";
import { ROWS } from "../../server/options/table.ts";
import type { OptionRow, OptionType } from "../../schema/flags/types.ts";
import { defaultOf, valueOf } from "../../schema/flags/values.ts";
import { openStores } from "../../server/storage/open.ts";
import { outsideBy } from "../../server/options/outside.ts";
import { Files } from "../egress/_egress.ts";
import { ConnectProxy } from "../egress/_proxies.ts";
import { traced } from "../tracing/_traced.ts";
import { AGENT_EFFECTS } from "./_agent_options.ts";
import { AUDIT_EFFECTS } from "./_audit_options.ts";
import { AUTHENTICATION_EFFECTS } from "./_authentication_options.ts";
import { AUTHORIZATION_EFFECTS } from "./_authorization_options.ts";
import { SERVING_EFFECTS } from "./_serving_options.ts";
import { STORAGE_EFFECTS } from "./_storage_options.ts";
import { spec } from "./_spec.ts";

const HEADINGS = [
  "Request processing options",
  "API server serving options",
  "API server",
  "Authorization",
  "Audit events",
];

const BY_NAME = new Map(ROWS.flatMap((r) => [r.name, ...(r.aliases ?? [])].map((n) => [n, r] as const)));
const local = productOf("orch").local;
const LISTS: readonly OptionType[] = ["strings", "array", "ints", "map", "pair", "switches", "cidrs", "certKeys"];

/** Types that a word of the second column stands for. */
const TYPES: readonly (readonly [RegExp, readonly OptionType[]])[] = [
  [/^$/, [...LISTS, "bool", "int", "float", "string", "path", "ip", "url", "duration"]],
  [/list|repeatable|pattern=N/, LISTS],
  [/^CIDR/, ["cidrs"]],
  [/^bool|^flag/, ["bool"]],
  [/^int/, ["int"]],
  [/^float/, ["float"]],
  [/^duration/, ["duration"]],
  [/^IP/, ["ip"]],
  [/^path/, ["path"]],
  [/URL/, ["url"]],
  [/^`N1-N2`/, ["portRange"]],
  [/^string|^`VersionTLS/, ["string"]],
];

/** A value of each type that says more than its zero, and one that is none. */
const SAMPLES: Readonly<Partial<Record<OptionType, readonly [string, string?]>>> = {
  bool: ["true", "maybe"],
  int: ["1", "one"],
  float: ["0.01", "x"],
  duration: ["1m30s", "soon"],
  ip: ["192.0.2.1", "host"],
  url: ["https://example.com", "://"],
  cidrs: ["10.0.0.0/24", "10.0.0.0"],
  portRange: ["30000-30100", "2-1"],
  map: ["a=b", "a"],
  pair: ["a=b", "a"],
  switches: ["a=b,c"],
  ints: ["23,29", "x"],
  certKeys: ["a.crt,a.key", "a.crt"],
};

interface Wanted {
  readonly name: string;
  readonly types: readonly OptionType[];
  readonly value: string | undefined;
}

/** What a row says of each option that it names. `-qps` stands for the first name with its last part replaced. */
function wantedOf({ row, type = "" }: SpecRow): Wanted[] {
  const parts = row.split(", ");
  const stem = parts[0]!.replace(/-(enable|enabled)$/, "");
  const each = type.split(", ");
  const types = parts.length > 1 && each.every((t) => /^(bool|int|float|path)$/.test(t)) && each.length > 1
    ? each
    : undefined;
  return parts.map((part, i) => {
    const own = types?.[i] ?? type;
    const [, given = part, aside] = /^(\S+) \((.*)\)$/.exec(part) ?? [];
    const name = given.startsWith("--") ? given : given.length > 2 ? stem + given : given;
    const value = aside ?? /^[^,]+, (?!.* to )`?([^`,]+(?:,[^`]+)?)`?$/.exec(own)?.[1];
    return {
      name: name.replace(/^-+/, ""),
      types: TYPES.find(([words]) => words.test(own))![1],
      value: types || value === "repeatable" || /^`(cert|pattern)/.test(own) ? undefined : value,
    };
  });
}

function check({ name, types, value }: Wanted): void {
  const row = BY_NAME.get(name);
  assert.ok(row, `--${name} is not known`);
  assert.ok(types.includes(row.type), `--${name} is ${row.type}, not ${types}`);
  if (value !== undefined) {
    assert.deepEqual(defaultOf(row, local), valueOf(row, [local(value)]), `--${name}: default`);
  }
  const [good = "x", bad] = SAMPLES[row.type] ?? [];
  const sample = row.rule?.oneOf ? row.rule.oneOf.find((v) => v !== "")! : inBounds(row, good);
  valueOf(row, [sample]);
  if (bad !== undefined) assert.throws(() => valueOf(row, [bad]), `--${name}=${bad}`);
}

const inBounds = (row: OptionRow, sample: string): string =>
  row.type === "int" && row.rule?.min !== undefined ? String(Math.max(row.rule.min, 1)) : sample;

/** What each option does, beside being known: by heading and row. Those of processing requests are in request_processing_test.ts. */
const EFFECTS: Readonly<Record<string, Readonly<Record<string, () => Promise<void>>>>> = {
  "API server serving options": { ...SERVING_EFFECTS, ...STORAGE_EFFECTS, ...AGENT_EFFECTS },
  "API server": AUTHENTICATION_EFFECTS,
  "Authorization": AUTHORIZATION_EFFECTS,
  "Audit events": AUDIT_EFFECTS,
};

/** Rows of which the table does not hold as it stands. */
const OWN: Readonly<Record<string, () => void | Promise<void>>> = {
  "API server serving options: --egress-selector-config-file": async () => {
    wantedOf(readRows().find((r) => r.row === "--egress-selector-config-file")!).forEach(check);
    const files = new Files(), proxy = await new ConnectProxy().start();
    proxy.mischief = (socket) => socket.end("HTTP/1.1 403 Forbidden\r\n\r\n");
    const get = outsideBy(files.egress({ cluster: files.connection(proxy) })).fetchText(undefined, "cluster");
    await assert.rejects(get("https://issuer.test/keys", AbortSignal.timeout(10_000)), /answered 403 Forbidden/);
    assert.deepEqual(proxy.asked, ["issuer.test:443"]);
    await proxy.stop();
    files.remove();
  },
  "API server serving options: --tracing-config-file": async () => {
    wantedOf(readRows().find((r) => r.row === "--tracing-config-file")!).forEach(check);
    await traced(1_000_000, async ({ t, collector, sent }) => {
      await t.fetch("/api/v1/namespaces/default");
      await sent();
      collector.one("GET /api/v1/namespaces/{:namespace}/namespaces/{:name}");
    });
  },
  // The store of this server is its own unless it is given etcd's servers.
  "API server serving options: --storage-backend": async () => {
    const parsed = parseOptions(["--store-servers=http://127.0.0.1:2379"]);
    assert.equal(parsed.kind === "run" && parsed.options.backend, "etcd3");
    assert.equal(parseOptions(["--storage-backend=etcd3"]).kind, "errors");
    const dir = await Deno.makeTempDir();
    for (const [name, ...flags] of [["memory", "--storage-backend=memory"], ["denokv"]] as const) {
      const own = parseOptions([`--data-dir=${dir}`, ...flags]);
      assert.ok(own.kind === "run");
      const { main } = await openStores(own.options);
      assert.equal(main.name, name);
      await main.close();
    }
    await Deno.remove(dir, { recursive: true });
  },
  "API server serving options: --version": () => {
    const raw = parseOptions(["--version=raw"]);
    assert.equal(raw.kind, "print");
    const set = parseOptions(["--version=v1.37.9"]);
    assert.equal(set.kind === "run" && set.options.gitVersion, "v1.37.9");
    const far = parseOptions(["--version=v2.5.1"]);
    const told = far.kind === "run" ? versionInfo(far.options, "linux/amd64") : undefined;
    assert.deepEqual([told?.gitVersion, told?.major, told?.minor, told?.emulation], ["v2.5.1", "2", "5", ["1", "37"]]);
  },
  "API server serving options: -h, --help": () => {
    for (const flag of ["-h", "--help"]) assert.equal(parseOptions([flag]).kind, "print");
  },
  // Without a default in the table: a configuration file leaves it out.
  "Authorization: --authorization-mode": () => AUTHORIZATION_EFFECTS["--authorization-mode"]!(),
};

for (const heading of HEADINGS) {
  const rows = readRows().filter((r) => r.heading === heading && /^-/.test(r.row));
  spec(
    heading,
    Object.fromEntries(rows.map((r) => [r.row, async () => {
      const own = OWN[`${heading}: ${r.row}`];
      if (own) return own();
      wantedOf(r).forEach(check);
      if (heading === "Request processing options") return;
      const effect = EFFECTS[heading]?.[r.row];
      assert.ok(effect, `${r.row} has no test of its effect`);
      await effect();
    }])),
  );
}
