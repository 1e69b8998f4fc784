/** Facts about a store as a whole that its first server makes, or whoever fills it. */
import { DIALECTS, type Product, productOf } from "../../schema/product.ts";
import { type Backend, StorageError } from "./backend.ts";

/** In which dialect its objects are. */
export const DIALECT = "dialect";

/** What its servers seal continue tokens with, so that each goes on where another began. */
const SECRET = "continue-secret";

/** A store without a dialect gets the product's. @throws StorageError like {@linkcode checkDialect} */
export async function settleDialect(backend: Backend, product: Product, root: string): Promise<void> {
  await checkDialect(backend, product, root);
  mustBe(product, await fact(backend, DIALECT, () => dialectFact(product)));
}

/**
 * A store without a dialect, as a public server makes it, is one of the dialect whose system namespace it has; one that has
 * neither is taken for one of the product's. `root`: `--store-prefix`. @throws StorageError for one of another dialect
 */
export async function checkDialect(backend: Backend, product: Product, root: string): Promise<void> {
  const kept = await backend.readMeta(DIALECT) ?? await begunIn(backend, product, root);
  if (kept) mustBe(product, kept);
}

async function begunIn(backend: Backend, product: Product, root: string): Promise<Uint8Array | undefined> {
  for (const one of [product, ...DIALECTS.map(productOf)]) {
    if (await backend.get(`${root}/namespaces/${one.systemNamespace}`)) return dialectFact(one);
  }
  return undefined;
}

function mustBe(product: Product, dialect: Uint8Array): void {
  const text = new TextDecoder().decode(dialect);
  if (text !== product.dialect) {
    throw new StorageError(
      "unavailable",
      `the store holds objects in the dialect "${text}", not "${product.dialect}": start with --api-dialect=${text}, or ` +
        "name another store",
    );
  }
}

/** The product's dialect, as stores have it. */
export function dialectFact({ dialect }: Product): Uint8Array {
  return new TextEncoder().encode(dialect);
}

/** The secret that all servers of a store share; 32 bytes, made by the first one. @throws StorageError */
export async function storeSecret(backend: Backend, random: (bytes: number) => Uint8Array): Promise<Uint8Array> {
  return await fact(backend, SECRET, () => random(32));
}

/** A fact that the first server makes; of several that start at once all get the same. */
async function fact(backend: Backend, name: string, make: () => Uint8Array): Promise<Uint8Array> {
  const kept = await backend.readMeta(name);
  if (kept) return kept;
  await backend.writeMeta(name, make(), { first: true });
  return (await backend.readMeta(name))!;
}
