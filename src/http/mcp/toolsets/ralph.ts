// The toolset ralph: autonomous development runs. tools-4.2, runs-6.3.
import { z } from 'zod';
import { createdRunFields, runOptionFields } from '../../../contracts/ralph/create-run.ts';
import { runQuestion, runStatus, spent, storyStatus } from '../../../contracts/ralph/run.ts';
import { createRun, describeCreation } from '../../../domain/runs/change/create-run.ts';
import type { RunDeps } from '../../../domain/runs/change/run-deps.ts';
import { cancelRun } from '../../../domain/runs/change/steer-run.ts';
import { getRun, listRunSummaries, type RunSummary } from '../../../domain/runs/read/read-run.ts';
import { parseEntityId } from '../../pipeline/entity-id.ts';
import { encodeCursor, parsePage } from '../../pipeline/pagination.ts';
import {
  choicesFromWire,
  questionToWire,
  spentToWire,
  storyResultToWire,
  warningToWire,
} from '../../routes/ralph/run-wire.ts';
import { anyId, listArguments, nextCursor } from '../tools/tool-schemas.ts';
import { additive, destructive, readOnly, tool, type Tool } from '../tools/tool.ts';

/** A story in the tool-call form: tools-2.2. The domain function checks the rest (runs-13). */
const story = z.strictObject({
  id: z.string(),
  title: z.string(),
  description: z.string(),
  acceptance_criteria: z.array(z.string()),
  priority: z.int().optional().describe('lower is earlier'),
  depends_on: z.array(z.string()).optional(),
  passes: z.boolean().optional(),
  notes: z.string().optional(),
  checks: z.array(z.strictObject({ criterion: z.int().optional(), command: z.string() })).optional(),
  allow_test_changes: z.union([z.boolean(), z.array(z.string())]).optional(),
  agent: z.string().optional(),
  model: z.string().optional(),
});

const newRunArguments = z.strictObject({
  project: z.string(),
  branch_name: z.string(),
  description: z.string(),
  codebase_id: anyId.optional().describe('default: the active codebase'),
  user_stories: z.array(story),
  protect: z.array(z.string()).optional().describe('globs of files that no story may change'),
  ...runOptionFields,
});

/** tools-2.3. */
const state = {
  run_id: z.string(),
  status: runStatus,
  current_iteration: z.int(),
  max_iterations: z.int(),
};
const place = { project: z.string(), branch_name: z.string(), codebase_id: z.string() };

const justCreated = { success: true, status: 'pending', current_iteration: 0 } as const;
const succeeded = { success: true } as const;

const runId = z.strictObject({ run_id: anyId });
const exampleRun = { run_id: '019ac5a0-0000-7000-8000-000000000002' };
const runLinks = ({ run_id }: { run_id: string }): { uri: string; name: string; mimeType?: string }[] => [
  { uri: `coord://runs/${run_id}`, name: 'the run' },
  { uri: `coord://runs/${run_id}/progress`, name: 'what it has learnt', mimeType: 'text/plain' },
];

export function ralphTools(deps: RunDeps): Tool[] {
  return [createTool(deps), getTool(deps), listTool(deps), cancelTool(deps)];
}

function createTool(deps: RunDeps): Tool {
  return tool({
    name: 'ralph_create_run',
    title: 'Start an autonomous run',
    description:
      'Start an autonomous development run over the user stories of a PRD: each story gets a fresh agent, its acceptance ' +
      'criteria are checked, and a failed story is retried with what was learnt. Returns at once with run_id; ' +
      'ralph_get_run shows its progress and its questions.',
    toolset: 'ralph',
    keywords: 'autonomous development prd stories implement loop start',
    permission: 'ralph:write',
    alsoRequires: 'tasks:write',
    hints: { ...additive, openWorldHint: true },
    input: newRunArguments,
    output: z.looseObject(createdRunFields),
    example: {
      project: 'shop',
      branch_name: 'ralph/login',
      description: 'A login page.',
      codebase_id: 'shop',
      user_stories: [
        {
          id: 'US-001',
          title: 'Log in',
          description: 'As a user I log in.',
          acceptance_criteria: ['npm test passes'],
        },
      ],
    },
    createsTask: true,
    links: runLinks,
    run: async (caller, args, { idempotency, markReplayed, codebaseId: selected }) => {
      const { project, branch_name, description, user_stories, protect, codebase_id, ...options } = args;
      const prd = { project, branch_name, description, user_stories, ...(protect === undefined ? {} : { protect }) };
      const choices = choicesFromWire(options);
      const codebaseId = codebase_id ?? selected;
      const { view, replayed } = await createRun(deps, caller, { codebaseId, prd, choices, idempotency });
      if (replayed) markReplayed();
      return {
        ...justCreated,
        run_id: view.run.id,
        max_iterations: view.run.maxIterations,
        message: describeCreation(view),
        warnings: view.run.warnings.map(warningToWire),
      };
    },
  });
}

function getTool(deps: RunDeps): Tool {
  return tool({
    name: 'ralph_get_run',
    title: 'Get an autonomous run',
    description:
      'Get one autonomous run: its status, its iteration, the result of each story, and its open questions. A person ' +
      'answers a question with send_message, whose conversation_id is the run_id.',
    toolset: 'ralph',
    keywords: 'autonomous development status stories progress questions',
    permission: 'ralph:read',
    hints: readOnly,
    input: runId,
    output: z.looseObject({
      ...state,
      story_results: z.array(
        z.looseObject({
          story_id: z.string(),
          status: storyStatus,
          result: z.string(),
          title: z.string(),
          iteration: z.int(),
          commit: z.string().nullable(),
        }),
      ),
      ...place,
      head_commit: z.string().nullable(),
      questions: z.array(z.looseObject(runQuestion.pick({ question_id: true, text: true, options: true }).shape)),
      spent,
      error: z.looseObject({ code: z.string(), message: z.string() }).nullable(),
    }),
    example: exampleRun,
    untrusted: true,
    links: runLinks,
    run: async (caller, { run_id }) => {
      const { run, stories, questions } = await getRun(deps, caller, parseEntityId('run', run_id));
      return {
        run_id: run.id,
        status: run.status,
        current_iteration: run.currentIteration,
        max_iterations: run.maxIterations,
        story_results: stories.map((view) => {
          const { story_id, status, result, title, iteration, commit } = storyResultToWire(view);
          return { story_id, status, result, title, iteration, commit };
        }),
        project: run.project,
        branch_name: run.branch,
        codebase_id: run.codebaseId,
        head_commit: run.headCommit,
        questions: questions.map(questionToWire),
        spent: spentToWire(run),
        error: run.error === null ? null : { ...run.error },
      };
    },
  });
}

function listTool(deps: RunDeps): Tool {
  return tool({
    name: 'ralph_list_runs',
    title: 'List autonomous runs',
    description: 'List autonomous runs, newest first. Pass next_cursor as cursor for older ones.',
    toolset: 'ralph',
    keywords: 'autonomous development all history',
    permission: 'ralph:read',
    hints: readOnly,
    input: z.strictObject({ codebase_id: anyId.optional(), status: runStatus.optional(), ...listArguments }),
    output: z.looseObject({
      runs: z.array(
        z.looseObject({
          ...state,
          ...place,
          stories: z.looseObject({ total: z.int(), passed: z.int(), failed: z.int() }),
          created_at: z.string(),
        }),
      ),
      next_cursor: nextCursor,
    }),
    example: { limit: 10 },
    untrusted: true,
    run: async (caller, args) => {
      const filter = { codebaseId: args.codebase_id, status: args.status };
      const { runs, next } = await listRunSummaries(deps, caller, filter, parsePage(args, 'uuid'));
      return { runs: runs.map(summaryToWire), next_cursor: encodeCursor(next) };
    },
  });
}

function summaryToWire({ run, stories }: RunSummary) {
  const { pending, running, passed, failed } = stories;
  return {
    run_id: run.id,
    status: run.status,
    current_iteration: run.currentIteration,
    max_iterations: run.maxIterations,
    project: run.project,
    branch_name: run.branch,
    codebase_id: run.codebaseId,
    stories: { total: pending + running + passed + failed, passed, failed },
    created_at: run.createdAt,
  };
}

function cancelTool(deps: RunDeps): Tool {
  return tool({
    name: 'ralph_cancel_run',
    title: 'Cancel an autonomous run',
    description: 'Cancel an autonomous run; the current story is stopped, commits stay.',
    toolset: 'ralph',
    keywords: 'autonomous development stop abort kill',
    permission: 'ralph:write',
    hints: destructive,
    input: runId,
    output: z.looseObject({
      success: z.literal(true),
      run_id: z.string(),
      status: runStatus,
      message: z.string(),
    }),
    example: exampleRun,
    links: runLinks,
    run: async (caller, { run_id }) => {
      const { run, stories } = await cancelRun(deps, caller, parseEntityId('run', run_id));
      const passed = stories.filter(({ story: each }) => each.status === 'passed').length;
      const message = `Run cancelled: ${passed} of ${stories.length} stories had passed; their commits stay.`;
      return { ...succeeded, run_id: run.id, status: run.status, message };
    },
  });
}
