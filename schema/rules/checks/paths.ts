/** Paths of files and directories. */
import type { ErrorList } from "../errors.ts";
import type { Path } from "../path.ts";

/** No step of the path goes up. Returns whether that holds. */
export function noBacksteps(text: string, path: Path, errors: ErrorList): boolean {
  if (!text.includes("..") || !text.split("/").includes("..")) return true;
  errors.invalid(path, text, "must not contain '..'");
  return false;
}

/** A relative path that does not go up. */
export function descendingPath(text: string, path: Path, errors: ErrorList): void {
  if (text.startsWith("/")) errors.invalid(path, text, "must be a relative path");
  noBacksteps(text, path, errors);
}

/** The same, whose first name does not start with `..`, which is kept for the volume's own use. */
export function volumePath(text: string, path: Path, errors: ErrorList): void {
  descendingPath(text, path, errors);
  if (text.startsWith("..") && !text.startsWith("../")) errors.invalid(path, text, "must not start with '..'");
}
