/** References of container images, as far as the pull policy depends on them. */

const DOMAIN =
  "(?:[a-zA-Z0-9](?:[a-zA-Z0-9-]*[a-zA-Z0-9])?(?:\\.[a-zA-Z0-9](?:[a-zA-Z0-9-]*[a-zA-Z0-9])?)*|\\[[a-fA-F0-9:]+\\])(?::[0-9]+)?";
const PART = "[a-z0-9]+(?:(?:\\.|_|__|-+)[a-z0-9]+)*";
const REFERENCE = new RegExp(
  `^(?:${DOMAIN}/)?${PART}(?:/${PART})*(?::(?<tag>\\w[\\w.-]{0,127}))?(?<digest>@[A-Za-z][A-Za-z0-9]*(?:[-_+.][A-Za-z][A-Za-z0-9]*)*:[0-9a-fA-F]{32,})?$`,
);

/** Tag of a reference: `latest` where none is given, empty with a digest alone or when the text is no reference. */
export function imageTag(image: string): string {
  const groups = /^[0-9a-f]{64}$/.test(image) ? undefined : REFERENCE.exec(image)?.groups;
  if (!groups) return "";
  return groups["tag"] ?? (groups["digest"] ? "" : "latest");
}

/** When an image is pulled that has no policy of its own. */
export const pullPolicyOf = (image: string): string => imageTag(image) === "latest" ? "Always" : "IfNotPresent";
