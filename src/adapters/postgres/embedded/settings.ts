// The settings that the embedded PostgreSQL runs with: durable always, and small enough for a laptop.
import type { ListenAddress } from './address.ts';

/**
 * Settings by name, given as `-c name=value` so that they override the cluster's own files.
 * @param overrides win over ours
 */
export function serverSettings(
  address: ListenAddress,
  os: NodeJS.Platform,
  overrides: Readonly<Record<string, string>>,
): Record<string, string> {
  return { ...listening(address), ...durable(os), ...small, ...quiet, ...overrides };
}

/** As arguments of `postgres`. */
export function settingArguments(settings: Readonly<Record<string, string>>): string[] {
  return Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
}

function listening(address: ListenAddress): Record<string, string> {
  if (address.kind === 'loopback') {
    return { listen_addresses: address.host, port: String(address.port), unix_socket_directories: '' };
  }
  return {
    listen_addresses: '',
    port: String(address.port),
    // A list, so a comma in the path needs the quotes.
    unix_socket_directories: `"${address.host.replaceAll('"', '""')}"`,
    unix_socket_permissions: '0700',
  };
}

function durable(os: NodeJS.Platform): Record<string, string> {
  return {
    fsync: 'on',
    synchronous_commit: 'on',
    full_page_writes: 'on',
    // On macOS every other method leaves the commit in the cache of the drive.
    ...(os === 'darwin' && { wal_sync_method: 'fsync_writethrough' }),
  };
}

const small = {
  max_connections: '60',
  shared_buffers: '64MB',
  // The default keeps three processes for reading ahead; rows of a queue are in memory.
  io_method: 'sync',
  // No replica subscribes to a database inside a program: one background process less.
  max_logical_replication_workers: '0',
  max_parallel_workers_per_gather: '0',
  jit: 'off',
  // After a checkpoint the first change of each page writes the complete page to the log.
  wal_compression: 'on',
  checkpoint_timeout: '15min',
  max_wal_size: '512MB',
};

const quiet = {
  log_destination: 'stderr',
  logging_collector: 'off',
  log_min_messages: 'warning',
  // Statements and rows are the users' data: neither is logged.
  log_min_error_statement: 'panic',
  log_error_verbosity: 'terse',
  log_checkpoints: 'off',
  // The SQLSTATE decides which lines are logged (see process/postmaster.ts).
  log_line_prefix: '%e ',
  timezone: 'UTC',
  log_timezone: 'UTC',
};
