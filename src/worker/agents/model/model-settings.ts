// What the built-in agent `model` needs to know: its endpoint, its limits, and what its shell may do. choices-5.

/** `confined`: in bubblewrap or not at all. `unconfined`: without it where it is missing. `off`: no shell. */
export type ShellPolicy = 'confined' | 'unconfined' | 'off';

export interface ModelSettings {
  /** The address of an OpenAI-compatible API, e.g. `http://127.0.0.1:11434/v1`. */
  endpoint: string;
  apiKey: string | undefined;
  /** The model of a task that names none. */
  model: string | undefined;
  /** Calls of the model in one run. */
  maxSteps: number;
  /** Tokens of all prompts and answers of one run. */
  maxTokens: number;
  shell: ShellPolicy;
  /** Whether commands of a confined shell reach the network. */
  shellNetwork: boolean;
}

/** What the agent has of the machine. */
export interface ModelAgentDeps {
  fetch: typeof fetch;
  /** The program `bwrap` when it confines here; undefined: it is missing or does not work. */
  sandbox: string | undefined;
  /** Absolute paths of the worker's own: neither tools nor confined commands see them. */
  hidden: readonly string[];
}
