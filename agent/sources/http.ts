/** Pods of a web page (`--manifest-url`). */
import { createHash } from "node:crypto";
import type { Pod } from "../../schema/api/core_v1.ts";
import type { LogLine } from "../../schema/log/log.ts";
import { within } from "../client/within.ts";
import type { Clock, Source } from "../types.ts";
import { type ManifestContext, MAX_MANIFEST, readManifest } from "./manifest.ts";

/** What the source of a web page is started with. */
export interface HttpSourceOptions extends ManifestContext {
  readonly manifestUrl: string;
  /** `--manifest-url-header`: values by name. */
  readonly manifestUrlHeader: Readonly<Record<string, readonly string[]>>;
  /** ms */
  readonly httpCheckFrequency: number;
  readonly clock: Clock;
  readonly log: LogLine;
}

/** Time of one request, ms. */
const REQUEST_MS = 10_000;
/** Failures in a row that are told. */
const TOLD = 4;

/** Asks for the page at each check. */
export class HttpSource implements Source {
  readonly name = "http";
  #digest: string | undefined;

  constructor(readonly options: HttpSourceOptions) {}

  async run(deliver: (pods: readonly Pod[]) => void, signal: AbortSignal): Promise<void> {
    const { clock, log, httpCheckFrequency } = this.options;
    let failures = 0;
    while (!signal.aborted) {
      try {
        await this.#read(deliver, signal);
        if (failures) log("info", "Successfully read pods from URL");
        failures = 0;
      } catch (e) {
        if (++failures <= TOLD && !signal.aborted) {
          log("warn", "Failed to read pods from URL", { err: (e as Error).message });
        }
      }
      await clock.wait(httpCheckFrequency, signal);
    }
  }

  async #read(deliver: (pods: readonly Pod[]) => void, signal: AbortSignal): Promise<void> {
    const { manifestUrl: url } = this.options;
    const bytes = await this.#ask(url, signal);
    const digest = createHash("sha256").update(bytes).digest("hex");
    if (digest === this.#digest) return;
    this.#digest = digest;
    if (!bytes.length) {
      // The page says that there are no pods; that somebody meant it so is not sure.
      deliver([]);
      throw new Error(`zero-length data received from ${url}`);
    }
    deliver(readManifest(bytes, { source: "http", place: url }, this.options));
  }

  async #ask(url: string, outer: AbortSignal): Promise<Uint8Array> {
    const { clock, manifestUrlHeader } = this.options;
    const headers = Object.entries(manifestUrlHeader).flatMap(([name, values]) =>
      values.map((value): [string, string] => [name, value])
    );
    return await within(clock, REQUEST_MS, "it took too long", [outer], async (signal) => {
      const response = await fetch(url, { headers, signal });
      const bytes = await readSome(response, MAX_MANIFEST);
      if (response.status !== 200) throw new Error(`${url}: ${response.status} ${response.statusText}`);
      return bytes;
    });
  }
}

async function readSome(response: Response, limit: number): Promise<Uint8Array> {
  const parts: Uint8Array<ArrayBuffer>[] = [];
  let size = 0;
  for await (const part of response.body ?? []) {
    size += part.length;
    if (size > limit) throw new Error(`the body is longer than ${limit} bytes`);
    parts.push(part);
  }
  return new Uint8Array(await new Blob(parts).arrayBuffer());
}
