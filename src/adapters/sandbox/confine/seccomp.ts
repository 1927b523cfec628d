// The seccomp filter that every tool runs under, as a classic BPF program.
// A deny list, not an allow list: tools are arbitrary programs, and namespaces confine them. The filter blocks those parts
// of the kernel through which programs have escaped from namespaces before.
import { refusedNames, type Processor } from './syscalls.ts';

interface Instruction {
  readonly code: number;
  readonly jt?: number;
  readonly jf?: number;
  readonly k: number;
}

const load = 0x20;
const jumpIfEqual = 0x15;
const jumpIfAtLeast = 0x35;
const jumpIfAnyBit = 0x45;
const and = 0x54;
const end = 0x06;

const killProcess = 0x80000000;
const allow = 0x7fff0000;
const errno = (number: number): number => 0x00050000 | number;
const EPERM = 1;
const ENOSYS = 38;
const EAFNOSUPPORT = 97;

/** Offsets in struct seccomp_data; for an argument the low half, which comes first on both processors. */
const nrAt = 0;
const archAt = 4;
const argumentAt = (i: number): number => 16 + 8 * i;

/** CLONE_NEWNS, NEWCGROUP, NEWUTS, NEWIPC, NEWUSER, NEWPID, NEWNET. */
const newNamespaces = 0x7e020000;
/** MAP_SHARED and MAP_ANONYMOUS together: memory that remains allocated when no page table maps it any more. */
const sharedAnonymous = 0x21;
/** TIOCSTI and TIOCLINUX, which insert input into the terminal that started the service. */
const typing = [0x5412, 0x541c];
const AF_UNIX = 1;
const AF_INET = 2;
const AF_INET6 = 10;
const AF_NETLINK = 16;

/** The program as bytes of `struct sock_filter`, little-endian. */
export function seccompProgram({ auditArch, hasX32, numbers }: Processor): Buffer {
  const program: Instruction[] = [
    { code: load, k: archAt },
    { code: jumpIfEqual, jt: 1, jf: 0, k: auditArch },
    { code: end, k: killProcess },
    { code: load, k: nrAt },
    ...(hasX32
      ? [
          { code: jumpIfAtLeast, jt: 0, jf: 1, k: 0x40000000 },
          { code: end, k: errno(ENOSYS) },
        ]
      : []),
    ...refusedNames.flatMap((name) => whenCalled(numbers[name], [{ code: end, k: errno(EPERM) }])),
    // Without clone3 the C library falls back to clone, whose flags the filter can read.
    ...whenCalled(numbers.clone3, [{ code: end, k: errno(ENOSYS) }]),
    ...whenCalled(numbers.clone, [
      { code: load, k: argumentAt(0) },
      { code: jumpIfAnyBit, jt: 0, jf: 1, k: newNamespaces },
      { code: end, k: errno(EPERM) },
      { code: end, k: allow },
    ]),
    ...whenCalled(numbers.mmap, [
      { code: load, k: argumentAt(3) },
      { code: and, k: sharedAnonymous },
      { code: jumpIfEqual, jt: 0, jf: 1, k: sharedAnonymous },
      { code: end, k: errno(EPERM) },
      { code: end, k: allow },
    ]),
    ...whenCalled(numbers.ioctl, [
      { code: load, k: argumentAt(1) },
      ...typing.flatMap((k) => [
        { code: jumpIfEqual, jt: 0, jf: 1, k },
        { code: end, k: errno(EPERM) },
      ]),
      { code: end, k: allow },
    ]),
    ...whenCalled(numbers.socket, [
      { code: load, k: argumentAt(0) },
      ...[AF_UNIX, AF_INET, AF_INET6].flatMap((k) => [
        { code: jumpIfEqual, jt: 0, jf: 1, k },
        { code: end, k: allow },
      ]),
      // The C library lists network interfaces with netlink protocol 0; the other protocols stay blocked.
      { code: jumpIfEqual, jt: 0, jf: 3, k: AF_NETLINK },
      { code: load, k: argumentAt(2) },
      { code: jumpIfEqual, jt: 0, jf: 1, k: 0 },
      { code: end, k: allow },
      { code: end, k: errno(EAFNOSUPPORT) },
    ]),
    { code: end, k: allow },
  ];
  return Buffer.concat(program.map(bytesOf));
}

/** Runs the steps for this call, and skips them for another, whose number stays loaded. */
function whenCalled(number: number | undefined, steps: readonly Instruction[]): Instruction[] {
  return number === undefined ? [] : [{ code: jumpIfEqual, jt: 0, jf: steps.length, k: number }, ...steps];
}

function bytesOf({ code, jt = 0, jf = 0, k }: Instruction): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeUInt16LE(code, 0);
  bytes.writeUInt8(jt, 2);
  bytes.writeUInt8(jf, 3);
  bytes.writeUInt32LE(k >>> 0, 4);
  return bytes;
}
