// The operator's settings for gates and set-up on this worker.

export interface GateSettings {
  /** `auto`: confined where bubblewrap works, else unconfined where the worker offers an agent program, else off. */
  readonly mode: 'auto' | 'confined' | 'unconfined' | 'off';
  /** Whether gates reach the network. */
  readonly network: boolean;
  readonly setupNetwork: boolean;
  /** Longest time of one gate without a limit of its own. */
  readonly timeoutMs: number;
  readonly memoryMb: number;
}
