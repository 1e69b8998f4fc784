/** A worker that puts links in the place of directories `0`, `1` … of a volume as soon as they are there, as containers can. */
self.addEventListener("message", (e) => {
  const { volume, target } = (e as MessageEvent<{ volume: string; target: string }>).data;
  for (let i = 0;;) {
    try {
      Deno.renameSync(`${volume}/${i}`, `${volume}/${i}.old`);
      Deno.symlinkSync(target, `${volume}/${i}`);
      i++;
    } catch {
      // It is not there yet.
    }
  }
});
