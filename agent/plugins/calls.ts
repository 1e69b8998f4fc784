/** Calls of the service that plugins have where they want to be found (`pluginregistration`). */
import { type Call, callOf } from "../../schema/grpc/call.ts";
import type { Table } from "../../schema/grpc/wire.ts";

const INFO: Table = [
  [1, "type", "string"],
  [2, "name", "string"],
  [3, "endpoint", "string"],
  [4, "supportedVersions", "string", "repeated"],
];
const STATUS: Table = [[1, "pluginRegistered", "bool"], [2, "error", "string"]];
const NOTHING: Table = [];

const path = (call: string) => `/pluginregistration.Registration/${call}`;

/** What a plugin says of itself; `endpoint` is empty where it is the same socket. */
interface RegistrationInfo {
  readonly type: string;
  readonly name: string;
  readonly endpoint: string;
  readonly supportedVersions: readonly string[];
}

/** What became of it. */
interface RegistrationStatus {
  readonly pluginRegistered: boolean;
  readonly error: string;
}

type Nothing = Readonly<Record<string, never>>;

/** Asks a plugin what it is. */
export const GET_INFO: Call<Nothing, RegistrationInfo> = callOf(path("GetInfo"), NOTHING, INFO, "zero");
/** Tells it what became of it. */
export const NOTIFY: Call<RegistrationStatus, Nothing> = callOf(path("NotifyRegistrationStatus"), STATUS, NOTHING);
