/**
 * What a program of tests is started with that uses a library of this folder.
 *
 * These libraries stand in a lock file of their own: who only starts the server does not fetch them.
 */
export const LOCK = `--lock=${new URL("../deno.lock", import.meta.url).pathname}`;
