// A process with a sandbox in which one tool runs for long; a test kills it. Arguments: the tool's source, its name, bubblewrap.
import { BubblewrapSandbox } from '../../../../src/adapters/sandbox/sandbox.ts';
import { limitsFor } from '../../../../src/domain/model/tool-limits.ts';

const toolId = process.argv[3] ?? 'long';
const sandbox = new BubblewrapSandbox({
  bwrap: process.argv[4],
  allowedPaths: [],
  hidden: [],
  runsAtOnce: 1,
  tunnels: { open: () => Promise.reject(new Error('nowhere')) },
  elapsedMs: () => performance.now(),
  log: () => undefined,
});
using place = await sandbox.acquireSlot('default');
process.stdout.write('entered\n');
const { exitCode, stdout, stderr } = await place.run({
  toolId,
  version: '1.0.0',
  content: Buffer.from(process.argv[2] ?? ''),
  input: '{}',
  limits: limitsFor({ toolId, version: '1.0.0', sha256Hash: '', signature: '' }, 'default'),
  signal: new AbortController().signal,
});
process.stdout.write(`${JSON.stringify({ exitCode, stdout, stderr })}\n`);
