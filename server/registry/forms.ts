/**
 * Wire forms of objects, as the cache keeps them: the bare object, without `kind` and `apiVersion` in JSON and without
 * the envelope in Protobuf, so that the same bytes serve a GET, a LIST item, and a watch event.
 */
import type { MediaKind } from "../../schema/codec/media.ts";
import type { Form } from "../cache/mod.ts";

/** By key. Versions of custom kinds come and go: what does not fit is made anew each time. */
const FORMS = new Map<string, Form>();
const MAX_FORMS = 4096;

/** The form of objects of an `apiVersion` in an encoding. Equal forms have equal keys. */
export function formOf(apiVersion: string, media: MediaKind, as: Form["as"] = "object"): Form {
  const key = as === "metadata" ? `${apiVersion}/${media};meta` : `${apiVersion}/${media}`;
  let form = FORMS.get(key);
  if (!form) {
    form = { key, version: apiVersion, media, as };
    if (FORMS.size < MAX_FORMS) FORMS.set(key, form);
  }
  return form;
}
