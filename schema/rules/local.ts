/** Tables in the names of a dialect, made once for each. */
import type { Product } from "../product.ts";

/** Remembers what `make` gives for a product. For sets and tables of names that objects are compared with. */
export function perProduct<T>(make: (product: Product) => T): (product: Product) => T {
  const made = new WeakMap<Product, { value: T }>();
  return (product) => {
    let m = made.get(product);
    if (!m) made.set(product, m = { value: make(product) });
    return m.value;
  };
}

/** A set of names in the dialect's form. */
export function localSet(...names: string[]): (product: Product) => ReadonlySet<string> {
  return perProduct((p) => new Set(names.map((n) => p.local(n))));
}
