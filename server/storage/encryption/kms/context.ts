/** What services of both versions are made with. */
import type { EncryptionMetrics } from "../metrics.ts";
import type { RandomBytes } from "../types.ts";

/** See the top of the file. */
export interface ServiceContext {
  readonly random: RandomBytes;
  /** ms since the epoch. */
  readonly now: () => number;
  /** ms since whenever, never going back. */
  readonly elapsed: () => number;
  readonly metrics: EncryptionMetrics;
  readonly log: (level: "info" | "warn" | "error", text: string, detail?: unknown) => void;
  /** Gate `KMSv1`. */
  readonly v1: boolean;
}
