/** The files that say who this server is to etcd, and by whom etcd's certificates are signed. */
import type { Material } from "../grpc/tls.ts";
import { soundText } from "./current_text.ts";
import { optionalText } from "./files.ts";
import type { Options } from "./mod.ts";
import { parseBundle } from "../../pki/mod.ts";
import { fits } from "../../pki/pair.ts";

/**
 * Reads them, each time anew; undefined where none is named.
 * @throws Error that names the options, of what cannot be read or does not fit together (the certificate new, the key old)
 */
export function storeFiles(options: Options): (() => Material) | undefined {
  const { storeCafile, storeCertfile, storeKeyfile } = options;
  if (!storeCafile && !storeCertfile && !storeKeyfile) return undefined;
  return () => {
    const ca = soundText("store-cafile", storeCafile, parseBundle);
    const cert = optionalText("store-certfile", storeCertfile), key = optionalText("store-keyfile", storeKeyfile);
    if (cert !== undefined && key !== undefined && !fits({ cert, key })) {
      throw new Error("--store-certfile and --store-keyfile: no certificate with its key in PEM");
    }
    return {
      ...ca === undefined ? {} : { ca },
      ...cert === undefined ? {} : { cert },
      ...key === undefined ? {} : { key },
    };
  };
}
