// Checks of `doctor` for signed tools: whether the sandbox works here, by a trial.
import type { ServiceConfig } from '../../server/config/service-config.ts';
import { probeSandbox } from '../../server/build/tools.ts';
import { fail, ok, warn, type Check } from '../core/doctor-check.ts';

/** A missing sandbox is a failure only if a key is trusted to sign tools. */
export async function checkTools(config: ServiceConfig): Promise<Check> {
  const keys = config.tools.trustedKeys.length;
  const state = await probeSandbox(config);
  const trusted = keys === 0 ? 'no key is trusted to sign tools (TOOL_TRUSTED_KEYS)' : `${keys} trusted keys`;
  if (state.available) return ok('tool sandbox', `${state.found}; ${trusted}`);
  const found = `tools are rejected: ${state.reason}; ${trusted}`;
  return keys === 0 ? warn('tool sandbox', found, state.remedy) : fail('tool sandbox', found, state.remedy);
}
