// System calls that tools do not need and that were used to escape from sandboxes, with their numbers per processor.

/** Denied with EPERM, as if the caller lacked the permission. */
// prettier-ignore
export const refusedNames = [
  // Other namespaces and mounts: a new user namespace would allow most of the calls below.
  'unshare', 'setns', 'mount', 'umount2', 'pivot_root', 'chroot', 'move_mount', 'open_tree', 'fsopen', 'fsconfig',
  'fsmount', 'fspick', 'mount_setattr', 'name_to_handle_at', 'open_by_handle_at', 'fanotify_init',
  // Other processes.
  'ptrace', 'process_vm_readv', 'process_vm_writev', 'kcmp', 'pidfd_getfd',
  // The kernel itself: keys of the host's sessions, programs in the kernel, its modules, log, clock and name.
  'keyctl', 'add_key', 'request_key', 'bpf', 'perf_event_open', 'userfaultfd', 'kexec_load', 'kexec_file_load',
  'init_module', 'finit_module', 'delete_module', 'reboot', 'swapon', 'swapoff', 'acct', 'quotactl', 'quotactl_fd',
  'syslog', 'vhangup', 'settimeofday', 'clock_settime', 'adjtimex', 'clock_adjtime', 'sethostname', 'setdomainname',
  'lookup_dcookie', 'nfsservctl', 'iopl', 'ioperm', 'modify_ldt', 'uselib',
  'io_uring_setup', 'io_uring_enter', 'io_uring_register',
  'mbind', 'set_mempolicy', 'migrate_pages', 'move_pages',
  // Memory that belongs to no process and is invisible to the watchdog.
  'memfd_create', 'memfd_secret', 'shmget', 'shmat', 'shmctl', 'shmdt', 'msgget', 'semget', 'mq_open',
] as const;

type Name = (typeof refusedNames)[number] | 'clone' | 'clone3' | 'socket' | 'ioctl' | 'mmap';

export interface Processor {
  /** AUDIT_ARCH_… of linux/audit.h. */
  readonly auditArch: number;
  /** True where 32-bit pointers have calls of their own, above 0x40000000. */
  readonly hasX32: boolean;
  readonly numbers: Readonly<Partial<Record<Name, number>>>;
}

/** Newer calls have the same number on every processor. */
// prettier-ignore
const common = {
  open_tree: 428, move_mount: 429, fsopen: 430, fsconfig: 431, fsmount: 432, fspick: 433, mount_setattr: 442,
  pidfd_getfd: 438, quotactl_fd: 443, memfd_secret: 447, clone3: 435, io_uring_setup: 425, io_uring_enter: 426,
  io_uring_register: 427,
} as const;

const x64: Processor = {
  auditArch: 0xc000003e,
  hasX32: true,
  // prettier-ignore
  numbers: {
    ...common,
    unshare: 272, setns: 308, mount: 165, umount2: 166, pivot_root: 155, chroot: 161, name_to_handle_at: 303,
    open_by_handle_at: 304, fanotify_init: 300, ptrace: 101, process_vm_readv: 310, process_vm_writev: 311, kcmp: 312,
    keyctl: 250, add_key: 248, request_key: 249, bpf: 321, perf_event_open: 298, userfaultfd: 323, kexec_load: 246,
    kexec_file_load: 320, init_module: 175, finit_module: 313, delete_module: 176, reboot: 169, swapon: 167,
    swapoff: 168, acct: 163, quotactl: 179, syslog: 103, vhangup: 153, settimeofday: 164, clock_settime: 227,
    adjtimex: 159, clock_adjtime: 305, sethostname: 170, setdomainname: 171, lookup_dcookie: 212, nfsservctl: 180,
    iopl: 172, ioperm: 173, modify_ldt: 154, uselib: 134, mbind: 237, set_mempolicy: 238, migrate_pages: 256,
    move_pages: 279, memfd_create: 319, shmget: 29, shmat: 30, shmctl: 31, shmdt: 67, msgget: 68, semget: 64,
    mq_open: 240, clone: 56, socket: 41, ioctl: 16, mmap: 9,
  },
};

const arm64: Processor = {
  auditArch: 0xc00000b7,
  hasX32: false,
  // prettier-ignore
  numbers: {
    ...common,
    unshare: 97, setns: 268, mount: 40, umount2: 39, pivot_root: 41, chroot: 51, name_to_handle_at: 264,
    open_by_handle_at: 265, fanotify_init: 262, ptrace: 117, process_vm_readv: 270, process_vm_writev: 271, kcmp: 272,
    keyctl: 219, add_key: 217, request_key: 218, bpf: 280, perf_event_open: 241, userfaultfd: 282, kexec_load: 104,
    kexec_file_load: 294, init_module: 105, finit_module: 273, delete_module: 106, reboot: 142, swapon: 224,
    swapoff: 225, acct: 89, quotactl: 60, syslog: 116, vhangup: 58, settimeofday: 170, clock_settime: 112,
    adjtimex: 171, clock_adjtime: 266, sethostname: 161, setdomainname: 162, lookup_dcookie: 18, nfsservctl: 42,
    mbind: 235, set_mempolicy: 237, migrate_pages: 238, move_pages: 239, memfd_create: 279, shmget: 194, shmctl: 195,
    shmat: 196, shmdt: 197, msgget: 186, semget: 190, mq_open: 180, clone: 220, socket: 198, ioctl: 29, mmap: 222,
  },
};

/** @param arch value of `process.arch`. @returns undefined for an unsupported processor */
export function processorOf(arch: string): Processor | undefined {
  return arch === 'x64' ? x64 : arch === 'arm64' ? arm64 : undefined;
}
