/** Which verbose lines are wanted: `--v` for all modules, `--vmodule` for single ones; the level of all can change at work. */

/** Modules by a pattern of their file's name without its end. `*`, `?`, `[…]` as in file names. */
export interface ModuleLevel {
  readonly pattern: string;
  readonly level: number;
}

/** See the top of the file. */
export class Verbosity {
  readonly #modules: readonly { readonly matches: (module: string) => boolean; readonly level: number }[];

  constructor(public level: number, modules: readonly ModuleLevel[] = []) {
    this.#modules = modules.map(({ pattern, level }) => ({ matches: matcher(pattern), level }));
  }

  /** Whether a module's lines of a level are wanted. The first pattern that fits decides; none takes away what `--v` gives. */
  wants(module: string, level: number): boolean {
    if (level <= this.level) return true;
    return level <= (this.#modules.find((m) => m.matches(module))?.level ?? 0);
  }
}

/** A pattern that cannot be read fits nothing. */
function matcher(pattern: string): (module: string) => boolean {
  if (!/[*?[\]\\]/.test(pattern)) return (module) => module === pattern;
  const source = translated(pattern);
  if (source === undefined) return () => false;
  const expression = new RegExp(`^${source}$`, "su");
  return (module) => expression.test(module);
}

const PARTS = /\\(.)|(\*)|(\?)|\[(\^?)((?:\\.|[^\]\\])+)\]|([^\\[\]])/gsu;

/** The pattern as a regular expression. */
function translated(pattern: string): string | undefined {
  let read = 0;
  const out = [...pattern.matchAll(PARTS)].map((m) => {
    if (m.index !== read) return undefined;
    read += m[0].length;
    const [, escaped, star, one, not, set, plain] = m;
    if (star) return "[^/]*";
    if (one) return "[^/]";
    if (set !== undefined) return classOf(set, not === "^");
    return RegExp.escape(escaped ?? plain!);
  });
  return read === pattern.length && !out.includes(undefined) ? out.join("") : undefined;
}

/** Characters and ranges of them; undefined for a range that is none. */
function classOf(set: string, not: boolean): string | undefined {
  const parts = [...set.matchAll(/\\(.)|(.)/gsu)].map((m) =>
    m[1] !== undefined ? { c: m[1], raw: false } : { c: m[2]!, raw: true }
  );
  const items: string[] = [];
  for (let i = 0; i < parts.length; i++) {
    const low = parts[i]!;
    const ranged = parts[i + 1]?.raw && parts[i + 1]!.c === "-";
    if (low.raw && low.c === "-") return undefined;
    if (!ranged) items.push(RegExp.escape(low.c));
    else {
      const high = parts[i + 2];
      if (!high || low.c > high.c) return undefined;
      items.push(`${RegExp.escape(low.c)}-${RegExp.escape(high.c)}`);
      i += 2;
    }
  }
  return `[${not ? "^" : ""}${items.join("")}]`;
}
