/** What a row of the agent's tables says beside that of an option: where the configuration file has it. */
import type { OptionRow, OptionType } from "../../schema/flags/types.ts";

/** An option of the command line. */
export interface AgentRow extends OptionRow {
  /** Its field in the configuration file, by public names joined with dots: `authentication.anonymous.enabled`. */
  readonly field?: string;
  /** The default where `--config` names a file, when it is another one. */
  readonly fileDefault?: string;
}

/** A field of the configuration file that has no flag. `whole`: JSON as it stands there, undefined when it does not. */
export interface FieldRow extends Omit<AgentRow, "type" | "aliases" | "short" | "deprecated"> {
  /** Name of the member that has its value: the last part of `field`. */
  readonly name: string;
  readonly type: OptionType | "whole";
  readonly field: string;
  /** Without a value its member is undefined. */
  readonly optional?: true;
}

/** Any of them. */
export type SettingRow = AgentRow | FieldRow;

/** Bounds of a number of 32 bits that may not be negative. */
export const NOT_NEGATIVE = { min: 0, max: 2 ** 31 - 1 } as const;
/** Bounds of a number of 32 bits. */
export const INT32 = { min: -(2 ** 31), max: 2 ** 31 - 1 } as const;
/** Least time between looks, ms: without a pause the agent would do nothing else. */
export const PERIOD = { min: 1 } as const;
/** Bounds of a port. */
export const PORT = { min: 1, max: 65535 } as const;
/** Bounds of a port that may be off. */
export const PORT_OR_OFF = { min: 0, max: 65535 } as const;
/** Bounds of a part of hundred. */
export const PERCENT = { min: 0, max: 100 } as const;
