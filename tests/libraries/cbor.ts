/** The twin of our CBOR codec. */
export { decode, encode } from "npm:cbor2@2.3.0";
