// Records that instances without a common database share: what lies on the common shelf, and this instance's own rows.
// core-2.7, choices-5.

export const recordKinds = ['codebase', 'worker', 'session'] as const;
export type RecordKind = (typeof recordKinds)[number];

export interface RecordName {
  readonly tenantId: string;
  readonly kind: RecordKind;
  readonly id: string;
}

/** A row as text of JSON, the same text for the same content. */
export interface LocalRecord extends Omit<RecordName, 'tenantId'> {
  readonly body: string;
}

export interface SharedRecord extends RecordName {
  /** Grows with each change; milliseconds since 1970 of the change where clocks agree. */
  readonly version: number;
  /** Null: it is no more. */
  readonly body: string | null;
}

export interface SharedRecordStore {
  readonly isUp: boolean;
  /** What is there, each with the version that it claims. @throws when the shelf cannot be reached in time */
  versions(): Promise<Map<string, number>>;
  /** Those of these that are there and genuine. @throws as `versions` */
  read(names: readonly string[]): Promise<SharedRecord[]>;
  /** @throws as `versions` */
  write(records: readonly SharedRecord[]): Promise<void>;
}

/** What `versions` and `read` call a record. */
export function recordName({ tenantId, kind, id }: RecordName): string {
  return `${tenantId}:${kind}:${encodeURIComponent(id)}`;
}

export interface SharedRecordRows {
  /** Every record of the tenant. */
  all(): Promise<LocalRecord[]>;
  /** Makes the row what the record says, or removes it. @throws what the database refuses */
  apply(record: Omit<SharedRecord, 'version' | 'tenantId'>): Promise<void>;
}
