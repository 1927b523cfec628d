// Runs all checks of `doctor`, in the order in which they are printed.
import { missingFeatures } from '../../server/config/optional-features.ts';
import type { ServiceConfig } from '../../server/config/service-config.ts';
import { ok, type Check, fail, warn } from '../core/doctor-check.ts';
import { checkAgents } from './doctor-agents.ts';
import { checkDatabase } from './doctor-database.ts';
import { checkContainment, checkDataDir, checkDisk, checkGit, checkNode, checkPort } from './doctor-machine.ts';
import { checkRunsHere } from './doctor-runs.ts';
import { checkSecrets } from '../process/exposed-secrets.ts';
import type { CliIo } from '../core/io.ts';
import { probeSandbox } from '../../server/build/tools.ts';

export async function checkAll(io: CliIo, config: ServiceConfig): Promise<Check[]> {
  return [
    checkNode(io.process.versions.node),
    await checkGit(io.env),
    await checkSecrets(io.env),
    ...(await checkAgents(io)),
    ...(await checkRunsHere(io)),
    await checkContainment(io.env, []),
    await checkDataDir(config.dataDir),
    await checkDisk(config.dataDir),
    await checkPort(io, config),
    ...(await checkDatabase(io, config)),
    await checkTools(config),
    ...missingFeatures(config).map(({ what, how }) => ({ ...ok('optional', `${what}: off`), remedy: how })),
  ];
}

/** A missing sandbox is a failure only if a key is trusted to sign tools. */
async function checkTools(config: ServiceConfig): Promise<Check> {
  const keys = config.tools.trustedKeys.length;
  const state = await probeSandbox(config);
  const trusted = keys === 0 ? 'no key is trusted to sign tools (TOOL_TRUSTED_KEYS)' : `${keys} trusted keys`;
  if (state.available) return ok('tool sandbox', `${state.found}; ${trusted}`);
  const found = `tools are rejected: ${state.reason}; ${trusted}`;
  return keys === 0 ? warn('tool sandbox', found, state.remedy) : fail('tool sandbox', found, state.remedy);
}
