/** References of container images, as far as the pull policy depends on them. */

const DOMAIN =
  "(?:[a-zA-Z0-9](?:[a-zA-Z0-9-]*[a-zA-Z0-9])?(?:\\.[a-zA-Z0-9](?:[a-zA-Z0-9-]*[a-zA-Z0-9])?)*|\\[[a-fA-F0-9:]+\\])(?::[0-9]+)?";
const PART = "[a-z0-9]+(?:(?:\\.|_|__|-+)[a-z0-9]+)*";
const REFERENCE = new RegExp(
  `^(?<name>(?:${DOMAIN}/)?${PART}(?:/${PART})*)(?::(?<tag>\\w[\\w.-]{0,127}))?(?<digest>@[A-Za-z][A-Za-z0-9]*(?:[-_+.][A-Za-z][A-Za-z0-9]*)*:[0-9a-fA-F]{32,})?$`,
);

/** Longest path of a repository in its registry. */
const MAX_REPOSITORY = 255;
const DEFAULT_REGISTRIES = new Set(["docker.io", "index.docker.io"]);

/** Where the repository stands in its registry; the default one keeps its own images apart. */
function repositoryOf(name: string): string {
  const at = name.indexOf("/"), head = name.slice(0, Math.max(at, 0));
  const named = at >= 0 && (/[.:]/.test(head) || head === "localhost" || head !== head.toLowerCase());
  const path = named ? name.slice(at + 1) : name;
  return (!named || DEFAULT_REGISTRIES.has(head)) && !path.includes("/") ? `library/${path}` : path;
}

/** Tag of a reference: `latest` where none is given, empty with a digest alone or when the text is no reference. */
function imageTag(image: string): string {
  const groups = /^[0-9a-f]{64}$/.test(image) ? undefined : REFERENCE.exec(image)?.groups;
  if (!groups || repositoryOf(groups["name"]!).length > MAX_REPOSITORY) return "";
  return groups["tag"] ?? (groups["digest"] ? "" : "latest");
}

/** When an image is pulled that has no policy of its own. */
export const pullPolicyOf = (image: string): string => imageTag(image) === "latest" ? "Always" : "IfNotPresent";
