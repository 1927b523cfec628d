// The judgement of a check: who is ill, who is restarted, who is held back and why.
import { describe, expect, it } from 'vitest';
import { judgeCluster, type Rules } from '../../../../src/domain/cluster/judge/judge.ts';
import { emptyMemory, type HeldPod } from '../../../../src/domain/model/cluster/health.ts';
import type { ClusterPod, Deployment } from '../../../../src/domain/model/cluster/objects.ts';
import {
  callRules,
  crashedPod,
  evidence,
  healthyPod,
  loopRules,
  minute,
  noon,
  settledDeployment,
  waitingPod,
} from '../../../support/cluster/cluster-objects.ts';
import { Simulation } from '../../../support/cluster/simulation.ts';

const others = [healthyPod('leader'), healthyPod('b'), healthyPod('c')];
const iso = (at: number): string => new Date(at).toISOString();

function reasonsOf(pod: ClusterPod): (string | undefined)[] {
  return judgeCluster(evidence([pod, ...others]), loopRules).unhealthy.map(({ reason }) => reason);
}

function heldWith(pods: readonly ClusterPod[], rules: Rules, overrides: Partial<Deployment> = {}): readonly HeldPod[] {
  const found = judgeCluster(evidence(pods, { deployment: settledDeployment(pods.length, overrides) }), rules);
  expect(found.next).toBeUndefined();
  return found.heldBack;
}

describe('a finding', () => {
  it('[platform-1.3.2] is crash_loop for a container that waits so, an init container too', () => {
    expect(reasonsOf(crashedPod('x'))).toEqual(['crash_loop']);
    expect(reasonsOf(waitingPod('x', 'RunContainerError'))).toEqual(['crash_loop']);
    const init = { name: 'wait', restarts: 4, waiting: 'CrashLoopBackOff' };
    expect(reasonsOf(healthyPod('x', { phase: 'Pending', ready: false, containers: [init] }))).toEqual(['crash_loop']);
  });

  it('[platform-1.3.4] is not_ready after the time set, and not while the pod is young', () => {
    const since = (seconds: number): Partial<ClusterPod> => ({ ready: false, readySince: iso(noon - seconds * 1000) });
    expect(reasonsOf(healthyPod('x', since(120)))).toEqual(['not_ready']);
    expect(reasonsOf(healthyPod('x', since(119)))).toEqual([]);
    expect(reasonsOf(healthyPod('x', { ...since(500), startedAt: iso(noon - 119_000) }))).toEqual([]);
    expect(reasonsOf(healthyPod('x', { ready: false, readySince: null }))).toEqual([]);
  });

  it('[platform-1.3.5] is failed for a pod whose node is lost or that was thrown off it', () => {
    expect(reasonsOf(healthyPod('x', { phase: 'Failed' }))).toEqual(['failed']);
    expect(reasonsOf(healthyPod('x', { phase: 'Unknown' }))).toEqual(['failed']);
  });

  it('[platform-1.3.6] is cannot_start or unschedulable where a restart does not help, and is only reported', () => {
    for (const reason of ['ImagePullBackOff', 'ErrImagePull', 'InvalidImageName', 'CreateContainerConfigError']) {
      const pods = [waitingPod('x', reason, { phase: 'Pending' }), ...others];
      expect(heldWith(pods, callRules)).toEqual([{ pod: 'x', reason: 'cannot_start' }]);
    }
    const pending = healthyPod('x', { phase: 'Pending', ready: false, scheduled: false, containers: [] });
    expect(heldWith([pending, ...others], callRules)).toEqual([{ pod: 'x', reason: 'unschedulable' }]);
    expect(reasonsOf({ ...pending, scheduled: true })).toEqual([]);
  });

  it('[platform-1.3.3] is restarting for three restarts within ten minutes, of one container', () => {
    const pod = (restarts: number, more = 0): ClusterPod =>
      healthyPod('x', {
        containers: [
          { name: 'service', restarts, waiting: null },
          { name: 'side', restarts: more, waiting: null },
        ],
      });
    let { memory } = judgeCluster(evidence([pod(5), ...others]), loopRules);
    const reasonAt = (now: number, seen: ClusterPod): string | undefined => {
      const decision = judgeCluster(evidence([seen, ...others], { memory, now }), loopRules);
      memory = decision.memory;
      return decision.unhealthy[0]?.reason;
    };
    expect(reasonAt(noon + minute, pod(7, 2))).toBeUndefined();
    expect(reasonAt(noon + 9 * minute, pod(8, 2))).toBe('restarting');
    // The window moves on: of the last ten minutes there is one restart left.
    expect(reasonAt(noon + 12 * minute, pod(8, 2))).toBeUndefined();
    const young = { ...pod(3), createdAt: iso(noon + 11 * minute), uid: 'another' };
    expect(reasonAt(noon + 12 * minute, young)).toBe('restarting');
  });

  it('[platform-1.3.1] is none for a pod that is being deleted', () => {
    const decision = judgeCluster(evidence([crashedPod('x', { deleting: true }), ...others]), callRules);
    expect([decision.checked, decision.unhealthy]).toEqual([3, []]);
  });

  it('has the time since when the pod is ill', () => {
    const memory = { ...emptyMemory, unhealthySince: { 'uid-x': noon - 5 * minute } };
    const again = judgeCluster(evidence([crashedPod('x'), ...others], { memory }), loopRules);
    expect(again.unhealthy[0]?.since).toBe(noon - 5 * minute);
    const waits = healthyPod('x', { ready: false, readySince: iso(noon - 3 * minute) });
    expect(judgeCluster(evidence([waits, ...others]), loopRules).unhealthy[0]?.since).toBe(noon - 3 * minute);
  });
});

describe('a restart is held back', () => {
  const ill = [crashedPod('x'), ...others];

  it('[platform-1.3.18] by a paused Deployment, whoever asks', () => {
    for (const rules of [loopRules, callRules]) {
      expect(heldWith(ill, rules, { paused: true })).toEqual([{ pod: 'x', reason: 'paused' }]);
    }
  });

  it('[platform-1.3.9] by a rollout, in each of its signs', () => {
    const signs: Partial<Deployment>[] = [
      { generation: 2 },
      { generation: 0, observedGeneration: 0 },
      { updated: 3 },
      { progress: { reason: 'ReplicaSetUpdated', since: null } },
    ];
    for (const sign of signs) expect(heldWith(ill, callRules, sign)).toEqual([{ pod: 'x', reason: 'rollout' }]);
  });

  it('[platform-1.3.9] by a stalled rollout for its new pods alone', () => {
    const deployment = settledDeployment(4, { progress: { reason: 'ProgressDeadlineExceeded', since: null } });
    const old = crashedPod('old', { templateHash: 'hash-0' });
    const decision = judgeCluster(evidence([crashedPod('x'), old, ...others], { deployment }), loopRules);
    expect(decision.heldBack).toEqual([{ pod: 'x', reason: 'rollout_stalled' }]);
    expect(decision.next?.pod).toBe('old');
    // While the newest template is not known, each pod may be of it.
    const unknown = judgeCluster(evidence([crashedPod('x'), ...others], { deployment, currentHash: null }), loopRules);
    expect(unknown.heldBack).toEqual([{ pod: 'x', reason: 'rollout_stalled' }]);
  });

  it('not by the lack of a condition that a Deployment without a deadline does not have', () => {
    const deployment = settledDeployment(4, { progress: null });
    expect(judgeCluster(evidence(ill, { deployment }), loopRules).next?.pod).toBe('x');
  });

  it('[platform-1.3.19] by CLUSTER_SELF_HEAL=false, unless a caller asks; then the loop ends the round', () => {
    const rules = { ...loopRules, selfHeal: false };
    expect(heldWith(ill, rules)).toEqual([{ pod: 'x', reason: 'self_heal_off' }]);
    const pods = [crashedPod('x'), crashedPod('y'), ...others];
    const simulation = new Simulation(pods);
    simulation.check('ready', { asked: true, actor: 'somebody', selfHeal: false });
    simulation.advance(minute);
    simulation.check('ready', { selfHeal: false });
    expect(simulation.evictions.map(({ pod }) => pod)).toEqual(['x', 'y']);
  });

  it('[platform-1.3.14] for the own pod, which another replica has to judge', () => {
    const own = judgeCluster(evidence([crashedPod('leader'), healthyPod('b'), healthyPod('c')]), loopRules);
    expect([own.next, own.heldBack, own.yields]).toEqual([undefined, [{ pod: 'leader', reason: 'own_pod' }], true]);
    const other = judgeCluster(evidence([crashedPod('leader'), healthyPod('b')]), { ...loopRules, ownPod: 'b' });
    expect(other.next?.pod).toBe('leader');
  });

  it('[platform-1.3.14] for a single pod, which is left to its kubelet and keeps the lead', () => {
    const alone = judgeCluster(evidence([crashedPod('leader')]), loopRules);
    expect([alone.next, alone.heldBack, alone.yields]).toEqual([
      undefined,
      [{ pod: 'leader', reason: 'own_pod' }],
      false,
    ]);
  });

  it('[platform-1.3.14] for the own pod of a round until the others are done', () => {
    const simulation = new Simulation([
      crashedPod('leader'),
      crashedPod('b'),
      ...'cdef'.split('').map((n) => healthyPod(n)),
    ]);
    const first = simulation.check('ready');
    expect([first.next?.pod, first.restarting, first.yields]).toEqual(['b', ['b', 'leader'], false]);
    simulation.advance(minute);
    const second = simulation.check('ready');
    expect([second.next, second.yields, second.heldBack]).toEqual([
      undefined,
      true,
      [{ pod: 'leader', reason: 'own_pod' }],
    ]);
    expect(simulation.check('ready', { ownPod: 'c' }).next?.pod).toBe('leader');
  });
});

describe('a round', () => {
  const many = 'bcdefg'.split('').map((name) => healthyPod(name));

  it('[platform-1.3.7] restarts one pod after the other, each once the successor of the one before is Ready', () => {
    const simulation = new Simulation([crashedPod('x'), crashedPod('y'), ...many]);
    expect(simulation.check('crashes').restarting).toEqual(['x', 'y']);
    simulation.advance(9 * minute);
    expect(simulation.check().next).toBeUndefined();
    simulation.pods = simulation.pods.map((pod) => (pod.name === 'made-1' ? healthyPod('made-1') : pod));
    expect(simulation.check().next?.pod).toBe('y');
  });

  it('[platform-1.3.7] goes on after ten minutes without a successor', () => {
    const simulation = new Simulation([crashedPod('x'), crashedPod('y'), ...many]);
    simulation.check('crashes');
    simulation.advance(10 * minute);
    expect(simulation.check().next?.pod).toBe('y');
  });

  it('leaves out a pod that recovered or vanished before its turn', () => {
    const simulation = new Simulation([crashedPod('x'), crashedPod('y'), crashedPod('z'), ...many]);
    simulation.check('ready');
    simulation.pods = simulation.pods.filter(({ name }) => name !== 'z');
    simulation.pods = simulation.pods.map((pod) => (pod.name === 'y' ? healthyPod('y') : pod));
    simulation.advance(minute);
    const decision = simulation.check();
    expect([decision.next, decision.round?.ended]).toEqual([undefined, true]);
    expect(decision.round?.pods.map(({ state }) => state)).toEqual(['replaced', 'recovered', 'gone']);
  });

  it('tries a pod again whose eviction was taken and never made', () => {
    const simulation = new Simulation([crashedPod('x'), ...many]);
    const before = simulation.pods;
    simulation.check();
    simulation.pods = before;
    simulation.advance(10_000);
    expect(simulation.check().next).toBeUndefined();
    simulation.advance(6_000);
    expect(simulation.check().next?.pod).toBe('x');
  });

  it('[platform-1.3.15] tries one pod where more than half are ill, and the others wait for its success', () => {
    const simulation = new Simulation([crashedPod('x'), crashedPod('y'), crashedPod('z'), healthyPod('leader')]);
    expect(simulation.check('ready').heldBack).toEqual([
      { pod: 'y', reason: 'majority' },
      { pod: 'z', reason: 'majority' },
    ]);
    simulation.advance(minute);
    expect(simulation.check('ready').next?.pod).toBe('y');
  });

  it('[platform-1.3.15] ends where the tried one fails', () => {
    const simulation = new Simulation([crashedPod('x'), crashedPod('y'), crashedPod('z'), healthyPod('leader')]);
    simulation.check('crashes');
    simulation.advance(minute);
    const decision = simulation.check();
    expect(decision.round?.pods.map(({ state }) => state)).toEqual(['failed', 'dropped', 'dropped']);
    expect(decision.heldBack.map(({ reason }) => reason)).toEqual(['interval', 'interval', 'interval']);
  });

  it('is not cautious about one of one, two of four, or for a caller', () => {
    const cautious = (pods: readonly ClusterPod[], rules: Rules): boolean | undefined =>
      judgeCluster(evidence(pods), rules).next?.round.cautious;
    expect(cautious([crashedPod('x')], loopRules)).toBe(false);
    expect(cautious([crashedPod('x'), crashedPod('y'), healthyPod('a'), healthyPod('b')], loopRules)).toBe(false);
    expect(cautious([crashedPod('x'), crashedPod('y'), healthyPod('a')], loopRules)).toBe(true);
    expect(cautious([crashedPod('x'), crashedPod('y'), healthyPod('a')], callRules)).toBe(false);
  });
});
