/**
 * Wire forms of objects, as the cache keeps them: the bare object, without `kind` and `apiVersion` in JSON and without
 * the envelope in Protobuf, so that the same bytes serve a GET, a LIST item, and a watch event.
 */
import type { MediaKind } from "../../schema/codec/media.ts";
import type { Form } from "../cache/mod.ts";

const FORMS = new Map<string, Form>();

/** The form of objects of an `apiVersion` in an encoding. The same object each time. */
export function formOf(apiVersion: string, media: MediaKind, as: Form["as"] = "object"): Form {
  const key = as === "metadata" ? `${apiVersion}/${media};meta` : `${apiVersion}/${media}`;
  let form = FORMS.get(key);
  if (!form) FORMS.set(key, form = { key, version: apiVersion, media, as });
  return form;
}
