/**
 * Chains of iptables by which other parts of a node know which iptables it uses (`KUBE-IPTABLES-HINT`), that somebody
 * emptied the tables (`KUBE-KUBELET-CANARY`), and that keep what is sent to the loopback from outside away (`KUBE-FIREWALL`).
 */
import type { Clock } from "../types.ts";
import { CommandError, type RunCommand } from "../volumes/command.ts";

/** Options of the chains. */
export interface UtilChainOptions {
  readonly makeIptablesUtilChains: boolean;
}

const EVERY = 60_000;
const WAIT: readonly string[] = ["-w", "5"];
const CANARY = "KUBE-KUBELET-CANARY", HINT = "KUBE-IPTABLES-HINT", FIREWALL = "KUBE-FIREWALL";
const TABLES: readonly string[] = ["mangle", "nat", "filter"];
/** Exit status: no such thing, or it is there already; another process holds the tables. */
const REFUSED = 1, BUSY = 4;

const JUMP: readonly string[] = ["-j", FIREWALL];
const MARTIANS: readonly string[] = [
  ...["-m", "comment", "--comment", "block incoming localnet connections"],
  ...["--dst", "127.0.0.0/8", "!", "--src", "127.0.0.0/8"],
  ...["-m", "conntrack", "!", "--ctstate", "RELATED,ESTABLISHED,DNAT"],
  ...["-j", "DROP"],
];

/** The tables of one family. */
class Tables {
  constructor(readonly command: string, readonly run: RunCommand) {}

  /** True: done. @throws CommandError for all but a refusal */
  async ask(operation: string, table: string, chain: string, rule: readonly string[] = []): Promise<boolean> {
    try {
      await this.run(this.command, [...WAIT, operation, chain, "-t", table, ...rule]);
      return true;
    } catch (e) {
      if (e instanceof CommandError && e.status === REFUSED) return false;
      throw e;
    }
  }

  async ensureRule(position: "-A" | "-I", table: string, chain: string, rule: readonly string[]): Promise<void> {
    if (await this.ask("-C", table, chain, rule) || await this.ask(position, table, chain, rule)) return;
    throw new Error(`error appending rule to ${chain}`);
  }

  async make(firewall: boolean): Promise<void> {
    await this.ask("-N", "mangle", HINT);
    if (!firewall) return;
    await this.ask("-N", "filter", FIREWALL);
    for (const chain of ["OUTPUT", "INPUT"]) await this.ensureRule("-I", "filter", chain, JUMP);
    await this.ensureRule("-A", "filter", FIREWALL, MARTIANS);
  }

  async sing(): Promise<void> {
    for (const table of TABLES) await this.ask("-N", table, CANARY);
  }

  /** Whether somebody emptied the tables. While they are held by another, it cannot be said. */
  async isSilent(): Promise<boolean> {
    try {
      return !await this.ask("-S", TABLES[0]!, CANARY);
    } catch (e) {
      return !(e instanceof CommandError && e.status === BUSY);
    }
  }
}

async function keep(tables: Tables, firewall: boolean, clock: Clock, signal: AbortSignal): Promise<void> {
  await tables.make(firewall);
  while (!signal.aborted) {
    await tables.sing().catch(() => {});
    do await clock.wait(EVERY, signal); while (!signal.aborted && !await tables.isSilent());
    if (!signal.aborted) await tables.make(firewall).catch(() => {});
  }
}

/** Commands, and whether their family gets the chain `KUBE-FIREWALL`: packets of IPv6 cannot come so. */
const FAMILIES: readonly (readonly [command: string, firewall: boolean])[] = [["iptables", true], ["ip6tables", false]];

/**
 * Makes the chains where the host has the command, and again within a minute when they were removed, until the signal ends it.
 * Never throws: the agent itself needs none of them. @param say told what could not be done
 */
export async function keepUtilChains(
  { makeIptablesUtilChains }: UtilChainOptions,
  { run, clock, say }: { readonly run: RunCommand; readonly clock: Clock; readonly say: (text: string) => void },
  signal: AbortSignal,
): Promise<void> {
  if (!makeIptablesUtilChains) return;
  await Promise.all(FAMILIES.map(async ([command, firewall]) => {
    const tables = new Tables(command, run);
    try {
      if (!await tables.ask("-S", "nat", "POSTROUTING")) throw new Error("no such table");
    } catch {
      return say(`No ${command} support on this system; not creating the ${HINT} chain`);
    }
    await keep(tables, firewall, clock, signal).catch((e: CommandError) =>
      say(`Failed to initialize ${command} rules; some functionality may be missing: ${e.output ?? e.message}`)
    );
  }));
}
