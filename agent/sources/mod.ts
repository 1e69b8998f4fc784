/** Where the pods of this node come from. */
import type { Product } from "../../schema/product.ts";
import type { LogLine } from "../../schema/log/log.ts";
import type { Api, Clock, Source } from "../types.ts";
import { ApiSource } from "./api.ts";
import { FileSource, type FileSourceOptions } from "./file.ts";
import { HttpSource, type HttpSourceOptions } from "./http.ts";

/** Options that say which there are. */
export interface SourceOptions
  extends
    Pick<FileSourceOptions, "podManifestPath" | "fileCheckFrequency">,
    Pick<HttpSourceOptions, "manifestUrl" | "manifestUrlHeader" | "httpCheckFrequency"> {
  readonly product: Product;
}

/** What they work with. */
export interface SourceParts {
  /** Undefined: there is no API server. */
  readonly client: Api | undefined;
  readonly nodeName: string;
  readonly clock: Clock;
  readonly log: LogLine;
  gate(name: string): boolean;
}

/** The sources that the options name: static ones, and the API server where there is one. */
export function sourcesOf(options: SourceOptions, { client, nodeName, clock, log, gate }: SourceParts): Source[] {
  const rules = { product: options.product, gate, now: () => clock.now(), allowPrivileged: true };
  const parts = { ...options, nodeName, rules, clock, log };
  return [
    ...(options.podManifestPath ? [new FileSource(parts)] : []),
    ...(options.manifestUrl ? [new HttpSource(parts)] : []),
    ...(client ? [new ApiSource(client, nodeName)] : []),
  ];
}
