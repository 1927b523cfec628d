// Decides where permissions are evaluated: in this process, or by the policy server at POLICY_URL. core-5.7, choices-1.
import { ConfigError } from './errors/config-error.ts';

/** `why`: the reason for the local mode, shown at the start. */
export type PolicyMode =
  | { readonly mode: 'local'; readonly why: 'asked' | 'default' | 'wins_over_url' }
  | {
      readonly mode: 'sidecar';
      /** The policy server's base address and path. */
      readonly url: string;
    };

export interface PolicySettings {
  readonly policy_local_mode?: boolean | undefined;
  readonly policy_url?: string | undefined;
  readonly policy_path: string;
}

/**
 * The local mode wins over an address; without either setting the policy is local.
 * @throws ConfigError for POLICY_LOCAL_MODE=false without an address: there would be nobody to decide
 */
export function resolvePolicyMode(settings: PolicySettings): PolicyMode {
  const { policy_local_mode: local, policy_url: base, policy_path: path } = settings;
  if (local === true) return { mode: 'local', why: base === undefined ? 'asked' : 'wins_over_url' };
  if (base !== undefined) return { mode: 'sidecar', url: `${base.replace(/\/+$/, '')}${path}` };
  if (local === false) {
    throw new ConfigError('POLICY_LOCAL_MODE=false needs a policy server: set POLICY_URL, or remove the setting');
  }
  return { mode: 'local', why: 'default' };
}

/** One line for the start and the log. */
export function describePolicy(policy: PolicyMode): string {
  if (policy.mode === 'sidecar') return `policy server: permissions are decided by ${policy.url}`;
  const how = policy.why === 'default' ? ' (neither POLICY_LOCAL_MODE nor POLICY_URL is set)' : '';
  return `local mode: permissions are decided in this process${how}`;
}
