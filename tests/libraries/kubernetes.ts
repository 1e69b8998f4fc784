/** A client library as people use it. */
export * from "npm:@kubernetes/client-node@2.0.1";
