/** The version of the API whose behaviour the server has. */
export const BINARY_VERSION = { major: 1, minor: 37 } as const;
