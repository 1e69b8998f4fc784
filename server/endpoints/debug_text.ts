/** How pages for operators are answered. */

/** An answer of plain text. */
export function textAnswer(body: string, status = 200): Response {
  const headers = { "content-type": "text/plain; charset=utf-8", "x-content-type-options": "nosniff" };
  return new Response(body, { status, headers });
}
