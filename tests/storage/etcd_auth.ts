/** Users and roles of etcd for tests: a user is the common name of a client's certificate. */
import { type Call, callOf } from "../../schema/grpc/call.ts";
import { Cluster } from "../../server/storage/etcd/cluster.ts";
import type { Tls } from "../../server/storage/etcd/mod.ts";

const text = (value: string) => new TextEncoder().encode(value);

const AUTH = {
  enable: callOf<Record<string, never>, unknown>("/etcdserverpb.Auth/AuthEnable", [], []),
  addUser: callOf<{ name: string; options: { noPassword: boolean } }, unknown>(
    "/etcdserverpb.Auth/UserAdd",
    [[1, "name", "string"], [3, "options", [[1, "noPassword", "bool"]]]],
    [],
  ),
  grantRole: callOf<{ user: string; role: string }, unknown>(
    "/etcdserverpb.Auth/UserGrantRole",
    [[1, "user", "string"], [2, "role", "string"]],
    [],
  ),
  addRole: callOf<{ name: string }, unknown>("/etcdserverpb.Auth/RoleAdd", [[1, "name", "string"]], []),
  grant: callOf<{ name: string; perm: { type: number; key: Uint8Array; rangeEnd: Uint8Array } }, unknown>(
    "/etcdserverpb.Auth/RoleGrantPermission",
    [[1, "name", "string"], [2, "perm", [[1, "type", "enum"], [2, "key", "bytes"], [3, "rangeEnd", "bytes"]]]],
    [],
  ),
  revoke: callOf<{ role: string; key: Uint8Array; rangeEnd: Uint8Array }, unknown>(
    "/etcdserverpb.Auth/RoleRevokePermission",
    [[1, "role", "string"], [2, "key", "bytes"], [3, "rangeEnd", "bytes"]],
    [],
  ),
} as const;

/** Reads and writes. */
const READWRITE = 2;

/** What an administrator of etcd does. */
export interface EtcdAuth extends AsyncDisposable {
  /** A user who may read and write these ranges of keys. */
  user(name: string, ranges: readonly KeyRange[]): Promise<void>;
  /** From now on who has no right to something is refused. */
  enable(): Promise<void>;
  /** Gives a user a range, or takes it away. */
  grant(name: string, range: KeyRange): Promise<void>;
  revoke(name: string, range: KeyRange): Promise<void>;
}

/** From a key on, to before another one. */
export type KeyRange = readonly [string, string];

/** @param tls of the user `root`, who is made as it is enabled */
export async function etcdAuth(endpoints: readonly string[], tls: Tls): Promise<EtcdAuth> {
  const cluster = await Cluster.open(endpoints, tls, Math.random);
  const how = { doing: "administrate", repeatable: true };
  const call = <Q, R>(rpc: Call<Q, R>, request: Q) => cluster.call(rpc, request, how);
  const addUser = async (name: string) => {
    await call(AUTH.addUser, { name, options: { noPassword: true } });
    await call(AUTH.addRole, { name }).catch((e) => name === "root" || Promise.reject(e));
    await call(AUTH.grantRole, { user: name, role: name });
  };
  const grant = async (name: string, [key, end]: KeyRange) => {
    await call(AUTH.grant, { name, perm: { type: READWRITE, key: text(key), rangeEnd: text(end) } });
  };
  return {
    async user(name, ranges) {
      await addUser(name);
      for (const range of ranges) await grant(name, range);
    },
    enable: async () => {
      await addUser("root");
      await call(AUTH.enable, {});
    },
    grant,
    revoke: async (role, [key, end]) => void await call(AUTH.revoke, { role, key: text(key), rangeEnd: text(end) }),
    [Symbol.asyncDispose]: () => Promise.resolve(cluster.close()),
  };
}
