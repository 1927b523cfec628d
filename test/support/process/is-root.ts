// Whether the tests run as root: mounts and other users need it.
export const isRoot = process.getuid?.() === 0;
