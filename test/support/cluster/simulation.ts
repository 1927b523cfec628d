// A cluster in memory that is checked again and again: what the database and the API server keep between checks.
import type { ClusterPod } from '../../../src/domain/model/cluster/objects.ts';
import { emptyMemory, type ClusterMemory, type Round } from '../../../src/domain/model/cluster/health.ts';
import { judgeCluster, type Decision, type Rules } from '../../../src/domain/cluster/judge/judge.ts';
import { crashedPod, healthyPod, loopRules, noon, settledDeployment } from './cluster-objects.ts';

/** The fate of a pod's successor: `crashes` at once, or is `ready` at the next check. */
export type Fate = 'crashes' | 'ready';

export class Simulation {
  pods: ClusterPod[];
  rounds: Round[] = [];
  memory: ClusterMemory = emptyMemory;
  now = noon;
  /** Every eviction: which pod, when. */
  readonly evictions: { readonly pod: string; readonly at: number }[] = [];
  readonly #replicas: number;
  #made = 0;

  constructor(pods: readonly ClusterPod[]) {
    this.pods = [...pods];
    this.#replicas = pods.length;
  }

  /** One check; what it evicts is replaced by a pod with this fate. */
  check(fate: Fate | ((name: string) => Fate) = 'crashes', rules: Partial<Rules> = {}): Decision {
    const { pods, rounds, memory, now } = this;
    const deployment = settledDeployment(this.#replicas);
    const decision = judgeCluster(
      { pods, deployment, currentHash: 'hash-1', rounds, memory, now },
      { ...loopRules, ...rules },
    );
    this.memory = structuredClone(decision.memory);
    if (decision.round !== undefined) this.rounds[0] = decision.round;
    const { next } = decision;
    if (next === undefined) return decision;
    if (next.begins) this.rounds.unshift(next.round);
    else this.rounds[0] = next.round;
    this.evictions.push({ pod: next.pod, at: now });
    this.#replace(next.uid, fate);
    return decision;
  }

  advance(ms: number): void {
    this.now += ms;
  }

  #replace(uid: string, fate: Fate | ((name: string) => Fate)): void {
    this.#made += 1;
    const name = `made-${this.#made}`;
    const times = { createdAt: new Date(this.now).toISOString(), startedAt: new Date(this.now).toISOString() };
    const lot = typeof fate === 'function' ? fate(name) : fate;
    const successor = lot === 'ready' ? healthyPod(name, times) : crashedPod(name, times);
    this.pods = this.pods.map((pod) => (pod.uid === uid ? successor : pod));
  }
}
