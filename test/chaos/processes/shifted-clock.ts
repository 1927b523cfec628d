// Loaded before a child's own program (`--import`): its wall clock stands `CHAOS_CLOCK_OFFSET_MS` apart from the machine's.
// Everything that asks Date for the time gets it, libraries too; timers and performance.now() go on as they are.
const offsetMs = Number(process.env['CHAOS_CLOCK_OFFSET_MS'] ?? '0');
const RealDate = Date;
const shiftedNow = (): number => RealDate.now() + offsetMs;

const shifted = new Proxy(RealDate, {
  construct: (target, args, newTarget): object =>
    Reflect.construct(target, args.length === 0 ? [shiftedNow()] : args, newTarget),
  apply: () => new RealDate(shiftedNow()).toString(),
  get: (target, key, receiver): unknown => (key === 'now' ? shiftedNow : Reflect.get(target, key, receiver)),
});
RealDate.prototype.constructor = shifted;
globalThis.Date = shifted;

// Its parent looks whether it is so.
process.stdout.write(`clock ${Date.now()}\n`);
