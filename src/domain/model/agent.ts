// The noun agent: an addressee of messages, by name. tools-4.2, choices-7.

export interface Agent {
  readonly name: string;
  /** `worker`: a worker's own name; `agent`: a name that workers run agents under, or that was registered. */
  readonly role: 'worker' | 'agent';
  readonly description: string;
  /** The registered URL; the service does not check whether it is reachable. */
  readonly url?: string | undefined;
  readonly capabilities: readonly string[];
  readonly models: readonly string[];
  /** ISO 8601 UTC. */
  readonly lastSeen: string;
  readonly registeredAt: string;
  /** It sent a heartbeat recently. */
  readonly online: boolean;
  /** An online worker would claim a task that targets this agent. */
  readonly routable: boolean;
  /** `worker`: a registered worker has the name; `registered`: only a registration has the name. */
  readonly source: 'worker' | 'registered';
}

/** The registered description of an agent. */
export interface AgentProfile {
  readonly name: string;
  readonly description: string;
  readonly url?: string | undefined;
  readonly capabilities: readonly string[];
  readonly models: readonly string[];
}

/** Interval of the heartbeats that a registered agent must send. */
export const agentHeartbeatSeconds = 60;
/** A registered agent counts as gone after this long without a heartbeat: two heartbeats may be lost. */
export const agentExpirySeconds = 3 * agentHeartbeatSeconds;
