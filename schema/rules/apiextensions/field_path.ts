/** Paths of fields through schemas: `.spec.replicas`, `.metadata['a.b']`. */
import { ESCAPES } from "../../values/escapes.ts";
import type { Tree } from "../tree.ts";
import { isSchema } from "./schema_tree.ts";

/** Where a path leads. */
export interface FieldPath {
  readonly steps: readonly string[];
  readonly schema: Tree;
}

const STEP = /\.([^.[\]']+)|\['((?:[^'\\]|\\.)*)'\]/gy;

/** What a quoted step stands for; undefined: a backslash stands before what it cannot stand before. */
export function unescaped(quoted: string): string | undefined {
  let sound = true;
  const text = quoted.replace(/\\([^])/g, (_all, c: string) => {
    sound &&= Object.hasOwn(ESCAPES, c);
    return ESCAPES[c] ?? "";
  });
  return sound ? text : undefined;
}

/** Follows a path; undefined when its form is wrong or the schema has no such field. `brackets`: `['a']` may be used. */
export function fieldPath(text: string, root: Tree, brackets: boolean): FieldPath | undefined {
  const steps: string[] = [];
  let schema: Tree = root, end = 0;
  for (const m of text.matchAll(STEP)) {
    const name = m[1] ?? unescaped(m[2]!);
    if (name === undefined || (m[1] === undefined && !brackets)) return undefined;
    const found = schema["properties"] ? schema["properties"][name] : schema["additionalProperties"];
    if (!isSchema(found)) return undefined;
    steps.push(name);
    schema = found;
    end = m.index + m[0].length;
  }
  return steps.length && end === text.length ? { steps, schema } : undefined;
}
