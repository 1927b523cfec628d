// Attempts to get out, as real tools: each says of all that it tries whether it was held or has escaped.

/** The files planted outside for them to find. */
export interface Planted {
  /** A file that everybody may read, beside a socket in the same folder. */
  readonly file: string;
  readonly socket: string;
  /** Name of an abstract socket, without its zero. */
  readonly abstractName: string;
  /** A process that does nothing, and a word of its command line. */
  readonly decoy: number;
  readonly decoyCanary: string;
  /** Listens on the loopback, IPv4 and IPv6; and the service itself. */
  readonly port: number;
  readonly servicePort: number;
  /** Stands in the service's environment, and in another tenant's tool. */
  readonly secret: string;
  readonly dataDir: string;
}

export interface Attempt {
  readonly name: string;
  readonly source: (planted: Planted) => string;
  readonly fields?: Record<string, unknown>;
  readonly policy?: 'default' | 'restricted' | 'custom';
  readonly arguments?: Record<string, unknown>;
  /** How the run must end; by itself, with 0, unless it says so. */
  readonly killedBy?: string;
  /** Tries that must have been made. */
  readonly held: number;
}

const prelude = `#!/usr/bin/python3
import ctypes, errno, os, signal, socket, struct, subprocess, sys, time
libc = ctypes.CDLL(None, use_errno=True)
numbers = {
  'x86_64': dict(unshare=272, setns=308, mount=165, umount2=166, clone=56, clone3=435, ptrace=101, keyctl=250, add_key=248,
    bpf=321, perf=298, memfd=319, shmget=29, readv=310, uring=425, userfault=323, module=313, opentree=428, chroot=161),
  'aarch64': dict(unshare=97, setns=268, mount=40, umount2=39, clone=220, clone3=435, ptrace=117, keyctl=219, add_key=217,
    bpf=280, perf=241, memfd=279, shmget=194, readv=270, uring=425, userfault=282, module=273, opentree=428, chroot=51),
}[os.uname().machine]
def attempt(name, work):
    try:
        got = work()
        print('ESCAPED', name, repr(got)[:200], flush=True)
    except BaseException as why:
        print('held', name, type(why).__name__, str(why)[:100], flush=True)
def call(name, *words):
    words = [ctypes.c_long(w) if isinstance(w, int) else w for w in words]
    if libc.syscall(ctypes.c_long(numbers[name]), *words) < 0:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
    return 'it was let through'
def put(name, data):
    return os.write(os.open(name, os.O_WRONLY), data)
def reach(family, address, kind=socket.SOCK_STREAM):
    s = socket.socket(family, kind)
    s.settimeout(3)
    s.connect(address)
    s.send(b'hello')
    return s.recv(10) if kind == socket.SOCK_DGRAM else 'connected'
def find(word, files):
    for name in files:
        try:
            if word.encode() in open(name, 'rb').read(1 << 20): return name
        except OSError: pass
    raise LookupError('nothing found')
`;

const python = (body: string): string => `${prelude}\n${body}\n`;
const text = (value: string): string => JSON.stringify(value);

export const attempts: readonly Attempt[] = [
  {
    name: 'reads files outside: a planted one, DATA_DIR, root’s and the system’s own',
    held: 6,
    source: ({ file, dataDir }) =>
      python(`for name in [${text(file)}, ${text(dataDir)}, '/root', '/etc/shadow', '/home', '/var/lib']:
    attempt(name, lambda: os.listdir(name) if os.path.isdir(name) else open(name).read())`),
  },
  {
    name: 'climbs out by links and by the folders of other processes',
    held: 4,
    source: ({ file }) =>
      python(`os.symlink(${text(file)}, '/tmp/link')
attempt('link', lambda: open('/tmp/link').read())
attempt('dots', lambda: open('/tmp/' + '../' * 20 + ${text(file)}[1:]).read())
attempt('root of 1', lambda: open('/proc/1/root' + ${text(file)}).read())
attempt('cwd of parent', lambda: open('/proc/%d/cwd' % os.getppid() + ${text(file)}).read())`),
  },
  {
    name: 'looks for another tenant’s content and for the service’s secrets in all it can see',
    held: 2,
    source: ({ secret }) =>
      python(`word = ${text(secret.slice(0, 8))} + ${text(secret.slice(8))}
own = [os.path.join(d, f) for top in ['/tmp', '/etc', '/dev/shm'] for d, _, fs in os.walk(top) for f in fs]
attempt('files', lambda: find(word, own))
attempt('processes', lambda: find(word, ['/proc/%s/%s' % (p, f) for p in os.listdir('/proc') if p.isdigit() for f in ['environ', 'cmdline', 'maps']]))`),
  },
  {
    name: 'reads the environment of the service, of process 1 and of its own parents',
    held: 2,
    source: ({ secret }) =>
      python(`word = ${text(secret.slice(0, 8))} + ${text(secret.slice(8))}
attempt('own', lambda: [v for v in os.environ.values() if word in v][0])
attempt('of 1', lambda: find(word, ['/proc/1/environ']))
print(sorted(os.environ))`),
  },
  {
    name: 'sees processes of the host',
    held: 3,
    source: ({ decoy, decoyCanary }) =>
      python(`word = ${text(decoyCanary.slice(0, 4))} + ${text(decoyCanary.slice(4))}
attempt('cmdline', lambda: find(word, ['/proc/%s/cmdline' % p for p in os.listdir('/proc') if p.isdigit()]))
attempt('decoy', lambda: os.stat('/proc/%d' % ${decoy}) if ${decoy} > 100 else 1 / 0)
attempt('many', lambda: [0][len([p for p in os.listdir('/proc') if p.isdigit()])])`),
  },
  {
    name: 'connects to the host over IPv4, TCP and UDP',
    held: 4,
    source: ({ port, servicePort }) =>
      python(`attempt('listener', lambda: reach(socket.AF_INET, ('127.0.0.1', ${port})))
attempt('service', lambda: reach(socket.AF_INET, ('127.0.0.1', ${servicePort})))
attempt('any address', lambda: reach(socket.AF_INET, ('0.0.0.0', ${port})))
attempt('udp', lambda: reach(socket.AF_INET, ('127.0.0.1', ${port}), socket.SOCK_DGRAM))`),
  },
  {
    name: 'connects to the host over IPv6, plain and mapped',
    held: 3,
    source: ({ port }) =>
      python(`attempt('loopback', lambda: reach(socket.AF_INET6, ('::1', ${port})))
attempt('mapped', lambda: reach(socket.AF_INET6, ('::ffff:127.0.0.1', ${port})))
attempt('link', lambda: reach(socket.AF_INET6, ('fe80::1', ${port}, 0, 1)))`),
  },
  {
    name: 'reaches networks beyond: public, private and the cloud’s metadata address',
    held: 4,
    source: () =>
      python(`for address in ['1.1.1.1', '10.0.0.1', '192.168.0.1', '169.254.169.254']:
    attempt(address, lambda: reach(socket.AF_INET, (address, 80)))`),
  },
  {
    name: 'asks name servers',
    held: 3,
    source: () =>
      python(`attempt('resolver', lambda: socket.getaddrinfo('example.com', 80))
attempt('udp', lambda: reach(socket.AF_INET, ('8.8.8.8', 53), socket.SOCK_DGRAM))
attempt('stub', lambda: reach(socket.AF_INET, ('127.0.0.53', 53), socket.SOCK_DGRAM))`),
  },
  {
    name: 'connects to sockets of the host: abstract and in the file system',
    held: 2,
    source: ({ abstractName, socket }) =>
      python(`attempt('abstract', lambda: reach(socket.AF_UNIX, '\\0' + ${text(abstractName)}))
attempt('path', lambda: reach(socket.AF_UNIX, ${text(socket)}))`),
  },
  {
    name: 'opens raw, packet, kernel and other sockets',
    held: 6,
    source: () =>
      python(`for name, family, kind, protocol in [('raw', 2, 3, 1), ('packet', 17, 3, 0), ('netfilter', 16, 3, 12), ('vsock', 40, 1, 0), ('bluetooth', 31, 3, 0), ('alg', 38, 5, 0)]:
    attempt(name, lambda: socket.socket(family, kind, protocol))`),
  },
  {
    name: 'goes through its proxy to the host, to private networks and to what its manifest does not name',
    held: 9,
    fields: { network_allowed: true, allowed_resources: ['*', '*:1', 'localhost', '127.0.0.1', '[::1]'] },
    source: ({ port, servicePort }) =>
      python(`def through(target, plain=False):
    s = socket.create_connection(('127.0.0.1', 3128), 5)
    s.settimeout(20)
    s.sendall((('GET http://%s/ HTTP/1.1\\r\\nHost: %s\\r\\n\\r\\n' if plain else 'CONNECT %s HTTP/1.1\\r\\nHost: %s\\r\\n\\r\\n') % (target, target)).encode())
    answer = s.recv(1000).decode()
    if ' 200 ' in answer.split('\\r\\n')[0]: return answer
    raise PermissionError(answer.split('\\r\\n')[0])
for target in ['127.0.0.1:80', 'localhost:443', '[::1]:80', '[::ffff:127.0.0.1]:80', '0.0.0.0:80', '169.254.169.254:80', '10.0.0.1:443', '127.0.0.1:${port}', '127.0.0.1:${servicePort}']:
    attempt(target, lambda: through(target))
attempt('plain', lambda: through('127.0.0.1', True))`),
  },
  {
    name: 'forks without end',
    held: 1,
    fields: { max_cpu_seconds: 1 },
    killedBy: 'cpu',
    source: () =>
      python(`count = 0
def bomb():
    global count
    while True:
        if os.fork() == 0: time.sleep(60)
        count += 1
        if count > 100: return count
attempt('bomb', bomb)
while True:
    try:
        if os.fork() == 0: pass
    except OSError: pass`),
  },
  {
    name: 'takes memory in many processes',
    held: 0,
    killedBy: 'memory',
    source: () =>
      python(`for _ in range(20):
    if os.fork() == 0: break
taken = bytearray(60 << 20)
time.sleep(60)`),
  },
  {
    name: 'takes memory that belongs to no process',
    held: 5,
    source: () =>
      python(`import mmap
attempt('shared', lambda: mmap.mmap(-1, 1 << 20))
attempt('memfd', lambda: call('memfd', b'x', 0))
attempt('shm', lambda: call('shmget', 0, 1 << 20, 0o1600))
attempt('zero', lambda: open('/dev/zero', 'rb'))
attempt('one large', lambda: bytearray(300 << 20))`),
  },
  {
    name: 'writes output without end',
    held: 0,
    killedBy: 'output',
    source: () => '#!/bin/sh\nexec yes\n',
  },
  {
    name: 'makes namespaces of its own',
    held: 8,
    source: () =>
      python(`attempt('unshare user', lambda: call('unshare', 0x10000000))
attempt('unshare mount', lambda: call('unshare', 0x20000))
attempt('clone user', lambda: call('clone', 0x10000000 | 17, 0, 0, 0, 0))
attempt('clone pid', lambda: call('clone', 0x20000000 | 17, 0, 0, 0, 0))
attempt('clone3', lambda: call('clone3', 0, 0))
attempt('setns', lambda: call('setns', os.open('/proc/self/ns/net', 0), 0))
attempt('program', lambda: subprocess.run(['unshare', '-Ur', 'id'], check=True, capture_output=True))
attempt('chroot', lambda: call('chroot', b'/tmp'))`),
  },
  {
    name: 'becomes root: by setuid programs, by ids, by capabilities',
    held: 5,
    source: () =>
      python(`attempt('setuid', lambda: os.setuid(0))
attempt('setgroups', lambda: os.setgroups([0]))
attempt('su', lambda: subprocess.run(['su', '-c', 'id'], check=True, capture_output=True, timeout=10))
attempt('user map', lambda: put('/proc/self/uid_map', b'0 0 1'))
def capable():
    status = open('/proc/self/status').read()
    if 'CapEff:\\t0000000000000000' in status and 'CapBnd:\\t0000000000000000' in status and 'NoNewPrivs:\\t1' in status: raise PermissionError('none')
    return status
attempt('capabilities', capable)`),
  },
  {
    name: 'outlives its parent: two forks, a session of its own, all signals ignored',
    held: 1,
    source: ({ decoyCanary }) =>
      python(`if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        for s in range(1, 32):
            try: signal.signal(s, signal.SIG_IGN)
            except (OSError, ValueError): pass
        for fd in range(3): os.close(fd)
        os.execvp('sleep', ['outliving-${decoyCanary}', '300'])
    os._exit(0)
time.sleep(0.3)
attempt('child', lambda: 1 / 0)`),
  },
  {
    name: 'ends, stops and traces a process of the host',
    held: 5,
    source: ({ decoy }) =>
      python(`attempt('kill', lambda: os.kill(${decoy}, 9))
attempt('stop', lambda: os.kill(${decoy}, 19))
attempt('trace', lambda: call('ptrace', 16, ${decoy}, 0, 0))
attempt('read', lambda: call('readv', ${decoy}, 0, 0, 0, 0, 0))
attempt('pidfd', lambda: os.pidfd_open(${decoy}) if ${decoy} > 100 else 1 / 0)`),
  },
  {
    name: 'traces and ends the first process of its own sandbox',
    held: 5,
    source: () =>
      python(`attempt('trace', lambda: call('ptrace', 16, 1, 0, 0))
attempt('memory', lambda: os.open('/proc/1/mem', os.O_RDWR))
attempt('maps', lambda: open('/proc/1/maps').read())
attempt('program', lambda: os.readlink('/proc/1/exe'))
os.kill(1, 9); os.kill(1, 15)
attempt('still here', lambda: 1 / 0)`),
  },
  {
    name: 'writes to the system, to its own root and to the kernel’s settings',
    held: 8,
    source: () =>
      python(`for name in ['/usr/bin/x', '/usr/lib/x', '/etc/x', '/etc/passwd', '/x', '/dev/x', '/proc/sys/kernel/core_pattern', '/proc/sysrq-trigger']:
    attempt(name, lambda: open(name, 'w').write('x'))`),
  },
  {
    name: 'mounts, remounts and unmounts',
    held: 5,
    source: () =>
      python(`attempt('tmpfs', lambda: call('mount', b'x', b'/tmp', b'tmpfs', 0, 0))
attempt('remount', lambda: call('mount', b'x', b'/usr', b'x', 0x1020, 0))
attempt('bind', lambda: call('mount', b'/', b'/tmp', b'x', 4096, 0))
attempt('unmount', lambda: call('umount2', b'/proc', 2))
attempt('tree', lambda: call('opentree', -100, b'/', 1))`),
  },
  {
    name: 'makes and opens devices',
    held: 8,
    source: () =>
      python(`attempt('char', lambda: os.mknod('/tmp/mem', 0o20666, os.makedev(1, 1)))
attempt('block', lambda: os.mknod('/tmp/disk', 0o60666, os.makedev(254, 0)))
for name in ['/dev/mem', '/dev/kmsg', '/dev/vda', '/dev/fuse', '/dev/kvm', '/dev/tty']:
    attempt(name, lambda: open(name, 'rb'))`),
  },
  {
    name: 'exchanges its own file for another',
    held: 6,
    source: () =>
      python(`open('/tmp/other', 'w').write('#!/bin/sh')
attempt('write', lambda: open('/tool', 'w'))
attempt('rename', lambda: os.rename('/tmp/other', '/tool'))
attempt('unlink', lambda: os.unlink('/tool'))
attempt('link', lambda: os.symlink('/tmp/other', '/tool'))
attempt('mode', lambda: os.chmod('/tool', 0o777))
attempt('cut', lambda: os.truncate('/tool', 0))`),
  },
  {
    name: 'gets more input than it reads',
    held: 1,
    arguments: { much: 'x'.repeat(900_000) },
    source: () => python(`attempt('unread', lambda: 1 / 0)`),
  },
  {
    name: 'ignores every signal and waits for ever',
    held: 0,
    fields: { max_cpu_seconds: 1 },
    killedBy: 'time',
    source: () =>
      python(`for s in range(1, 32):
    try: signal.signal(s, signal.SIG_IGN)
    except (OSError, ValueError): pass
time.sleep(600)`),
  },
  {
    name: 'burns processor time in many processes, its limit’s signal ignored',
    held: 0,
    fields: { max_cpu_seconds: 1 },
    killedBy: 'cpu',
    source: () =>
      python(`signal.signal(signal.SIGXCPU, signal.SIG_IGN)
for _ in range(4):
    if os.fork() == 0: break
while True: pass`),
  },
  {
    name: 'dumps its core',
    held: 2,
    source: () =>
      python(`import resource
attempt('raise', lambda: resource.setrlimit(resource.RLIMIT_CORE, (1 << 20, 1 << 20)))
if os.fork() == 0: os.abort()
_, status = os.wait()
attempt('dumped', lambda: [1][not os.WCOREDUMP(status)] if os.WIFSIGNALED(status) else 'not ended')`),
  },
  {
    name: 'fills its disk',
    held: 3,
    source: () =>
      python(`def fill(names, most):
    total = 0
    for name in names:
        with open('/tmp/' + name, 'wb') as file:
            for _ in range(200):
                file.write(b'x' * (1 << 20)); total += 1
                if total > most: return total
attempt('one', lambda: fill(['a'], 65))
attempt('many', lambda: fill(['b', 'c', 'd'], 65))
attempt('shm', lambda: fill(['../dev/shm/e'], 65))`),
  },
  {
    name: 'uses the kernel’s keys, programs, counters and rings',
    held: 8,
    source: () =>
      python(`attempt('keyring', lambda: call('keyctl', 0, -3, 1))
attempt('key', lambda: call('add_key', b'user', b'x', b'x', 1, -3))
attempt('bpf', lambda: call('bpf', 0, 0, 0))
attempt('perf', lambda: call('perf', 0, 0, -1, -1, 0))
attempt('uring', lambda: call('uring', 1, 0))
attempt('userfault', lambda: call('userfault', 0))
attempt('module', lambda: call('module', 0, b'', 0))
import fcntl
attempt('typing', lambda: fcntl.ioctl(0, 0x5412, b'x'))`),
  },
  {
    name: 'looks for descriptors that the service left open',
    held: 1,
    source: () =>
      python(`import stat
def others():
    for fd in range(3, 1024):
        try: found = os.readlink('/proc/self/fd/%d' % fd)
        except OSError: continue
        if found not in ('/dev/null',) and not found.endswith('/fd'): return fd, found
    raise LookupError('none')
attempt('descriptors', others)`),
  },
];
