// Rows of printed output, by event and by line. Row-level security limits them to the tenant.
import type { OutputStream } from '../../../../../../domain/model/task/task-event.ts';
import type { OutputPiece, TaskResultRows } from '../../../../../../domain/ports/task-results.ts';
import type { Scope } from '../../scope.ts';

interface PieceRow {
  readonly seq: string;
  readonly data: { readonly stream: OutputStream; readonly text: string };
  readonly line: string;
}

type OutputRows = Pick<TaskResultRows, 'outputAfter' | 'outputBefore' | 'lineAt' | 'findPieceBefore'>;

const columns = 'seq, data, line';
const inRange = `task_id = $1 and seq > $2 and seq < $3 and type = 'output'`;
/** Line breaks in a piece. */
const breaks = `(octet_length(data->>'text') - octet_length(replace(data->>'text', E'\\n', '')))`;

export function outputRows(scope: Scope): OutputRows {
  return {
    async outputAfter(taskId, { after, before }, limit) {
      const rows = await scope.query<PieceRow>(
        'output_after',
        `select ${columns} from task_events where ${inRange} order by seq limit $4`,
        [taskId, after, before, limit],
      );
      return rows.map(pieceFromRow);
    },
    async outputBefore(taskId, { after, before }, limit) {
      const rows = await scope.query<PieceRow>(
        'output_before',
        `select ${columns} from task_events where ${inRange} order by seq desc limit $4`,
        [taskId, after, before, limit],
      );
      return rows.map(pieceFromRow);
    },
    async lineAt(taskId, before) {
      const [last] = await scope.query<{ line: string }>(
        'output_line_at',
        `select line + ${breaks} as line from task_events where ${inRange} order by seq desc limit 1`,
        [taskId, 0, before],
      );
      return last === undefined ? 1 : Number(last.line);
    },
    async findPieceBefore(taskId, line) {
      const [row] = await scope.query<{ seq: string }>('output_find_line', halving, [taskId, line]);
      return Number(row?.seq ?? 0);
    },
  };
}

/**
 * Lines rise with the numbers, so about twenty pieces are read of a million. Each step takes the first piece of the upper
 * half; an index on lines would cost each report an entry.
 */
const halving = `with recursive half(low, high) as (
    select 0::bigint, (select last_seq from tasks where id = $1)
    union all
    select case when p.line < $2 then p.seq else low end,
      case when p.line < $2 then high else (low + high + 1) / 2 - 1 end
    from half left join lateral (
      select e.seq, e.line from task_events e
      where e.task_id = $1 and e.type = 'output' and e.seq >= (low + high + 1) / 2 and e.seq <= high
      order by e.seq limit 1) p on true
    where low < high
  )
  select low as seq from half where low = high`;

function pieceFromRow({ seq, data, line }: PieceRow): OutputPiece {
  return { seq: Number(seq), stream: data.stream, text: data.text, line: Number(line) };
}
