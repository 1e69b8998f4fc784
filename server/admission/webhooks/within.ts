/** Calls of webhooks that end in time. */
import { StatusError } from "../../../schema/status.ts";
import type { HookAddress, HookAnswer, HookTransport } from "./transport.ts";

/**
 * Posts a review; the call ends with its own time, in ms, or with the request.
 * @throws StatusError 504 when the request has ended; Error that names the address and says why there is no answer
 */
export async function postWithin(
  ms: number,
  transport: HookTransport,
  address: HookAddress,
  text: string,
  signal: AbortSignal | undefined,
  headers: Readonly<Record<string, string>> = {},
): Promise<HookAnswer> {
  const end = new AbortController();
  const timer = setTimeout(() => end.abort(new Error("context deadline exceeded")), ms);
  const cancel = () => end.abort(new Error("context canceled"));
  if (signal?.aborted) cancel();
  else signal?.addEventListener("abort", cancel, { once: true });
  try {
    return await transport.post(address, text, end.signal, headers);
  } catch (e) {
    if (signal?.aborted) throw new StatusError(504, "Timeout", "request did not complete within requested timeout");
    const place = `Post "https://${address.name}:${address.namedPort}${address.path}"`;
    throw new Error(`${place}: ${(e as Error).message}`, { cause: e });
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener("abort", cancel);
  }
}
