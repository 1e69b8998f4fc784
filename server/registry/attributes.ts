/** What admission is told of a request to a resource. */
import type { Obj } from "../../schema/model/types.ts";
import type { AdmissionRecorder, Attributes, Operation } from "../admission/types.ts";
import type { Resource } from "../catalog/types.ts";
import type { User } from "../request.ts";
import type { TraceHeaders } from "../../schema/tracing/context.ts";
import type { Span } from "../../schema/tracing/span.ts";
import type { Caller } from "./context.ts";

/** A request as its caller made it. A class: an object with an accessor of its own takes the runtime a microsecond to make. */
export class RequestAttributes implements Attributes {
  readonly version: string;
  readonly options: Attributes["options"];
  readonly user: User;
  readonly dryRun: boolean;
  readonly recorder: AdmissionRecorder | undefined;
  readonly #caller: Caller;

  constructor(
    caller: Caller,
    readonly operation: Operation,
    readonly resource: Resource,
    readonly subresource: string,
    readonly namespace: string,
    readonly name: string,
    readonly object: Obj | undefined,
    readonly oldObject: Obj | undefined,
    options?: Attributes["options"],
  ) {
    this.#caller = caller;
    this.version = caller.version;
    this.options = options ?? caller.options;
    this.user = caller.user;
    this.dryRun = caller.dryRun;
    this.recorder = caller.recorder;
  }

  warn(text: string): void {
    this.#caller.warn(text);
  }

  annotate(key: string, value: string): void {
    this.#caller.annotate(key, value);
  }

  get signal(): AbortSignal {
    return this.#caller.signal;
  }

  get endsAt(): number | undefined {
    return this.#caller.endsAt;
  }

  get span(): Span | undefined {
    return this.#caller.span;
  }

  waited(ms: number): void {
    this.#caller.waited?.(ms);
  }

  traceHeaders(): TraceHeaders {
    return this.#caller.traceHeaders?.() ?? {};
  }
}
