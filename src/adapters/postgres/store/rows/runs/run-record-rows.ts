// Rows of what a run records: evidence, learnings, questions, events. Row-level security limits them to the tenant.
import type { CriterionEvidence, RunEvent, RunLearning, RunQuestion } from '../../../../../domain/model/run/run.ts';
import type { RunRecordRows } from '../../../../../domain/ports/store/runs.ts';
import { sha256 } from '../../../../../lib/digest.ts';
import { isoText, learningColumns, objectOf, questionColumns, runEventColumns } from '../../../codec/run-columns.ts';
import type { Scope } from '../scope.ts';

/** A row `e` of ralph_evidence as the model has it. */
export const evidenceObject = `(e.data || jsonb_build_object('storyId', e.story_id, 'n', e.n, 'criterion', e.criterion,
  'by', e.kind, 'status', e.status, 'at', ${isoText('e.at')}))`;
const learningObject = objectOf(learningColumns, 'l');

export function runRecordRows(scope: Scope): RunRecordRows {
  return {
    ...evidenceAndLearnings(scope),
    ...questionsAndEvents(scope),
  };
}

type Findings = Pick<RunRecordRows, 'evidence' | 'addEvidence' | 'learnings' | 'allLearnings' | 'addLearning'>;

function evidenceAndLearnings(scope: Scope): Findings {
  return {
    async evidence(runId, storyId) {
      const rows = await scope.query<{ evidence: CriterionEvidence }>(
        'run_evidence',
        `select ${evidenceObject} as evidence from ralph_evidence e
         where e.run_id = $1 and ($2::text is null or e.story_id = $2) order by e.id`,
        [runId, storyId ?? null],
      );
      return rows.map(({ evidence }) => evidence);
    },
    async addEvidence(runId, id, { storyId, n, criterion, by, status, ...data }) {
      await scope.query(
        'run_evidence_add',
        `insert into ralph_evidence (tenant_id, id, run_id, story_id, n, criterion, kind, status, data)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
        [scope.tenantId, id, runId, storyId, n, criterion, by, status, JSON.stringify(data)],
      );
    },
    async learnings(runId, { storyId, kind }, { limit, before }) {
      const rows = await scope.query<{ learning: RunLearning }>(
        'run_learnings',
        `select ${learningObject} as learning from ralph_learnings l where l.run_id = $1
           and ($2::text is null or l.story_id = $2) and ($3::text is null or l.kind = $3)
           and ($4::uuid is null or l.id < $4) order by l.id desc limit $5`,
        [runId, storyId ?? null, kind ?? null, before ?? null, limit],
      );
      return rows.map(({ learning }) => learning);
    },
    async allLearnings(runId) {
      const rows = await scope.query<{ learning: RunLearning }>(
        'run_all_learnings',
        `select ${learningObject} as learning from ralph_learnings l where l.run_id = $1 order by l.id`,
        [runId],
      );
      return rows.map(({ learning }) => learning);
    },
    async addLearning(runId, { id, storyId, n, kind, author, text }) {
      const rows = await scope.query(
        'run_learning_add',
        `insert into ralph_learnings (tenant_id, run_id, id, story_id, n, kind, author, text, sha256)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9) on conflict do nothing returning 1`,
        [
          scope.tenantId,
          runId,
          id,
          storyId,
          n,
          kind,
          author,
          text,
          // Every fact that the director records counts; of agents and people a repeat is left out.
          sha256(JSON.stringify([kind, storyId, text, ...(author === 'director' ? [id] : [])]), 'hex'),
        ],
      );
      return rows.length > 0;
    },
  };
}

type Exchange = Pick<RunRecordRows, 'questions' | 'ask' | 'answer' | 'settle' | 'appendEvents' | 'events'>;

function questionsAndEvents(scope: Scope): Exchange {
  return {
    async questions(runId) {
      const rows = await scope.query<{ question: RunQuestion }>(
        'run_questions',
        `select ${objectOf(questionColumns, 'q')} as question from ralph_questions q where q.run_id = $1 order by q.id`,
        [runId],
      );
      return rows.map(({ question }) => question);
    },
    async ask(runId, { id, kind, storyId, text, options, data }) {
      await scope.query(
        'run_ask',
        `insert into ralph_questions (tenant_id, run_id, id, kind, story_id, text, options, data)
         values ($1, $2, $3, $4, $5, $6, $7, $8)`,
        [scope.tenantId, runId, id, kind, storyId, text, JSON.stringify(options), JSON.stringify(data)],
      );
    },
    async answer(runId, questionId, answer, answeredBy) {
      const rows = await scope.query(
        'run_answer',
        `update ralph_questions set answered_at = clock_timestamp(), answer = $3::jsonb, answered_by = $4,
           settled = $3::jsonb is null
         where run_id = $1 and id = $2 and answered_at is null returning 1`,
        [runId, questionId, answer === null ? null : JSON.stringify(answer), answeredBy],
      );
      return rows.length > 0;
    },
    async settle(runId, questionId) {
      await scope.query('run_settle', 'update ralph_questions set settled = true where run_id = $1 and id = $2', [
        runId,
        questionId,
      ]);
    },
    async appendEvents(runId, events) {
      const [row] = await scope.query<{ last: string }>(
        'run_events_append',
        `with given as (
           select x.data->>'type' as type, x.data->'data' as data, x.n
           from jsonb_array_elements($3::jsonb) with ordinality as x(data, n)
         ), run as (
           update ralph_runs set last_seq = last_seq + $4 where tenant_id = $1 and id = $2 returning last_seq
         ), added as (
           insert into ralph_events (tenant_id, run_id, seq, type, data, at)
           select $1, $2, run.last_seq - $4 + given.n, given.type, given.data, clock_timestamp() from run, given
         )
         select last_seq as last from run`,
        [scope.tenantId, runId, JSON.stringify(events), events.length],
      );
      return Number(row?.last ?? 0);
    },
    async events(runId, after, limit) {
      const rows = await scope.query<{ event: RunEvent }>(
        'run_events',
        `select ${objectOf(runEventColumns, 'e')} as event from ralph_events e
         where e.run_id = $1 and e.seq > $2 order by e.seq limit $3`,
        [runId, after, limit],
      );
      return rows.map(({ event }) => event);
    },
  };
}
