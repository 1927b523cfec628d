// The sender: finds deliveries that are due, claims and sends them, records what came of it. Runs on every replica; the
// claim decides which one sends. A delivery whose sender dies is due again when its claim runs out, under the same id.
import type {
  Begun,
  DeliveryClaim,
  DeliveryOutcome,
  DueDeliveries,
  DueDelivery,
  FoundDelivery,
  ReceiverCursor,
} from '../ports/deliveries.ts';
import type { Rows, Store } from '../ports/store.ts';
import type { WakeBus } from '../ports/wake.ts';
import { attempt, waitAfter, type AttemptDeps } from './attempt.ts';
import { tellOfAttempts, tellOfGivenUp, type AttemptTally, type Said } from './attempt-tally.ts';
import { momentOf, type Moment } from './moment.ts';
import { signer, type Signer } from './sign.ts';

/** Writes down what a notification says, in the dialect of the protocol that its config was registered in. */
export type NotificationForm = (
  moment: Moment,
  wire: string,
) => { readonly body: string; readonly contentType: string };

export interface SenderDeps extends AttemptDeps {
  readonly store: Store;
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
/** Requests under way from this process: in all, for one tenant, and to one of its receivers. */
const bounds = { all: 128, perTenant: 64, perHost: 16 };
/** Hints come with every line of every task's log; the outbox is looked at no more often than this for them. */
const hintPauseMs = 100;
/** While others are under way, what has ended waits this long for them. */
const gatherMs = 20;
/** Milliseconds that requests under way have when the service stops. */
const patienceMs = 3_000;

const nothingBegun: Begun = { due: [], secrets: [], dead: [] };

interface Sending {
  readonly found: FoundDelivery;
  readonly done: Promise<void>;
}

export class DeliverySender implements AsyncDisposable {
  readonly #deps: SenderDeps;
  readonly #sending = new Map<string, Sending>();
  readonly #sign: Signer;
  readonly #stop = new AbortController();
  readonly #stopHearing: () => void;
  #closing = false;
  #unrecorded: Said[] = [];
  /** Broken off by the end of the service. */
  readonly #broken: (DeliveryClaim & { readonly tenantId: string })[] = [];
  #after: ReceiverCursor | undefined;
  #looking: Promise<void> | undefined;
  #again = false;
  #alarm: { readonly timer: NodeJS.Timeout; readonly at: number } | undefined;
  #lookedAt = Number.NEGATIVE_INFINITY;

  constructor(deps: SenderDeps) {
    this.#deps = deps;
    this.#sign = signer(deps.signingSecrets);
    this.#stopHearing = deps.wake.listen((hint) => {
      if (hint.kind !== 'task') return;
      const pauseMs = this.#lookedAt + hintPauseMs - deps.now();
      // The clock may have been set back.
      this.#wakeIn(Math.max(0, Math.min(pauseMs, hintPauseMs)));
    });
  }

  /** Looks at the outbox as soon as this turn is over. */
  soon(): void {
    this.#wakeIn(0);
  }

  /**
   * Records what is known, then claims what is due until nothing is. Resolves when all is begun, not when it
   * has arrived. @throws DomainError unavailable
   */
  look(): Promise<void> {
    this.#again = true;
    this.#looking ??= this.#rounds().finally(() => {
      this.#looking = undefined;
    });
    return this.#looking;
  }

  async #rounds(): Promise<void> {
    while (this.#again && !this.#stop.signal.aborted) {
      this.#again = false;
      this.#lookedAt = this.#deps.now();
      const said = this.#unrecorded;
      this.#unrecorded = [];
      try {
        await this.#turn(said);
      } catch (error) {
        // What cannot be recorded now stays for the next look; once its claim has run out it changes nothing any more.
        this.#unrecorded.unshift(...said);
        throw error;
      }
    }
  }

  /** Looks, then in one transaction for each tenant records what was said and claims what was found. */
  async #turn(said: readonly Said[]): Promise<void> {
    const wasMidway = this.#after !== undefined;
    const found = Map.groupBy(await this.#findDue(), (one) => one.tenantId);
    const outcomes = Map.groupBy(said, (one) => one.tenantId);
    for (const tenantId of new Set([...found.keys(), ...outcomes.keys()])) {
      await this.#turnOf(tenantId, outcomes.get(tenantId) ?? [], found.get(tenantId) ?? []);
    }
    const waits = said.filter(({ outcome }) => !outcome.delivered).map(({ outcome }) => outcome.waitSeconds);
    if (waits.length > 0) this.#wakeIn(Math.min(...waits) * 1000);
    // Receivers are left to look at, or a notification that waited behind a recorded one.
    if (this.#after !== undefined || wasMidway || said.some(({ kind }) => kind === 'push')) this.#again = true;
  }

  async #findDue(): Promise<readonly FoundDelivery[]> {
    const limit = this.#closing ? 0 : bounds.all - this.#sending.size;
    if (limit <= 0) return [];
    const { perHost, perTenant } = bounds;
    const busy = this.#busy();
    const { found, next } = await this.#deps.outbox.findDue({ limit, perHost, perTenant, busy, after: this.#after });
    this.#after = next;
    return found;
  }

  #busy(): { tenant: string; host: string; n: number }[] {
    const groups = Map.groupBy(this.#sending.values(), ({ found }) => `${found.tenantId}\n${found.host}`);
    return [...groups.values()].flatMap((group) => {
      const [first] = group;
      return first === undefined ? [] : [{ tenant: first.found.tenantId, host: first.found.host, n: group.length }];
    });
  }

  async #turnOf(tenantId: string, said: readonly Said[], found: readonly FoundDelivery[]): Promise<void> {
    const byId = new Map(found.map((one) => [one.deliveryId, one]));
    const turn = await this.#deps.store.within({ tenantId }, async (rows) => {
      const ended = said.length === 0 ? [] : await rows.deliveries.record(outcomesOf(said), maxTries);
      const begun = found.length === 0 ? nothingBegun : await rows.deliveries.begin([...byId.keys()], attemptBounds);
      const written = [];
      for (const due of begun.due) written.push({ due, form: await this.#formOf(rows, due) });
      return { ended, begun, written };
    });
    tellOfAttempts(this.#deps, said, turn.ended);
    tellOfGivenUp(this.#deps, tenantId, turn.begun.dead);
    const sign = turn.begun.secrets.length > 0 ? signer(turn.begun.secrets) : this.#sign;
    // Another hand was faster: what is due behind these is seen in the next look.
    if (turn.begun.due.length + turn.begun.dead.length < found.length) this.#wakeIn(gatherMs);
    for (const { due, form } of turn.written) {
      const one = byId.get(due.deliveryId);
      if (one === undefined) continue;
      if (form === undefined) {
        this.#say(saidOf(tenantId, due, unwritten(this.#deps, due)));
        continue;
      }
      // Owned by the map: never rejects.
      const done = this.#send(tenantId, { ...due, ...form }, sign);
      this.#sending.set(due.deliveryId, { found: one, done });
    }
  }

  /** What is sent: as stored, or, for a notification that is sent the first time, written and stored now. */
  async #formOf(rows: Rows, due: DueDelivery): Promise<ReturnType<NotificationForm> | undefined> {
    const { body, contentType, target } = due;
    if (body !== null) return { body, contentType };
    const moment = await momentOf(rows, due.taskId, due.seq);
    if (moment === undefined || target === null) return undefined;
    try {
      const form = this.#deps.notification(moment, target.wire);
      await rows.deliveries.write(due.deliveryId, form);
      return form;
    } catch (error) {
      // One that cannot be written keeps no other from being sent.
      const ids = { task_id: due.taskId, delivery_id: due.deliveryId };
      this.#deps.log('a notification could not be written', { ...ids, error });
      return undefined;
    }
  }

  async #send(tenantId: string, due: DueDelivery & { readonly body: string }, sign: Signer) {
    const outcome = await attempt(this.#deps, due, sign, this.#stop.signal);
    this.#sending.delete(due.deliveryId);
    if (outcome === undefined) this.#broken.push({ tenantId, deliveryId: due.deliveryId, epoch: due.epoch });
    else this.#say(saidOf(tenantId, due, outcome));
  }

  /** Recorded together with what else ends about now: a turn costs the same for one as for many. */
  #say(said: Said): void {
    this.#unrecorded.push(said);
    this.#wakeIn(this.#sending.size === 0 ? 0 : gatherMs);
  }

  /** One alarm, at the earliest of what was asked for. */
  #wakeIn(ms: number): void {
    const at = this.#deps.now() + ms;
    if (this.#stop.signal.aborted || (this.#alarm !== undefined && this.#alarm.at <= at)) return;
    clearTimeout(this.#alarm?.timer);
    const timer = setTimeout(() => {
      this.#alarm = undefined;
      // Owned: what fails is said, and the loop that calls `look` from time to time tries again.
      this.look().catch((error: unknown) => this.#deps.log('the outbox could not be looked at', error));
    }, ms);
    timer.unref();
    this.#alarm = { timer, at };
  }

  /** Lets what is under way arrive; what takes too long is given back, and is due at once on another replica. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#stopHearing();
    this.#closing = true;
    clearTimeout(this.#alarm?.timer);
    await this.#looking?.catch(() => undefined);
    const left = [...this.#sending.values()];
    const patience = Promise.withResolvers<void>();
    const timer = setTimeout(patience.resolve, patienceMs);
    await Promise.race([Promise.all(left.map(({ done }) => done)), patience.promise]);
    clearTimeout(timer);
    this.#stop.abort();
    await Promise.all(left.map(({ done }) => done));
    clearTimeout(this.#alarm?.timer);
    try {
      for (const [tenantId, own] of Map.groupBy(this.#unrecorded, (one) => one.tenantId)) {
        const ended = await this.#deps.store.within({ tenantId }, (rows) =>
          rows.deliveries.record(outcomesOf(own), maxTries),
        );
        tellOfAttempts(this.#deps, own, ended);
      }
      for (const [tenantId, own] of Map.groupBy(this.#broken, (one) => one.tenantId)) {
        await this.#deps.store.within({ tenantId }, (rows) => rows.deliveries.giveBack(own));
      }
    } catch (error) {
      this.#deps.log('what was being sent could not be given back: its claims run out by themselves', error);
    }
  }
}

function outcomesOf(said: readonly Said[]): DeliveryOutcome[] {
  return said.map(({ outcome }) => outcome);
}

function saidOf(tenantId: string, due: DueDelivery, outcome: DeliveryOutcome): Said {
  const { taskId, target, tries, traceparent } = due;
  return { tenantId, taskId, kind: target === null ? 'webhook' : 'push', attempt: tries, traceparent, outcome };
}

function unwritten(deps: AttemptDeps, { deliveryId, epoch, tries }: DueDelivery): DeliveryOutcome {
  const error = 'what it tells of is gone, or could not be written';
  return { deliveryId, epoch, delivered: false, statusCode: null, error, waitSeconds: waitAfter(deps, tries) };
}
