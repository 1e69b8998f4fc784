/** Spans of calls of webhooks. Where requests are not traced, nothing is made. */
import { KIND, type Span } from "../../../schema/tracing/span.ts";
import { hostPort } from "../../../schema/values/host_port.ts";
import type { Attributes } from "../types.ts";
import type { Hook } from "./hook.ts";
import type { HookAddress, HookAnswer } from "./transport.ts";

/** Runs the asking of a webhook within a span. */
export async function spanning<T>(
  a: Attributes,
  hook: Hook,
  uid: string,
  ask: (span: Span | undefined) => Promise<T>,
): Promise<T> {
  const { resource, version, subresource, operation } = a;
  const span = a.span?.child(`Call ${hook.kind} webhook`, {
    configuration: hook.configuration,
    webhook: hook.name,
    resource: `${resource.group}/${version}, Resource=${resource.name}`,
    subresource,
    operation,
    UID: uid,
  });
  try {
    return await ask(span);
  } finally {
    span?.end();
  }
}

/** Makes the call itself within a span of its own, whose headers the webhook gets; for a request that is not traced, with what it came with. */
export async function posting(
  outer: Span | undefined,
  a: Attributes,
  { name, namedPort, path }: HookAddress,
  post: (headers: Readonly<Record<string, string>> | undefined) => Promise<HookAnswer>,
): Promise<HookAnswer> {
  if (!outer) return await post(a.traceHeaders?.());
  const span = outer.child("HTTP POST", {
    "http.request.method": "POST",
    "url.full": `https://${hostPort(name, namedPort)}${path}`,
    "server.address": name,
    "server.port": namedPort,
  }, KIND.client);
  try {
    const answer = await post(span.headers());
    span.set({ "http.response.status_code": answer.status });
    if (answer.status >= 400) span.failed("");
    return answer;
  } catch (e) {
    span.failed((e as Error).message);
    throw e;
  } finally {
    span.end();
  }
}
