/**
 * What clients send that nobody asks for: trailers without end, the rest of a body whose request is answered, frames of no request.
 * The runtime's server (2.9.3) takes all of it for as long as it comes, trailers into memory.
 */

/** Bytes of one client. Sockets between here and the inner server hold some 4 MB (10 as Linux lets them grow) of a body that waits to be read. */
const MOST = 16 * 1024 * 1024;
/** Bytes of one client while none of its requests is worked on: as much as may come of the next one before it is looked at. */
const RESTING = 4 * 1024 * 1024;
/** Bytes of all clients together; past them who has sent more than {@linkcode LITTLE} is cut. */
const TOGETHER = 256 * 1024 * 1024;
const LITTLE = 1024 * 1024;

/** Bounds; by default those above. */
export interface UnheardBounds {
  readonly most: number;
  readonly resting: number;
  readonly together: number;
  readonly little: number;
}

/** What all clients of a listener send so. */
export class Unheard {
  readonly bounds: UnheardBounds;
  /** Bytes of all of them now. */
  total = 0;

  constructor(bounds: UnheardBounds = { most: MOST, resting: RESTING, together: TOGETHER, little: LITTLE }) {
    this.bounds = bounds;
  }

  /** The count of one client. */
  client(): UnheardClient {
    return new UnheardClient(this);
  }
}

/** What one client sends so. */
export class UnheardClient {
  readonly #all: Unheard;
  #bytes = 0;

  constructor(all: Unheard) {
    this.#all = all;
  }

  /** It has sent so many bytes more, while some of its requests are worked on or none is; whether it may go on. */
  sent(bytes: number, inFlight: number): boolean {
    const { most, resting, together, little } = this.#all.bounds;
    this.#bytes += bytes;
    this.#all.total += bytes;
    return this.#bytes <= (inFlight > 0 ? most : resting) && (this.#bytes <= little || this.#all.total <= together);
  }

  /** Somebody listens: a request begins or ends, a piece of a body is read, or the client goes. */
  heard(): void {
    this.#all.total -= this.#bytes;
    this.#bytes = 0;
  }
}
