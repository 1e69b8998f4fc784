/** Priority and fairness: flow schemas and priority levels as they are stored, at work. */
import type { Obj } from "../../schema/model/types.ts";
import type { Lister } from "../admission/types.ts";
import { Level, type LevelRules } from "./level.ts";
import { type Asked, compileSchemas, type Schema } from "./matching.ts";

const SCHEMAS = "flowschemas.flowcontrol.apiserver.k8s.io";
const LEVELS = "prioritylevelconfigurations.flowcontrol.apiserver.k8s.io";

/** Where a request belongs. */
export interface Place<Of> {
  readonly schema: Schema;
  readonly level: Level<Of>;
  readonly flow: string;
}

/** See the top of the file. `Of` is what levels know requests by. */
export class Fairness<Of = unknown> {
  readonly #lister: Lister;
  readonly #total: number;
  readonly #levels = new Map<string, Level<Of>>();
  #schemas: Schema[] = [];
  /** Changes of schemas and levels when they were last read. */
  #seen: readonly [number, number] = [-1, -1];

  /** @param total requests at work of all limited levels together */
  constructor(lister: Lister, total: number) {
    this.#lister = lister;
    this.#total = total;
  }

  /** All levels, as they were configured when a request was last placed. */
  levels(): Iterable<Level<Of>> {
    return this.#levels.values();
  }

  /** Where a request belongs; undefined where nothing is configured for it (a server that has no content yet). */
  place(asked: Asked): Place<Of> | undefined {
    this.#refresh();
    for (const schema of this.#schemas) {
      if (!schema.matches(asked)) continue;
      const level = this.#levels.get(schema.level);
      if (level) return { schema, level, flow: `${schema.name}/${schema.flow(asked)}` };
    }
    return undefined;
  }

  /** Seats that a level may have with all that it may borrow. */
  upper(level: Level<Of>): number {
    const { seats, borrowing } = level.rules;
    return Math.max(seats, Math.min(seats + borrowing, this.#total));
  }

  /** Seats that a level can have now: its own, and what others neither use nor keep. */
  limit(level: Level<Of>): number {
    let held = 0;
    for (const other of this.#levels.values()) if (other !== level) held += other.held;
    return Math.max(level.rules.seats, Math.min(this.upper(level), this.#total - held));
  }

  /** After a request: a level that was there for it alone goes, and a seat may have come free for another one. */
  left(level: Level<Of>): void {
    if (level.over) this.#levels.delete(level.rules.name);
    for (const other of this.#levels.values()) if (other !== level && other.state.queued > 0) other.wake();
  }

  #refresh(): void {
    const schemas = this.#lister.changes?.(SCHEMAS) ?? 0;
    const levels = this.#lister.changes?.(LEVELS) ?? 0;
    if (schemas === this.#seen[0] && levels === this.#seen[1]) return;
    this.#seen = [schemas, levels];
    const configured = this.#list(LEVELS), flows = this.#list(SCHEMAS);
    if (!configured || !flows) return;
    this.#schemas = compileSchemas(flows);
    const rules = levelRules(configured, this.#total);
    for (const r of rules) {
      const level = this.#levels.get(r.name);
      if (!level) this.#levels.set(r.name, new Level(r, (seats) => this.#mayBorrow(seats)));
      else if (JSON.stringify(level.rules) !== JSON.stringify(r)) level.rules = r;
    }
    const names = new Set(rules.map((r) => r.name));
    for (const [name, level] of this.#levels) {
      level.quiescing = !names.has(name);
      if (level.over) this.#levels.delete(name);
    }
  }

  /** Objects of a cache; undefined while it is not ready: then the last configuration stays. */
  #list(id: string): readonly Obj[] | undefined {
    try {
      return this.#lister.list(id);
    } catch {
      this.#seen = [-1, -1];
      return undefined;
    }
  }

  #mayBorrow(seats: number): boolean {
    let held = 0;
    for (const level of this.#levels.values()) held += level.held;
    return held + seats <= this.#total;
  }
}

/** Levels with their share of the total (rounded up, as each must have something). */
export function levelRules(objects: readonly Obj[], total: number): LevelRules[] {
  const part = (o: Obj) => o["spec"]?.[o["spec"]?.type === "Exempt" ? "exempt" : "limited"] ?? {};
  const shares = (o: Obj): number => part(o).nominalConcurrencyShares ?? (o["spec"]?.type === "Exempt" ? 0 : 30);
  const sum = objects.reduce((n, o) => n + shares(o), 0) || 1;
  return objects.map((o) => {
    const spec = part(o);
    const seats = Math.ceil(total * shares(o) / sum);
    const { queuing } = spec.limitResponse ?? {};
    const percent = spec.borrowingLimitPercent;
    return {
      name: o.metadata.name!,
      uid: o.metadata.uid ?? "",
      exempt: o["spec"]?.type === "Exempt",
      seats,
      lendable: Math.round(seats * (spec.lendablePercent ?? 0) / 100),
      borrowing: percent === undefined || percent === null ? Infinity : Math.round(seats * percent / 100),
      ...(queuing
        ? {
          queues: {
            count: queuing.queues ?? 64,
            hand: queuing.handSize ?? 8,
            length: queuing.queueLengthLimit ?? 50,
          },
        }
        : {}),
    };
  });
}
