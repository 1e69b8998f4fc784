/** Answers to watches. */
import { Answer } from "./answers.ts";
import type { Taker } from "./exchange.ts";
import { framesOf } from "./frames.ts";
import type { Media, WatchEvent } from "./media.ts";

/** Takes an answer that is a stream of events, or an error. */
export class WatchTaker implements Taker {
  readonly #answer = new Answer();
  readonly #media: Media;
  readonly #event: (event: WatchEvent) => void;
  #frames: (piece: Uint8Array) => void = () => {};

  constructor(media: Media, event: (event: WatchEvent) => void) {
    this.#media = media;
    this.#event = event;
  }

  head(...[status, headers]: Parameters<Taker["head"]>): void {
    this.#answer.head(status, headers);
    const { type } = this.#answer;
    this.#frames = framesOf(this.#media.framed(type), (frame) => this.#event(this.#media.event(type, frame)));
  }

  piece(bytes: Uint8Array): void {
    if (this.#answer.ok) this.#frames(bytes);
    else this.#answer.piece(bytes);
  }

  /** @throws ApiError when it was an error */
  end(): void {
    if (this.#answer.status !== 0 && !this.#answer.ok) throw this.#answer.error(this.#media);
  }
}
