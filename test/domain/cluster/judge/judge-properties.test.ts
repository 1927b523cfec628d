// Properties of every judgement, whatever the pods are and in whatever order they fall ill.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { judgeCluster, type Decision } from '../../../../src/domain/cluster/judge/judge.ts';
import { restartableReasons } from '../../../../src/domain/model/cluster/health.ts';
import type { ClusterPod, Deployment } from '../../../../src/domain/model/cluster/objects.ts';
import {
  evidence,
  healthyPod,
  loopRules,
  minute,
  noon,
  settledDeployment,
} from '../../../support/cluster/cluster-objects.ts';
import { Simulation } from '../../../support/cluster/simulation.ts';

const waiting = fc.constantFrom(null, 'CrashLoopBackOff', 'RunContainerError', 'ImagePullBackOff', 'ContainerCreating');
const anyPod = fc
  .record({
    name: fc.constantFrom('leader', 'a', 'b', 'c', 'd', 'e', 'f'),
    phase: fc.constantFrom('Running', 'Pending', 'Failed', 'Unknown', 'Succeeded', 'Odd'),
    ready: fc.boolean(),
    readySince: fc.option(fc.integer({ min: 0, max: 20 }).map((age) => new Date(noon - age * minute).toISOString())),
    scheduled: fc.boolean(),
    templateHash: fc.constantFrom('hash-0', 'hash-1', null),
    deleting: fc.boolean(),
    containers: fc.array(fc.record({ name: fc.constantFrom('service', 'side'), restarts: fc.nat(9), waiting }), {
      maxLength: 2,
    }),
  })
  .map((pod): ClusterPod => healthyPod(pod.name, pod));
const anyPods = fc.uniqueArray(anyPod, { selector: ({ name }) => name, maxLength: 7 });
const anyDeployment = fc
  .record({
    paused: fc.boolean(),
    generation: fc.constantFrom(1, 2),
    updated: fc.constantFrom(0, 7),
    progress: fc.constantFrom(null, 'NewReplicaSetAvailable', 'ReplicaSetUpdated', 'ProgressDeadlineExceeded'),
  })
  .map(({ progress, ...rest }): Deployment =>
    settledDeployment(3, { ...rest, progress: progress === null ? null : { reason: progress, since: null } }),
  );
const anyRules = fc
  .record({ asked: fc.boolean(), selfHeal: fc.boolean() })
  .map((rules) => ({ ...loopRules, ...rules, actor: rules.asked ? 'somebody' : loopRules.actor }));

describe('a judgement', () => {
  it('accounts for each unhealthy pod once: it is restarted, or held back with a reason', () => {
    fc.assert(
      fc.property(anyPods, anyDeployment, anyRules, (pods, deployment, rules) => {
        const decision = judgeCluster(evidence(pods, { deployment }), rules);
        const named = [...decision.restarting, ...decision.heldBack.map(({ pod }) => pod)].toSorted();
        expect(named).toEqual(decision.unhealthy.map(({ pod }) => pod).toSorted());
      }),
    );
  });

  it('restarts only a pod that a restart may help, never its own, never in a rollout', () => {
    fc.assert(
      fc.property(anyPods, anyDeployment, anyRules, (pods, deployment, rules) => {
        const { next, unhealthy } = judgeCluster(evidence(pods, { deployment }), rules);
        if (next === undefined) return;
        const found = unhealthy.find(({ uid }) => uid === next.uid);
        expect(restartableReasons).toContain(found?.reason);
        expect(next.pod).not.toBe(rules.ownPod);
        expect(deployment.paused).toBe(false);
        const stalled = deployment.progress?.reason === 'ProgressDeadlineExceeded';
        if (stalled) expect(next.templateHash).not.toBe('hash-1');
        else expect(deployment.updated).toBeGreaterThanOrEqual(deployment.replicas);
        expect(pods.find(({ uid }) => uid === next.uid)?.deleting).toBe(false);
      }),
    );
  });

  it('depends on its input alone, and leaves it as it is', () => {
    fc.assert(
      fc.property(anyPods, anyDeployment, anyRules, (pods, deployment, rules) => {
        const input = evidence(pods, { deployment });
        const copy = structuredClone(input);
        expect(judgeCluster(input, rules)).toEqual(judgeCluster(copy, rules));
        expect(input).toEqual(copy);
      }),
    );
  });
});

interface Moment {
  readonly pod: number;
  readonly ill: boolean;
  readonly crashes: boolean;
  readonly minutes: number;
}

/** A life: at each half minute a pod may fall ill or recover, and successors are ready or crash. */
const anyLife: fc.Arbitrary<Moment[]> = fc.array(
  fc.record({ pod: fc.nat(4), ill: fc.boolean(), crashes: fc.boolean(), minutes: fc.constantFrom(0.5, 0.5, 1, 3) }),
  { minLength: 60, maxLength: 160 },
);

function live(life: readonly Moment[], each: (decision: Decision, simulation: Simulation) => void): Simulation {
  const simulation = new Simulation('abcde'.split('').map((name) => healthyPod(name)));
  for (const { pod: index, ill, crashes, minutes } of life) {
    simulation.pods = simulation.pods.map((pod, i) => (i === index ? withHealth(pod, !ill) : pod));
    each(simulation.check(crashes ? 'crashes' : 'ready'), simulation);
    simulation.advance(minutes * minute);
  }
  return simulation;
}

function withHealth(pod: ClusterPod, ready: boolean): ClusterPod {
  const reason = ready ? null : 'CrashLoopBackOff';
  return { ...pod, ready, containers: [{ name: 'service', restarts: 1, waiting: reason }] };
}

describe('a life of a cluster', () => {
  it('[platform-1.3.12] keeps the pause that belongs to the attempt of the round before', () => {
    fc.assert(
      fc.property(anyLife, (life) => {
        const rounds = live(life, () => undefined).rounds.toReversed();
        for (const [i, round] of rounds.entries()) {
          const before = rounds[i - 1];
          if (before === undefined || round.attempt === 1) continue;
          expect(round.attempt).toBe(before.attempt + 1);
          const pause = [5, 10, 20, 40, 60][Math.min(before.attempt, 5) - 1] ?? 0;
          expect(round.startedAt - before.startedAt).toBeGreaterThanOrEqual(pause * minute);
        }
      }),
      { numRuns: 50 },
    );
  });

  it('[platform-1.3.11] begins no round within the interval of the one before, and evicts nobody twice', () => {
    fc.assert(
      fc.property(anyLife, (life) => {
        const simulation = live(life, () => undefined);
        const starts = simulation.rounds.map(({ startedAt }) => startedAt).toReversed();
        starts.slice(1).forEach((at, i) => expect(at - (starts[i] ?? 0)).toBeGreaterThanOrEqual(5 * minute));
        const evicted = simulation.evictions.map(({ pod }) => pod);
        expect(new Set(evicted).size).toBe(evicted.length);
      }),
      { numRuns: 50 },
    );
  });

  it('[platform-1.3.7] has at most one pod of a round between its eviction and its successor', () => {
    fc.assert(
      fc.property(anyLife, (life) => {
        live(life, (_decision, { rounds }) => {
          const evicting = rounds[0]?.pods.filter(({ state }) => state === 'evicting') ?? [];
          expect(evicting.length).toBeLessThanOrEqual(1);
          // Rounds before the latest are closed.
          expect(rounds.slice(1).every(({ ended }) => ended)).toBe(true);
        });
      }),
      { numRuns: 50 },
    );
  });
});
