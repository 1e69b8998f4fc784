/** What of the machine is for pods, and the reservations that are enforced on groups outside of them. */
import { type Quantity, ZERO_QUANTITY } from "../../schema/values/quantity.ts";
import { amount, type Amounts, amountsOf } from "./amounts.ts";
import { sharesOf } from "./cpu.ts";
import { hugePagesIn } from "./huge_pages.ts";
import type { GroupSettings } from "./settings.ts";

/** Options on what is kept from pods. */
export interface Reservations {
  readonly systemReserved: Readonly<Record<string, string>>;
  readonly orchReserved: Readonly<Record<string, string>>;
  /** Processors, `0-1,4`: their number takes the place of `cpu` in the two above. */
  readonly reservedCpus: string;
}

/** The two reservations. */
export interface Reserved {
  readonly system: Amounts;
  readonly orch: Amounts;
}

/** Reads them. @param own the processors of `reservedCpus`. @throws ValueError */
export function reservedOf(options: Reservations, own: readonly number[]): Reserved {
  const system = amountsOf(options.systemReserved), orch = amountsOf(options.orchReserved);
  if (own.length === 0) return { system, orch };
  orch.delete("cpu");
  return { system: new Map([...system, ...amountsOf({ cpu: `${own.length}` })]), orch };
}

/** What is kept from pods together. @param eviction what hard eviction thresholds keep free */
export function reservation(reserved: Reserved, eviction: Amounts = new Map()): Amounts {
  const out = new Map<string, Quantity>();
  for (const part of [reserved.system, reserved.orch, eviction]) {
    for (const [name, q] of part) out.set(name, amount(out, name).add(q));
  }
  return out;
}

/** What is left of a capacity, nothing below zero. */
export function allocatableOf(capacity: Amounts, kept: Amounts): Amounts {
  return new Map([...capacity].map(([name, q]) => {
    const left = q.sub(amount(kept, name));
    return [name, left.sign() < 0 ? ZERO_QUANTITY : left];
  }));
}

/** What is reserved beyond what there is, in the public agent's words; undefined: nothing. */
export function reservationFault(capacity: Amounts, kept: Amounts): string | undefined {
  const faults = [...kept].filter(([name, q]) => capacity.has(name) && amount(capacity, name).cmp(q) < 0).map((
    [name, q],
  ) =>
    `Resource "${name}" has a reservation of ${q} but capacity of ${
      amount(capacity, name)
    }. Expected capacity >= reservation.`
  );
  return faults.length === 0 ? undefined : `invalid Node Allocatable configuration. ${faults.join(" ")}`;
}

/** Settings of a group that may have so much. @param compressible processors only: what is lacking slows, and kills nothing */
export function amountSettings(amounts: Amounts, compressible: boolean): GroupSettings {
  const cpu = amounts.get("cpu");
  const shares = cpu === undefined ? {} : { cpuShares: sharesOf(Number(cpu.milliValue())) };
  if (compressible) return shares;
  const memory = amounts.get("memory"), pids = amounts.get("pid");
  return {
    ...shares,
    ...memory === undefined ? {} : { memory: Number(memory.value()) },
    ...pids === undefined ? {} : { pids: Number(pids.value()) },
    hugePages: hugePagesIn(amounts),
  };
}
