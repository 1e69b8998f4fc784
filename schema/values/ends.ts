/** Ends of texts. */

/**
 * A text without those characters at its end. A pattern for them (`/\/+$/`) begins again at each character of a long run that is not
 * at the end.
 */
export function withoutEnd(text: string, characters: string): string {
  let length = text.length;
  while (length > 0 && characters.includes(text[length - 1]!)) length--;
  return text.slice(0, length);
}
