/** The host's own logind on a bus of its own, and a systemd that only tells what it is asked. */
import { Connection } from "../../../agent/dbus/connection.ts";
import { MESSAGE, type Message } from "../../../agent/dbus/message.ts";
import type { Value } from "../../../agent/dbus/values.ts";
import { Bus } from "../../../agent/dbus/bus.ts";
import { until } from "../../listen/_fixture.ts";

const DAEMON = "/usr/bin/dbus-daemon", LOGIND = "/lib/systemd/systemd-logind", INHIBIT = "/usr/bin/systemd-inhibit";

const isThere = (path: string): boolean => {
  try {
    return Deno.statSync(path) !== undefined;
  } catch {
    return false;
  }
};

/** The file of a socket is there before somebody listens. */
const answers = (path: string): Promise<boolean> =>
  Deno.connect({ transport: "unix", path }).then((c) => (c.close(), true), () => false);

/** Why no bus can be had, on one line. */
export const noBus: string | undefined = isThere(DAEMON) ? undefined : "dbus-daemon is not installed";

/** Why no logind can be run here, on one line. */
export const noLogind: string | undefined = noBus ??
  (![LOGIND, INHIBIT].every(isThere)
    ? "systemd is not installed"
    : isThere("/run/systemd/system")
    ? "the host has a logind of its own"
    : Deno.uid() !== 0
    ? "logind needs root"
    : undefined);

const configured = (socket: string): string =>
  `<!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
 "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
<busconfig>
  <listen>unix:path=${socket}</listen>
  <auth>EXTERNAL</auth>
  <policy context="default">
    <allow send_destination="*" eavesdrop="true"/>
    <allow eavesdrop="true"/>
    <allow own="*"/>
  </policy>
</busconfig>
`;

/** Runs with a bus, at its address. */
export async function withBus(run: (address: string) => Promise<void>): Promise<void> {
  const dir = await Deno.makeTempDir();
  const socket = `${dir}/bus`, config = `${dir}/bus.conf`;
  await Deno.writeTextFile(config, configured(socket));
  const daemon = new Deno.Command(DAEMON, {
    args: [`--config-file=${config}`, "--nofork", "--nopidfile"],
    stdout: "null",
    stderr: "null",
  }).spawn();
  try {
    await until("the bus is there", () => answers(socket));
    await run(`unix:path=${socket}`);
  } finally {
    daemon.kill("SIGTERM");
    await daemon.status;
    await Deno.remove(dir, { recursive: true });
  }
}

/** Who offers something on a bus: what it was asked, and what it answers by member; undefined: an error. */
export class Offer {
  readonly asked: Message[] = [];
  #serial = 100;

  private constructor(readonly connection: Connection, readonly answers: Readonly<Record<string, Answer>>) {}

  static async open(address: string, name: string, answers: Readonly<Record<string, Answer>>): Promise<Offer> {
    const offer = new Offer(await Connection.open(address), answers);
    offer.#serve().catch(() => {});
    const daemon = { destination: "org.freedesktop.DBus", path: "/org/freedesktop/DBus" };
    const own = { type: MESSAGE.call, ...daemon, interface: "org.freedesktop.DBus" };
    await offer.connection.send({ ...own, serial: 1, member: "Hello" });
    await offer.connection.send({ ...own, serial: 2, member: "RequestName", signature: "su", body: [name, 0] });
    await until(`${name} is taken`, () => offer.#named);
    return offer;
  }

  #named = false;

  /** Tells all a signal. */
  signal(path: string, of: string, member: string, signature: string, body: readonly Value[]): Promise<void> {
    return this.connection.send({
      type: MESSAGE.signal,
      serial: ++this.#serial,
      path,
      interface: of,
      member,
      signature,
      body,
    });
  }

  close(): void {
    this.connection.close();
  }

  async #serve(): Promise<void> {
    for await (const message of this.connection.messages()) {
      if (message.type === MESSAGE.answer && message.replySerial === 2) this.#named = true;
      if (message.type !== MESSAGE.call) continue;
      this.asked.push(message);
      const { sender: destination = "", serial: replySerial, member = "" } = message;
      const answer = this.answers[member], to = { serial: ++this.#serial, replySerial, destination };
      const [signature, body] = answer?.(message.body ?? []) ?? [];
      await this.connection.send(
        signature === undefined
          ? { type: MESSAGE.error, ...to, errorName: "org.test.Refused", signature: "s", body: ["no such thing"] }
          : { type: MESSAGE.answer, ...to, signature, body: body ?? [] },
      );
    }
  }
}

/** Signature and values. */
export type Answer = (asked: readonly Value[]) => readonly [signature: string, values: readonly Value[]] | undefined;

/** A logind of the host on a bus. */
export interface HostLogind {
  readonly address: string;
  readonly systemd: Offer;
  /** Asks it to power the host off, which nobody here can. */
  powerOff(): Promise<void>;
}

/** Runs with it. What it asks of systemd in the end is refused. */
export async function withLogind(run: (host: HostLogind) => Promise<void>): Promise<void> {
  await withBus(async (address) => {
    const systemd = await Offer.open(address, "org.freedesktop.systemd1", {
      Subscribe: () => ["", []],
      KillUnit: () => ["", []],
      LoadUnit: () => ["o", ["/org/freedesktop/systemd1/unit/poweroff_2etarget"]],
      Get: ([, name]) => name === "LoadState" ? ["v", [{ signature: "s", value: "loaded" }]] : undefined,
    });
    const logind = new Deno.Command(LOGIND, {
      env: { DBUS_SYSTEM_BUS_ADDRESS: address },
      stdout: "null",
      stderr: "null",
    }).spawn();
    const bus = await Bus.open(new AbortController().signal, address);
    const manager = { destination: "org.freedesktop.login1", path: "/org/freedesktop/login1" };
    const powerOff = () =>
      bus.call({ ...manager, interface: "org.freedesktop.login1.Manager", member: "PowerOff" }, "b", [false]);
    const isUp = () =>
      bus.call({ ...manager, interface: "org.freedesktop.DBus.Peer", member: "Ping" }).then(() => true, () => false);
    try {
      await until("logind is there", isUp);
      await run({ address, systemd, powerOff: async () => void await powerOff() });
    } finally {
      logind.kill("SIGTERM");
      await logind.status;
      bus.close();
      systemd.close();
    }
  });
}
