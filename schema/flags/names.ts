/** Names of options as members of an object. */

/** `secure-port` → `securePort`. */
export type Camel<S extends string> = S extends `${infer A}-${infer B}` ? `${A}${Capitalize<Camel<B>>}` : S;

/** `secure-port` → `securePort`. */
export function camel<S extends string>(name: S): Camel<S> {
  return name.replace(/-([a-z0-9])/g, (_, c: string) => c.toUpperCase()) as Camel<S>;
}
