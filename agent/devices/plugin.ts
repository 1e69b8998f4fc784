/** One device plugin behind its socket. */
import { Channel } from "../runtime/channel.ts";
import { RuntimeError } from "../runtime/types.ts";
import { type Allocation, CALLS, type PluginOptions, type Preference, type ToldDevice } from "./messages.ts";

/** Longest times of calls, ms: the first, which waits for the connection; one that prepares a device. */
const OPTIONS_MS = 10_000, PRE_START_MS = 30_000;
/** The same of those that pods are admitted by. The public agent waits for ever, and pods that come meanwhile wait with it. */
const ALLOCATE_MS = 120_000;

/** See the top of the file. */
export class Plugin {
  readonly #channel: Channel;
  #options: PluginOptions = { preStartRequired: false, preferredAllocationAvailable: false };

  private constructor(readonly resource: string, readonly socket: string) {
    this.#channel = new Channel(socket);
  }

  /** @throws Error: it does not answer */
  static async connect(resource: string, socket: string, signal: AbortSignal): Promise<Plugin> {
    const plugin = new Plugin(resource, socket);
    try {
      const asked = plugin.#channel.call(CALLS.options, {}, { timeout: OPTIONS_MS, signal });
      plugin.#options = await told(asked, "failed to get device plugin options: ");
      return plugin;
    } catch (fault) {
      plugin.close();
      throw fault;
    }
  }

  /** Its devices, all each time, until it goes. @throws RuntimeError: it went, or the signal ended it */
  async *devices(signal: AbortSignal): AsyncGenerator<readonly ToldDevice[], void> {
    for await (const { devices } of this.#channel.stream(CALLS.listAndWatch, {}, { signal })) yield devices;
  }

  /** Which it would rather give; nothing where it does not say. @throws Error */
  async prefer(preference: Preference): Promise<readonly string[]> {
    if (!this.#options.preferredAllocationAvailable) return [];
    const asked = this.#channel.call(CALLS.preferredAllocation, { containers: [preference] }, { timeout: ALLOCATE_MS });
    const { containers } = await told(asked, "device plugin GetPreferredAllocation rpc failed with err: ");
    return containers[0]?.ids ?? [];
  }

  /** What a container gets with devices. @throws Error */
  async allocate(ids: readonly string[]): Promise<Allocation> {
    const asked = this.#channel.call(CALLS.allocate, { containers: [{ ids }] }, { timeout: ALLOCATE_MS });
    const { containers: [allocation] } = await told(asked, "");
    if (!allocation) throw new Error("no containers return in allocation response");
    return allocation;
  }

  /** Whether devices are to be prepared before each start of a container. */
  get preparesStart(): boolean {
    return this.#options.preStartRequired;
  }

  /** Does that. @throws Error */
  async prepareStart(ids: readonly string[]): Promise<void> {
    const asked = this.#channel.call(CALLS.preStartContainer, { ids }, { timeout: PRE_START_MS });
    await told(asked, "device plugin PreStartContainer rpc failed with err: ");
  }

  close(): void {
    this.#channel.close();
  }
}

/** Faults in the public words. */
async function told<T>(asked: Promise<T>, before: string): Promise<T> {
  try {
    return await asked;
  } catch (fault) {
    const text = fault instanceof RuntimeError
      ? `rpc error: code = ${fault.code} desc = ${fault.message}`
      : (fault as Error).message;
    throw new Error(`${before}${text}`, { cause: fault });
  }
}
