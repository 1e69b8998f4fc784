/**
 * Makes one file of a module and all that it imports, minified (`deno task build`, `build-agent`, `build-edge`):
 * FILE MODULE, and for hosts that give a module no address of its own ADDRESS.
 *
 * Libraries ask for Node's modules by `require`, which modules do not have. The runtime's bundler gives them one, but
 * where its minifier has called their way of asking by a name with a `$`, it does not: so the file begins with one.
 */
const ROOT = new URL("../", import.meta.url);
const OWN_ADDRESS = "import.meta.url";
const REQUIRE = `import{createRequire as requireOf}from"node:module";const require=requireOf(${OWN_ADDRESS});`;

if (import.meta.main) await bundle(Deno.args[0]!, Deno.args[1]!, Deno.args[2]);

/**
 * See the top of the file. Names are seen from the project's folder.
 * @throws Error with what the bundler said when it fails
 */
export async function bundle(file: string, module: string, address?: string): Promise<void> {
  const args = ["bundle", "--quiet", "--minify", "--platform", "deno", "-o", file, module];
  const made = await new Deno.Command(Deno.execPath(), { args, cwd: ROOT, stdout: "null", stderr: "piped" }).output();
  if (!made.success) throw new Error(new TextDecoder().decode(made.stderr).trim());
  const at = new URL(file, ROOT), text = REQUIRE + await Deno.readTextFile(at);
  await Deno.writeTextFile(at, address ? text.replaceAll(OWN_ADDRESS, `"${address}"`) : text);
}
