/** Writes a file that is never whole, and says when it has begun. */
import { intoFile } from "../../server/storage/files.ts";

await intoFile(Deno.args[0]!, async (write) => {
  await write(new Uint8Array(100_000));
  console.log("begun");
  setInterval(() => {}, 1_000);
  await new Promise(() => {});
});
