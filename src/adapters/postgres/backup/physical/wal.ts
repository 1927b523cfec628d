// Names and numbers of the files of PostgreSQL's log.

/** initdb's default, which our clusters have. */
export const segmentBytes = 16 * 1024 * 1024;
const segmentsOfLog = 0x1_0000_0000 / segmentBytes;

/** A complete file of the log: timeline, then the number of the segment. */
const segmentPattern = /^([0-9A-F]{8})([0-9A-F]{8})([0-9A-F]{8})(\.zst|\.[0-9A-F]{8}\.backup)?$/;

/** A place in the log: `16/B374D848`. */
export function parseLsn(text: string): bigint {
  const [, high, low] = /^([0-9A-F]{1,8})\/([0-9A-F]{1,8})$/i.exec(text) ?? [];
  if (high === undefined || low === undefined) throw new Error(`${text} is no place in the log`);
  return (BigInt(`0x${high}`) << 32n) | BigInt(`0x${low}`);
}

/** The number of a place's segment; it counts over all timelines. */
export function segmentOf(lsn: string): number {
  return Number(parseLsn(lsn) / BigInt(segmentBytes));
}

export interface Segment {
  readonly timeline: number;
  readonly number: number;
  /** `label`: the note of a base backup that began in this segment, not the segment itself. */
  readonly form: 'plain' | 'compressed' | 'label';
  /** The name of the log's own file. */
  readonly name: string;
}

/** Undefined for any other file. */
export function parseSegment(file: string): Segment | undefined {
  const [, timeline, log, segment, ending] = segmentPattern.exec(file) ?? [];
  if (timeline === undefined || log === undefined || segment === undefined) return undefined;
  return {
    timeline: Number.parseInt(timeline, 16),
    number: Number.parseInt(log, 16) * segmentsOfLog + Number.parseInt(segment, 16),
    form: ending === undefined ? 'plain' : ending === '.zst' ? 'compressed' : 'label',
    name: file.slice(0, 24),
  };
}

/** The file that says from which timelines one comes, `00000002.history`; undefined for any other file. */
export function parseHistoryName(file: string): number | undefined {
  const [, timeline] = /^([0-9A-F]{8})\.history$/.exec(file) ?? [];
  return timeline === undefined ? undefined : Number.parseInt(timeline, 16);
}

/** Reads from a history file the position at which each earlier timeline was left. */
export function parseHistory(text: string): ReadonlyMap<number, bigint> {
  const lines = text.split('\n').flatMap((line): [number, bigint][] => {
    const [, timeline, lsn] = /^\s*(\d+)\s+([0-9A-F]+\/[0-9A-F]+)/i.exec(line) ?? [];
    return timeline === undefined || lsn === undefined ? [] : [[Number(timeline), parseLsn(lsn)]];
  });
  return new Map(lines);
}
