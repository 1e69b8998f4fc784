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
/** Devices of an endpoint that are kept in mind at most. */
const MOST = 1_000;
const UNKNOWN: Health = { health: "Unknown", message: "" };

interface Known extends Health {
  /** Until when, ms. */
  readonly until: number;
}

/** What one endpoint of a driver tells: another one may come in its place before it goes. */
interface Told {
  readonly driver: string;
  /** By {@linkcode keyOf}. */
  readonly devices: Map<string, Known>;
}

/** A device among those of its driver. */
export const keyOf = ({ poolName, deviceName }: Pick<PreparedDevice, "poolName" | "deviceName">): string =>
  `${poolName}/${deviceName}`;

/** See the top of the file. */
export class DeviceHealth {
  /** Who told last at the end. */
  readonly #told = new Set<Told>();

  constructor(readonly parts: HealthParts) {}

  /** As it was told, while that holds. */
  of(driver: string, device: PreparedDevice): Health {
    const key = keyOf(device), told = [...this.#told].findLast((one) => one.driver === driver && one.devices.has(key));
    const known = told?.devices.get(key);
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
      const told: Told = { driver, devices: new Map() };
      try {
        for await (const { devices } of client.stream(watchCall(service), {}, { signal })) this.#take(told, devices);
      } catch (e) {
        if (signal.aborted || (e instanceof GrpcError && e.status === "Unimplemented")) return;
        this.parts.log("warn", `the health of ${driver}'s devices is not told`, (e as Error).message);
      } finally {
        this.#told.delete(told);
      }
      await this.parts.clock.wait(RETRY_MS, signal);
    }
  }

  #take(told: Told, devices: readonly ToldHealth[]): void {
    const { driver, devices: known } = told, now = this.parts.clock.ticks();
    this.#told.delete(told);
    this.#told.add(told);
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
