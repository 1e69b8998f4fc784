/** Making responses. */
import { lengthOf, sharedBody } from "./large_body.ts";
import type { RequestScope } from "./request.ts";

/** Headers by their lower-case names. */
export type Head = Record<string, string>;

/** What a body may be made of. */
export type AnswerBody = Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array> | string | null;

/** A response that carries what every answer to its request does. One made at once costs a third of one that is added to. */
export function answer(scope: RequestScope, status: number, own: Head, body: AnswerBody): Response {
  const { head } = scope;
  let sent = body, length = {};
  if (body instanceof Uint8Array) {
    scope.size = body.length;
    sent = sharedBody(body, scope.limitMs ?? Infinity);
    if (sent !== body) length = lengthOf(body);
  }
  const vary = own["vary"] !== undefined && head["vary"] !== undefined
    ? { vary: `${head["vary"]}, ${own["vary"]}` }
    : {};
  return scope.answered = new Response(sent, { status, headers: { ...head, ...own, ...length, ...vary } });
}
