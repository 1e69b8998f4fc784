/** The service of the host that shuts it down (systemd-logind). */
import { join } from "node:path";
import { Bus } from "../dbus/bus.ts";
import type { Variant } from "../dbus/values.ts";
import { type Lock, takeLock } from "./lock.ts";

/** See the top of the file. */
export interface Logind {
  /** How long it waits for those who hold a lock, ms. @throws Error */
  delay(): Promise<number>;
  /** Has it wait so long, ms, which it does some time later. @throws Error */
  setDelay(ms: number): Promise<void>;
  /** @throws Error */
  lock(): Promise<Lock>;
  /** Hears from now on when a shutdown begins (true) and when it is called off. @throws Error */
  hear(told: (isShuttingDown: boolean) => void): Promise<void>;
  /** Fulfilled when it cannot be heard any more. */
  readonly over: Promise<void>;
  close(): void;
}

const LOGIND = "org.freedesktop.login1";
const OBJECT = { destination: LOGIND, path: "/org/freedesktop/login1" };
const MANAGER = "org.freedesktop.login1.Manager";
const SYSTEMD = {
  destination: "org.freedesktop.systemd1",
  path: "/org/freedesktop/systemd1",
  interface: "org.freedesktop.systemd1.Manager",
};
/** Where its configuration is put together from. */
const DROP_INS = "/etc/systemd/logind.conf.d";
const DROP_IN = "99-kubelet.conf";
const SIGHUP = 1;

/** Reaches it by the system's bus, until the signal ends it. @param directory of drop-ins; tests give another @throws Error: there is none */
export async function openLogind(signal: AbortSignal, directory = DROP_INS): Promise<Logind> {
  const bus = await Bus.open(signal);
  return {
    delay: async () => {
      const get = { ...OBJECT, interface: "org.freedesktop.DBus.Properties", member: "Get" };
      const [found] = await bus.call(get, "ss", [MANAGER, "InhibitDelayMaxUSec"]);
      return Number((found as Variant).value) / 1000;
    },
    setDelay: async (ms) => {
      await Deno.mkdir(directory, { recursive: true, mode: 0o755 });
      const text = `# Written by the node agent.\n[Login]\nInhibitDelayMaxSec=${Math.round(ms / 1000)}\n`;
      await Deno.writeTextFile(join(directory, DROP_IN), text, { mode: 0o644 });
      await bus.call({ ...SYSTEMD, member: "KillUnit" }, "ssi", ["systemd-logind.service", "all", SIGHUP]);
    },
    lock: () => takeLock(signal),
    hear: (told) => {
      const signal = { sender: LOGIND, path: OBJECT.path, interface: MANAGER, member: "PrepareForShutdown" };
      return bus.hear(signal, ([begins]) => {
        if (typeof begins === "boolean") told(begins);
      });
    },
    over: bus.over,
    close: () => bus.close(),
  };
}
