/** What can run out on a node. */

/** What a signal is about. */
export interface SignalRow {
  /** As messages name it. */
  readonly resource: "memory" | "ephemeral-storage" | "inodes" | "pids";
  readonly condition: "MemoryPressure" | "DiskPressure" | "PIDPressure";
}

const MEMORY = { resource: "memory", condition: "MemoryPressure" } as const;
const DISK = { resource: "ephemeral-storage", condition: "DiskPressure" } as const;
const INODES = { resource: "inodes", condition: "DiskPressure" } as const;

/** All signals. That of allocatable memory follows from `memory.available` where limits of all pods are enforced. */
export const SIGNALS = {
  "memory.available": MEMORY,
  "allocatableMemory.available": MEMORY,
  "nodefs.available": DISK,
  "nodefs.inodesFree": INODES,
  "imagefs.available": DISK,
  "imagefs.inodesFree": INODES,
  "containerfs.available": DISK,
  "containerfs.inodesFree": INODES,
  "pid.available": { resource: "pids", condition: "PIDPressure" },
} as const satisfies Readonly<Record<string, SignalRow>>;

/** Its names. */
export type Signal = keyof typeof SIGNALS;

/** Conditions of a node that tell of pressure, in the order in which they are told. */
export const PRESSURES = ["DiskPressure", "MemoryPressure", "PIDPressure"] as const;
/** Any of them. */
export type Pressure = (typeof PRESSURES)[number];

/** What was seen of a signal: bytes, inodes or processes. */
export interface Observation {
  readonly available: number;
  readonly capacity: number;
  /** When, ticks. */
  readonly time: number;
}

/** What was seen, by signal. */
export type Observations = ReadonlyMap<Signal, Observation>;
