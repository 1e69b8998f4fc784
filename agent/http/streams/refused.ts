/** Requests that are answered with a fault. */

/** See the top of the file: the answer's status and text. */
export class Refused extends Error {
  constructor(readonly status: number, message: string) {
    super(message);
  }
}
