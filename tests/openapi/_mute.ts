/** Documents without what they say in words. */
import type { Loose } from "../fixture/loose.ts";

/** A copy of a part of a document, without descriptions. */
export const mute = (part: Loose): Loose =>
  JSON.parse(
    JSON.stringify(part),
    (name, value) => name === "description" && typeof value === "string" ? undefined : value,
  );
