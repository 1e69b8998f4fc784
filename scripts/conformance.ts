/**
 * Plays the recorded exchanges, and the validation probes, against servers started as the corpus wants them.
 *
 *     deno task conformance [--profile NAME] [arguments of the corpus's runner]
 *
 * What fails must be listed, with a reason, in tests/conformance/known-failures.txt; what is listed and passes fails too.
 * The last line is `N passed, N failed`: unlisted failures and unexpected passes.
 */
import { parseArgs } from "node:util";
import { freePort } from "../tests/fixture/free_port.ts";

const CORPUS = "../shared/conformance";
const KNOWN = "tests/conformance/known-failures.txt";

/** One server, and what is played against it. */
interface Profile {
  readonly name: string;
  readonly flags: readonly string[];
  /** `--authorization-mode`, RBAC unless told. */
  readonly authorizers?: string;
  /** Features that the runner is told of. */
  readonly features: readonly string[];
  /** Folders or files of cases. */
  readonly cases: string;
  /** Only cases that require one of the features: the others are played by another profile. */
  readonly onlyRequired?: boolean;
  /** State of the validation probes; undefined: none are played. */
  readonly probes?: "default" | "all";
}

const GATES = ["ShardedListAndWatch", "CBORServingAndStorage", "AllowUnsafeMalformedObjectDeletion"];
const OPTIONAL = [
  "DenyServiceExternalIPs",
  "ExtendedResourceToleration",
  "LimitPodHardAntiAffinityTopology",
  "PodNodeSelector",
];

const PROFILES: readonly Profile[] = [
  { name: "default", flags: [], features: [], cases: "cases", probes: "default" },
  {
    name: "gates",
    flags: [`--feature-gates=${GATES.map((g) => `${g}=true`).join(",")}`],
    features: GATES,
    cases: "cases/protocol",
  },
  {
    name: "all",
    // Of the version that was recorded: several betas went with ours.
    flags: ["--emulated-version=1.36", "--runtime-config=api/all=true", "--feature-gates=AllAlpha=true,AllBeta=true"],
    features: ["AllAPIs"],
    cases: "cases/kinds",
    onlyRequired: true,
    probes: "all",
  },
  {
    name: "optional",
    flags: [`--enable-admission-plugins=${OPTIONAL.join(",")}`],
    features: OPTIONAL,
    cases: "cases/kinds/zzz-optional-admission.json",
    onlyRequired: true,
  },
  {
    name: "nodes",
    flags: ["--enable-admission-plugins=NodeRestriction"],
    authorizers: "Node,RBAC",
    features: ["NodeAuthorizer", "NodeRestriction"],
    cases: "cases/kinds",
    onlyRequired: true,
  },
];

/** As the corpus wants every server. */
const FLAGS = [
  "--api-dialect=kubernetes",
  "--bind-address=127.0.0.1",

  "--service-cluster-ip-range=10.0.0.0/24",
  "--service-account-issuer=https://kubernetes.default.svc",
  "--disable-admission-plugins=ServiceAccount",
  "--controllers=-*",
];

interface Outcome {
  readonly passed: number;
  /** Names of failures, with the first difference. */
  readonly failures: ReadonlyMap<string, string>;
  readonly ran: ReadonlySet<string>;
}

async function withServer<T>(flags: readonly string[], use: (url: string, dir: string) => Promise<T>): Promise<T> {
  const dir = await Deno.makeTempDir({ prefix: "orch-conformance-" });
  const port = freePort();
  const child = new Deno.Command(Deno.execPath(), {
    args: [
      "run",
      "-A",
      "--unstable-no-legacy-abort",
      "main.ts",
      `--data-dir=${dir}`,
      `--secure-port=${port}`,
      ...FLAGS,
      ...flags,
    ],
    stdout: "null",
    stderr: "inherit",
  }).spawn();
  try {
    await ready(port, `${dir}/ca.crt`);
    return await use(`https://127.0.0.1:${port}`, dir);
  } finally {
    child.kill("SIGTERM");
    await child.status;
    await Deno.remove(dir, { recursive: true });
  }
}

async function ready(port: number, ca: string): Promise<void> {
  for (let i = 0; i < 1200; i++) {
    try {
      const client = Deno.createHttpClient({ caCerts: [await Deno.readTextFile(ca)] });
      const { ok, body } = await fetch(`https://127.0.0.1:${port}/readyz`, { client });
      await body?.cancel();
      client.close();
      if (ok) return;
    } catch { /* not there yet */ }
    await new Promise((done) => setTimeout(done, 100));
  }
  throw new Error("the server did not become ready in two minutes");
}

async function script(name: string, url: string, dir: string, more: readonly string[]): Promise<string> {
  const args = ["run", "-A", `${CORPUS}/${name}`, "--server", url];
  const identity = ["--ca", `${dir}/ca.crt`, "--cert", `${dir}/admin.crt`, "--key", `${dir}/admin.key`];
  const child = new Deno.Command(Deno.execPath(), {
    args: [...args, ...identity, ...more],
    stdout: "piped",
    stderr: "inherit",
  });
  return new TextDecoder().decode((await child.output()).stdout);
}

interface Row {
  readonly file: string;
  readonly name: string;
  readonly result: "passed" | "failed" | "skipped";
  readonly difference?: string;
}

/** Ages count from the second in which an object was made: a case that is played over its end, or slowly, differs by some. */
const OVER_A_SECOND = /: expected "0s" got "\d+s"$/;
/** The runner waits ten seconds: the first answer with a large document takes longer on a busy machine. */
const LATE = /\bno answer within \d+ ms$/;
/** This one changes an address that is given at random to a certain one: once in 239 times that is no change. */
const BY_ADDRESS = "PUT of an immutable field is 422 with the field";

/** How often a case is played again at most. */
function turnsOf({ result, name, difference = "" }: Row): number {
  if (result !== "failed") return 0;
  return OVER_A_SECOND.test(difference) ? 10 : LATE.test(difference) || name === BY_ADDRESS ? 1 : 0;
}

async function playCases(p: Profile, url: string, dir: string, more: readonly string[]): Promise<Outcome> {
  const report = `${dir}/report.json`;
  const features = p.features.length > 0 ? ["--features", p.features.join(",")] : [];
  const play = async (...only: readonly string[]): Promise<readonly Row[]> => {
    const cases = ["--cases", `${CORPUS}/${p.cases}`, "--report", report, ...features, ...more, ...only];
    await script("run.ts", url, dir, cases);
    return (JSON.parse(await Deno.readTextFile(report)) as Row[]).filter((r) => r.result !== "skipped");
  };
  const rows: Row[] = [];
  for (const first of await play()) {
    let row = first;
    for (let turn = 0; turn < turnsOf(row); turn++) {
      row = (await play("--filter", row.name)).find((r) => caseKey(r) === caseKey(row)) ?? row;
    }
    rows.push(row);
  }
  const wanted = p.onlyRequired ? await requiring(p.features) : undefined;
  const mine = rows.filter((r) => !wanted || wanted.has(r.name));
  const failures = mine.filter((r) => r.result === "failed").map((r) => [caseKey(r), r.difference ?? ""] as const);
  return { passed: mine.length - failures.length, failures: new Map(failures), ran: new Set(mine.map(caseKey)) };
}

const caseKey = (r: Row): string => `${r.file}: ${r.name}`;

/** Names of the cases that require one of the features. */
async function requiring(features: readonly string[]): Promise<Set<string>> {
  const out = new Set<string>();
  for (const folder of ["protocol", "kinds"]) {
    for await (const { name } of Deno.readDir(`${CORPUS}/cases/${folder}`)) {
      const cases = JSON.parse(await Deno.readTextFile(`${CORPUS}/cases/${folder}/${name}`));
      for (const c of cases) if (c.requires?.some((r: string) => features.includes(r))) out.add(c.name);
    }
  }
  return out;
}

async function playProbes(p: Profile, url: string, dir: string): Promise<Outcome> {
  const output = await script("validation.ts", url, dir, ["--state", p.probes!]);
  const failures = new Map<string, string>();
  for (const line of output.split("\n")) {
    const m = /^FAIL (\S+ .*?): ((?:expected|code|reason|causes|\w+).*)$/.exec(line);
    if (m) failures.set(`probe ${m[1]}`, m[2]!);
  }
  const passed = Number(/^(\d+) passed/m.exec(output)?.[1] ?? 0);
  return { passed, failures, ran: new Set() };
}

/** A listed failure: of one profile or of all (`*`), by its whole name or by its beginning (`… *`). */
interface Listed {
  readonly line: string;
  /** Names a single case: it is to be taken off the list as soon as that passes. */
  readonly whole: boolean;
  covers(profile: string, name: string): boolean;
}

/** Listed failures: a line a case, `profile | name | reason`. */
async function known(): Promise<Listed[]> {
  const text = await Deno.readTextFile(KNOWN).catch(() => "");
  return text.split("\n").filter((l) => l.trim() !== "" && !l.startsWith("#")).map((line) => {
    const [profile = "", name = "", reason] = line.split(" | ");
    if (!reason) throw new Error(`${KNOWN}: no reason is given: ${line}`);
    const whole = !name.endsWith(" *");
    const named = (full: string) => whole ? full === name : full.startsWith(name.slice(0, -1));
    return { line, whole, covers: (of, full) => (profile === "*" || profile === of) && named(full) };
  });
}

/** What an outcome means beside the list: a line for each failure that is not listed and each listed case that passes. */
function judge(profile: string, { failures, ran }: Outcome, list: readonly Listed[]): string[] {
  const lines: string[] = [];
  for (const [name, difference] of failures) {
    if (!list.some((l) => l.covers(profile, name))) lines.push(`FAIL ${profile} | ${name}: ${difference}`);
  }
  for (const name of ran) {
    const listed = !failures.has(name) && list.find((l) => l.whole && l.covers(profile, name));
    if (listed) lines.push(`UNEXPECTED PASS ${profile} | ${name} (listed as: ${listed.line})`);
  }
  return lines;
}

async function main(): Promise<void> {
  const { values, tokens } = parseArgs({
    args: Deno.args,
    options: { profile: { type: "string" }, "no-probes": { type: "boolean" } },
    strict: false,
    tokens: true,
  });
  const own = new Set(["profile", "no-probes"]);
  const more = tokens.flatMap((t) =>
    t.kind === "option" && !own.has(t.name)
      ? [t.rawName, ...(t.value === undefined ? [] : [String(t.value)])]
      : t.kind === "positional"
      ? [t.value]
      : []
  );
  const list = await known();
  let passed = 0;
  const bad: string[] = [];
  for (const p of PROFILES.filter((p) => values.profile === undefined || p.name === values.profile)) {
    await withServer([`--authorization-mode=${p.authorizers ?? "RBAC"}`, ...p.flags], async (url, dir) => {
      const outcomes = [await playCases(p, url, dir, more)];
      if (p.probes && !values["no-probes"] && more.length === 0) outcomes.push(await playProbes(p, url, dir));
      for (const o of outcomes) {
        passed += o.passed;
        const lines = judge(p.name, o, list);
        bad.push(...lines);
        console.log(`${p.name}: ${o.passed} passed, ${o.failures.size} failed, ${lines.length} of them not as listed`);
      }
    });
  }
  for (const line of bad) console.log(line);
  console.log(`${passed} passed, ${bad.length} failed`);
  Deno.exit(bad.length > 0 ? 1 : 0);
}

if (import.meta.main) await main();
