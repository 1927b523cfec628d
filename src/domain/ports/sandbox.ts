// What the domain asks of the place where tools run: run these bytes within these limits, or say that it cannot.
import type { Duplex } from 'node:stream';
import type { ToolLimits } from '../model/tool-limits.ts';

export interface SandboxJob {
  readonly toolId: string;
  readonly version: string;
  /** An executable file: a `#!` line or a static program. These bytes run, and no others. */
  readonly content: Uint8Array;
  /** On its standard input. */
  readonly input: string;
  readonly limits: ToolLimits;
  /** Ends the run when nobody waits for it any more. */
  readonly signal: AbortSignal;
}

export type KilledBy = 'memory' | 'cpu' | 'time' | 'processes' | 'output' | 'cancelled';

export interface SandboxResult {
  /** As a shell says it: 128 and the signal's number for one that a signal ended; null when we ended it. */
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
  /** Whether tools can be confined here, by a trial. An answer is remembered for a while. */
  state(): Promise<SandboxState>;
  /**
   * Takes one of the places; a tenant has not all of them. Given back when it is disposed of.
   * @throws DomainError unavailable: sandbox_unavailable (tools cannot be confined here), tools_busy
   */
  acquireSlot(tenantId: string): Promise<SandboxSlot>;
}

/** Room for one run at a time. */
export interface SandboxSlot extends Disposable {
  /**
   * Runs a job to its end; nothing of it is left when this settles.
   * @throws DomainError unavailable sandbox_unavailable: nothing ran
   */
  run(job: SandboxJob): Promise<SandboxResult>;
}

/** Connections out of the sandbox, past the guard of outgoing requests. */
export interface OutgoingTunnels {
  /**
   * A connection to a host of the public internet, or one that an operator allowed; never to this machine.
   * @throws Error with a sentence that the tool may read
   */
  open(host: string, port: number, signal: AbortSignal): Promise<Duplex>;
}
