/** What a service of v2 may say, and what a value of it must hold. */
import { dnsSubdomain } from "../../../../schema/values/names.ts";
import { byteLength } from "../../../../schema/values/utf8.ts";
import { type Annotation, type EncryptedObject, SOURCE } from "./messages.ts";

const KEY_ID = 1024;
const SOURCE_SIZE = 1024;
const ANNOTATIONS = 32 * 1024;

/** What is wrong with a key's name. */
export function keyIdFault(keyId: string): string | undefined {
  if (keyId === "") return "the key's name is empty";
  const size = byteLength(keyId);
  return size > KEY_ID ? `the key's name has ${size} bytes, more than ${KEY_ID}` : undefined;
}

/** @throws Error that tells what is wrong */
export function checkEncrypted({ data, keyId, source, annotations, sourceType }: EncryptedObject): void {
  const why = sourceType !== SOURCE.key && sourceType !== SOURCE.seed
    ? `the kind of data key ${sourceType} is not known`
    : data.length === 0
    ? "there is no encrypted data"
    : source.length === 0
    ? "there is no encrypted data key"
    : source.length > SOURCE_SIZE
    ? `the encrypted data key has ${source.length} bytes, more than ${SOURCE_SIZE}`
    : keyIdFault(keyId) ?? annotationsFault(annotations);
  if (why) throw new Error(why);
}

function annotationsFault(annotations: readonly Annotation[]): string | undefined {
  let size = 0;
  for (const { key = "", value } of annotations) {
    if (!isDomain(key)) return `the annotation ${JSON.stringify(key)} is no domain name of two parts or more`;
    size += byteLength(key) + (value?.length ?? 0);
  }
  return size > ANNOTATIONS ? `the annotations have ${size} bytes, more than ${ANNOTATIONS}` : undefined;
}

function isDomain(name: string): boolean {
  const bare = name.replace(/\.$/, "");
  return bare.includes(".") && dnsSubdomain(bare).length === 0;
}
