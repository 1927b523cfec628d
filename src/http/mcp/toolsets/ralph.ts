// The toolset ralph: autonomous development runs. Not implemented yet. tools-4.2.
import { z } from 'zod';
import { DomainError } from '../../../domain/model/errors.ts';
import { anyId, listArguments, nextCursor } from '../tools/tool-schemas.ts';
import { additive, destructive, readOnly, tool, type Tool } from '../tools/tool.ts';

const text = z.string().min(1).max(20_000);

/** tools-2.2, in its tool-call form. */
const story = z.strictObject({
  id: z.string().min(1).max(100),
  title: z.string().min(1).max(500),
  description: text,
  acceptance_criteria: z.array(text).min(1).max(50),
});

/** tools-2.3. */
const run = z.looseObject({
  run_id: z.string(),
  status: z.string(),
  current_iteration: z.int(),
  max_iterations: z.int(),
});

const runId = z.strictObject({ run_id: anyId });
const exampleRun = { run_id: '019ac5a0-0000-7000-8000-000000000002' };

export function ralphTools(): Tool[] {
  return [
    tool({
      name: 'ralph_create_run',
      title: 'Start an autonomous run',
      description:
        'Start an autonomous development run over the user stories of a PRD: each story gets a fresh agent, its acceptance ' +
        'criteria are checked, and a failed story is retried with what was learnt. Returns at once with run_id.',
      toolset: 'ralph',
      keywords: 'autonomous development prd stories implement loop start',
      permission: 'ralph:write',
      hints: { ...additive, openWorldHint: true },
      input: z.strictObject({
        project: z.string().min(1).max(200),
        branch_name: z.string().min(1).max(200),
        description: text,
        codebase_id: anyId.optional().describe('default: the active codebase'),
        user_stories: z.array(story).min(1).max(100),
        max_iterations: z.int().min(1).max(100).optional(),
      }),
      output: run.extend({ success: z.boolean(), message: z.string() }),
      example: {
        project: 'shop',
        branch_name: 'ralph/login',
        description: 'A login page.',
        codebase_id: 'global',
        user_stories: [
          {
            id: 'US-001',
            title: 'Log in',
            description: 'As a user I log in.',
            acceptance_criteria: ['npm test passes'],
          },
        ],
      },
      run: notYet,
    }),
    tool({
      name: 'ralph_get_run',
      title: 'Get an autonomous run',
      description: 'Get one autonomous run: its status, its iteration, and the result of each story.',
      toolset: 'ralph',
      keywords: 'autonomous development status stories progress',
      permission: 'ralph:read',
      hints: readOnly,
      input: runId,
      output: run.extend({
        story_results: z.array(z.looseObject({ story_id: z.string(), status: z.string(), result: z.string() })),
      }),
      example: exampleRun,
      untrusted: true,
      run: notYet,
    }),
    tool({
      name: 'ralph_list_runs',
      title: 'List autonomous runs',
      description: 'List autonomous runs, newest first. Pass next_cursor as cursor for older ones.',
      toolset: 'ralph',
      keywords: 'autonomous development all history',
      permission: 'ralph:read',
      hints: readOnly,
      input: z.strictObject({ codebase_id: anyId.optional(), ...listArguments }),
      output: z.looseObject({ runs: z.array(run), next_cursor: nextCursor }),
      example: { limit: 10 },
      untrusted: true,
      run: notYet,
    }),
    tool({
      name: 'ralph_cancel_run',
      title: 'Cancel an autonomous run',
      description: 'Cancel an autonomous run; the current story is stopped, commits stay.',
      toolset: 'ralph',
      keywords: 'autonomous development stop abort kill',
      permission: 'ralph:write',
      hints: destructive,
      input: runId,
      output: z.looseObject({ run_id: z.string(), status: z.string() }),
      example: exampleRun,
      run: notYet,
    }),
  ];
}

function notYet(): Promise<never> {
  const message = 'Autonomous runs are not available yet on this server. Use create_task for one story at a time.';
  return Promise.reject(new DomainError('conflict', 'not_available_yet', message));
}
