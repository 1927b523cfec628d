// Folders of the system in which no task works.

/** Views of the running system: processes with their environments, devices, sockets. Never part of a workspace. */
export const unservedSystemFolders: readonly string[] = ['/proc', '/sys', '/dev', '/run'];
