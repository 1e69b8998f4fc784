/**
 * Fails on an import cycle and on an import that climbs a floor.
 *
 *     deno run -A scripts/check_floors.ts
 *
 * The graph is Deno's own (`deno info`), so type-only and dynamic imports count like any other.
 */

/** A module of the project and what it imports: project paths, `node:…` and package names as they resolve. */
export interface Module {
  readonly path: string;
  readonly imports: readonly string[];
  readonly source: string;
}

/** Rooms, and the rooms that each may import from. Files at the root of the project (`main.ts`) may import all but tests
 * and scripts. */
const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  schema: ["schema"],
  pki: ["pki", "schema"],
  host: ["host", "schema"],
  server: ["server", "host", "pki", "schema"],
  agent: ["agent", "host", "pki", "schema"],
  scripts: ["scripts", "tests", "schema", "pki", "host", "server", "agent", "root"],
  tests: ["tests", "scripts", "schema", "pki", "host", "server", "agent", "root"],
  root: ["root", "schema", "pki", "host", "server", "agent"],
};

/** What of `server/` reads files, opens sockets and looks at the process: rooms, and the entry for hosts that listen themselves. */
const IO_ROOMS = ["server/grpc/", "server/listen/", "server/storage/", "server/options/", "server/edge.ts"];

/** Node modules that compute only. */
const PURE_NODE: ReadonlySet<string> = new Set([
  "node:assert",
  "node:assert/strict",
  "node:async_hooks",
  "node:buffer",
  "node:crypto",
  "node:events",
  "node:stream",
  "node:string_decoder",
  "node:url",
  "node:util",
  "node:zlib",
]);

/** The room of a project path. */
function roomOf(path: string): string {
  const slash = path.indexOf("/");
  return slash < 0 ? "root" : path.slice(0, slash);
}

function mayDoIo(path: string): boolean {
  const room = roomOf(path);
  return room !== "schema" && room !== "pki" && (room !== "server" || IO_ROOMS.some((io) => path.startsWith(io)));
}

/** Source without comments and strings, as near as a pattern can tell; enough to look for names in. */
function codeOf(source: string): string {
  return source.replace(/\/\*[\s\S]*?\*\/|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|(^|[\s;{}(,])\/\/[^\n]*/g, "$1");
}

/** What is wrong with one module's imports and globals, a line each. */
export function floorFaults({ path, imports, source }: Module): string[] {
  const room = roomOf(path);
  const allowed = MAY_IMPORT[room];
  const faults: string[] = [];
  for (const target of imports) {
    if (target.startsWith("node:")) {
      if (room === "schema") faults.push(`${path}: imports ${target}; schema/ imports from schema/ and npm only`);
      else if (!mayDoIo(path) && !PURE_NODE.has(target)) {
        faults.push(`${path}: imports ${target}; of server/ and pki/ only ${IO_ROOMS.join(", ")} do I/O`);
      }
    } else if (!target.startsWith("npm:") && allowed !== undefined && !allowed.includes(roomOf(target))) {
      faults.push(`${path}: imports ${target}; ${room} may import from ${allowed.join(", ")} only`);
    } else if (roomOf(target) === "host" && !mayDoIo(path)) {
      faults.push(`${path}: imports ${target}; of server/ only ${IO_ROOMS.join(", ")} do I/O`);
    }
  }
  if (!mayDoIo(path) && /\bDeno\s*\./.test(codeOf(source))) {
    faults.push(`${path}: uses Deno.*; only ${IO_ROOMS.join(", ")} and main.ts may`);
  }
  return faults;
}

/** Every set of modules that import each other (Tarjan's strongly connected components), each as one shortest way round. */
export function cycles(modules: readonly Module[]): string[][] {
  const edges = new Map(modules.map((m) => [m.path, m.imports]));
  const index = new Map<string, number>();
  const low = new Map<string, number>();
  const stack: string[] = [];
  const found: string[][] = [];
  const visit = (path: string) => {
    index.set(path, index.size);
    low.set(path, index.get(path)!);
    stack.push(path);
    for (const next of edges.get(path) ?? []) {
      if (!edges.has(next)) continue;
      if (!index.has(next)) visit(next);
      if (stack.includes(next)) low.set(path, Math.min(low.get(path)!, low.get(next)!));
    }
    if (low.get(path) !== index.get(path)) return;
    const component = stack.splice(stack.indexOf(path));
    if (component.length > 1 || edges.get(path)?.includes(path)) found.push(wayRound(component, edges));
  };
  for (const { path } of modules) if (!index.has(path)) visit(path);
  return found;
}

function wayRound(component: readonly string[], edges: ReadonlyMap<string, readonly string[]>): string[] {
  const start = component[0]!;
  const inside = new Set(component);
  const before = new Map<string, string>();
  const queue = [start];
  for (let at = queue.shift(); at !== undefined; at = queue.shift()) {
    for (const next of edges.get(at) ?? []) {
      if (next === start) {
        const way = [start];
        for (let back: string | undefined = at; back !== undefined && back !== start; back = before.get(back)) {
          way.splice(1, 0, back);
        }
        return [...way, start];
      }
      if (inside.has(next) && !before.has(next)) {
        before.set(next, at);
        queue.push(next);
      }
    }
  }
  return [...component, start];
}

interface InfoModule {
  readonly specifier: string;
  readonly error?: string;
  readonly dependencies?: readonly { specifier: string; code?: Resolved; type?: Resolved }[];
}

interface Resolved {
  readonly specifier?: string;
  readonly error?: string;
}

async function sourceFiles(directory: URL, under = ""): Promise<string[]> {
  const out: string[] = [];
  for await (const { name, isDirectory } of Deno.readDir(new URL(under || ".", directory))) {
    if (name.startsWith(".") || name === "node_modules" || name === "dist") continue;
    if (isDirectory) out.push(...await sourceFiles(directory, `${under}${name}/`));
    else if (/\.tsx?$/.test(name)) out.push(under + name);
  }
  return out;
}

/** Reads the modules of a project. @param directory with a trailing slash. @throws Error when an import does not resolve */
export async function readModules(directory: URL): Promise<Module[]> {
  const files = (await sourceFiles(directory)).sort();
  const root = await Deno.makeTempFile({ suffix: ".ts" });
  try {
    await Deno.writeTextFile(
      root,
      files.map((f) => `import ${JSON.stringify(new URL(f, directory).href)};\n`).join(""),
    );
    const { stdout } = await new Deno.Command(Deno.execPath(), {
      args: ["info", "--json", "--no-lock", "--config", new URL("deno.json", directory).pathname, root],
      stdout: "piped",
      stderr: "inherit",
    }).output();
    const info: { modules: InfoModule[] } = JSON.parse(new TextDecoder().decode(stdout));
    const bySpecifier = new Map(info.modules.map((m) => [m.specifier, m]));
    return await Promise.all(files.map(async (path) => ({
      path,
      source: await Deno.readTextFile(new URL(path, directory)),
      imports: importsOf(path, bySpecifier.get(new URL(path, directory).href), directory),
    })));
  } finally {
    await Deno.remove(root);
  }
}

function importsOf(path: string, module: InfoModule | undefined, directory: URL): string[] {
  if (module === undefined || module.error !== undefined) {
    throw new Error(`Cannot read the imports of ${path}: ${module?.error ?? "it is not in the graph"}`);
  }
  return (module.dependencies ?? []).map(({ specifier, code, type }) => {
    const resolved = code?.specifier ?? type?.specifier;
    if (resolved === undefined) {
      throw new Error(`Cannot resolve "${specifier}" in ${path}: ${code?.error ?? type?.error ?? "unknown"}`);
    }
    return resolved.startsWith(directory.href) ? resolved.slice(directory.href.length) : resolved;
  });
}

if (import.meta.main) {
  const modules = await readModules(new URL("../", import.meta.url));
  const faults = [
    ...modules.flatMap(floorFaults),
    ...cycles(modules).map((way) => `import cycle: ${way.join(" → ")}`),
  ];
  for (const fault of faults) console.error(fault);
  console.log(`${modules.length} modules, ${faults.length} faults`);
  if (faults.length > 0) Deno.exit(1);
}
