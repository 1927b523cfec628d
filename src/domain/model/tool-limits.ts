// The limits of tools: those of the three sandbox policies, and those that an operator accepts.
// core-5.10 and core-8: Default (standard limits, network allowed), Restricted (minimal resources, no network,
// limited file system), Custom (per-tool limits).
import { isPathResource, type ToolManifest } from './tool.ts';

export const sandboxPolicies = ['default', 'restricted', 'custom'] as const;
export type SandboxPolicy = (typeof sandboxPolicies)[number];

/** The limits of one run. */
export interface ToolLimits {
  /** Memory of all its processes together. */
  readonly memoryMb: number;
  /** CPU time of all its processes together. */
  readonly cpuSeconds: number;
  readonly wallSeconds: number;
  /** Processes and threads. */
  readonly processes: number;
  readonly openFiles: number;
  /** Bytes of standard output, and as many of standard error. */
  readonly outputBytes: number;
  /** Bytes of its own /tmp, which is memory too. */
  readonly tmpMb: number;
  /** Hosts it may reach: `name`, `name:port`, `*.name`, or `*` for every public one. None: no network at all. */
  readonly hosts: readonly string[];
  /** Read-only, at the same place as outside. */
  readonly paths: readonly string[];
}

/** The maximum that an operator accepts in a manifest. */
export interface AcceptedLimits {
  readonly maxMemoryMb: number;
  readonly maxCpuSeconds: number;
  /** A tool may read only at or below these paths. */
  readonly allowedPaths: readonly string[];
}

const mebibyte = 1024 * 1024;
const standard = { memoryMb: 256, cpuSeconds: 10, processes: 64, openFiles: 256, outputBytes: mebibyte, tmpMb: 64 };
const minimal = { memoryMb: 64, cpuSeconds: 2, processes: 16, openFiles: 64, outputBytes: mebibyte / 4, tmpMb: 8 };

/** The first limit in a manifest that exceeds what is accepted, as field and sentence; undefined when there is none. */
export function findUnacceptableLimit(
  manifest: ToolManifest,
  accepted: AcceptedLimits,
): { readonly field: string; readonly message: string } | undefined {
  const { maxMemoryMb, maxCpuSeconds, allowedResources = [] } = manifest;
  if (maxMemoryMb !== undefined && !isWithin(maxMemoryMb, accepted.maxMemoryMb)) {
    const message = `must be 1 to ${accepted.maxMemoryMb}; an operator raises that with TOOL_MAX_MEMORY_MB`;
    return { field: 'max_memory_mb', message };
  }
  if (maxCpuSeconds !== undefined && !isWithin(maxCpuSeconds, accepted.maxCpuSeconds)) {
    const message = `must be 1 to ${accepted.maxCpuSeconds}; an operator raises that with TOOL_MAX_CPU_SECONDS`;
    return { field: 'max_cpu_seconds', message };
  }
  const refused = allowedResources.find(
    (resource) => isPathResource(resource) && !accepted.allowedPaths.some((path) => isAtOrBeneath(resource, path)),
  );
  if (refused === undefined) return undefined;
  const message = 'names a path that is not allowed; an operator allows paths with TOOL_ALLOWED_PATHS';
  return { field: 'allowed_resources', message };
}

function isWithin(value: number, max: number): boolean {
  return value >= 1 && value <= max;
}

export function isAtOrBeneath(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder.endsWith('/') ? folder : `${folder}/`);
}

/** The limits of a run. A policy narrows what the manifest allows and never widens it. */
export function limitsFor(manifest: ToolManifest, policy: SandboxPolicy): ToolLimits {
  const { maxMemoryMb, maxCpuSeconds, networkAllowed = false, allowedResources = [] } = manifest;
  const base = policy === 'restricted' ? minimal : standard;
  const isCustom = policy === 'custom';
  const memoryMb = isCustom ? (maxMemoryMb ?? base.memoryMb) : Math.min(base.memoryMb, maxMemoryMb ?? base.memoryMb);
  const cpuSeconds = isCustom
    ? (maxCpuSeconds ?? base.cpuSeconds)
    : Math.min(base.cpuSeconds, maxCpuSeconds ?? base.cpuSeconds);
  const open = policy !== 'restricted';
  return {
    ...base,
    memoryMb,
    cpuSeconds,
    // Twice the CPU time, to leave time for waiting on others.
    wallSeconds: cpuSeconds * 2 + 10,
    tmpMb: Math.min(base.tmpMb, memoryMb),
    hosts: open && networkAllowed ? allowedResources.filter((resource) => !isPathResource(resource)) : [],
    paths: open ? allowedResources.filter(isPathResource) : [],
  };
}
