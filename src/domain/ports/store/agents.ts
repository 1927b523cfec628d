// What the domain asks of the store about agents, and about who works with which codebase.
import type { Agent, AgentProfile } from '../../model/agent.ts';
import type { Page } from './page.ts';

export interface AgentFilter {
  /** In any spelling of upper and lower case. */
  readonly capability?: string | undefined;
  readonly onlineOnly: boolean;
}

export interface AgentRows {
  /** By name; those of workers and those that registered, one for each name. `before` is the last name of a page. */
  list(filter: AgentFilter, page: Page): Promise<Agent[]>;
  find(name: string): Promise<Agent | undefined>;
  /** Who must be asked about a name: who registered it, and whose workers bear it. */
  findNameHolders(name: string): Promise<{ registrant: string | undefined; workers: readonly string[] }>;
  /** Registrations of a subject, and of all; nobody else adds one until this transaction is over. */
  countForAdding(subject: string): Promise<{ own: number; all: number }>;
  /** Adds it, or replaces what it says; both are a heartbeat. */
  register(subject: string, profile: AgentProfile): Promise<void>;
  /** False: nobody registered the name. */
  refresh(name: string): Promise<boolean>;
  /** Deletes those that were not heard of for so long. */
  dropStale(olderThanDays: number): Promise<number>;
}

export interface ActiveCodebaseRows {
  find(subject: string): Promise<string | undefined>;
  set(subject: string, codebaseId: string): Promise<void>;
}
