/** Syntaxes of names, as sources of regular expressions. Their lengths are bounded by whoever uses them. */

/** A DNS label (RFC 1123). */
export const LABEL = "[a-z0-9]([-a-z0-9]*[a-z0-9])?";
/** A DNS subdomain (RFC 1123). */
export const SUBDOMAIN = `${LABEL}(\\.${LABEL})*`;
/** A DNS label that starts with a letter (RFC 1035). */
export const LABEL_1035 = "[a-z]([-a-z0-9]*[a-z0-9])?";
/** The name part of a label's key. */
export const KEY_NAME = "([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]";
/** A UUID in lower case. */
export const UUID = "[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}";
