/** How pages for operators are written. */

/** What every page says first. */
const NOTE = "Warning: this page is for people; its form may change at any time.";

/** A title, a note that nothing may read this, and lines. */
export const pageOf = (title: string, lines: readonly string[]): string => [title, NOTE, "", ...lines, ""].join("\n");

/** An answer of plain text. */
export function textAnswer(body: string, status = 200): Response {
  const headers = { "content-type": "text/plain; charset=utf-8", "x-content-type-options": "nosniff" };
  return new Response(body, { status, headers });
}
