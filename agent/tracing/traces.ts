/** Spans of what the agent does. What begins within other work is a part of its trace, without being told so. */
import { AsyncLocalStorage } from "node:async_hooks";
import { KIND, type Span, type SpanAttributes } from "../../schema/tracing/span.ts";
import type { SpanRequest, Tracer } from "../../schema/tracing/tracer.ts";

/** See the top of the file. */
export interface Traces {
  /**
   * Work of the agent's own, from its beginning to its end; what it throws fails its span.
   * @param kind see `KIND`; internal without
   */
  work<T>(
    name: string,
    attributes: () => SpanAttributes,
    run: (span: Span) => Promise<T>,
    kind?: number,
  ): Promise<T>;
  /** The same for who asked for it. */
  serve<T>(request: SpanRequest, run: (span: Span) => Promise<T>): Promise<T>;
}

const NONE: Span = {
  child: () => NONE,
  set: () => {},
  failed: () => {},
  end: () => {},
  headers: () => ({}),
};

/** Where nothing is traced. */
export const NO_TRACES: Traces = { work: (_name, _attributes, run) => run(NONE), serve: (_request, run) => run(NONE) };

/** Work that is done, until it is over. */
interface Work {
  readonly span: Span;
  isOver: boolean;
}

/** Traces by a tracer. What goes on when the work is over that began it begins traces of its own. */
export class OwnTraces implements Traces {
  readonly #tracer: Tracer;
  readonly #present = new AsyncLocalStorage<Work>();

  constructor(tracer: Tracer) {
    this.#tracer = tracer;
  }

  work<T>(
    name: string,
    attributes: () => SpanAttributes,
    run: (span: Span) => Promise<T>,
    kind: number = KIND.internal,
  ): Promise<T> {
    const around = this.#present.getStore();
    return this.#run(
      around && !around.isOver
        ? around.span.child(name, attributes(), kind)
        : this.#tracer.start(name, attributes, kind),
      run,
    );
  }

  serve<T>(request: SpanRequest, run: (span: Span) => Promise<T>): Promise<T> {
    return this.#run(this.#tracer.begin(request), run);
  }

  async #run<T>(span: Span, run: (span: Span) => Promise<T>): Promise<T> {
    const work: Work = { span, isOver: false };
    try {
      return await this.#present.run(work, () => run(span));
    } catch (e) {
      span.failed(e instanceof Error ? e.message : String(e));
      throw e;
    } finally {
      work.isOver = true;
      span.end();
    }
  }
}
