/** Where the volumes of a pod lie: `<root>/pods/<uid>/volumes/<plugin>/<name>`. */
import { join } from "node:path";

const SAFE = /^[A-Za-z0-9_](?:[A-Za-z0-9_.-]{0,252})$/;

/** A name that stands for one directory entry. @throws Error: it might lead elsewhere */
export function entryName(name: string): string {
  if (!SAFE.test(name)) throw new Error(`invalid name for a directory: ${JSON.stringify(name)}`);
  return name;
}

/** Directories of one pod. */
export class PodPaths {
  readonly pod: string;
  readonly volumes: string;
  readonly plugins: string;
  readonly subpaths: string;

  /** @throws Error when the uid is no name of a directory */
  constructor(rootDir: string, uid: string) {
    this.pod = join(rootDir, "pods", entryName(uid));
    this.volumes = join(this.pod, "volumes");
    this.plugins = join(this.pod, "plugins");
    this.subpaths = join(this.pod, "volume-subpaths");
  }

  /** @param plugin directory name of a plugin, `kubernetes.io~secret` */
  volume(plugin: string, name: string): string {
    return join(this.volumes, plugin, entryName(name));
  }

  /** What the plugin notes of a volume beside it. */
  meta(plugin: string, name: string): string {
    return join(this.plugins, plugin, entryName(name));
  }
}

/** @throws Error when a path climbs */
export function withoutBacksteps(path: string): void {
  if (path.split("/").includes("..")) throw new Error("must not contain '..'");
}
