/** Zeros of scalars, as a field that is always written has them. */
import type { Json, Scalar } from "./types.ts";

/** By type. Bytes are a list to those who wrote the types, and any JSON is nothing at all: both have none. */
export const SCALAR_ZERO: Readonly<Partial<Record<Scalar, Json>>> = {
  string: "",
  bool: false,
  int32: 0,
  int64: 0,
  uint32: 0,
  double: 0,
  float: 0,
};
