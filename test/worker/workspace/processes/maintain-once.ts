// Maintains the workspaces below a folder once, as a worker does; a test kills it meanwhile.
import { createLog } from '../../../../src/worker/base/log.ts';
import { createGit } from '../../../../src/worker/workspace/git/git.ts';
import { maintainWorkspaces } from '../../../../src/worker/workspace/workspace-maintenance.ts';

const [stateDir = ''] = process.argv.slice(2);
const git = createGit({ env: process.env, deadlineMs: 60_000 });
const log = createLog({ level: 'silent', format: 'json' });
await maintainWorkspaces({ stateDir, git, keepMs: 0, packTimeoutMs: 30_000, log }, new AbortController().signal);
