/** Where the keys that verify service account tokens come from. */
import { type VerifyKey, verifyKeys } from "./keys.ts";

/** Keys, which may change. */
export interface KeySource {
  /** The keys of an id; all of them without one. */
  keys(id: string | undefined): readonly VerifyKey[] | Promise<readonly VerifyKey[]>;
  /** Those that are published. The same array until they change. */
  published(): readonly VerifyKey[];
  /** For how many seconds what is published may be kept. */
  maxAge(): number;
}

/** Keys of files, which stay. */
const STAYS = 3600;

/** The keys of PEM texts. @throws Error when a text has none */
export function fixedKeys(texts: readonly string[]): KeySource {
  const all = verifyKeys(texts);
  return {
    keys: (id) => id === undefined || id === "" ? all : all.filter((key) => key.kid === id),
    published: () => all,
    maxAge: () => STAYS,
  };
}
