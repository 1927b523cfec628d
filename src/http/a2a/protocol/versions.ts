// The supported versions of the protocol. choices-6.

export type WireVersion = '0.3' | '1.0';
