/** Values that members of many kinds have, and the server's version, in words. */

/** Of a number or a string. */
export const INTSTR = `
IntOrString: A whole number of 32 bits or a string, such as 8080 or http, 3 or 25%. What a string may say depends on
    the member that holds it.
`;

/** Of amounts. */
export const QUANTITY = `
Quantity: An amount: a number with a suffix where one is needed. n, u and m are billionths, millionths and
    thousandths; k, M, G, T, P, E powers of 1000; Ki, Mi, Gi, Ti, Pi, Ei powers of 1024; or an exponent such as 1e3.
    Answers use the largest suffix that needs no decimal point: 1.5 comes back as 1500m.
`;

/** Of objects of any form. */
export const RUNTIME = `
RawExtension: A JSON object of any form. It is carried along as it is written, its form is known only to whoever reads
    it. Often it has its own apiVersion and kind.
`;

/** Of the version. */
export const VERSION = `
Info: Version of the API server and how it was built, answered at /version.
  major: First number of the version, such as 1.
  minor: Second number of the version, such as 37. Builds between releases may carry a plus sign after it.
  emulationMajor: First number of the version whose behaviour the server imitates. Absent when the server does not
    tell.
  emulationMinor: Second number of the version whose behaviour the server imitates. Absent when the server does not
    tell.
  minCompatibilityMajor: First number of the oldest version with which the server stays compatible. Absent when the
    server does not tell.
  minCompatibilityMinor: Second number of the oldest version with which the server stays compatible. Absent when the
    server does not tell.
  gitVersion: The whole version, such as v1.37.2. Clients read this one to show it.
  gitCommit: Hash of the commit from which the server was built.
  gitTreeState: Whether that commit was built as it stands. One of clean, dirty or empty where it is not known.
  buildDate: When the server was built, in UTC, as in 2030-01-02T03:04:05Z.
  goVersion: Version of the Go language that the server reports.
  compiler: Name of the compiler that the server reports, such as gc.
  platform: Operating system and processor that the server runs on, such as linux/amd64.
`;
