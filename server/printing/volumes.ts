/** Printers of persistent volumes and of claims to them. */
import type { Obj } from "../../schema/model/types.ts";
import { AGE, col, NAME, type Read, table, wide } from "./parts.ts";
import { orUnset } from "./text.ts";
import type { Printer } from "./types.ts";

/** Access modes in short, in the order they are listed. */
const MODES: readonly (readonly [mode: string, short: string])[] = [
  ["ReadWriteOnce", "RWO"],
  ["ReadOnlyMany", "ROX"],
  ["ReadWriteMany", "RWX"],
  ["ReadWriteOncePod", "RWOP"],
];
const modes = (list: readonly string[] = []): string =>
  MODES.filter(([mode]) => list.includes(mode)).map(([, short]) => short).join(",");

const phase: Read = (o) => o.metadata.deletionTimestamp ? "Terminating" : o.status?.phase ?? "";
/** The class named by the field, or before it was one, by an annotation. */
const className = (annotation: string): Read => (o) =>
  o.metadata.annotations?.[annotation] ?? o.spec?.storageClassName ?? "";
const claimRef = (o: Obj): string => {
  const ref = o.spec?.claimRef;
  return ref ? `${ref.namespace ?? ""}/${ref.name ?? ""}` : "";
};
const attributes = col("VolumeAttributesClass", (o) => orUnset(o.spec?.volumeAttributesClassName));
const mode = wide("VolumeMode", (o) => orUnset(o.spec?.volumeMode));
const BETA_CLASS = "volume.beta.kubernetes.io/storage-class";

/** The printer of volumes, with annotations in the dialect of the server. */
export const volumePrinter = (local: (name: string) => string): Printer =>
  table(
    NAME,
    col("Capacity", (o) => o.spec?.capacity?.storage ?? "0"),
    col("Access Modes", (o) => modes(o.spec?.accessModes)),
    col("Reclaim Policy", (o) => o.spec?.persistentVolumeReclaimPolicy ?? ""),
    col("Status", phase),
    col("Claim", claimRef),
    col("StorageClass", className(local(BETA_CLASS))),
    attributes,
    col("Reason", (o) => o.status?.reason ?? ""),
    AGE,
    mode,
  );

/** The printer of claims. What was bound is shown once a volume is named. */
export const claimPrinter = (local: (name: string) => string): Printer =>
  table(
    NAME,
    col("Status", phase),
    col("Volume", (o) => o.spec?.volumeName ?? ""),
    col("Capacity", (o) => o.spec?.volumeName ? o.status?.capacity?.storage ?? "0" : ""),
    col("Access Modes", (o) => o.spec?.volumeName ? modes(o.status?.accessModes) : ""),
    col("StorageClass", className(local(BETA_CLASS))),
    attributes,
    AGE,
    mode,
  );
