/** Time zones by the names of the time zone database. */

/** Names of three letters, and of places, that ICU has and the time zone database has not. */
const OF_ICU = new Set(
  ("ACT AET AGT ART AST BET BST CAT CNT CST CTT EAT ECT IET IST JST MIT NET NST PLT PNT PRT PST SST VST " +
    "US/Pacific-New Canada/East-Saskatchewan").split(" "),
);

interface Zone {
  readonly clock: Intl.DateTimeFormat;
  /** What ICU calls it. */
  readonly name: string;
}

/** Zones by names in lower case, of which there are some 600: making a clock takes many times as long as reading it. */
const ZONES = new Map<string, Zone>();

function zoneOf(name: string): Zone {
  const clock = new Intl.DateTimeFormat("en", {
    timeZone: name,
    hourCycle: "h23",
    era: "short",
    year: "numeric",
    month: "numeric",
    day: "numeric",
    hour: "numeric",
    minute: "numeric",
    second: "numeric",
  });
  return { clock, name: clock.resolvedOptions().timeZone };
}

/** A clock of the zone, which shows `7/10/2024 AD, 14:05:09`. @throws RangeError: the time zone database has no such name */
export function clockOf(name: string): Intl.DateTimeFormat {
  const key = name.toLowerCase(), unknown = () => new RangeError(`unknown time zone ${name}`);
  if (!/^[A-Z][^/]*(?:\/[A-Z][^/]*)*$/.test(name) || OF_ICU.has(name) || name.startsWith("SystemV/")) throw unknown();
  const zone = ZONES.get(key) ?? zoneOf(name);
  ZONES.set(key, zone);
  // Names are of files: their case matters. Of another name for the same zone it cannot be told, but by its first letters.
  if (zone.name !== name && zone.name.toLowerCase() === key) throw unknown();
  return zone.clock;
}

/** Whether the time zone database knows the name. */
export function isTimeZone(name: string): boolean {
  try {
    return clockOf(name) !== undefined;
  } catch {
    return false;
  }
}
