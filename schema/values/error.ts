/** A text or a body that does not say a value: bad syntax, or out of the value's range. The message is fit for a client. */
export class ValueError extends Error {
  override readonly name: string = "ValueError";
}
