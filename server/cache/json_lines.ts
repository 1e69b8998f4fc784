/** Watch events as JSON documents, one a line (specification, "Watch events"). */
import type { Form, Framing, WatchEvent } from "./types.ts";

const encoder = new TextEncoder();
const head = {
  ADDED: encoder.encode('{"type":"ADDED","object":'),
  MODIFIED: encoder.encode('{"type":"MODIFIED","object":'),
  DELETED: encoder.encode('{"type":"DELETED","object":'),
  BOOKMARK: encoder.encode('{"type":"BOOKMARK","object":'),
};
const tail = encoder.encode("}\n");

/**
 * The framing for JSON forms.
 * @param key tells framings with different bookmarks apart
 * @param bookmark the object of a bookmark: the watched kind with nothing but its metadata, as JSON
 */
export function jsonLines(key: string, bookmark: (event: WatchEvent & { type: "BOOKMARK" }) => Uint8Array): Framing {
  return {
    key,
    parts: (event: WatchEvent, form: Form) => {
      const object = event.type === "BOOKMARK" ? bookmark(event) : event.entry.bytes(form, true);
      return [head[event.type], object, tail];
    },
  };
}
