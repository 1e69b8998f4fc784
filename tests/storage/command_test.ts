import assert from "node:assert/strict";
import { STORE_COMMANDS, WrongUsage } from "../../server/storage/command.ts";
import { storeCommand } from "../../server/storage/command_line.ts";
import { openDenoKv } from "../../server/storage/denokv/mod.ts";
import { parseOptions } from "../../server/options/mod.ts";
import { fileOf, keyed, secret } from "./encryption_tools.ts";
import { bytes, put } from "./tools.ts";

Deno.test("store commands: back up, examine, restore elsewhere, verify, compact", async () => {
  const dir = await Deno.makeTempDir();
  const lines: string[] = [];
  const parsed = parseOptions([]);
  assert(parsed.kind === "run");
  const { options } = parsed;
  const run = (name: string, store: string, file?: string) =>
    STORE_COMMANDS[name]!.run({
      stores: [{ name: store, resources: [], path: `${dir}/${store}`, open: () => openDenoKv(`${dir}/${store}`) }],
      file: file && `${dir}/${file}`,
      options,
      print: (line) => lines.push(line),
    });
  const backend = await openDenoKv(`${dir}/one.db`);
  for (let i = 0; i < 300; i++) await put(backend, { key: `/registry/k/${i % 150}`, value: bytes(`${i}`) });
  assert.equal(await run("verify", "one.db"), 0);
  assert.equal(await run("backup", "one.db", "archive"), 0);
  await backend.close();
  assert.equal(await run("examine", "one.db", "archive"), 0);
  assert.equal(await run("restore", "two.db", "archive"), 0);
  assert.equal(await run("verify", "two.db"), 0);
  assert.equal(await run("compact", "one.db"), 0);
  await assert.rejects(run("restore", "two.db"), WrongUsage);
  const two = await openDenoKv(`${dir}/two.db`);
  assert.equal((await two.range("/registry/k/")).items.length, 150);
  await two.close();
  assert.match(lines.join("\n"), /150 objects are in the store/);
  await assert.rejects(run("restore", "two.db", "archive"), /not empty/);
  await Deno.remove(dir, { recursive: true });
});

Deno.test("store commands: the command line tells the command, its file and the store", async () => {
  const dir = await Deno.makeTempDir();
  const lines: string[] = [];
  const run = async (...args: string[]) => {
    const told: string[] = [], complaints: string[] = [];
    const code = await storeCommand(args, (line) => told.push(line), (line) => complaints.push(line));
    assert.deepEqual([told.length > 0, complaints.length > 0], [code === 0, code !== 0]);
    lines.push(...told, ...complaints);
    return code;
  };
  const backend = await openDenoKv(`${dir}/store.kv`);
  await put(backend, { key: "/registry/k/a", value: bytes("1") });
  await backend.close();
  assert.equal(await run("verify", `--data-dir=${dir}`), 0);
  assert.equal(await run("backup", `${dir}/archive`, `--data-dir=${dir}`), 0);
  assert.equal(await run("restore", `${dir}/archive`, `--storage-path=${dir}/two.kv`), 0);
  assert.match(lines.join("\n"), /1 objects are in the store/);
  assert.equal(await run("restore", `${dir}/archive`, `--storage-path=${dir}/two.kv`), 1, "a store in use is kept");
  const elsewhere = ["restore", `${dir}/archive`, `--storage-path=${dir}/five.kv`];
  assert.equal(await run(...elsewhere, "--store-prefix=/other"), 1, "no server would find its keys");
  assert.match(lines.at(-1)!, /another --store-prefix than \/other: it holds \/registry\/k\/a$/);
  assert.equal(await run(...elsewhere), 0, "the store is left as it was");
  assert.equal(await run("verify", "--storage-backend=memory"), 2);
  assert.equal(await run("verify", "--no-such-option"), 2);
  assert.equal(await run("burn"), 2);
  assert.ok(lines.includes('error: store has no command "burn"'));
  for (const asked of [["--help"], ["-h"], ["verify", "--help"]]) assert.equal(await run(...asked), 0);
  for (const command of ["verify", "compact"]) {
    assert.equal(await run(command, `${dir}/archive`, `--data-dir=${dir}`), 2, "not the store that is meant");
    assert.match(lines.at(-1)!, /it takes no file/);
  }
  assert.equal(await run("export", `--data-dir=${dir}`), 2);
  const strange = await openDenoKv(`${dir}/store.kv`);
  await put(strange, { key: "k/a", value: bytes("1") });
  await strange.close();
  assert.equal(await run("export", `${dir}/objects`, `--data-dir=${dir}`), 1, "a key from outside the prefix");
  await (await openDenoKv(`${dir}/three.kv`)).close();
  assert.equal(await run("export", `${dir}/objects`, `--storage-path=${dir}/three.kv`), 0);
  assert.equal(await run("import", `${dir}/objects`, `--storage-path=${dir}/four.kv`), 0);
  assert.equal(await run("import", `${dir}/nothing`, `--storage-path=${dir}/four.kv`), 1);
  const archive = await Deno.readFile(`${dir}/archive`);
  for (const command of ["backup", "export", "compact"]) {
    const file = command === "compact" ? [] : [`${dir}/archive`];
    assert.equal(
      await run(command, ...file, `--storage-path=${dir}/no.kv`),
      1,
      `${command}: a store that is not there`,
    );
    assert.match(lines.at(-1)!, new RegExp(`^error: ${command}: there is no store .*/no\\.kv$`));
    assert.equal(await run(command, ...file, "--storage-backend=memory"), 2);
  }
  assert.deepEqual(await Deno.readFile(`${dir}/archive`), archive);
  await assert.rejects(Deno.stat(`${dir}/no.kv`), Deno.errors.NotFound);
  await Deno.remove(dir, { recursive: true });
});

Deno.test("store commands: a store is not saved in its own place, whatever that is called", async () => {
  const dir = await Deno.makeTempDir();
  const lines: string[] = [];
  const run = (...args: string[]) =>
    storeCommand([...args, `--data-dir=${dir}`], (line) => lines.push(line), (line) => lines.push(line));
  const backend = await openDenoKv(`${dir}/store.kv`);
  await put(backend, { key: "/registry/k/a", value: bytes("1") });
  await backend.close();
  await Deno.symlink(dir, `${dir}/.other`);
  for (const command of ["backup", "export"]) {
    for (const file of ["store.kv", "store.kv-wal", "store.kv-shm", ".other/store.kv"]) {
      assert.equal(await run(command, `${dir}/${file}`), 1, `${command} ${file}`);
      assert.match(lines.at(-1)!, /^error: .* is the store itself/);
    }
  }
  assert.equal(await run("verify"), 0, lines.join("\n"));
  assert.equal(await run("backup", `${dir}/archive`), 0, "beside it");
  await Deno.remove(dir, { recursive: true });
});

Deno.test("store commands: verify decrypts where it is told by which file", async () => {
  const dir = await Deno.makeTempDir(), flag = `--encryption-provider-config=${dir}/keys`;
  const lines: string[] = [];
  const run = (...args: string[]) =>
    storeCommand([...args, `--data-dir=${dir}`], (line) => lines.push(line), (line) => lines.push(line));
  const keys = (fill: number) =>
    Deno.writeTextFile(`${dir}/keys`, fileOf([["secrets"], keyed("aesgcm", { k: secret(fill) })]));
  const object = { apiVersion: "v1", kind: "Secret", metadata: { name: "a", namespace: "default" } };
  const objects = [{ objects: 1, dialect: "orch", revision: 1 }, { object }, { end: 1 }];
  await Deno.writeTextFile(`${dir}/objects`, objects.map((line) => `${JSON.stringify(line)}\n`).join(""));
  await keys(1);
  assert.equal(await run("import", `${dir}/objects`, flag), 0, lines.join("\n"));
  assert.equal(await run("verify"), 0);
  assert.doesNotMatch(lines.at(-1)!, /of those that stand/);
  assert.equal(await run("verify", flag), 0, lines.join("\n"));
  assert.match(lines.at(-1)!, /; of those that stand 1 records, .*: 0 problems$/);
  await keys(2);
  assert.equal(await run("verify", flag), 1, "another key");
  assert.match(lines.at(-2)!, /^the store: \/registry\/secrets\/default\/a: .*not authentic/);
  await Deno.remove(dir, { recursive: true });
});

Deno.test("store commands: a file of the other dialect is refused, and taken into the same store once the option says so", async () => {
  const dir = await Deno.makeTempDir(), kubernetes = "--api-dialect=kubernetes";
  const lines: string[] = [];
  const run = (...args: string[]) => storeCommand(args, (line) => lines.push(line), (line) => lines.push(line));
  const from = [`--storage-path=${dir}/from.kv`, kubernetes], to = `--storage-path=${dir}/to.kv`;
  await (await openDenoKv(`${dir}/from.kv`)).close();
  assert.equal(await run("export", `${dir}/objects`, ...from), 0);
  assert.equal(await run("import", `${dir}/objects`, to), 1);
  assert.match(lines.at(-1)!, /the file is in the dialect "kubernetes"/);
  assert.equal(await run("import", `${dir}/objects`, to, kubernetes), 0, lines.join());
  assert.equal(await run("backup", `${dir}/archive`, to), 1, "an empty store of that dialect, too");
  assert.equal(await run("backup", `${dir}/archive`, to, kubernetes), 0);
  await Deno.remove(dir, { recursive: true });
});
