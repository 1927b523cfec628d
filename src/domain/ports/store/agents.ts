// Rows of agents and of active codebases, within a tenant.
import type { Agent, AgentProfile } from '../../model/agent.ts';
import type { Page } from './page.ts';

export interface AgentFilter {
  /** Case-insensitive. */
  readonly capability?: string | undefined;
  readonly onlineOnly: boolean;
}

export interface AgentRows {
  /** By name: agents of workers and registered agents, one for each name. `before` is the last name of a page. */
  list(filter: AgentFilter, page: Page): Promise<Agent[]>;
  find(name: string): Promise<Agent | undefined>;
  /** The subjects that hold a name: the one that registered it, and the owners of workers with that name. */
  findNameHolders(name: string): Promise<{ registrant: string | undefined; workers: readonly string[] }>;
  /** Registrations of a subject, and of all; locks out other registrations until this transaction ends. */
  countForAdding(subject: string): Promise<{ own: number; all: number }>;
  /** Adds a registration or replaces its profile; both count as a heartbeat. */
  register(subject: string, profile: AgentProfile): Promise<void>;
  /** False: the name is not registered. */
  refresh(name: string): Promise<boolean>;
  /** Deletes registrations without a heartbeat for this long. @returns how many */
  dropStale(olderThanDays: number): Promise<number>;
}

export interface ActiveCodebaseRows {
  find(subject: string): Promise<string | undefined>;
  set(subject: string, codebaseId: string): Promise<void>;
}
