// The versions of the protocol that are spoken. choices-6.

export type WireVersion = '0.3' | '1.0';
