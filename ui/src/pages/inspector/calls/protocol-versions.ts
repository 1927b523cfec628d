// The versions and bindings of the protocols that the inspector speaks: what its address may name.

export const a2aVersions = ['1.0', '0.3'] as const;
export type A2aVersion = (typeof a2aVersions)[number];
export const a2aBindings = ['jsonrpc', 'rest'] as const;
export type A2aBinding = (typeof a2aBindings)[number];
export const mcpEras = ['2026-07-28', '2025-11-25', 'plain'] as const;
export type McpEra = (typeof mcpEras)[number];
