/** A store as a server sees it whose log comes late: what others do is heard of only when the newest revision is asked for. */
import type { Backend, ChangeBatch } from "../../server/storage/backend.ts";

/** Begins to hold changes back; until then they come at once. */
export interface LateLog {
  readonly backend: Backend;
  /** From now on. */
  hold(): void;
}

/** See the top of the file. */
export function lateLog(inner: Backend): LateLog {
  const held: (() => void)[] = [];
  let holding = false;
  const changes: Backend["changes"] = (prefix, since, deliver, signal) => {
    const late = (batch: ChangeBatch) => holding ? void held.push(() => deliver(batch)) : deliver(batch);
    return inner.changes(prefix, since, late, signal);
  };
  const revision = async () => {
    const newest = await inner.revision();
    for (const deliver of held.splice(0)) deliver();
    return newest;
  };
  const own: Partial<Backend> = { changes, revision };
  const backend = new Proxy<Backend>(inner, {
    get(target, name) {
      const value: unknown = Reflect.get(own, name) ?? Reflect.get(target, name);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
  return { backend, hold: () => void (holding = true) };
}
