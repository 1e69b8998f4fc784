/** What the kernel tells of the machine in `/proc`, read from its texts. */
import type { InterfaceStats } from "./types.ts";

/** Of `/proc/stat` a tick is this long: the kernel tells hundredths of a second to all programs, ns. */
const TICK_NS = 10_000_000n;

/** Nanoseconds that processors have worked; those that they were idle or waited left out. @param stat text of `/proc/stat` */
export function workedNanos(stat: string): bigint {
  const [user, nice, system, _idle, _wait, irq, softIrq, stolen] = numbersOf(/^cpu +(.*)$/m.exec(stat)?.[1] ?? "");
  return [user, nice, system, irq, softIrq, stolen].reduce<bigint>((sum, n) => sum + (n ?? 0n), 0n) * TICK_NS;
}

/** When the machine began, seconds since 1970. @param stat text of `/proc/stat` */
export const bootTime = (stat: string): number => Number(/^btime (\d+)$/m.exec(stat)?.[1] ?? 0);

const numbersOf = (text: string): bigint[] => text.trim().split(/\s+/).filter((n) => /^\d+$/.test(n)).map(BigInt);

/** Bytes by name. @param info text of `/proc/meminfo` */
export function memoryOf(info: string): (name: string) => bigint {
  const rows = new Map([...info.matchAll(/^([^:]+): +(\d+) kB$/gm)].map((m) => [m[1]!, BigInt(m[2]!) * 1024n]));
  return (name) => rows.get(name) ?? 0n;
}

/** A counter by name. @param stat text of `/proc/vmstat` */
export const counterOf = (stat: string, name: string): bigint =>
  BigInt(new RegExp(`^${name} (\\d+)$`, "m").exec(stat)?.[1] ?? 0);

/** What went over an interface, counted in packets too. */
export interface Traffic extends InterfaceStats {
  readonly rxPackets: bigint;
  readonly rxDrops: bigint;
  readonly txPackets: bigint;
  readonly txDrops: bigint;
}

/** The same of all interfaces without the loopback. @param dev text of `/proc/net/dev` */
export function trafficOf(dev: string): Traffic[] {
  return [...dev.matchAll(/^ *(\S+?): *(.*)$/gm)].flatMap(([, name, row]) => {
    const [rxBytes, rxPackets, rxErrors, rxDrops, , , , , txBytes, txPackets, txErrors, txDrops] = numbersOf(row!);
    if (name === "lo" || txDrops === undefined) return [];
    return [{ name, rxBytes, rxPackets, rxErrors, rxDrops, txBytes, txPackets, txErrors, txDrops } as Traffic];
  });
}

/** Interfaces without the loopback. @param dev text of `/proc/net/dev` */
export const interfacesOf = (dev: string): InterfaceStats[] =>
  trafficOf(dev).map(({ name, rxBytes, rxErrors, txBytes, txErrors }) => ({
    name,
    rxBytes,
    rxErrors,
    txBytes,
    txErrors,
  }));

/** The interface that leads everywhere. @param route text of `/proc/net/route` */
export const defaultInterface = (route: string): string | undefined => /^(\S+)\s+00000000\s/m.exec(route)?.[1];

/** Processes and threads there are. @param load text of `/proc/loadavg` */
export const processesOf = (load: string): bigint | undefined => {
  const count = /\/(\d+) /.exec(load)?.[1];
  return count === undefined ? undefined : BigInt(count);
};
