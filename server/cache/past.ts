/** States of the past, from the present by undoing what the history holds. */
import type { Contents } from "./contents.ts";
import type { History } from "./history.ts";

/** So many events lie between two kept states: undoing them takes about 3 ms. */
export const keepEvery = 2048;

/** States made lately, for the next page of the same list. */
const remembered = 16;

/** See the top of the file. A state is known by the position in the history of the first event after it. */
export class Past {
  #recent: Map<number, Contents> | undefined;

  /** Remembers contents that do not change any more. */
  remember(position: number, contents: Contents): void {
    const recent = this.#recent ??= new Map();
    recent.delete(position);
    recent.set(position, contents);
    if (recent.size <= remembered) return;
    const [oldest] = recent.keys();
    recent.delete(oldest!);
  }

  /** Forgets what is older than the history. */
  trim(first: number): void {
    for (const position of this.#recent?.keys() ?? []) if (position < first) this.#recent!.delete(position);
  }

  /** Contents before the event at a position that the history holds. */
  contentsAt(position: number, present: Contents, history: History): Contents {
    const known = this.#recent?.get(position);
    if (known !== undefined) return known;
    const contents = undo(position, present, history);
    this.remember(position, contents);
    return contents;
  }
}

/** Undoes events from the nearest state kept after the position. */
function undo(position: number, present: Contents, history: History): Contents {
  let from = position;
  while (from < history.end && history.at(from).before === undefined) from++;
  const past = (from < history.end ? history.at(from).before! : present).clone();
  for (let at = from - 1; at >= position; at--) {
    const { previous, entry } = history.at(at);
    if (previous === undefined) past.delete(entry.key);
    else past.set(previous);
  }
  return past;
}
