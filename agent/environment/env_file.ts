/** Files of variables that containers write for those that start after them: `NAME='value'`, one after the other. */
import type { FileHandle } from "node:fs/promises";
import { openInside } from "../files.ts";

/** Largest file, bytes. */
const LARGEST = 1024 * 1024;
const BLANK = /^[ \t]+/;

interface Line {
  readonly name: string;
  /** What is after the sign. */
  readonly rest: string;
}

function readName(line: string, number: number): Line {
  const fail = (why: string): never => {
    throw new Error(`invalid environment variable format at line ${number}: ${why}`);
  };
  const sign = line.indexOf("=");
  if (sign < 0) fail("missing '='");
  const name = line.slice(0, sign);
  if (name === "") fail("empty variable name");
  if (/[ \t]$/.test(name)) fail("whitespace before '=' is not allowed");
  const rest = line.slice(sign + 1);
  if (!BLANK.test(rest) && !rest.startsWith("'")) fail("value must be enclosed in single quotes");
  return { name, rest };
}

/** The value of a name, the first; empty when it is not there. @throws Error: the text up to it is none of variables */
export function variableIn(text: string, name: string): string {
  const lines = text.split(/\r?\n/);
  for (let i = 0; i < lines.length; i++) {
    const line = lines[i]!.replace(BLANK, "");
    if (line === "" || line.startsWith("#")) continue;
    const start = i + 1, found = readName(line, start);
    let rest = found.rest, value = "";
    if (!rest.startsWith("'")) {
      if (found.name === name) return "";
      continue;
    }
    rest = rest.slice(1);
    let end = rest.indexOf("'");
    for (; end < 0; end = rest.indexOf("'")) {
      value += `${rest}\n`;
      if (++i >= lines.length) {
        throw new Error(`invalid environment variable format starting at line ${start}: unclosed single quote`);
      }
      rest = lines[i]!;
    }
    if (!/^[ \t]*(?:#|$)/.test(rest.slice(end + 1))) {
      throw new Error(`invalid environment variable format at line ${i + 1}: unexpected content after closing quote`);
    }
    if (found.name === name) return value + rest.slice(0, end);
  }
  return "";
}

/** A file of a volume, which links of it cannot lead out of. @throws Error: it is not there, too large, or elsewhere */
export async function readInside(volume: string, path: string): Promise<string> {
  await using file = await openInside(volume, path);
  const bytes = (await file.stat()).isFile() ? await wholeOf(file) : undefined;
  if (!bytes) throw new Error(`${path} is no file of at most ${LARGEST} bytes`);
  return new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);
}

/** Undefined: it is too large. Its size says nothing: a container may write to it meanwhile. */
async function wholeOf(file: FileHandle): Promise<Uint8Array | undefined> {
  const bytes = new Uint8Array(LARGEST + 1);
  let length = 0;
  for (let read = -1; read !== 0 && length < bytes.length; length += read) {
    read = (await file.read(bytes, length, bytes.length - length)).bytesRead;
  }
  return length > LARGEST ? undefined : bytes.subarray(0, length);
}
