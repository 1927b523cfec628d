// Folders of the system that no task works in.

/** What the system shows of itself: processes with their environments, devices, sockets. Never part of a work place. */
export const unservedSystemFolders: readonly string[] = ['/proc', '/sys', '/dev', '/run'];
