// The sender: claims deliveries that are due, sends them, records what came of it. Runs on every replica; the claim
// decides which one sends. A delivery whose sender dies is due again when its claim runs out, under the same id.
//
// The ordinary webhook costs it no commit: it is claimed in the one that ends its task, and its outcome goes with a later
// one (`board`). What else is due (retries, notifications, what a cancel or a dead replica left) is found by a look.
import type {
  Begun,
  DeliveryClaim,
  DeliveryOutcome,
  DeliveryRide,
  DeliveryRides,
  DueDeliveries,
  DueDelivery,
  FoundDelivery,
  ReceiverCursor,
  RecordedOutcome,
  RideArrival,
} from '../ports/store/deliveries.ts';
import type { TaskQueue } from '../ports/store/queue.ts';
import type { Rows, Store } from '../ports/store/store.ts';
import type { WakeBus } from '../ports/wake.ts';
import { Alarm } from './alarm.ts';
import { attempt, waitAfter, type AttemptDeps } from './attempt.ts';
import { tellOfAttempts, tellOfGivenUp, type AttemptTally, type Said } from './attempt-tally.ts';
import { Hands, type Claimed } from './hands.ts';
import { momentOf, type Moment } from './moment.ts';
import { signer, type Signer } from './sign.ts';

/** Writes down what a notification says, in the dialect of the protocol that its config was registered in. */
export type NotificationForm = (
  moment: Moment,
  wire: string,
) => { readonly body: string; readonly contentType: string };

export interface SenderDeps extends AttemptDeps {
  readonly store: Store;
  readonly queue: Pick<TaskQueue, 'carry'>;
  readonly outbox: DueDeliveries;
  readonly wake: WakeBus;
  readonly notification: NotificationForm;
  /** The installation's; the first signs. */
  readonly signingSecrets: readonly string[];
  readonly tally: AttemptTally;
  readonly log: (line: string, details?: unknown) => void;
}

/** document 1 §8. */
const maxTries = 3;
/** An attempt's ten seconds, and time to record it. */
const attemptBounds = { leaseSeconds: 15, maxTries };
/** Hints come with every line of every task's log; the outbox is looked at no more often than this for them. */
const hintPauseMs = 250;
/** What has ended waits this long for a commit that takes it along. */
const gatherMs = 50;
/** How soon what was claimed and got no hand is looked at. */
const tiredMs = 1_000;
/** Milliseconds that requests under way have when the service stops. */
const patienceMs = 3_000;

const nothingBegun: Begun = { due: [], secrets: [], dead: [] };

interface Gathered {
  readonly since: number;
  readonly said: Said[];
}

type Returned = DeliveryClaim & { readonly tenantId: string };

export class DeliverySender implements DeliveryRides, AsyncDisposable {
  readonly #deps: SenderDeps;
  readonly #hands: Hands;
  readonly #sign: Signer;
  readonly #stop = new AbortController();
  readonly #stopHearing: () => void;
  #closing = false;
  /** What is known and not recorded, by tenant: for the next commit that takes it along, or a look. */
  readonly #gathered = new Map<string, Gathered>();
  /** For a look alone: a commit that took it along failed, and it shall harm no other. */
  #left: Said[] = [];
  /** Claimed, and not sent: no hand came free, or the service stops. */
  #returned: Returned[] = [];
  /** Commits under way that took something along. */
  readonly #riding = new Set<Promise<void>>();
  #after: ReceiverCursor | undefined;
  #looking: Promise<void> | undefined;
  #again = false;
  /** The next round looks for what is due; without it, it records what is known. */
  #finds = false;
  /** Until a look finds nothing more, hands that come free make the next one. */
  #isMore = false;
  readonly #lookAlarm: Alarm;
  readonly #recordAlarm: Alarm;
  #lookedAt = Number.NEGATIVE_INFINITY;

  constructor(deps: SenderDeps) {
    this.#deps = deps;
    this.#sign = signer(deps.signingSecrets);
    this.#hands = new Hands({ now: deps.now, send: (claimed) => this.#send(claimed) });
    this.#lookAlarm = new Alarm(deps.now, () => this.#owned(this.look()));
    this.#recordAlarm = new Alarm(deps.now, () => {
      if (this.#gathered.size > 0) this.#owned(this.#rounds());
    });
    this.#stopHearing = deps.wake.listen((hint) => {
      if (hint.kind !== 'task') return;
      const pauseMs = this.#lookedAt + hintPauseMs - deps.now();
      // The clock may have been set back.
      this.#lookAlarm.in(Math.max(0, Math.min(pauseMs, hintPauseMs)));
    });
    deps.queue.carry(this);
  }

  /** Looks at the outbox as soon as this turn is over. */
  soon(): void {
    this.#lookAlarm.in(0);
  }

  board(tenantId: string, endsTasks: boolean): DeliveryRide | undefined {
    if (this.#closing) return undefined;
    const said = this.#gathered.get(tenantId)?.said ?? [];
    const room = endsTasks ? this.#hands.room(tenantId) : undefined;
    if (said.length === 0 && room === undefined) return undefined;
    this.#gathered.delete(tenantId);
    const landed = Promise.withResolvers<void>();
    this.#riding.add(landed.promise);
    return {
      outcomes: outcomesOf(said),
      maxTries,
      room: room && { ...room, leaseSeconds: attemptBounds.leaseSeconds },
      arrive: (arrival) => {
        if (arrival === undefined) this.#leave(said);
        else this.#arrived(tenantId, said, arrival);
        this.#riding.delete(landed.promise);
        landed.resolve();
      },
    };
  }

  #leave(said: readonly Said[]): void {
    this.#left.push(...said);
    this.#lookAlarm.in(gatherMs);
  }

  #arrived(tenantId: string, said: readonly Said[], { recorded, due, secrets, left }: RideArrival): void {
    this.#tell(said, recorded);
    if (left > 0) this.#isMore = true;
    // A notification waited behind a recorded one.
    if (said.some(({ kind }) => kind === 'push')) this.#lookAlarm.in(0);
    if (due.length === 0) return;
    const sign = this.#signerOf(secrets);
    for (const one of due) this.#take({ tenantId, host: one.host, due: one, sign });
  }

  #take(claimed: Claimed): void {
    if (this.#closing) this.#returned.push(returnOf(claimed));
    else {
      this.#hands.take(claimed);
      if (this.#hands.isWaitedFor) this.#lookAlarm.within(tiredMs);
    }
  }

  #signerOf(secrets: readonly string[]): Signer {
    return secrets.length > 0 ? signer(secrets) : this.#sign;
  }

  /**
   * Records what is known, then claims what is due until nothing is. Resolves when all is begun, not when it
   * has arrived. @throws DomainError unavailable
   */
  look(): Promise<void> {
    this.#finds = true;
    return this.#rounds();
  }

  /** One after the other, whoever asks for them. */
  #rounds(): Promise<void> {
    this.#again = true;
    this.#looking ??= this.#round().finally(() => {
      this.#looking = undefined;
    });
    return this.#looking;
  }

  async #round(): Promise<void> {
    while (this.#again && !this.#stop.signal.aborted) {
      const finds = this.#finds;
      this.#again = this.#finds = false;
      this.#returned.push(...this.#hands.tired('late').map(returnOf));
      if (this.#hands.isWaitedFor) this.#lookAlarm.within(tiredMs);
      const due = finds ? await this.#findDue() : [];
      const found = Map.groupBy(due, (one) => one.tenantId);
      const said = this.#takeSaid(new Set(found.keys()));
      const returned = this.#returned;
      this.#returned = [];
      try {
        await this.#turn(said, returned, found);
      } catch (error) {
        // What cannot be recorded now stays for the next look; once its claim has run out it changes nothing any more.
        this.#left.unshift(...said);
        this.#returned.unshift(...returned);
        throw error;
      }
    }
  }

  /** What no commit took along in good time, and that of tenants that are turned to anyway. */
  #takeSaid(tenants: ReadonlySet<string>): Said[] {
    const taken = this.#left;
    this.#left = [];
    const now = this.#deps.now();
    for (const [tenantId, { since, said }] of this.#gathered) {
      const waitedMs = now - since;
      // Less than nothing: the clock was set back.
      if (waitedMs >= 0 && waitedMs < gatherMs && !tenants.has(tenantId)) {
        this.#recordAlarm.in(gatherMs - waitedMs);
        continue;
      }
      taken.push(...said);
      this.#gathered.delete(tenantId);
    }
    return taken;
  }

  /** In one transaction for each tenant records what was said, gives back what was not sent and claims what was found. */
  async #turn(
    said: readonly Said[],
    returned: readonly Returned[],
    found: ReadonlyMap<string, readonly FoundDelivery[]>,
  ): Promise<void> {
    const wasMidway = this.#after !== undefined;
    const outcomes = Map.groupBy(said, (one) => one.tenantId);
    const back = Map.groupBy(returned, (one) => one.tenantId);
    for (const tenantId of new Set([...found.keys(), ...outcomes.keys(), ...back.keys()])) {
      await this.#turnOf(tenantId, outcomes.get(tenantId) ?? [], back.get(tenantId) ?? [], found.get(tenantId) ?? []);
    }
    // Receivers are left to look at, or a notification that waited behind a recorded one.
    if (this.#after !== undefined || wasMidway || said.some(({ kind }) => kind === 'push'))
      this.#again = this.#finds = true;
  }

  async #findDue(): Promise<readonly FoundDelivery[]> {
    this.#lookedAt = this.#deps.now();
    const limit = this.#closing ? 0 : this.#hands.free;
    if (limit <= 0) return [];
    const { found, next } = await this.#deps.outbox.findDue({ limit, ...this.#hands.look, after: this.#after });
    this.#after = next;
    this.#isMore = found.length > 0;
    return found;
  }

  async #turnOf(
    tenantId: string,
    said: readonly Said[],
    returned: readonly Returned[],
    found: readonly FoundDelivery[],
  ): Promise<void> {
    const hosts = new Map(found.map(({ deliveryId, host }) => [deliveryId, host]));
    const turn = await this.#deps.store.within({ tenantId }, async (rows) => {
      const ended = said.length === 0 ? [] : await rows.deliveries.record(outcomesOf(said), maxTries);
      if (returned.length > 0) await rows.deliveries.giveBack(returned);
      const begun = found.length === 0 ? nothingBegun : await rows.deliveries.begin(found, attemptBounds);
      const written = [];
      for (const due of begun.due) written.push({ due, form: await this.#formOf(rows, due) });
      return { ended, begun, written };
    });
    this.#tell(said, turn.ended);
    tellOfGivenUp(this.#deps, tenantId, turn.begun.dead);
    const sign = this.#signerOf(turn.begun.secrets);
    // Another hand was faster: what is due behind these is seen in the next look.
    if (turn.begun.due.length + turn.begun.dead.length < found.length) this.#lookAlarm.in(hintPauseMs);
    for (const { due, form } of turn.written) {
      const host = hosts.get(due.deliveryId);
      if (host === undefined) continue;
      if (form === undefined) this.#say(saidOf(tenantId, due, unwritten(this.#deps, due)));
      else this.#take({ tenantId, host, due: { ...due, ...form }, sign });
    }
  }

  #tell(said: readonly Said[], recorded: readonly RecordedOutcome[]): void {
    tellOfAttempts(this.#deps, said, recorded);
    const waits = said.filter(({ outcome }) => !outcome.delivered).map(({ outcome }) => outcome.waitSeconds);
    if (waits.length > 0) this.#lookAlarm.in(Math.min(...waits) * 1000);
  }

  /** What is sent: as stored, or, for a notification that is sent the first time, written and stored now. */
  async #formOf(rows: Rows, due: DueDelivery): Promise<ReturnType<NotificationForm> | undefined> {
    const { body, contentType, target } = due;
    if (body !== null) return { body, contentType };
    const moment = await momentOf(rows, due.taskId, due.seq);
    if (moment === undefined || target === null) return undefined;
    try {
      const form = this.#deps.notification(moment, target.wire);
      await rows.deliveries.write(due, form);
      return form;
    } catch (error) {
      // One that cannot be written keeps no other from being sent.
      const ids = { task_id: due.taskId, delivery_id: due.deliveryId };
      this.#deps.log('a notification could not be written', { ...ids, error });
      return undefined;
    }
  }

  async #send({ tenantId, due, sign }: Claimed): Promise<void> {
    const outcome = await attempt(this.#deps, due, sign, this.#stop.signal);
    if (outcome === undefined) this.#returned.push({ tenantId, ...due });
    else this.#say(saidOf(tenantId, due, outcome));
  }

  #say(said: Said): void {
    const gathered = this.#gathered.get(said.tenantId);
    if (gathered === undefined) {
      this.#gathered.set(said.tenantId, { since: this.#deps.now(), said: [said] });
      this.#recordAlarm.in(gatherMs);
    } else {
      gathered.said.push(said);
    }
    // The next ones, before the hands have nothing left to do.
    if (this.#isMore && !this.#hands.isWaitedFor) this.#lookAlarm.within(0);
  }

  #owned(rounds: Promise<void>): void {
    // What fails is said, and the loop that calls `look` from time to time tries again.
    rounds.catch((error: unknown) => this.#deps.log('the outbox could not be looked at', error));
  }

  /** Lets what is under way arrive; what takes too long is given back, and is due at once on another replica. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#stopHearing();
    this.#closing = true;
    this.#returned.push(...this.#hands.tired('all').map(returnOf));
    await this.#looking?.catch(() => undefined);
    const patience = Promise.withResolvers<void>();
    const timer = setTimeout(patience.resolve, patienceMs);
    await Promise.race([Promise.all([...this.#riding, this.#hands.rest()]), patience.promise]);
    clearTimeout(timer);
    this.#stop.abort();
    await this.#hands.rest();
    this.#lookAlarm.off();
    this.#recordAlarm.off();
    const said = [...this.#left, ...[...this.#gathered.values()].flatMap((one) => one.said)];
    try {
      await this.#turn(said, this.#returned, new Map());
    } catch (error) {
      this.#deps.log('what was being sent could not be given back: its claims run out by themselves', error);
    }
  }
}

function returnOf({ tenantId, due: { taskId, deliveryId, epoch } }: Claimed): Returned {
  return { tenantId, taskId, deliveryId, epoch };
}

function outcomesOf(said: readonly Said[]): DeliveryOutcome[] {
  return said.map(({ outcome }) => outcome);
}

function saidOf(tenantId: string, due: DueDelivery, outcome: DeliveryOutcome): Said {
  const { taskId, target, tries, traceparent } = due;
  return { tenantId, taskId, kind: target === null ? 'webhook' : 'push', attempt: tries, traceparent, outcome };
}

function unwritten(deps: AttemptDeps, { taskId, deliveryId, epoch, tries }: DueDelivery): DeliveryOutcome {
  const error = 'what it tells of is gone, or could not be written';
  return { taskId, deliveryId, epoch, delivered: false, statusCode: null, error, waitSeconds: waitAfter(deps, tries) };
}
