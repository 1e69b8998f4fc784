/** Which images a pattern of credentials means: `*.example.com:5000/team`. */

/** A host with its port, and a path. */
interface Place {
  readonly parts: readonly string[];
  readonly port: string;
  readonly path: string;
}

/**
 * Whether an image lies where the pattern says: as many parts of the host, each the same but for `*`, the same port, and the path a
 * prefix. Neither has a scheme. A pattern that cannot be read means none.
 */
export function meansImage(pattern: string, image: string): boolean {
  const a = placeOf(pattern), b = placeOf(image);
  return a !== undefined && b !== undefined && a.port === b.port && a.parts.length === b.parts.length &&
    b.path.startsWith(a.path) && a.parts.every((part, i) => matches(part, b.parts[i]!));
}

/** Whether it can be read as host and path. */
export function isPlace(text: string): boolean {
  return placeOf(text) !== undefined;
}

function placeOf(text: string): Place | undefined {
  const [, authority, path] = /^([^/?#]*)([^?#]*)/.exec(text)!;
  const server = authority!.slice(authority!.lastIndexOf("@") + 1);
  const [, six, host, port] = /^(?:\[([^\]]*)\]|([^:[\]\s]*))(?::(\d*))?$/.exec(server) ?? [];
  if (host === undefined && six === undefined) return undefined;
  return { parts: (six ?? host)!.split("."), port: port ?? "", path: path! };
}

/** Each `*` stands for any text. */
function matches(glob: string, text: string): boolean {
  const [first, ...others] = glob.split("*") as [string, ...string[]];
  const last = others.pop();
  if (last === undefined) return glob === text;
  if (!text.startsWith(first)) return false;
  let at = first.length;
  for (const piece of others) {
    const found = text.indexOf(piece, at);
    if (found < 0) return false;
    at = found + piece.length;
  }
  return text.length - last.length >= at && text.endsWith(last);
}
