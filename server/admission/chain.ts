/**
 * The chain of plugins: first all that mutate, then all that validate (specification, "Request processing options"). What
 * mutates runs a second time when a plugin asks for it ({@linkcode Reinvocation}).
 */
import type { Resource } from "../catalog/types.ts";
import type { Attributes, Operation, Plugin } from "./types.ts";
import type { PluginTimer, PluginTimes } from "./times.ts";

/** One plugin in one phase, on one operation. */
interface Step {
  readonly name: string;
  readonly run: (a: Attributes) => void | Promise<void>;
  readonly timer: PluginTimer | undefined;
}

/** Plugins that look at one operation on one resource, in one phase. */
interface Phase {
  readonly name: "admit" | "validate";
  readonly steps: readonly Step[];
  /** Of all of them together. */
  readonly timer: PluginTimer | undefined;
}

/** Both phases of one operation on one resource. */
interface Lane {
  readonly admit: Phase;
  readonly validate: Phase;
  /** Of those that look once more in the end. */
  readonly last: readonly Step[];
}

/** Plugins at work, compiled to a table by operation and resource. */
export class AdmissionChain {
  #plugins: readonly Plugin[];
  readonly #times: PluginTimes | undefined;
  /** By the row itself, not by its name: a definition made anew may have another scope. */
  #lanes = new WeakMap<Resource, Map<string, Lane>>();

  /** Plugins in their fixed order. `times` counts how long each takes. */
  constructor(plugins: readonly Plugin[], times?: PluginTimes) {
    this.#plugins = plugins;
    this.#times = times;
  }

  /** Puts other plugins in the place of the present ones: a server builds them from parts that need the chain. */
  install(plugins: readonly Plugin[]): void {
    this.#plugins = plugins;
    this.#lanes = new WeakMap();
  }

  #lane(operation: Operation, resource: Resource, subresource: string): Lane {
    let lanes = this.#lanes.get(resource);
    if (!lanes) this.#lanes.set(resource, lanes = new Map());
    const key = subresource === "" ? operation : `${operation}/${subresource}`;
    let lane = lanes.get(key);
    if (!lane) {
      const mine = this.#plugins.filter((p) => p.handles(operation, resource, subresource));
      lane = {
        admit: this.#phase(mine, "admit", operation),
        validate: this.#phase(mine, "validate", operation),
        last: mine.filter((p) => p.last).map((p) => ({ name: p.name, run: (a) => p.last!(a), timer: undefined })),
      };
      lanes.set(key, lane);
    }
    return lane;
  }

  #phase(plugins: readonly Plugin[], name: "admit" | "validate", operation: Operation): Phase {
    const steps = plugins.filter((p) => p[name]).map((p): Step => ({
      name: p.name,
      run: (a) => p[name]!(a),
      timer: this.#times?.timer(p.name, name, operation),
    }));
    return { name, steps, timer: this.#times?.timer("", name, operation) };
  }

  /** The mutating phase. @throws StatusError of the plugin that refuses */
  admit(a: Attributes): void | Promise<void> {
    const { admit } = this.#lane(a.operation, a.resource, a.subresource);
    return timed(admit.timer, () => {
      const done = once(admit, a);
      if (done) return done.then(() => again(admit, a));
      return again(admit, a);
    });
  }

  /** The validating phase. @throws StatusError of the plugin that refuses */
  validate(a: Attributes): void | Promise<void> {
    const { validate } = this.#lane(a.operation, a.resource, a.subresource);
    return timed(validate.timer, () => once(validate, a));
  }

  /** The look right before the store. @throws StatusError of the plugin that refuses */
  last(a: Attributes): void | Promise<void> {
    const { last } = this.#lane(a.operation, a.resource, a.subresource);
    if (last.length > 0) return run(last, 0, a);
  }
}

/** Does the work, and counts how long it takes. */
function timed(timer: PluginTimer | undefined, work: () => void | Promise<void>): void | Promise<void> {
  if (!timer) return work();
  const start = timer.now();
  const end = (rejected: boolean) => timer.add(timer.now() - start, rejected);
  const failed = (e: unknown): never => {
    end(true);
    throw e;
  };
  try {
    const done = work();
    if (done) return done.then(() => end(false), failed);
  } catch (e) {
    failed(e);
  }
  end(false);
}

function once({ steps, name }: Phase, a: Attributes): void | Promise<void> {
  return a.recorder ? recorded(steps, name, a) : run(steps, 0, a);
}

/** The second round, when one is asked for. */
function again(admit: Phase, a: Attributes): void | Promise<void> {
  const { reinvocation } = a;
  if (!reinvocation?.wanted) return;
  reinvocation.again = true;
  return once(admit, a);
}

/**
 * Runs steps from one on; a promise only when a plugin needs one. The clock is read once between two steps, and to the
 * millisecond: most plugins take less than a better reading would, and the sum of many runs is right all the same.
 */
function run(steps: readonly Step[], from: number, a: Attributes): void | Promise<void> {
  let start = steps[from]?.timer?.now() ?? 0;
  for (let i = from; i < steps.length; i++) {
    const { run, timer } = steps[i]!;
    try {
      const done = run(a);
      if (done) return waited(steps, i, a, start, done);
    } catch (e) {
      timer?.add(timer.now() - start, true);
      throw e;
    }
    if (!timer) continue;
    const end = timer.now();
    timer.add(end - start, false);
    start = end;
  }
}

async function waited(
  steps: readonly Step[],
  at: number,
  a: Attributes,
  start: number,
  done: Promise<void>,
): Promise<void> {
  const { timer } = steps[at]!;
  try {
    await done;
  } catch (e) {
    timer?.add(timer.now() - start, true);
    throw e;
  }
  timer?.add(timer.now() - start, false);
  await run(steps, at + 1, a);
}

async function recorded(steps: readonly Step[], phase: "admit" | "validate", a: Attributes): Promise<void> {
  for (const step of steps) {
    const end = a.recorder!.step(step.name, phase, a);
    try {
      await step.run(a);
    } catch (e) {
      end(e);
      throw e;
    }
    end(undefined);
  }
}
