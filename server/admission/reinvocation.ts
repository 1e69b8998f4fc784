/**
 * A second round of the mutating phase: when what runs late has changed the object, all plugins look at it once more, and
 * of the steps that an administrator named those that asked for it and saw an older object.
 */
import { copyTree } from "../../schema/values/copy.ts";
import type { Obj } from "../../schema/model/types.ts";
import { sameTree } from "../registry/same.ts";

/** Rounds of one request through the mutating phase. */
export class Reinvocation {
  /** This is the second round. There is no third. */
  again = false;
  /** Something that calls for a second round has changed the object. */
  wanted = false;
  readonly #rounds = new Map<string, PluginRounds>();

  /** What one plugin remembers. */
  of(plugin: string): PluginRounds {
    let rounds = this.#rounds.get(plugin);
    if (!rounds) this.#rounds.set(plugin, rounds = new PluginRounds(this));
    return rounds;
  }
}

/** What a plugin with steps of its own (webhooks, policies) remembers from one round to the next. */
export class PluginRounds {
  readonly #whole: Reinvocation;
  /** Steps that may run again, and ran since the object last changed. */
  #ran = new Set<string>();
  /** Steps that are to run again. */
  readonly #due = new Set<string>();
  /** The object as the plugin left it. */
  #left: Obj | undefined;

  constructor(whole: Reinvocation) {
    this.#whole = whole;
  }

  /** The number of the round, from 0. */
  get round(): number {
    return this.#whole.again ? 1 : 0;
  }

  /** At the plugin's start: what other plugins changed since it ended makes its steps due. */
  begin(object: Obj | undefined): void {
    if (this.#whole.again && !sameTree(this.#left, object)) this.#repeat();
  }

  /** At the plugin's end, however it ended. Nothing is kept that nobody will ask for. */
  end(object: Obj | undefined): void {
    this.#left = this.#whole.again || this.#ran.size === 0 ? undefined : copyTree(object);
  }

  /** Whether a step has its turn: each in the first round, those that are due in the second. */
  turn(step: string): boolean {
    return !this.#whole.again || this.#due.has(step);
  }

  /** A step has changed the object. */
  changed(): void {
    this.#repeat();
    this.#whole.wanted = true;
  }

  /** A step has run that may run again (`reinvocationPolicy: IfNeeded`). After its own {@linkcode changed}. */
  ran(step: string): void {
    this.#ran.add(step);
  }

  #repeat(): void {
    for (const step of this.#ran) this.#due.add(step);
    this.#ran = new Set();
  }
}

/** The rounds of a request, begun when a plugin first asks. */
export function reinvocationOf(a: { reinvocation?: Reinvocation }): Reinvocation {
  return a.reinvocation ??= new Reinvocation();
}
