/** gRPC servers of another make than ours. */
export * from "npm:@grpc/grpc-js@1.14.7";
