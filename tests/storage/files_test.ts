import assert from "node:assert/strict";
import { concat, sameBytes } from "../../schema/values/bytes.ts";
import { aside, chunks, intoFile } from "../../server/storage/files.ts";
import { stepsOnDisk } from "../fixture/disk_steps.ts";
import { bytes } from "./tools.ts";

Deno.test("files: what a command writes is its owner's, and whole though another one writes to the same name", async () => {
  const dir = await Deno.makeTempDir();
  const file = `${dir}/backup`;
  await Deno.writeTextFile(`${file}.part`, "", { mode: 0o644 });
  const begun = Promise.withResolvers<void>(), ended = Promise.withResolvers<void>();
  const long = intoFile(file, async (write) => {
    await write(bytes("a".repeat(100_000)));
    begun.resolve();
    await ended.promise;
    await write(bytes("a"));
  });
  await begun.promise;
  await intoFile(file, (write) => write(bytes("b")));
  assert.equal(await Deno.readTextFile(file), "b");
  ended.resolve();
  await long;
  assert.equal(await Deno.readTextFile(file), "a".repeat(100_001));
  assert.equal((await Deno.stat(file)).mode! & 0o777, 0o600);
  assert.deepEqual([...Deno.readDirSync(dir)].map(({ name }) => name).sort(), ["backup", "backup.part"]);
  await Deno.remove(dir, { recursive: true });
});

Deno.test("files: pieces of any length come one after the other, in a file and in one without a name", async () => {
  const dir = await Deno.makeTempDir(), file = `${dir}/backup`;
  const sizes = [1, 65_535, 1, 65_536, 0, 65_537, 40_000, 30_000, ...Array.from({ length: 300 }, (_, i) => i), 200_000];
  const pieces = sizes.map((n, i) => new Uint8Array(n).fill(i)), whole = concat(pieces);
  await intoFile(file, async (write) => {
    for (const piece of pieces) await write(piece);
  });
  assert(sameBytes(concat(await Array.fromAsync(chunks(file))), whole));
  await aside(async ({ write, read }) => {
    for (const piece of pieces) await write(piece);
    for (let i = 0; i < 2; i++) assert(sameBytes(concat(await Array.fromAsync(read())), whole));
  });
  await Deno.remove(dir, { recursive: true });
});

Deno.test("files: what is there and no file is not replaced", async () => {
  const dir = await Deno.makeTempDir();
  await Deno.symlink("/dev/null", `${dir}/out`);
  await assert.rejects(intoFile(`${dir}/out`, (write) => write(new Uint8Array(1))), /out is no file/);
  assert((await Deno.lstat(`${dir}/out`)).isSymlink);
  await Deno.remove(dir, { recursive: true });
});

Deno.test("files: what is told of as written has its name on disk, too", async () => {
  const dir = await Deno.makeTempDir();
  const done = await stepsOnDisk(dir, () => intoFile(`${dir}/backup`, (write) => write(bytes("a"))));
  assert.deepEqual(done, ["sync dir/backup.part", "rename to dir/backup", "sync dir"]);
  await Deno.remove(dir, { recursive: true });
});

Deno.test("files: a name that a disk does not take is told, one that its file system keeps by itself is not", async () => {
  const dir = await Deno.makeTempDir(), { open } = Deno;
  const write = async (code: string) => {
    Deno.open = async (path, options) => {
      const file = await open(path, options);
      if (path === dir) file.sync = () => Promise.reject(Object.assign(new Error(code), { code }));
      return file;
    };
    await intoFile(`${dir}/backup`, (write) => write(bytes("a")));
  };
  try {
    await assert.rejects(write("EIO"), { message: "EIO" });
    await write("EINVAL");
  } finally {
    Object.assign(Deno, { open });
  }
  await Deno.remove(dir, { recursive: true });
});

Deno.test("files: a command that a signal ends leaves nothing of what it was writing", async () => {
  const dir = await Deno.makeTempDir();
  for (const [signal, code] of [["SIGHUP", 129], ["SIGINT", 130], ["SIGQUIT", 131], ["SIGTERM", 143]] as const) {
    const child = new Deno.Command(Deno.execPath(), {
      args: ["run", "-A", "--no-check", import.meta.resolve("./_writer.ts"), `${dir}/export`],
      stdout: "piped",
    }).spawn();
    const reader = child.stdout.getReader();
    await reader.read();
    assert.equal([...Deno.readDirSync(dir)].length, 1);
    child.kill(signal);
    assert.equal((await child.status).code, code);
    assert.deepEqual([...Deno.readDirSync(dir)], []);
    await reader.cancel();
  }
  await Deno.remove(dir, { recursive: true });
});
