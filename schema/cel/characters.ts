/** Texts by their characters, where the runtime has UTF-16 units, and places in them, found in linear time. */

/** What is longer is counted once, as long as few others were counted since: loops ask for the size of one text again and again. */
const LONG = 1000, MOST_KNOWN = 8;
const COUNTS = new Map<string, number>();
const PAIR = /[\ud800-\udbff]/;

/** Number of a text's characters. */
export function length(s: string): number {
  if (s.length < LONG) return counted(s);
  let n = COUNTS.get(s);
  if (n === undefined) {
    if (COUNTS.size >= MOST_KNOWN) COUNTS.clear();
    COUNTS.set(s, n = counted(s));
  }
  return n;
}

function counted(s: string, end = s.length): number {
  // Of most texts the runtime knows that none of their units is half of a character.
  if (!PAIR.test(s)) return end;
  let n = 0;
  for (let at = 0; at < end; n++) at += width(s, at);
  return n;
}

const width = (s: string, at: number): number => s.codePointAt(at)! > 0xffff ? 2 : 1;

/** Where the character stands that has so many before it. */
export function unitAt(s: string, characters: number): number {
  if (length(s) === s.length) return characters;
  let at = 0;
  for (let n = 0; n < characters; n++) at += width(s, at);
  return at;
}

/** How many characters stand before a place. */
export const charactersBefore = (s: string, at: number): number => length(s) === s.length ? at : counted(s, at);

/** Texts up to this length are looked for by the runtime, whose time is the product of both lengths. */
const SHORT = 32;

/** Where a text that is not empty stands in another, in order; places may overlap. */
export function* places(s: string, part: string): Generator<number> {
  if (part.length <= SHORT) {
    for (let at = s.indexOf(part); at >= 0; at = s.indexOf(part, at + 1)) yield at;
    return;
  }
  const back = borders(part);
  for (let i = 0, held = 0; i < s.length; i++) {
    held = longer(part, back, held, s.charCodeAt(i));
    if (held < part.length) continue;
    yield i + 1 - held;
    held = back[held - 1]!;
  }
}

/** Of each beginning of a text: how long a beginning it ends with, besides itself. */
function borders(part: string): Int32Array {
  const back = new Int32Array(part.length);
  for (let i = 1, held = 0; i < part.length; i++) back[i] = held = longer(part, back, held, part.charCodeAt(i));
  return back;
}

/** How much of a text is held with one more unit. */
function longer(part: string, back: Int32Array, held: number, unit: number): number {
  let n = held;
  while (n > 0 && part.charCodeAt(n) !== unit) n = back[n - 1]!;
  return part.charCodeAt(n) === unit ? n + 1 : n;
}

/** The same without those that overlap one before; an empty text stands before each character and at the end. */
export function* cuts(s: string, part: string): Generator<number> {
  if (part !== "") {
    let end = 0;
    for (const at of places(s, part)) {
      if (at < end) continue;
      yield at;
      end = at + part.length;
    }
    return;
  }
  for (let at = 0; at < s.length; at += width(s, at)) yield at;
  yield s.length;
}
