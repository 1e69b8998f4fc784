/** Runs the programs that connection files name to say who calls. */
import { execFile } from "node:child_process";
import process from "node:process";
import type { RunProgram } from "../schema/credential_program.ts";

/** A program may take so long, ms, and say so much, bytes. */
const LIMIT = { timeout: 60_000, maxBuffer: 1024 * 1024, killSignal: "SIGKILL" } as const;

/** See {@linkcode RunProgram}. What it complains of is in the error. */
export const runProgram: RunProgram = (command, args, env) =>
  new Promise((resolve, reject) => {
    const options = { ...LIMIT, env: { ...process.env, ...env } };
    execFile(command, args, options, (e, stdout) => e ? reject(e) : resolve(stdout)).stdin?.end();
  });
