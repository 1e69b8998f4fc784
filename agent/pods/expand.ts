/** References to variables in texts: `$(NAME)`, and `$$` for a dollar sign. */

/** The text with its references filled; `value` of an unknown name gives undefined and the reference stays. */
export function expand(text: string, value: (name: string) => string | undefined): string {
  return text.replace(/\$(?:\$|\(([^)]*)\))/g, (all, name?: string) => name === undefined ? "$" : value(name) ?? all);
}
