import assert from "node:assert/strict";
import { keepUtilChains } from "../../../agent/network/util_chains.ts";
import { CommandError, run, type RunCommand } from "../../../agent/volumes/command.ts";
import { StandingClock, until } from "../volumes/_fixture.ts";

/** Why no network of the test's own, whose tables it changes, is to be had. */
async function missing(): Promise<string | undefined> {
  const network = `trial-${Deno.pid}`;
  try {
    await run("ip", ["netns", "add", network]);
  } catch {
    return "needs root, the command ip and networks of its own";
  }
  try {
    await run("ip", ["netns", "exec", network, "iptables", "-w", "5", "-S"]);
    return undefined;
  } catch {
    return "needs the command iptables, and the right to it";
  } finally {
    await run("ip", ["netns", "del", network]);
  }
}

const why = await missing();

Deno.test({
  name: `the chains are made, and made again when the tables were emptied${why ? ` (${why})` : ""}`,
  ignore: why !== undefined, // no network of its own, or no iptables, on this machine
  fn: async () => {
    const network = `chains-${Deno.pid}`;
    const inside: RunCommand = (command, args) => run("ip", ["netns", "exec", network, command, ...args]);
    const rules = (table: string, command = "iptables") => inside(command, ["-w", "5", "-S", "-t", table]);
    await run("ip", ["netns", "add", network]);
    const end = new AbortController(), clock = new StandingClock(), said: string[] = [];
    try {
      const keeping = keepUtilChains({ makeIptablesUtilChains: true }, {
        run: inside,
        clock,
        say: (text) => void said.push(text),
      }, end.signal);
      await until(async () => /KUBE-KUBELET-CANARY/.test(await rules("filter")));
      assert.match(await rules("mangle"), /-N KUBE-IPTABLES-HINT\n-N KUBE-KUBELET-CANARY/);
      const filter = await rules("filter");
      assert.match(filter, /-A INPUT -j KUBE-FIREWALL\n-A OUTPUT -j KUBE-FIREWALL\n/);
      assert.match(filter, /-A KUBE-FIREWALL ! -s 127\.0\.0\.0\/8 -d 127\.0\.0\.0\/8 .*-j DROP/);
      for (const table of ["mangle", "nat", "filter"]) {
        await inside("iptables", ["-w", "5", "-F", "-t", table]);
        await inside("iptables", ["-w", "5", "-X", "-t", table]);
      }
      await until(async () => {
        clock.advance(60_000);
        return /-A INPUT -j KUBE-FIREWALL/.test(await rules("filter"));
      });
      end.abort();
      await keeping;
      assert.equal((await rules("filter")).match(/-A INPUT -j KUBE-FIREWALL/g)!.length, 1);
    } finally {
      end.abort();
      await run("ip", ["netns", "del", network]);
    }
  },
});

Deno.test("a host without iptables goes without, and so does one that wants none", async () => {
  const said: string[] = [], asked: string[] = [];
  const parts = {
    run: (command: string) => (asked.push(command), Promise.reject(new CommandError("ENOENT", undefined, ""))),
    clock: new StandingClock(),
    say: (text: string) => void said.push(text),
  };
  await keepUtilChains({ makeIptablesUtilChains: false }, parts, new AbortController().signal);
  assert.deepEqual(asked, []);
  await keepUtilChains({ makeIptablesUtilChains: true }, parts, new AbortController().signal);
  assert.deepEqual(asked, ["iptables", "ip6tables"]);
  assert.equal(said.length, 2);
});
