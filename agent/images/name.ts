/** Names of images, in full and as people shorten them. */

/** What a name says. */
export interface ImageName {
  /** In full: `docker.io/library/busybox`. */
  readonly repository: string;
  /** `latest` where neither tag nor digest is said; empty where only a digest is. */
  readonly tag: string;
  /** `sha256:…`; empty without. */
  readonly digest: string;
}

/** Longer ones are none. */
const LONGEST = 4096;
const LONGEST_PATH = 255;
const HOST_PART = "(?:[a-zA-Z0-9]|[a-zA-Z0-9][a-zA-Z0-9-]*[a-zA-Z0-9])";
const HOST = `(?:${HOST_PART}(?:\\.${HOST_PART})*|\\[[a-fA-F0-9:]+\\])(?::[0-9]+)?`;
const PATH_PART = "[a-z0-9]+(?:(?:[._]|__|-+)[a-z0-9]+)*";
const PATH = `${PATH_PART}(?:/${PATH_PART})*`;
const DIGEST = "[A-Za-z][A-Za-z0-9]*(?:[-_+.][A-Za-z][A-Za-z0-9]*)*:[0-9a-fA-F]{32,}";
const NAME = new RegExp(`^(${HOST})/(${PATH})(?::(\\w[\\w.-]{0,127}))?(?:@(${DIGEST}))?$`);

/** Hexadecimal digits of a digest by its kind. */
const DIGITS = new Map([["sha256", 64], ["sha384", 96], ["sha512", 128]]);

/** Reads a name. @throws Error `couldn't parse image name …` */
export function parseImageName(image: string): ImageName {
  const fail = (what: string): never => {
    throw new Error(`couldn't parse image name ${JSON.stringify(image)}: ${what}`);
  };
  if (image.length > LONGEST) fail("invalid reference format");
  if (/^[a-f0-9]{64}$/.test(image)) {
    fail(`invalid repository name (${image}), cannot specify 64-byte hexadecimal strings`);
  }
  const [host, rest] = split(image);
  const path = rest.split(":", 1)[0]!;
  if (path.toLowerCase() !== path) fail(`invalid reference format: repository name (${path}) must be lowercase`);
  const [, , , tag = "", digest = ""] = NAME.exec(`${host}/${rest}`) ?? fail("invalid reference format");
  const repository = `${host}/${path.split("@", 1)[0]}`;
  if (repository.length - host.length - 1 > LONGEST_PATH) {
    fail(`repository name must not be more than ${LONGEST_PATH} characters`);
  }
  if (digest !== "") {
    const fault = faultOfDigest(digest);
    if (fault) fail(fault);
  }
  return { repository, tag: tag === "" && digest === "" ? "latest" : tag, digest };
}

/** A name with its tag, where it says neither tag nor digest; otherwise as it is. @throws Error as {@linkcode parseImageName} */
export function withTag(image: string): string {
  const { tag, digest } = parseImageName(image);
  return digest === "" && !image.endsWith(`:${tag}`) ? `${image}:${tag}` : image;
}

/** The name as runtimes list it: in full, with the digest or else the tag. @throws Error as {@linkcode parseImageName} */
export function fullName(image: string): string {
  const { repository, tag, digest } = parseImageName(image);
  return digest === "" ? `${repository}:${tag}` : `${repository}@${digest}`;
}

/** A name without tag and digest, not made full. @throws Error as {@linkcode parseImageName} */
export function withoutTag(image: string): string {
  const { tag, digest } = parseImageName(image);
  const bare = digest === "" ? image : image.slice(0, -digest.length - 1);
  return tag !== "" && bare.endsWith(`:${tag}`) ? bare.slice(0, -tag.length - 1) : bare;
}

const PUBLIC_HOST = "docker.io";

/** The registry's host, and the rest; what names no host lies in the public registry. */
function split(image: string): [host: string, rest: string] {
  const slash = image.indexOf("/");
  const first = image.slice(0, Math.max(slash, 0));
  const isHost = first === "localhost" || /[.:]/.test(first) || first.toLowerCase() !== first;
  if (isHost && first !== PUBLIC_HOST && first !== `index.${PUBLIC_HOST}`) return [first, image.slice(slash + 1)];
  const rest = isHost ? image.slice(slash + 1) : image;
  return [PUBLIC_HOST, rest.includes("/") ? rest : `library/${rest}`];
}

function faultOfDigest(digest: string): string | undefined {
  const [kind, hex] = digest.split(":") as [string, string];
  const digits = DIGITS.get(kind);
  if (digits === undefined) return "unsupported digest algorithm";
  if (hex.length !== digits) return "invalid checksum digest length";
  return /[A-F]/.test(hex) ? "invalid checksum digest format" : undefined;
}
