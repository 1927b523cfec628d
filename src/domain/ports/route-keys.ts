// Names for routes that may be seen by anybody: on the broker's channel, and by the worker that listens there itself.

export interface RouteKeys {
  /** Opaque; the same for each replica of this database. From now on a hint of it is understood here. choices-5. */
  routeKeyOf(tenantId: string, codebaseId: string): string;
}
