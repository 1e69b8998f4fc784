/** etcd for tests: members on free loopback ports in a temporary directory, ended by their process ids. */
import { freePort } from "../fixture/free_port.ts";

/** A member, or several of one cluster. */
export interface EtcdCluster extends AsyncDisposable {
  /** Client URLs. */
  readonly endpoints: readonly string[];
  /** Signals a member. */
  signal(member: number, signal: Deno.Signal): void;
  /** Kills a member and waits for its end. */
  kill(member: number): Promise<void>;
  /** Starts a member again on its data. */
  start(member: number): Promise<void>;
  /** Keeps the data of a member that is killed. What this gives puts them back in the place of those that came after. */
  save(member: number): Promise<() => Promise<void>>;
}

/** TLS files of a member; the clients' authority makes it ask for certificates. */
export interface MemberTls {
  readonly cert: string;
  readonly key: string;
  readonly ca: string;
}

/** Why there is no etcd to test with; undefined when there is one. */
export async function noEtcd(): Promise<string | undefined> {
  try {
    const { success } = await new Deno.Command("etcd", { args: ["--version"], stdout: "null", stderr: "null" })
      .output();
    return success ? undefined : "etcd --version fails";
  } catch {
    return "no etcd binary is installed (Debian's package etcd-server)";
  }
}

/** Starts so many members and waits until they answer. */
export async function startEtcd(members = 1, tls?: MemberTls, extra: readonly string[] = []): Promise<EtcdCluster> {
  const dir = await Deno.makeTempDir({ prefix: "etcd-" });
  const scheme = tls ? "https" : "http";
  const nodes = Array.from({ length: members }, (_, i) => ({
    name: `m${i}`,
    client: `${scheme}://127.0.0.1:${freePort()}`,
    peer: `http://127.0.0.1:${freePort()}`,
  }));
  const initial = nodes.map((n) => `${n.name}=${n.peer}`).join(",");
  const running: (Deno.ChildProcess | undefined)[] = [];
  const start = async (i: number) => {
    const { name, client, peer } = nodes[i]!;
    const child = new Deno.Command("etcd", {
      args: [
        `--name=${name}`,
        `--data-dir=${dir}/${name}`,
        `--listen-client-urls=${client}`,
        `--advertise-client-urls=${client}`,
        `--listen-peer-urls=${peer}`,
        `--initial-advertise-peer-urls=${peer}`,
        `--initial-cluster=${initial}`,
        "--initial-cluster-state=new",
        "--logger=zap",
        "--log-level=error",
        ...tls
          ? [`--cert-file=${tls.cert}`, `--key-file=${tls.key}`, `--trusted-ca-file=${tls.ca}`, "--client-cert-auth"]
          : [],
        ...extra,
      ],
      stdout: "null",
      stderr: "null",
    }).spawn();
    running[i] = child;
    await listening(Number(new URL(client).port), child);
  };
  const kill = async (i: number) => {
    const child = running[i];
    running[i] = undefined;
    if (!child) return;
    child.kill("SIGKILL");
    await child.status;
  };
  await Promise.all(nodes.map((_, i) => start(i)));
  return {
    endpoints: nodes.map((n) => n.client),
    signal: (i, signal) => running[i]?.kill(signal),
    kill,
    start,
    async save(i) {
      const data = `${dir}/${nodes[i]!.name}`, saved = `${data}.saved`;
      await copy(data, saved);
      return async () => {
        await Deno.remove(data, { recursive: true });
        await Deno.rename(saved, data);
      };
    },
    async [Symbol.asyncDispose]() {
      await Promise.all(nodes.map((_, i) => kill(i)));
      await Deno.remove(dir, { recursive: true });
    },
  };
}

async function copy(from: string, to: string): Promise<void> {
  await Deno.mkdir(to, { mode: 0o700 });
  for await (const { name, isDirectory } of Deno.readDir(from)) {
    await (isDirectory ? copy : Deno.copyFile)(`${from}/${name}`, `${to}/${name}`);
  }
}

/** Waits until somebody listens. @throws Error when the process ends before */
async function listening(port: number, child: Deno.ChildProcess): Promise<void> {
  let ended = false;
  child.status.then(() => ended = true);
  for (let i = 0;; i++) {
    try {
      (await Deno.connect({ hostname: "127.0.0.1", port })).close();
      return;
    } catch (error) {
      if (ended || i > 5_000) throw error;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }
}
