/** Answers that nobody may touch. */

/** The runtime's own answer to an upgrade: its headers are fixed. */
export const isUpgrade = (response: Response): boolean => response.status === 101;
