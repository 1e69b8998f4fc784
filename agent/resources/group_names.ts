/** Names of control groups, and how the two drivers write them. */

/** Parts from the root on; empty for the root. */
export type GroupName = readonly string[];

/** Between a cgroup's name as such and as a path below a hierarchy's root. */
export interface Driver {
  /** Makes groups itself; otherwise they are systemd's. */
  readonly own: boolean;
  path(name: GroupName): string;
  parse(path: string): GroupName;
}

const SLICE = ".slice";
const trimmed = (path: string) => path.split("/").filter((part) => part !== "");

const cgroupfs: Driver = {
  own: true,
  path: (name) => `/${name.join("/")}`,
  parse: trimmed,
};

// A dash parts the levels of a slice's name, so within a part it becomes an underscore.
const systemd: Driver = {
  own: false,
  path(name) {
    const parts = name.map((part) => part.replaceAll("-", "_"));
    return `/${parts.map((_, i) => parts.slice(0, i + 1).join("-") + SLICE).join("/")}`;
  },
  parse(path) {
    const last = trimmed(path).at(-1);
    if (last === undefined) return [];
    const base = last.endsWith(SLICE) ? last.slice(0, -SLICE.length) : last;
    return base.split("-").map((part) => part.replaceAll("_", "-"));
  },
};

/** By `--cgroup-driver`. */
export const DRIVERS: Readonly<Record<string, Driver>> = { cgroupfs, systemd };

/** The path of a name that an option gives, as it is. */
export const parseGroupPath = cgroupfs.parse;
