/** Credentials of registries as Docker's files hold them: `config.json`, and the older `.dockercfg`. */

/** A user of a registry. */
export interface Login {
  readonly username: string;
  readonly password: string;
}

/** Logins by registry: a host, perhaps with port, path, scheme or wildcards. */
export type Logins = ReadonlyMap<string, Login>;

/** Logins of a file: `modern`: below `auths`. @throws Error when it is none */
export function readLogins(text: string, modern: boolean): Logins {
  const file = objectOf(JSON.parse(text));
  const entries = modern ? objectOf(file.auths ?? {}) : file;
  return new Map(Object.entries(entries).map(([registry, entry]) => [registry, loginOf(objectOf(entry ?? {}))]));
}

function loginOf({ username, password, auth }: Record<string, unknown>): Login {
  if (typeof auth !== "string" || auth === "") return { username: textOf(username), password: textOf(password) };
  const [, user, secret] = /^([^:]*):(.*)$/s.exec(decoded(auth)) ?? [];
  if (user === undefined) {
    throw new Error("unable to parse auth field, must be formatted as base64(username:password)");
  }
  return { username: user, password: secret! };
}

function decoded(base64: string): string {
  return new TextDecoder().decode(Uint8Array.fromBase64(base64.trim()));
}

function objectOf(value: unknown): Record<string, unknown> {
  if (value === null || typeof value !== "object" || Array.isArray(value)) throw new Error("a JSON object is expected");
  return value as Record<string, unknown>;
}

function textOf(value: unknown): string {
  if (value === undefined || value === null) return "";
  if (typeof value !== "string") throw new Error("a text is expected");
  return value;
}
