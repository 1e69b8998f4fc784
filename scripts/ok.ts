/**
 * The gate: format, lint, types, cycles and floors, tests, doc tests.
 *
 *     deno task ok [--quick]        --quick leaves out tests/e2e
 *
 * The last line is `N passed, N failed` over all tests; a stage that fails without a failed test counts as one.
 */

import { stripVTControlCharacters } from "node:util";

/** Tests that passed and failed. */
export interface Counts {
  readonly passed: number;
  readonly failed: number;
}

/** One step of the gate. */
interface Stage {
  readonly name: string;
  readonly args: readonly string[];
  /** Its output ends with a summary of tests. */
  readonly counts?: boolean;
  /** Minutes until it is cut. */
  readonly minutes: number;
}

/** Sums the summary lines of `deno test` in an output; without any, nothing passed and nothing failed. */
export function testCounts(output: string): Counts {
  const plain = stripVTControlCharacters(output);
  const sum = { passed: 0, failed: 0 };
  for (const match of plain.matchAll(/^(?:ok|FAILED) \| (\d+) passed\b.*? \| (\d+) failed\b/gm)) {
    sum.passed += Number(match[1]);
    sum.failed += Number(match[2]);
  }
  return sum;
}

/** The counts of a stage: one that ends badly has at least one failure. */
export function stageCounts(output: string, code: number): Counts {
  const { passed, failed } = testCounts(output);
  return { passed, failed: code !== 0 && failed === 0 ? 1 : failed };
}

/** Files with an example in their documentation. */
async function documented(directory: string): Promise<string[]> {
  const out: string[] = [];
  for await (const { name, isDirectory } of Deno.readDir(directory)) {
    const path = `${directory}/${name}`;
    if (isDirectory) out.push(...await documented(path));
    else if (name.endsWith(".ts") && /^\s*\* ```ts$/m.test(await Deno.readTextFile(path))) out.push(path);
  }
  return out;
}

async function stages(quick: boolean): Promise<Stage[]> {
  const examples = (await Promise.all(["schema", "pki", "host", "server", "agent"].map(documented))).flat().sort();
  return [
    { name: "format", args: ["fmt", "--check"], minutes: 10 },
    { name: "lint", args: ["lint", "--quiet"], minutes: 10 },
    { name: "types", args: ["check", "--quiet", "--lock=tests/deno.lock", "."], minutes: 20 },
    { name: "cycles and floors", args: ["run", "-A", "scripts/check_floors.ts"], minutes: 5 },
    { name: "tests", args: ["task", "test", ...(quick ? ["--ignore=tests/e2e"] : [])], counts: true, minutes: 75 },
    ...(examples.length > 0
      ? [{ name: "doc tests", args: ["test", "-A", "--doc", ...examples], counts: true, minutes: 15 }]
      : []),
  ];
}

async function copy(from: ReadableStream<Uint8Array>, keep: string[]): Promise<void> {
  const decoder = new TextDecoder();
  for await (const chunk of from) {
    await Deno.stdout.write(chunk);
    keep.push(decoder.decode(chunk, { stream: true }));
  }
}

async function run({ name, args, minutes }: Stage): Promise<{ output: string; code: number }> {
  console.log(`\n── ${name}: deno ${args.slice(0, 6).join(" ")}`);
  const child = new Deno.Command(Deno.execPath(), { args: [...args], stdout: "piped", stderr: "piped" }).spawn();
  const timer = setTimeout(() => {
    console.log(`${name}: cut after ${minutes} minutes`);
    child.kill("SIGKILL");
  }, minutes * 60_000);
  const kept: string[] = [];
  await Promise.all([copy(child.stdout, kept), copy(child.stderr, kept)]);
  const { code } = await child.status;
  clearTimeout(timer);
  return { output: kept.join(""), code };
}

if (import.meta.main) {
  const total = { passed: 0, failed: 0 };
  const summary: string[] = [];
  for (const stage of await stages(Deno.args.includes("--quick"))) {
    const started = performance.now();
    const { output, code } = await run(stage);
    const { passed, failed } = stageCounts(output, code);
    total.passed += passed;
    total.failed += failed;
    const seconds = ((performance.now() - started) / 1000).toFixed(1);
    summary.push(`${code === 0 ? "ok    " : "FAILED"} ${stage.name} (${seconds} s)`);
  }
  console.log(`\n${summary.join("\n")}`);
  console.log(`${total.passed} passed, ${total.failed} failed`);
  Deno.exit(total.failed > 0 ? 1 : 0);
}
