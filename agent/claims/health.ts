/** What drivers say of the health of their devices. */
import type { LogLine } from "../../schema/log/log.ts";
import { GrpcError } from "../../schema/grpc/status.ts";
import type { GrpcClient } from "../../schema/grpc/client.ts";
import type { Clock } from "../types.ts";
import { HEALTH_SERVICES, type PreparedDevice, type ToldHealth, watchCall } from "./messages.ts";

/** What it works with. */
export interface HealthParts {
  readonly clock: Clock;
  readonly log: LogLine;
  /** Of a driver's devices these are well or ill now, by {@linkcode keyOf}. */
  readonly changed: (driver: string, keys: readonly string[]) => void;
}

/** How a device is. */
export interface Health {
  readonly health: ToldHealth["health"];
  readonly message: string;
}

/** Between attempts to ask; how long what is told holds where the driver does not say, ms. */
const RETRY_MS = 5_000, HOLDS_MS = 30_000;
/** Devices of a driver that are kept in mind at most. */
const MOST = 1_000;
const UNKNOWN: Health = { health: "Unknown", message: "" };

interface Known extends Health {
  /** Until when, ms. */
  readonly until: number;
}

/** A device among those of its driver. */
export const keyOf = ({ poolName, deviceName }: Pick<PreparedDevice, "poolName" | "deviceName">): string =>
  `${poolName}/${deviceName}`;

/** See the top of the file. */
export class DeviceHealth {
  readonly #drivers = new Map<string, Map<string, Known>>();

  constructor(readonly parts: HealthParts) {}

  /** As it was told, while that holds. */
  of(driver: string, device: PreparedDevice): Health {
    const known = this.#drivers.get(driver)?.get(keyOf(device));
    return known && this.parts.clock.ticks() <= known.until ? known : UNKNOWN;
  }

  /** Listens to a driver until the signal ends it; one that tells nothing is left alone. Never throws. */
  async watch(
    driver: string,
    client: Pick<GrpcClient, "stream">,
    versions: readonly string[],
    signal: AbortSignal,
  ): Promise<void> {
    const service = HEALTH_SERVICES.find((one) => versions.includes(one));
    while (service && !signal.aborted) {
      try {
        for await (const { devices } of client.stream(watchCall(service), {}, { signal })) this.#take(driver, devices);
      } catch (e) {
        if (signal.aborted || (e instanceof GrpcError && e.status === "Unimplemented")) break;
        this.parts.log("warn", `the health of ${driver}'s devices is not told`, (e as Error).message);
      }
      this.#drivers.delete(driver);
      await this.parts.clock.wait(RETRY_MS, signal);
    }
    this.#drivers.delete(driver);
  }

  #take(driver: string, devices: readonly ToldHealth[]): void {
    const known = this.#drivers.get(driver) ?? new Map<string, Known>(), now = this.parts.clock.ticks();
    this.#drivers.set(driver, known);
    const changed: string[] = [];
    for (const { device, health, timeoutSeconds, message } of devices) {
      if (!device) continue;
      const key = keyOf(device), before = known.get(key);
      if (!before && known.size >= MOST) continue;
      known.set(key, { health, message, until: now + (timeoutSeconds > 0 ? timeoutSeconds * 1000 : HOLDS_MS) });
      if (before?.health !== health || before.message !== message) changed.push(key);
    }
    if (changed.length > 0) this.parts.changed(driver, changed);
  }
}
