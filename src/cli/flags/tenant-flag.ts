// The flag with which an admin acts in another tenant than the token's own.
import type { Command } from 'commander';

export interface TenantFlag {
  readonly tenant?: string;
}

export function withTenantFlag(command: Command): Command {
  return command.option('--tenant <id>', 'act in this tenant, for admins (default: the token’s own)');
}

/** The header of a call in another tenant. choices-4. */
export function tenantHeaders({ tenant }: TenantFlag): Record<string, string> {
  return tenant === undefined ? {} : { 'x-tenant-id': tenant };
}
