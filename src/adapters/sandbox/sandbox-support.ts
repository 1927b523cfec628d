// Detects by trial what this machine offers for confining tools, and names the remedy when it offers too little.
import { readdirSync, readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { findGroupFolder, sweepGroups } from './confine/cgroup.ts';
import { findSystemFolders, type SystemFolder } from './confine/confinement.ts';
import { findSandboxPrograms, type SandboxPrograms } from './confine/programs.ts';
import { seccompProgram } from './confine/seccomp.ts';
import { processorOf } from './confine/syscalls.ts';
import type { SandboxState } from '../../domain/ports/sandbox.ts';

export interface SandboxSupport {
  readonly programs: SandboxPrograms;
  readonly hasProc: boolean;
  readonly systemFolders: readonly SystemFolder[];
  readonly seccomp: Buffer;
  /** The shell's own bytes. */
  readonly shell: Buffer;
  /** Whether the service may change users, and therefore runs each tool as a user of its own. */
  readonly isRoot: boolean;
  /** Folder for control groups; undefined where none can be created. */
  readonly groups: string | undefined;
  /** Summary in one line. */
  readonly found: string;
}

type Missing = Extract<SandboxState, { available: false }>;

/**
 * @param tryOut runs a trial with it; throws when the trial is not confined as it should be
 * @returns the means to confine tools, or why they are missing
 */
export async function detectSandboxSupport(
  bwrap: string | undefined,
  tryOut: (support: SandboxSupport) => Promise<void>,
): Promise<SandboxSupport | Missing> {
  const processor = processorOf(process.arch);
  if (process.platform !== 'linux' || processor === undefined) {
    return missing(
      `there is no sandbox for ${process.platform} on ${process.arch}`,
      'Run the service on Linux (x64 or arm64).',
    );
  }
  const programs = await findSandboxPrograms(bwrap);
  if ('missing' in programs) {
    const where = bwrap === undefined ? '' : ', or correct BWRAP_BIN';
    return missing(`${programs.missing} is not installed`, `Install the package ${programs.package}${where}.`);
  }
  if (!listsChildProcesses())
    return missing('this kernel does not list the children of processes', 'Use a kernel with CONFIG_PROC_CHILDREN.');
  const groups = await findGroupFolder(readFileSync('/proc/self/cgroup', 'utf8'));
  if (groups !== undefined) await sweepGroups(groups);
  const isRoot = process.getuid?.() === 0;
  const [shell, folders] = [await readFile(programs.shell), await findSystemFolders()];
  const common = { programs, shell, systemFolders: folders, seccomp: seccompProgram(processor), isRoot };
  const complaints: string[] = [];
  // The best variant first. Later ones do without control groups, or without mounting /proc.
  for (const form of supportVariants(groups)) {
    const support = { ...common, ...form, found: describeSupport(programs, isRoot, form) };
    try {
      await tryOut(support);
      return support;
    } catch (error) {
      complaints.push(error instanceof Error ? error.message : String(error));
    }
  }
  return missing(`${programs.bwrap} does not work: ${complaints.at(-1)}`, remedy);
}

const remedy =
  'Allow the service to create user namespaces: on a machine, sysctl user.max_user_namespaces and kernel.apparmor_restrict_unprivileged_userns=0; in a container, --security-opt seccomp=unconfined --security-opt apparmor=unconfined (docs/TOOLS.md).';

function missing(reason: string, what: string): Missing {
  return { available: false, reason, remedy: what };
}

type SupportVariant = Pick<SandboxSupport, 'hasProc' | 'groups'>;

function supportVariants(groups: string | undefined): SupportVariant[] {
  const forms = [true, false].map((hasProc) => ({ hasProc, groups: undefined }));
  return groups === undefined ? forms : [...forms.map((form) => ({ ...form, groups })), ...forms];
}

function describeSupport(programs: SandboxPrograms, isRoot: boolean, { hasProc, groups }: SupportVariant): string {
  return [
    programs.bwrap,
    isRoot ? 'each run as a user of its own' : 'runs as the user of the service, within user namespaces',
    hasProc ? 'a private /proc' : 'an empty /proc',
    groups === undefined ? 'memory watched, no control groups' : `control groups in ${groups}`,
  ].join(', ');
}

function listsChildProcesses(): boolean {
  try {
    const [thread = ''] = readdirSync('/proc/self/task');
    readFileSync(`/proc/self/task/${thread}/children`);
    return true;
  } catch {
    return false;
  }
}
