// The pace of restarts: intervals, the backoff of a template that falls ill again, what a caller may pass.
import { describe, expect, it } from 'vitest';
import { crashedPod, healthyPod, minute } from '../../../support/cluster/cluster-objects.ts';
import { Simulation } from '../../../support/cluster/simulation.ts';

const healthy = 'bcdefg'.split('').map((name) => healthyPod(name));

/** Checks every half minute for so long. @returns the minutes of evictions */
function minutesOfEvictions(simulation: Simulation, forMs: number): number[] {
  const start = simulation.now;
  for (let at = 0; at < forMs; at += minute / 2) {
    simulation.check('crashes');
    simulation.advance(minute / 2);
  }
  return simulation.evictions.map(({ at }) => (at - start) / minute);
}

describe('the pace of rounds', () => {
  it('[platform-1.3.12, platform-1.3.17] backs off while the same image falls ill: four restarts in the first hour', () => {
    const simulation = new Simulation([crashedPod('x'), ...healthy]);
    expect(minutesOfEvictions(simulation, 4 * 60 * minute)).toEqual([0, 5, 15, 35, 75, 135, 195]);
  });

  it('[platform-1.3.17] restarts no more of an image of which every pod crashes', () => {
    const simulation = new Simulation(['leader', 'x', 'y', 'z'].map((name) => crashedPod(name)));
    expect(minutesOfEvictions(simulation, 60 * minute)).toEqual([0, 5, 15, 35]);
  });

  it('[platform-1.4.4] is known to a new leader from the rounds alone', () => {
    const simulation = new Simulation([crashedPod('x'), ...healthy]);
    minutesOfEvictions(simulation, 40 * minute);
    const next = new Simulation(simulation.pods);
    next.rounds = simulation.rounds;
    next.now = simulation.now;
    const decision = next.check('crashes', { ownPod: 'b' });
    expect(decision.heldBack).toEqual([{ pod: 'made-4', reason: 'backoff', until: simulation.now + 35 * minute }]);
  });

  it('[platform-1.3.11] holds another pod back until the interval is over, and says until when', () => {
    const simulation = new Simulation([crashedPod('x'), ...healthy]);
    simulation.check('ready');
    const until = simulation.now + 5 * minute;
    simulation.pods = [...simulation.pods.filter(({ name }) => name !== 'b'), crashedPod('b')];
    simulation.advance(5 * minute - 1);
    expect(simulation.check('ready').heldBack).toEqual([{ pod: 'b', reason: 'interval', until }]);
    simulation.advance(1);
    expect(simulation.check('ready').next?.pod).toBe('b');
  });

  it('[platform-1.3.13] begins anew after half an hour of health', () => {
    const attemptAfter = (healthyMs: number): number | undefined => {
      const simulation = new Simulation([crashedPod('x'), ...healthy]);
      minutesOfEvictions(simulation, 20 * minute);
      simulation.pods = simulation.pods.map((pod) => (pod.ready ? pod : healthyPod('fresh')));
      simulation.check();
      simulation.advance(healthyMs);
      simulation.check();
      simulation.pods = [crashedPod('b'), ...simulation.pods.filter(({ name }) => name !== 'b')];
      return simulation.check().next?.round.attempt;
    };
    expect(attemptAfter(30 * minute)).toBe(1);
    expect(attemptAfter(29 * minute)).toBe(4);
  });

  it('[platform-1.3.13] begins anew for a new template', () => {
    const simulation = new Simulation([crashedPod('x'), ...healthy]);
    minutesOfEvictions(simulation, 36 * minute);
    simulation.pods = [crashedPod('new', { templateHash: 'hash-2' }), ...healthy];
    simulation.advance(5 * minute);
    expect(simulation.check().next?.round.attempt).toBe(1);
  });
});

describe('a caller', () => {
  const asked = { asked: true, actor: 'somebody' };

  it('[platform-1.3.16] passes the interval for a pod that was not restarted yet, and not the backoff', () => {
    const simulation = new Simulation([crashedPod('x'), ...healthy]);
    simulation.check('crashes');
    const until = simulation.now + 5 * minute;
    simulation.advance(minute);
    // The round is over: its only pod has been evicted, and its successor is ill.
    simulation.pods = [crashedPod('b'), ...simulation.pods.filter(({ name }) => name !== 'b')];
    const decision = simulation.check('ready', asked);
    expect(decision.heldBack).toEqual([{ pod: 'made-1', reason: 'backoff', until }]);
    expect(decision.restarting).toEqual(['b']);
  });

  it('[platform-1.3.16] passes the majority, also of a round that has begun', () => {
    const simulation = new Simulation(['leader', 'x', 'y', 'z'].map((name) => crashedPod(name)));
    expect(simulation.check('ready').heldBack.map(({ reason }) => reason)).toEqual([
      'majority',
      'majority',
      'majority',
    ]);
    const decision = simulation.check('ready', asked);
    expect([decision.next?.pod, decision.restarting]).toEqual(['y', ['y', 'z', 'leader']]);
  });

  it('adds to a round that still replaces a pod, so that never two go at once', () => {
    const simulation = new Simulation([crashedPod('x'), ...healthy]);
    simulation.check('crashes');
    simulation.pods = [crashedPod('b'), ...simulation.pods.filter(({ name }) => !['b', 'made-1'].includes(name))];
    simulation.advance(minute);
    const decision = simulation.check('ready', asked);
    expect([decision.next, decision.restarting]).toEqual([undefined, ['b']]);
  });
});
