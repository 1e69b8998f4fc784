/** Parts of URLs that requests are passed on to. */

/** What stands for itself in a path; a percent sign does not: paths come here decoded. */
const PLAIN = /[^A-Za-z0-9\-_.~$&+,/:;=@]+/g;

/** A path without empty and dot segments, and without a slash at its end; `/` or empty where nothing is left. */
function cleanPath(path: string): string {
  const kept: string[] = [];
  for (const part of path.split("/")) {
    if (part === "..") kept.pop();
    else if (part !== "" && part !== ".") kept.push(part);
  }
  return (path.startsWith("/") ? "/" : "") + kept.join("/");
}

/** The same, with the slash at its end, if there is one. */
export function cleanKeepingSlash(path: string): string {
  const clean = cleanPath(path);
  return path.endsWith("/") && !clean.endsWith("/") ? `${clean}/` : clean;
}

/** A decoded path as it stands in a request. */
export const encodePath = (path: string): string => path.replace(PLAIN, encodeRun);

function encodeRun(text: string): string {
  return [...new TextEncoder().encode(text)].map((b) => `%${b.toString(16).toUpperCase().padStart(2, "0")}`).join("");
}
