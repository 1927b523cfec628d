// The port of the sandbox: runs a program within limits, or refuses to.
import type { Duplex } from 'node:stream';
import type { ToolLimits } from '../model/tool-limits.ts';

export interface SandboxJob {
  readonly toolId: string;
  readonly version: string;
  /** An executable file: a `#!` script or a static program. Exactly these bytes run. */
  readonly content: Uint8Array;
  /** Sent to its standard input. */
  readonly input: string;
  readonly limits: ToolLimits;
  /** Ends the run when its caller has left. */
  readonly signal: AbortSignal;
}

export type KilledBy = 'memory' | 'cpu' | 'time' | 'processes' | 'output' | 'cancelled';

export interface SandboxResult {
  /** As in a shell: 128 plus the signal's number after a signal; null when the service ended it. */
  readonly exitCode: number | null;
  readonly stdout: string;
  readonly stderr: string;
  readonly killedBy: KilledBy | null;
  readonly usage: {
    readonly wallMs: number;
    readonly cpuMs: number;
    readonly peakMemoryBytes: number;
  };
}

export type SandboxState =
  | { readonly available: true; readonly found: string }
  | { readonly available: false; readonly reason: string; readonly remedy: string };

export interface Sandbox {
  /** Whether tools can be confined here, found by a trial run. The answer is cached. */
  state(): Promise<SandboxState>;
  /**
   * Acquires a slot; one tenant cannot have all of them. Disposing of it releases it.
   * @throws DomainError unavailable: sandbox_unavailable (tools cannot be confined here), tools_busy
   */
  acquireSlot(tenantId: string): Promise<SandboxSlot>;
}

/** A slot for one run at a time. */
export interface SandboxSlot extends Disposable {
  /**
   * Runs a job to its end; nothing of it remains when this settles.
   * @throws DomainError unavailable sandbox_unavailable: nothing ran
   */
  run(job: SandboxJob): Promise<SandboxResult>;
}

/** Connections out of the sandbox, through the egress guard. */
export interface OutgoingTunnels {
  /**
   * Opens a connection to a public host, or to one that an operator allowed; never to this machine.
   * @throws Error with a message that the tool may read
   */
  open(host: string, port: number, signal: AbortSignal): Promise<Duplex>;
}
