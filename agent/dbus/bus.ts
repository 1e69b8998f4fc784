/** A message bus: calls of what others offer, and their signals. */
import { Connection } from "./connection.ts";
import { MESSAGE, type Message } from "./message.ts";
import type { Value } from "./values.ts";

/** The system's, where nothing else is said. */
const SYSTEM = "unix:path=/run/dbus/system_bus_socket";
/** Time of a call, ms. */
const TIME = 25_000;

/** What is called. */
export interface Method {
  readonly destination: string;
  readonly path: string;
  readonly interface: string;
  readonly member: string;
}

/** A signal: who sends it, by a name of its own, and which. */
export interface Signal extends Omit<Method, "destination"> {
  readonly sender: string;
}

/** An answer that is none. */
export class DbusError extends Error {
  override readonly name = "DbusError";

  /** @param error `org.freedesktop.DBus.Error.ServiceUnknown` */
  constructor(readonly error: string, message: string) {
    super(message);
  }
}

const DAEMON = {
  destination: "org.freedesktop.DBus",
  path: "/org/freedesktop/DBus",
  interface: "org.freedesktop.DBus",
};

/** See the top of the file. */
export class Bus {
  readonly #connection: Connection;
  readonly #asked = new Map<number, PromiseWithResolvers<readonly Value[]>>();
  readonly #heard: { readonly signal: Signal; readonly told: (body: readonly Value[]) => void }[] = [];
  #serial = 0;
  /** Fulfilled when the connection is lost or closed. */
  readonly over: Promise<void>;

  private constructor(connection: Connection) {
    this.#connection = connection;
    this.over = this.#read();
  }

  /** @param address see {@linkcode Connection.open}; without it that of the system @param signal ends it @throws Error */
  static async open(signal: AbortSignal, address = Deno.env.get("DBUS_SYSTEM_BUS_ADDRESS") || SYSTEM): Promise<Bus> {
    const bus = new Bus(await Connection.open(address, signal)), close = () => bus.close();
    signal.addEventListener("abort", close, { once: true });
    bus.over.then(() => signal.removeEventListener("abort", close));
    try {
      await bus.call({ ...DAEMON, member: "Hello" });
      return bus;
    } catch (e) {
      bus.close();
      throw e;
    }
  }

  /** Values of the answer. @throws DbusError: it is refused; Error: the connection is lost, or no answer came in time */
  async call(method: Method, signature = "", body: readonly Value[] = []): Promise<readonly Value[]> {
    const serial = ++this.#serial, answer = Promise.withResolvers<readonly Value[]>();
    this.#asked.set(serial, answer);
    const late = setTimeout(() => answer.reject(new Error(`${method.member}: no answer in time`)), TIME);
    try {
      // A bus that takes nothing does not answer in time, either.
      this.#connection.send({ type: MESSAGE.call, serial, ...method, signature, body }).catch(answer.reject);
      return await answer.promise;
    } finally {
      clearTimeout(late);
      this.#asked.delete(serial);
    }
  }

  /** Hears a signal from now on. @throws as {@linkcode call} */
  async hear(signal: Signal, told: (body: readonly Value[]) => void): Promise<void> {
    this.#heard.push({ signal, told });
    const { sender, path, interface: of, member } = signal;
    const rule = `type='signal',sender='${sender}',interface='${of}',member='${member}',path='${path}'`;
    await this.call({ ...DAEMON, member: "AddMatch" }, "s", [rule]);
  }

  /** Ends it; calls under way fail. */
  close(): void {
    this.#connection.close();
  }

  async #read(): Promise<void> {
    let why = new Error("the connection to the bus is closed");
    try {
      for await (const message of this.#connection.messages()) this.#take(message);
    } catch (e) {
      why = e as Error;
    }
    this.close();
    for (const answer of this.#asked.values()) answer.reject(why);
  }

  #take(message: Message): void {
    const { type, replySerial = 0, errorName = "", body = [] } = message;
    const asked = this.#asked.get(replySerial), [text] = body;
    if (type === MESSAGE.answer) asked?.resolve(body);
    if (type === MESSAGE.error) asked?.reject(new DbusError(errorName, typeof text === "string" ? text : errorName));
    // The bus chooses by the sender only what is for all.
    if (type !== MESSAGE.signal || message.destination !== undefined) return;
    for (const { signal, told } of this.#heard) {
      const { path, interface: of, member } = signal;
      if (path === message.path && of === message.interface && member === message.member) told(body);
    }
  }
}
