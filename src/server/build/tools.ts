// Opens the sandbox in which tools run, as configured: for the service, and for `doctor`.
import { resolveAsSystem, resolveByServers } from '../../adapters/egress/resolve.ts';
import { guardedTunnels } from '../../adapters/egress/tunnels.ts';
import { BubblewrapSandbox } from '../../adapters/sandbox/sandbox.ts';
import type { Sandbox, SandboxState } from '../../domain/ports/sandbox.ts';
import type { ToolDeps } from '../../domain/tools/deps.ts';
import { parseTrustedKeys } from '../../domain/tools/trusted-keys.ts';
import type { ServiceConfig } from '../config/service-config.ts';

export type ToolConfig = Pick<ServiceConfig, 'tools' | 'egressAllow' | 'dataDir'>;

export function openSandbox(config: ToolConfig, log: (line: string, details?: unknown) => void): Sandbox {
  const { tools, egressAllow, dataDir } = config;
  return new BubblewrapSandbox({
    bwrap: tools.bwrap,
    allowedPaths: tools.allowedPaths,
    hidden: [dataDir],
    runsAtOnce: tools.runsAtOnce,
    tunnels: guardedTunnels({ allow: egressAllow, resolve: resolveByServers, resolveAllowed: resolveAsSystem }),
    elapsedMs: () => performance.now(),
    log,
  });
}

/** The part of the configuration that the domain functions of tools use. */
export function toolSettings({ tools }: ToolConfig): Pick<ToolDeps, 'trustedKeys' | 'accepted'> {
  const { maxMemoryMb, maxCpuSeconds, allowedPaths } = tools;
  return { trustedKeys: parseTrustedKeys(tools.trustedKeys), accepted: { maxMemoryMb, maxCpuSeconds, allowedPaths } };
}

/** Without a trusted key there are no tools, so a missing sandbox is not a fault. */
export async function areToolsHealthy({ tools }: ToolConfig, sandbox: Sandbox): Promise<boolean> {
  return tools.trustedKeys.length === 0 || (await sandbox.state()).available;
}

/** Probes the sandbox, for `doctor`. */
export async function probeSandbox(config: ToolConfig): Promise<SandboxState> {
  return openSandbox(config, () => undefined).state();
}
