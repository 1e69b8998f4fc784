/** A connection file (`Config` of `v1`) for one server and one user, with everything in it. */

/** What goes into the file; certificates and key as PEM. */
export interface ConnectionFile {
  /** `https://host:port`. */
  readonly server: string;
  readonly ca: string;
  readonly cert: string;
  readonly key: string;
  /** Names the cluster and the context. */
  readonly context: string;
  readonly user: string;
}

const base64 = (text: string) => new TextEncoder().encode(text).toBase64();

/** The file as JSON, which is YAML too. */
export function connectionFile({ server, ca, cert, key, context, user }: ConnectionFile): string {
  return JSON.stringify(
    {
      apiVersion: "v1",
      kind: "Config",
      clusters: [{ name: context, cluster: { server, "certificate-authority-data": base64(ca) } }],
      users: [{ name: user, user: { "client-certificate-data": base64(cert), "client-key-data": base64(key) } }],
      contexts: [{ name: context, context: { cluster: context, user } }],
      "current-context": context,
    },
    undefined,
    2,
  ) + "\n";
}

/** The server that a file of {@linkcode connectionFile} names; undefined for another text. */
export function serverOf(file: string): string | undefined {
  try {
    const server: unknown = JSON.parse(file).clusters[0].cluster.server;
    return typeof server === "string" ? server : undefined;
  } catch {
    return undefined;
  }
}
