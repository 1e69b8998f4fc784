/** The API as an agent sees it, on a server in this process. */
import type { Json, Obj } from "../../../schema/model/types.ts";
import { type Api, ApiError, type ApiRequest, type Follower } from "../../../agent/types.ts";
import type { TestServer } from "../../fixture/server.ts";

/** Requests that were sent, as `VERB path`, and the API itself. */
export class TestApi implements Api {
  readonly sent: string[] = [];
  /** The next request with this verb fails. */
  refuse: string | undefined;
  /** So it does. */
  refusal = new Error("connection refused");
  /** Done just before the next request with this verb comes to the server. */
  before: { readonly verb: string; readonly work: () => Promise<unknown> } | undefined;

  constructor(readonly server: TestServer) {}

  async request<T>(verb: string, path: string, { query, body, patch }: ApiRequest = {}): Promise<T> {
    this.sent.push(`${verb} ${path}`);
    if (verb === this.refuse) {
      this.refuse = undefined;
      throw this.refusal;
    }
    if (verb === this.before?.verb) {
      const { work } = this.before;
      this.before = undefined;
      await work();
    }
    const answer = await this.server.fetch(path + (query ? `?${new URLSearchParams(query)}` : ""), {
      method: verb,
      ...(body === undefined ? {} : { body }),
      ...(patch ? { headers: { "content-type": patch } } : {}),
    });
    if (answer.status < 300) return answer.body as T;
    throw new ApiError(answer.status, answer.body.reason, answer.body.message);
  }

  async follow<T>(path: string, query: Readonly<Record<string, string>>, to: Follower<T>, signal: AbortSignal) {
    const list = await this.request<Obj>("GET", path, { query });
    const kind = { apiVersion: list.apiVersion, kind: list.kind.replace(/List$/, "") };
    to.replace((list.items as Json[]).map((item) => ({ ...kind, ...item as object }) as T));
    const watch = { ...query, watch: "true", resourceVersion: list.metadata.resourceVersion! };
    const response = await this.server.open(`${path}?${new URLSearchParams(watch)}`);
    const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
    signal.addEventListener("abort", () => reader.cancel().catch(() => {}), { once: true });
    for (let rest = "";;) {
      const { done, value } = await reader.read();
      if (done) return;
      const lines = (rest + value).split("\n");
      rest = lines.pop()!;
      for (const line of lines) {
        const { type, object } = JSON.parse(line);
        to.changed(type, object);
      }
    }
  }
}

/** Waits until the test's view of the world is so. */
export async function until(what: () => unknown): Promise<void> {
  for (let i = 0; i < 6000; i++) {
    if (await what()) return;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  throw new Error(`it never came to ${what}`);
}
