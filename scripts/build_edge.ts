/**
 * Makes `dist/edge.js`, or the file that is named (`deno task build-edge [FILE]`): the server for isolates as one module, which
 * exports `Edge`.
 *
 * Its libraries ask for Node's modules by `createRequire(import.meta.url)`; modules of isolates have no address of their own.
 */
const ROOT = new URL("../", import.meta.url);
const OUT = Deno.args[0] ?? new URL("dist/edge.js", ROOT).pathname;
const OWN_ADDRESS = "(import.meta.url)";

const args = ["bundle", "--quiet", "--minify", "--platform", "deno", "-o", OUT, "server/edge.ts"];
const { success } = await new Deno.Command(Deno.execPath(), { args, cwd: ROOT }).spawn().status;
if (!success) Deno.exit(1);
const made = await Deno.readTextFile(OUT);
if (!made.includes(OWN_ADDRESS)) throw new Error(`${OUT}: nothing asks for ${OWN_ADDRESS} any more`);
await Deno.writeTextFile(OUT, made.replaceAll(OWN_ADDRESS, '("file:///edge.js")'));
