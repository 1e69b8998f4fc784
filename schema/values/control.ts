/** Control characters of ASCII. */

/** Whether a text holds one: U+0000 to U+001F, or U+007F. */
export const hasControl = (text: string): boolean => /[^ -~\u0080-\uffff]/.test(text);
