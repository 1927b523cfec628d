// Decides what a check of the cluster leads to: which pod is restarted now, which wait, and why. platform-1.3.
//
// Pure and total. At most one pod is evicted by a check. The transaction that takes the eviction compares the round with the
// one judged here, so that two replicas that judge at the same time evict one pod once.
import { serviceSubject } from '../../model/access/caller.ts';
import type { ClusterPod, Deployment } from '../../model/cluster/objects.ts';
import type {
  ClusterMemory,
  HeldPod,
  HoldReason,
  RestartableReason,
  Round,
  RoundPod,
  RoundPodState,
  UnhealthyPod,
} from '../../model/cluster/health.ts';
import { findUnhealthy, isRestartable, rememberHealth, sampleRestarts } from './observe.ts';
import { paceOf } from './pace.ts';
import { rolloutOf, type Rollout } from './rollout.ts';
import { closeRound, settleRound } from './settle-round.ts';

export interface Rules {
  /** The name of the pod that decides: it never evicts itself. */
  readonly ownPod: string;
  readonly unhealthySeconds: number;
  readonly intervalSeconds: number;
  /** False: the loop restarts nothing of its own. */
  readonly selfHeal: boolean;
  /** A caller asked for this check: neither the interval nor the majority holds it back. */
  readonly asked: boolean;
  /** The subject that begins a round: the loop's, or the caller's. */
  readonly actor: string;
}

export interface ClusterEvidence {
  /** All pods of the Deployment. */
  readonly pods: readonly ClusterPod[];
  readonly deployment: Deployment;
  /** The template hash of the Deployment's newest ReplicaSet; null: it has none yet. */
  readonly currentHash: string | null;
  /** The newest first. */
  readonly rounds: readonly Round[];
  readonly memory: ClusterMemory;
  /** Milliseconds since 1970. */
  readonly now: number;
}

export interface NextEviction {
  readonly pod: string;
  readonly uid: string;
  readonly reason: RestartableReason;
  readonly templateHash: string | null;
  /** The round with this pod as `evicting`. */
  readonly round: Round;
  /** True: the eviction begins the round. */
  readonly begins: boolean;
}

export interface Decision {
  readonly checked: number;
  readonly unhealthy: readonly UnhealthyPod[];
  /** The latest round as it has become; undefined: there is none. */
  readonly round: Round | undefined;
  readonly next: NextEviction | undefined;
  /** Pods that are restarted now or in their turn. */
  readonly restarting: readonly string[];
  readonly heldBack: readonly HeldPod[];
  /** True: this replica's own pod is next, so another replica has to decide. */
  readonly yields: boolean;
  readonly memory: ClusterMemory;
}

export function judgeCluster(evidence: ClusterEvidence, rules: Rules): Decision {
  const { deployment, rounds, now } = evidence;
  const pods = evidence.pods.filter(({ deleting }) => !deleting);
  const sampled = sampleRestarts(evidence.memory, pods, now);
  const unhealthy = findUnhealthy(pods, sampled, now, rules.unhealthySeconds);
  const memory = rememberHealth(sampled, pods, unhealthy, { now, lastRound: rounds[0]?.number ?? 0 });
  const latest = rounds[0] && settleRound(rounds[0], { pods, unhealthy, replicas: deployment.replicas, now });
  const plan = new Plan({ ...evidence, pods, memory }, rules, rolloutOf(deployment), unhealthy, latest);
  const round = latest !== undefined && isOpen(latest, rules) ? plan.goOn(latest) : plan.begin(latest);
  return {
    checked: pods.length,
    unhealthy,
    round,
    next: plan.next,
    restarting: plan.restarting,
    heldBack: plan.heldBack,
    yields: plan.yields,
    memory,
  };
}

/** Whether the round takes precedence over a new one: a caller's pods join one that still replaces a pod. */
function isOpen({ pods }: Round, { asked }: Rules): boolean {
  return pods.some(({ state }) => state === 'waiting' || (asked && state === 'evicting'));
}

const evictedStates = new Set<RoundPodState>(['evicting', 'replaced', 'failed', 'gone']);

type Candidate = UnhealthyPod & { readonly reason: RestartableReason };

class Plan {
  readonly #evidence: ClusterEvidence;
  readonly #rules: Rules;
  readonly #candidates: readonly Candidate[];
  readonly #isMajority: boolean;
  readonly restarting: string[] = [];
  readonly heldBack: HeldPod[] = [];
  next: NextEviction | undefined;
  yields = false;

  constructor(
    evidence: ClusterEvidence,
    rules: Rules,
    rollout: Rollout,
    unhealthy: readonly UnhealthyPod[],
    latest: Round | undefined,
  ) {
    this.#evidence = evidence;
    this.#rules = rules;
    this.#isMajority = unhealthy.length >= 2 && unhealthy.length * 2 > evidence.pods.length;
    const candidates: Candidate[] = [];
    for (const each of unhealthy) {
      const { reason } = each;
      if (!isRestartable(reason)) {
        this.#hold([each], reason);
        continue;
      }
      if (latest?.pods.some(({ uid, state }) => uid === each.uid && evictedStates.has(state)) === true) {
        // It was evicted, and still stands or was listed before.
        this.restarting.push(each.pod);
        continue;
      }
      const hold = this.#rolloutHold(each, rollout);
      if (hold === undefined) candidates.push({ ...each, reason });
      else this.#hold([each], hold);
    }
    this.#candidates = candidates;
  }

  #rolloutHold({ templateHash }: UnhealthyPod, rollout: Rollout): HoldReason | undefined {
    if (rollout === 'settled') return undefined;
    // The pods of the template before are those that serve while the new ones do not come up.
    const { currentHash } = this.#evidence;
    if (rollout === 'rollout_stalled' && currentHash !== null && templateHash !== currentHash) return undefined;
    return rollout;
  }

  #hold(pods: readonly { readonly pod: string }[], reason: HoldReason, until?: number): void {
    const known = until !== undefined && until > this.#evidence.now ? { until } : {};
    for (const { pod } of pods) this.heldBack.push({ pod, reason, ...known });
  }

  /** A round that is under way. */
  goOn(open: Round): Round {
    const { asked, selfHeal, actor } = this.#rules;
    const others = this.#candidates.filter(({ uid }) => !open.pods.some((entry) => entry.uid === uid));
    const added = asked ? this.#withoutBackoff(others) : [];
    if (!asked) this.#hold(others, 'interval', this.#pace(open.templateHash).intervalUntil);
    const round: Round = asked
      ? { ...open, cautious: false, actor, pods: [...open.pods, ...added.map(toWaiting)] }
      : open;
    const waiting = round.pods.filter(({ state }) => state === 'waiting');
    const ready = waiting.filter(({ uid }) => this.#candidates.some((each) => each.uid === uid));
    if (!asked && !selfHeal && round.actor === loopActor) {
      this.#hold(ready, 'self_heal_off');
      return round;
    }
    if (round.pods.some(({ state }) => state === 'evicting')) {
      this.#await(ready, round);
      return round;
    }
    this.#evict(ready, round, false);
    return round;
  }

  /** No pod waits for its turn: a new round begins where it may. */
  begin(before: Round | undefined): Round | undefined {
    const { asked, selfHeal, actor } = this.#rules;
    if (!asked && !selfHeal) {
      this.#hold(this.#candidates, 'self_heal_off');
      return before;
    }
    const templateHash = mostFrequentHash(this.#candidates);
    const [same, others] = partition(this.#candidates, (each) => each.templateHash === templateHash);
    const pace = this.#pace(templateHash);
    const { now } = this.#evidence;
    this.#hold(others, 'interval', pace.intervalUntil);
    const free = asked ? this.#withoutBackoff(same) : this.#withoutPause(same);
    if (free.length === 0) return before;
    const isRelapse = free.some(({ uid }) => pace.last?.existing.includes(uid) === false);
    const round: Round = {
      number: (before?.number ?? 0) + 1,
      startedAt: now,
      templateHash,
      attempt: pace.last === undefined || isRelapse || !asked ? pace.attempt : pace.last.attempt,
      cautious: this.#isMajority && !asked,
      actor,
      existing: this.#uids(),
      pods: free.map(toWaiting),
      ended: false,
    };
    this.#evict(round.pods, round, true);
    return this.next === undefined || before === undefined ? before : closeRound(before);
  }

  /** The pods that neither the interval nor the backoff of their template holds back. */
  #withoutPause(pods: readonly Candidate[]): readonly Candidate[] {
    const { now } = this.#evidence;
    const { intervalUntil, backoffUntil } = this.#pace(pods[0]?.templateHash ?? null);
    if (now < intervalUntil) this.#hold(pods, 'interval', intervalUntil);
    else if (now < backoffUntil) this.#hold(pods, 'backoff', backoffUntil);
    else return pods;
    return [];
  }

  /** For a caller: pods that existed before the last round of their template have not fallen ill again. */
  #withoutBackoff(pods: readonly Candidate[]): Candidate[] {
    const { now } = this.#evidence;
    return pods.filter((each) => {
      const { last, backoffUntil } = this.#pace(each.templateHash);
      if (last === undefined || now >= backoffUntil || last.existing.includes(each.uid)) return true;
      this.#hold([each], 'backoff', backoffUntil);
      return false;
    });
  }

  /** Evicts the first pod that is not this replica's own; the others wait for their turn. */
  #evict(waiting: readonly RoundPod[], round: Round, begins: boolean): void {
    const [own, others] = partition(waiting, ({ pod }) => pod === this.#rules.ownPod);
    const first = others[0];
    if (first === undefined) {
      this.#hold(own, 'own_pod');
      this.yields = own.length > 0 && this.#hasOther();
      return;
    }
    const evicting: RoundPod = { ...first, state: 'evicting', evictedAt: this.#evidence.now, existing: this.#uids() };
    this.next = {
      pod: first.pod,
      uid: first.uid,
      reason: first.reason,
      templateHash: this.#evidence.pods.find(({ uid }) => uid === first.uid)?.templateHash ?? null,
      round: { ...round, pods: round.pods.map((entry) => (entry.uid === first.uid ? evicting : entry)) },
      begins,
    };
    this.restarting.push(first.pod);
    this.#await([...others.slice(1), ...own], round);
  }

  /** Pods whose turn has not come. */
  #await(waiting: readonly RoundPod[], { cautious }: Round): void {
    if (cautious) this.#hold(waiting, 'majority');
    else this.restarting.push(...waiting.map(({ pod }) => pod));
  }

  #pace(templateHash: string | null) {
    const { rounds, memory } = this.#evidence;
    return paceOf(rounds, templateHash, memory, this.#rules.intervalSeconds);
  }

  #hasOther(): boolean {
    return this.#evidence.pods.some(({ name, phase }) => name !== this.#rules.ownPod && phase === 'Running');
  }

  #uids(): string[] {
    return this.#evidence.pods.map(({ uid }) => uid);
  }
}

/** The actor of the loop's own rounds. */
export const loopActor = serviceSubject('cluster_reconciler');

function toWaiting({ pod, uid, reason }: Candidate): RoundPod {
  return { pod, uid, reason, state: 'waiting', evictedAt: null, existing: [] };
}

function mostFrequentHash(pods: readonly Candidate[]): string | null {
  const byHash = [...Map.groupBy(pods, ({ templateHash }) => templateHash)];
  return byHash.toSorted(([, a], [, b]) => b.length - a.length)[0]?.[0] ?? null;
}

function partition<T>(items: readonly T[], test: (item: T) => boolean): [T[], T[]] {
  return [items.filter(test), items.filter((item) => !test(item))];
}
