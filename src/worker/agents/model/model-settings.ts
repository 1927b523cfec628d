// Settings of the built-in agent `model`: endpoint, limits, and what its shell may do. choices-5.
import type { RlmSettings } from './rlm/rlm-settings.ts';

/**
 * `confined`: in bubblewrap or not at all. `unconfined`: without a sandbox where bubblewrap is missing. `off`: no
 * shell.
 */
export type ShellPolicy = 'confined' | 'unconfined' | 'off';

export interface ModelSettings {
  /** The address of an OpenAI-compatible API, e.g. `http://127.0.0.1:11434/v1`. */
  readonly endpoint: string;
  readonly apiKey: string | undefined;
  /** The model for tasks that name none. */
  readonly model: string | undefined;
  /** Model calls per attempt. */
  readonly maxSteps: number;
  /** Tokens of all prompts and answers of one attempt. */
  readonly maxTokens: number;
  readonly shell: ShellPolicy;
  /** Whether commands of a confined shell can use the network. */
  readonly shellNetwork: boolean;
  /** The handling of large contexts; undefined: its defaults, which leave it off. */
  readonly rlm?: RlmSettings;
}

/** The resources of the machine for the agent. */
export interface ModelAgentDeps {
  readonly fetch: typeof fetch;
  /** Path of `bwrap` when it works here; undefined: it is missing or does not work. */
  readonly sandbox: string | undefined;
  /** Absolute paths of the worker itself, invisible to tools and confined commands. */
  readonly hidden: readonly string[];
}
