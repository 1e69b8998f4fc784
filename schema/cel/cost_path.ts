/**
 * Where a value comes from: a variable, then names of fields, `@items`, `@keys`, `@values`, `@indices`. Paths that begin
 * alike share their room, and a step that is added to one may take the place of a step that was added to another before:
 * the numbers of the public server come from paths like that, and estimates decide what may be stored.
 */
export class CostPath {
  private constructor(readonly room: string[], readonly size: number, readonly capacity: number) {}

  /** The path of a variable. */
  static of(name: string): CostPath {
    return new CostPath([name], 1, 1);
  }

  /** A path and one more step. */
  static extend(path: CostPath | undefined, step: string): CostPath {
    if (!path) return CostPath.of(step);
    const fits = path.size < path.capacity, room = fits ? path.room : path.room.slice(0, path.size);
    room[path.size] = step;
    return new CostPath(room, path.size + 1, fits ? path.capacity : path.size * 2);
  }

  /** A path and one more step, in room of its own. */
  static apart(path: CostPath | undefined, step: string): CostPath | undefined {
    return path && new CostPath([...path.room.slice(0, path.size), step], path.size + 1, path.size + 1);
  }

  /** The variable, or what stands in its place. */
  get root(): string {
    return this.room[0]!;
  }

  /** Steps below the variable. */
  steps(): readonly string[] {
    return this.room.slice(1, this.size);
  }
}
