/** What a process prints, followed while it runs. */

/** See the top of the file. */
export class Printed {
  #text = "";
  readonly #all: Promise<unknown>;

  /** @param name what it is, for faults */
  constructor(readonly child: Deno.ChildProcess, readonly name: string) {
    this.#all = Promise.all([child.stdout, child.stderr].map((stream) => this.#follow(stream)));
  }

  get text(): string {
    return this.#text;
  }

  /** Waits until it has said something. @throws Error with all that it printed, when it ends before */
  async until(word: string): Promise<void> {
    const ended = this.child.status.then(({ code }) => {
      throw new Error(`${this.name} ended with ${code}: ${this.#text}`);
    });
    ended.catch(() => {});
    const said = new Promise<void>((said) => this.#heard = () => this.#text.includes(word) && said());
    // It may have said it before.
    this.#heard();
    await Promise.race([said, ended]);
  }

  /** Ends the process, if it has not ended, and waits for its last word. */
  async stop(signal: Deno.Signal): Promise<void> {
    try {
      this.child.kill(signal);
    } catch { /* it has ended by itself */ }
    await this.child.status;
    await this.#all;
  }

  #heard: () => void = () => {};

  async #follow(stream: ReadableStream<Uint8Array>): Promise<void> {
    for await (const text of stream.pipeThrough(new TextDecoderStream())) {
      this.#text += text;
      this.#heard();
    }
  }
}
