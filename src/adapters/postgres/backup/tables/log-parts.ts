// The log in two parts: what is folded into usage already, and the events after it.
//
// The order of the log is that of transaction numbers, and a mark says up to where a tenant's log is folded. Numbers do not
// travel to another server, the difference does: the first part is loaded under a lower number than the second one, and the
// mark is put between them. Without it a restore would count what ended just before the backup never, or all tasks twice.

/** The only part of any other table. */
export const wholeTable = 'rows';

/** Events behind their tenant's mark, by the index in the order of the log. */
const openEvents = (columns: string): string => `select ${columns} from tenants n
  left join usage_marks m on m.tenant_id = n.tenant_id
  cross join lateral (select e.* from task_events e where e.tenant_id = n.tenant_id and ${isOpen} offset 0) e`;

const isOpen = `e.type in ('status', 'message') and (e.xid, e.task_id, e.seq) >
  (coalesce(m.xid, '0'), coalesce(m.task_id, '00000000-0000-0000-0000-000000000000'), coalesce(m.seq, 0))`;

const foldedEvents = (columns: string): string => `select ${columns} from task_events e
  left join usage_marks m on m.tenant_id = e.tenant_id where not (${isOpen})`;

/** Statements by table and part; `columns` are qualified by `e`. */
export const logParts: Readonly<Record<string, Readonly<Record<string, (columns: string) => string>>>> = {
  task_events: { folded: foldedEvents, open: openEvents },
};

/** Tables and parts that are loaded under the lower number. */
export function isFolded(table: string, part: string): boolean {
  return table === 'task_events' && part === 'folded';
}

/** Puts every mark behind the folded part and before the open one; $1 is the number of the folded part. */
export const setMarks = `update usage_marks set xid = $1::text::xid8,
  task_id = 'ffffffff-ffff-ffff-ffff-ffffffffffff', seq = 9223372036854775807`;
