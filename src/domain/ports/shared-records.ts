// Ports for records shared between instances without a common database: the shared store, and this instance's rows.
// core-2.7, choices-5.

export const recordKinds = ['codebase', 'worker', 'session'] as const;
export type RecordKind = (typeof recordKinds)[number];

export interface RecordName {
  readonly tenantId: string;
  readonly kind: RecordKind;
  readonly id: string;
}

/** A row as canonical JSON text: equal content has equal text. */
export interface LocalRecord extends Omit<RecordName, 'tenantId'> {
  readonly body: string;
}

export interface SharedRecord extends RecordName {
  /** Grows with each change; where clocks agree, the time of the change in milliseconds since 1970. */
  readonly version: number;
  /** Null when the record was removed. */
  readonly body: string | null;
}

export interface SharedRecordStore {
  readonly isUp: boolean;
  /** Lists stored records with their claimed versions. @throws when the store cannot be reached in time */
  versions(): Promise<Map<string, number>>;
  /** Reads the named records; missing and unauthentic records are omitted. @throws as `versions` */
  read(names: readonly string[]): Promise<SharedRecord[]>;
  /** @throws as `versions` */
  write(records: readonly SharedRecord[]): Promise<void>;
}

/** The record's name in `versions` and `read`. */
export function recordName({ tenantId, kind, id }: RecordName): string {
  return `${tenantId}:${kind}:${encodeURIComponent(id)}`;
}

export interface SharedRecordRows {
  /** Lists every record of the tenant. */
  all(): Promise<LocalRecord[]>;
  /** Writes the record's content to its row, or removes the row. @throws when the database rejects the content */
  apply(record: Omit<SharedRecord, 'version' | 'tenantId'>): Promise<void>;
}
