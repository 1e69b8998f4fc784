/**
 * Judges a history. The store's log gives the order of all versions; what is left to show is that this order explains what
 * everybody was told, with each request taking effect at some time between its beginning and its end.
 *
 * For each version there is a time of its own, not before its writer began (nor before a read of the version before it
 * began), not after its writer was answered (nor after a read of it, or of a later one, ended). Linearizable: for no
 * version is the first bound after the second.
 */
import type { Change, History, ListOp, Op, Stream, WatchEvent } from "./history.ts";

/** A version of one object with the bounds of its time. */
interface Version extends Change {
  earliest: number;
  latest: number;
}

/** Everything that is wrong; empty when all is well. */
export function faultsOf(history: History): string[] {
  return new Checker(history).run();
}

class Checker {
  readonly #faults: string[] = [];
  /** Versions of each object, in order; the first is its absence at the start. */
  readonly #versions = new Map<string, Version[]>();
  readonly #byRv = new Map<number, Version>();

  constructor(readonly history: History) {}

  run(): string[] {
    this.#order();
    this.#writers();
    this.#reads();
    this.#bounds();
    for (const op of this.history.ops) if (op.outcome === "refused") this.#refused(op);
    this.#lists();
    for (const [i, stream] of this.history.streams.entries()) this.#stream(stream, i);
    return this.#faults;
  }

  #fault(text: string): void {
    if (this.#faults.length < 50) this.#faults.push(text);
  }

  #of(name: string): Version[] {
    let versions = this.#versions.get(name);
    if (!versions) {
      const absent = { name, rv: 0, n: undefined, prev: undefined, earliest: -Infinity, latest: -Infinity };
      this.#versions.set(name, versions = [absent]);
    }
    return versions;
  }

  /** The log is in order, and each change follows what its writer says it replaced. */
  #order(): void {
    let at = 0;
    for (const change of this.history.log) {
      const { name, rv, n, prev } = change;
      if (rv <= at) this.#fault(`the log goes back: ${name} at ${rv} after ${at}`);
      at = rv;
      const versions = this.#of(name);
      const before = versions.at(-1)!;
      const stood = before.n === undefined ? 0 : before.rv;
      if (n !== undefined && prev !== stood) {
        this.#fault(`${name} at ${rv} was written over ${prev}, but follows ${stood}`);
      }
      if (n === undefined && stood === 0) this.#fault(`${name} at ${rv} is a deletion of what is not there`);
      const version = { ...change, earliest: -Infinity, latest: Infinity };
      versions.push(version);
      this.#byRv.set(rv, version);
    }
  }

  /** Every acknowledged write is in the log, every change of the log has one writer. */
  #writers(): void {
    const byNumber = new Map<string, Version>();
    for (const version of this.#byRv.values()) {
      if (version.n === undefined) continue;
      if (byNumber.has(version.n)) {
        this.#fault(`number ${version.n} was written twice: ${version.name} at ${version.rv}`);
      }
      byNumber.set(version.n, version);
    }
    const written = new Set<Version>();
    const answered = new Set<Version>();
    for (const op of this.history.ops) {
      const version = op.kind === "put" ? byNumber.get(op.n!) : op.kind === "delete" ? this.#deletionBy(op) : undefined;
      if (op.kind === "get" || (op.kind === "delete" && op.outcome !== "made" && !version)) continue;
      if (op.outcome === "made") this.#acknowledged(op, version);
      if (!version || (op.kind === "delete" && op.outcome === "refused")) continue;
      if (op.outcome === "refused") this.#fault(`${op.name} at ${version.rv} was made though refused`);
      if (op.outcome === "made") {
        if (answered.has(version)) this.#fault(`${op.kind} of ${op.name} at ${version.rv} was acknowledged twice`);
        answered.add(version);
        [version.earliest, version.latest] = [op.begun, op.ended];
      } else if (!answered.has(version)) {
        // Several may have asked for one deletion without an answer: each of them may have made it.
        version.earliest = written.has(version) ? Math.min(version.earliest, op.begun) : op.begun;
      }
      written.add(version);
    }
    for (const version of this.#byRv.values()) {
      if (!written.has(version)) this.#fault(`phantom: nobody wrote ${version.name} at ${version.rv} (${version.n})`);
    }
  }

  #acknowledged(op: Op, version: Version | undefined): void {
    if (!version) return this.#fault(`lost: ${op.kind} of ${op.name} over ${op.expect} was acknowledged (${op.n})`);
    const rv = op.seen?.rv;
    if (rv !== undefined && rv !== version.rv) {
      this.#fault(`${op.name} was acknowledged at ${rv}, and is in the log at ${version.rv}`);
    }
  }

  /** The deletion of exactly the version that it expects. */
  #deletionBy(op: Op): Version | undefined {
    const versions = this.#of(op.name);
    const next = versions[versions.findIndex((v) => v.rv === op.expect) + 1];
    return next?.n === undefined ? next : undefined;
  }

  #next(version: Version): Version | undefined {
    const versions = this.#of(version.name);
    return versions[versions.indexOf(version) + 1];
  }

  /** Reads and lists found versions that there were; they bound the times of those and of the ones after. */
  #reads(): void {
    for (const { kind, name, begun, ended, outcome, seen } of this.history.ops) {
      if (kind !== "get" || outcome !== "made") continue;
      this.#read(name, seen!.rv, seen!.n, begun, ended, "a read");
    }
    for (const { items, begun, ended } of this.history.lists) {
      for (const [name, { rv, n }] of items) this.#read(name, rv, n, begun, ended, "a list");
    }
  }

  #read(name: string, rv: number, n: string | undefined, begun: number, ended: number, who: string): void {
    const version = this.#byRv.get(rv);
    if (!version || version.name !== name || version.n !== n) {
      return this.#fault(`${who} found ${name} at ${rv} (${n}), which the log does not have`);
    }
    version.latest = Math.min(version.latest, ended);
    const next = this.#next(version);
    if (next) next.earliest = Math.max(next.earliest, begun);
  }

  #bounds(): void {
    for (const versions of this.#versions.values()) {
      for (let i = 1; i < versions.length; i++) {
        versions[i]!.earliest = Math.max(versions[i]!.earliest, versions[i - 1]!.earliest);
      }
      for (let i = versions.length - 2; i > 0; i--) {
        versions[i]!.latest = Math.min(versions[i]!.latest, versions[i + 1]!.latest);
      }
      for (const { name, rv, earliest, latest } of versions.slice(1)) {
        if (earliest <= latest) continue;
        this.#fault(`not linearizable: ${name} at ${rv} took effect after ${earliest} and before ${latest}`);
      }
    }
  }

  /** Refused: at some time between its beginning and its end, what it expected was not so. */
  #refused({ kind, name, begun, ended, expect = 0 }: Op): void {
    const other = (v: Version) => {
      if (kind === "get") return v.n === undefined;
      return (v.n === undefined ? 0 : v.rv) !== expect;
    };
    const versions = this.#of(name);
    const could = versions.some((v, i) =>
      other(v) && v.earliest <= ended && (versions[i + 1]?.latest ?? Infinity) >= begun
    );
    if (!could) this.#fault(`${kind} of ${name} over ${expect} was refused, though nothing stood in its way`);
  }

  #lists(): void {
    const versions = [...this.#byRv.values()].sort((a, b) => a.latest - b.latest);
    const newest: number[] = [];
    for (const { rv } of versions) newest.push(Math.max(rv, newest.at(-1) ?? 0));
    for (const list of this.history.lists) {
      this.#contents(list);
      // The newest version that somebody had been told of when the list was asked for.
      let [low, high] = [0, versions.length];
      while (low < high) {
        const middle = (low + high) >> 1;
        if (versions[middle]!.latest < list.begun) low = middle + 1;
        else high = middle;
      }
      const floor = newest[low - 1] ?? 0;
      if (list.rv < floor) this.#fault(`stale list: at ${list.rv}, after ${floor} was told`);
    }
  }

  #contents({ rv, items, ended }: ListOp): void {
    for (const [name, versions] of this.#versions) {
      const there = versions.findLast((v) => v.rv <= rv)!;
      const item = items.get(name);
      if (there.n === item?.n && (item === undefined || item.rv === there.rv)) {
        if (there.earliest > ended) this.#fault(`a list at ${rv} has ${name} at ${there.rv} before it was written`);
        continue;
      }
      this.#fault(`a list at ${rv} has ${name} at ${item?.rv} (${item?.n}), not at ${there.rv} (${there.n})`);
    }
    for (const name of items.keys()) {
      if (!this.#versions.has(name)) this.#fault(`a list at ${rv} has ${name}, which was never written`);
    }
  }

  /** A watch shows each change of the log once, in order, as what it is. */
  #stream({ since, upTo, events }: Stream, i: number): void {
    const due = this.history.log.filter(({ rv }) => rv > since && rv <= upTo);
    for (const [k, change] of due.entries()) {
      const expected = textOf({ ...change, type: this.#typeOf(change) });
      const shown = events[k] && textOf(events[k]);
      if (shown === expected) continue;
      return this.#fault(`watch ${i} after ${since} showed ${shown ?? "nothing"}, not ${expected}`);
    }
    const more = events[due.length];
    if (more) this.#fault(`phantom: watch ${i} after ${since} showed ${textOf(more)}`);
  }

  #typeOf({ name, rv, n }: Change): string {
    if (n === undefined) return "DELETED";
    const versions = this.#of(name);
    return versions[versions.findIndex((v) => v.rv === rv) - 1]!.n === undefined ? "ADDED" : "MODIFIED";
  }
}

const textOf = ({ type, name, rv, n }: WatchEvent) => `${type} ${name} at ${rv}${type === "DELETED" ? "" : ` (${n})`}`;
