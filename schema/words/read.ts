/** Reads tables of words: what the kinds of a group and their members are, in sentences that documents show. */

/** What is said of one message. */
export interface Said {
  /** Of the message itself. */
  readonly text: string;
  /** Of its members, by their JSON names. */
  readonly members: ReadonlyMap<string, string>;
}

/**
 * Words by message name. A line without indent begins a message (`Pod: Containers that …`), one with two spaces tells of
 * a member of it (`  phase: How far …`), one with more goes on with the text before.
 */
export function readWords(text: string): Map<string, Said> {
  const out = new Map<string, Said>();
  let members = new Map<string, string>();
  for (const line of joined(text)) {
    const own = line.startsWith("  "), colon = line.indexOf(": ");
    const name = line.slice(own ? 2 : 0, colon), said = line.slice(colon + 2);
    if (own) members.set(name, said);
    else out.set(name, { text: said, members: members = new Map() });
  }
  return out;
}

/** The lines that are not empty, each with those that go on with it. */
const joined = (text: string): string[] => text.replace(/\n {3,}/g, " ").split("\n").filter((line) => line !== "");
