// Names of routes that reveal nothing: used on the broker's channel, and by workers that listen there themselves.

export interface RouteKeys {
  /** Opaque, and the same for each replica. From this call on, a hint with this key is recognised here. choices-5. */
  routeKeyOf(tenantId: string, codebaseId: string): string;
}
