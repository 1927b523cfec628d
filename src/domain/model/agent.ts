// The noun agent: somebody a message can be addressed to by name. tools-4.2, choices-7.

export interface Agent {
  readonly name: string;
  /** `worker`: a worker's own name; `agent`: what workers run under that name, or what registered itself. */
  readonly role: 'worker' | 'agent';
  readonly description: string;
  /** As it was registered; nobody has looked whether it is there. */
  readonly url?: string | undefined;
  readonly capabilities: readonly string[];
  readonly models: readonly string[];
  /** ISO 8601 UTC. */
  readonly lastSeen: string;
  readonly registeredAt: string;
  /** Heard of lately. */
  readonly online: boolean;
  /** True when a worker that is there would take a task targeted at it. */
  readonly routable: boolean;
  /** `worker`: some registered worker bears the name; `registered`: it made itself known and nobody works under it. */
  readonly source: 'worker' | 'registered';
}

/** What somebody says of an agent when it is registered. */
export interface AgentProfile {
  readonly name: string;
  readonly description: string;
  readonly url?: string | undefined;
  readonly capabilities: readonly string[];
  readonly models: readonly string[];
}

/** How often a registered agent must be heard of. */
export const agentHeartbeatSeconds = 60;
/** A registered agent counts as gone when nothing was heard of it for this long: two heartbeats may be lost. */
export const agentExpirySeconds = 3 * agentHeartbeatSeconds;
