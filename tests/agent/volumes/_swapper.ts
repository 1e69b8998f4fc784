/**
 * A worker that puts links in the place of directories `0`, `1` … of a volume as soon as they are there, as containers
 * can. It ends once the volume is gone: nothing stops what never waits.
 */
self.addEventListener("message", (e) => {
  const { volume, target } = (e as MessageEvent<{ volume: string; target: string }>).data;
  for (let i = 0;;) {
    try {
      Deno.renameSync(`${volume}/${i}`, `${volume}/${i}.old`);
      Deno.symlinkSync(target, `${volume}/${i}`);
      i++;
    } catch {
      // It is not there yet.
      if (!exists(volume)) return self.close();
    }
  }
});

function exists(path: string): boolean {
  try {
    return Deno.lstatSync(path).isDirectory;
  } catch {
    return false;
  }
}
