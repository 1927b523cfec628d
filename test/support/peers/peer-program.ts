// Programs that tests need and npm does not bring: found by environment variable or on the path, else installed with apt
// where that may be done, else left out with one printed reason; under CI nothing is left out.
import { execFileSync } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import path from 'node:path';

export interface Peer {
  /** As a reader knows it. */
  readonly name: string;
  /** The variable that names its program. */
  readonly variable: string;
  /** Its names on the path, the best first. */
  readonly programs: readonly string[];
  /** The Debian package that has it; undefined when there is none. */
  readonly aptPackage?: string;
}

/**
 * The peer's program. Undefined, with one printed reason, where there is none and none can be had.
 * @throws Error the same reason where nothing may be left out
 */
export function findPeer(peer: Peer): string | undefined {
  const found = findProgram(peer) ?? (installed(peer) ? findProgram(peer) : undefined);
  if (found !== undefined) return found;
  const remedy = peer.aptPackage === undefined ? '' : ` (apt-get install ${peer.aptPackage})`;
  const reason = `${peer.name} is neither at ${peer.variable} nor on the path as ${peer.programs.join(', ')}${remedy}`;
  if (process.env['CI'] === 'true') throw new Error(`${reason}: nothing may be skipped here`);
  process.stderr.write(`skipped: ${reason}\n`);
  return undefined;
}

function findProgram({ variable, programs }: Peer): string | undefined {
  const named = process.env[variable];
  const folders = (process.env['PATH'] ?? '').split(path.delimiter);
  const places = programs.flatMap((program) => folders.map((folder) => path.join(folder, program)));
  return [...(named === undefined ? [] : [named]), ...places].find(isProgram);
}

/** Installs the package where this is Debian's root; several tests at once wait for each other. */
function installed({ aptPackage }: Peer): boolean {
  if (aptPackage === undefined || process.getuid?.() !== 0 || findProgram(apt) === undefined) return false;
  const wait = ['-o', 'DPkg::Lock::Timeout=300', '-qq'];
  const options = {
    timeout: 600_000,
    stdio: 'ignore',
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
  } as const;
  try {
    execFileSync('apt-get', [...wait, 'update'], options);
    execFileSync('apt-get', [...wait, 'install', '-y', '--no-install-recommends', aptPackage], options);
    return true;
  } catch {
    return false;
  }
}

const apt: Peer = { name: 'apt', variable: 'APT_BIN', programs: ['apt-get'] };

function isProgram(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
