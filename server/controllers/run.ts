/** Starts the controllers that `--controllers` names. */
import { CONTROLLERS } from "./table.ts";
import type { ControllerContext, ControllerRow } from "./types.ts";

/**
 * Rows that run: `*` all that are on by default, `name` also that one, `-name` not that one, `-*` none but those named. Of
 * `*` and `-*` the last one counts.
 * @throws Error for a name that is no controller
 */
export function chosenControllers(wanted: readonly string[]): ControllerRow[] {
  const names = new Set(CONTROLLERS.map((r) => r.name));
  const unknown = wanted.filter((w) => w !== "*" && w !== "-*" && !names.has(w.replace(/^-/, "")));
  if (unknown.length > 0) throw new Error(`--controllers: no controller is named ${unknown.join(", ")}`);
  const all = wanted.lastIndexOf("*") > wanted.lastIndexOf("-*");
  return CONTROLLERS.filter(({ name, onByDefault }) => {
    const [on, off] = [wanted.lastIndexOf(name), wanted.lastIndexOf(`-${name}`)];
    return on === off ? all && onByDefault : on > off;
  });
}

/** Starts them; they run until the signal aborts. Gives their names. @throws Error for a name that is no controller */
export function startControllers(ctx: ControllerContext, wanted: readonly string[], signal: AbortSignal): string[] {
  const started: string[] = [];
  for (const row of chosenControllers(wanted)) {
    const controller = row.make(ctx);
    if (!controller) continue;
    controller.start(signal);
    started.push(row.name);
  }
  return started;
}
