/** Memory that the kernel leaves to a group (cgroup v2, gate MemoryQoS). */
import type { Strings } from "../runtime/types.ts";
import type { QosClass } from "./qos.ts";

/** Fields of the configuration file. */
export interface MemoryQos {
  /** Part of the way from request to limit where throttling begins; undefined: nowhere. */
  readonly memoryThrottlingFactor?: number | undefined;
  readonly memoryReservationPolicy?: string | undefined;
}

const PAGE = 4096;
const TIERED = "TieredReservation";

/** Whether requests are protected at all. */
export const reserves = (options: MemoryQos): boolean => options.memoryReservationPolicy === TIERED;

/** What protects a request of so many bytes: firmly in the highest class, softly in the others. Empty without a policy. */
export const protection = (options: MemoryQos, qos: QosClass, request: number): Strings =>
  reserves(options) && request > 0 ? { [qos === "Guaranteed" ? "memory.min" : "memory.low"]: `${request}` } : {};

/** Where throttling begins between a request and a limit, bytes; empty where it has no room. */
export function memoryHigh(options: MemoryQos, request: number, limit: number): Strings {
  const { memoryThrottlingFactor: factor } = options;
  if (factor === undefined || limit === 0 || (request === limit && request !== 0)) return {};
  const high = Math.floor((request + (limit - request) * factor) / PAGE) * PAGE;
  return high > request ? { "memory.high": `${high}` } : {};
}
