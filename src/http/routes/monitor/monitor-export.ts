// Exports of messages, tasks and agents: read page by page from the store while the answer is sent.
import type { z } from 'zod';
import {
  agent,
  exportedTask,
  conversationMessage,
  type exported,
  type exportQuery,
} from '../../../contracts/monitor.ts';
import { discoverAgents } from '../../../domain/agents/directory.ts';
import { searchMessages } from '../../../domain/conversations/search-messages.ts';
import type { Caller } from '../../../domain/model/access/caller.ts';
import { formatPosition } from '../../../domain/model/task/log-position.ts';
import type { Task } from '../../../domain/model/task/task.ts';
import { pageTasks, type ViewDeps } from '../../../domain/tasks/read.ts';
import { csvLine } from '../../../lib/text/csv.ts';
import { encodeCursor, parsePage } from '../../pipeline/pagination.ts';
import { invalidInput } from '../../pipeline/schema.ts';
import { filterFromWire, placeCursor, placePageOf } from '../tasks/task-filter.ts';
import { agentToWire, conversationMessageToWire } from './monitor-wire.ts';

type Query = z.output<typeof exportQuery>;
type Row = Readonly<Record<string, string | number | boolean | null | readonly string[]>>;

interface RowPage {
  readonly rows: readonly { readonly row: Row; readonly cursor: string }[];
  readonly next: string | null;
}

interface PageRequest {
  readonly limit: number;
  /** The cursor of the previous page; undefined for the first page. */
  readonly cursor: string | undefined;
}

interface ExportKind {
  readonly columns: readonly string[];
  readonly page: (deps: Deps, caller: Caller, query: Query, page: PageRequest) => Promise<RowPage>;
}

interface Deps extends ViewDeps {
  readonly now: () => number;
}

/** Rows per page; each may have the maximum size of a task. */
const pageSize = 50;
/** Milliseconds that an export may take, so that a stalled client does not keep one open. */
const maxExportMs = 10 * 60_000;

/** Columns and page reader of each kind of export. */
const kinds: Record<(typeof exported)[number], ExportKind> = {
  messages: {
    columns: Object.keys(conversationMessage.shape),
    async page(deps, caller, query, page) {
      const filter = { text: query.q, conversationId: query.conversation_id };
      const { messages, next } = await searchMessages(deps, caller, filter, parsePage(page, 'text'));
      const rows = messages.map((message) => ({
        row: conversationMessageToWire(message),
        cursor: requiredCursor(formatPosition(message.position)),
      }));
      return { rows, next: encodeCursor(next) };
    },
  },
  tasks: {
    columns: Object.keys(exportedTask.shape),
    async page(deps, caller, query, page) {
      const filter = filterFromWire(query, '/query');
      const { tasks, next } = await pageTasks(deps, caller, filter, 'created', placePageOf(page, 'created'));
      return {
        rows: tasks.map(({ task }) => ({ row: taskToRow(task), cursor: requiredCursor(task.id) })),
        next: placeCursor(next, 'created'),
      };
    },
  },
  agents: {
    columns: Object.keys(agent.shape),
    async page(deps, caller, _query, page) {
      const { agents, next } = await discoverAgents(deps, caller, parsePage(page, 'text'));
      return {
        rows: agents.map((row) => ({ row: agentToWire(row), cursor: requiredCursor(row.name) })),
        next: encodeCursor(next),
      };
    },
  },
};

/** One JSON object: the rows, and the cursor of the next page where `limit` ended them. */
export function jsonExport(deps: Deps, caller: Caller, query: Query): AsyncGenerator<string, void, undefined> {
  const head = `{"exported_at":${JSON.stringify(new Date(deps.now()).toISOString())},"${query.what}":[`;
  return writeExport(deps, caller, query, {
    head,
    row: ({ row }, isFirst) => `${isFirst ? '\n' : ',\n'}${JSON.stringify(row)}`,
    end: (next) => `\n],"next_cursor":${JSON.stringify(next)}}\n`,
  });
}

/** A header line and a line per row. The last column is the cursor that continues after that row. */
export function csvExport(deps: Deps, caller: Caller, query: Query): AsyncGenerator<string, void, undefined> {
  const { columns } = kinds[query.what];
  return writeExport(deps, caller, query, {
    head: csvLine([...columns, 'cursor']),
    row: ({ row, cursor }) => csvLine([...columns.map((column) => csvCellOf(row[column])), cursor]),
    end: () => '',
  });
}

interface ExportFormat {
  readonly head: string;
  readonly row: (row: RowPage['rows'][number], isFirst: boolean) => string;
  readonly end: (next: string | null) => string;
}

/** The first piece includes the first page, so that errors of the request are thrown before anything is sent. */
async function* writeExport(
  deps: Deps,
  caller: Caller,
  query: Query,
  format: ExportFormat,
): AsyncGenerator<string, void, undefined> {
  const deadline = deps.now() + maxExportMs;
  checkFilters(query);
  let piece = format.head;
  let count = 0;
  let next: string | null | undefined = query.cursor;
  do {
    const limit = Math.min(pageSize, query.limit - count);
    const page: RowPage = await kinds[query.what].page(deps, caller, query, { limit, cursor: next ?? undefined });
    for (const row of page.rows) piece += format.row(row, count++ === 0);
    next = page.next;
    yield piece;
    piece = '';
    if (deps.now() > deadline) throw new Error('an export was read too slowly; its connection is closed');
  } while (next !== null && count < query.limit);
  yield format.end(next);
}

/** @throws DomainError invalid for a filter that the exported kind does not have */
function checkFilters({ what, limit: _limit, cursor: _cursor, ...query }: Query): void {
  if (what === 'tasks') return;
  const known: readonly string[] = what === 'messages' ? ['q', 'conversation_id'] : [];
  const given = Object.entries(query).filter(([, value]) => value !== undefined && value !== false);
  const foreign = given.find(([name]) => !known.includes(name))?.[0];
  if (foreign !== undefined) throw invalidInput([{ path: `/query/${foreign}`, message: `cannot filter ${what}` }]);
}

function csvCellOf(value: Row[string] | undefined): string | number | boolean | null {
  if (value === undefined) return null;
  return typeof value === 'object' && value !== null ? value.join(' ') : value;
}

function requiredCursor(last: string): string {
  return encodeCursor(last) ?? '';
}

function taskToRow(task: Task): Row {
  return {
    id: task.id,
    title: task.title,
    status: task.status,
    codebase_id: task.codebaseId,
    conversation_id: task.conversationId,
    target_agent: task.targetAgent,
    worker_id: task.workerId,
    priority: task.priority,
    created_by: task.createdBy,
    created_at: task.createdAt,
    started_at: task.startedAt,
    completed_at: task.completedAt,
    attempt: task.attempt,
    error_code: task.error?.code ?? null,
    error_message: task.error?.message ?? null,
    prompt: task.prompt,
    result: task.result,
  };
}
