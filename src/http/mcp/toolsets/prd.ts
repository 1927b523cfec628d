// The toolset prd: a chat that turns an idea into a PRD. Not implemented yet. tools-4.2.
import { z } from 'zod';
import { DomainError } from '../../../domain/model/errors.ts';
import { anyId, listArguments, nextCursor } from '../tools/tool-schemas.ts';
import { additive, readOnly, tool, type Tool } from '../tools/tool.ts';

export function prdTools(): Tool[] {
  return [
    tool({
      name: 'prd_chat',
      title: 'Chat about a PRD',
      description:
        'Talk with an assistant that turns an idea into a PRD (project, branch, user stories with acceptance criteria). ' +
        'Pass conversation_id to continue; the result has prd when it is ready for ralph_create_run.',
      toolset: 'prd',
      keywords: 'product requirements document stories plan idea write',
      permission: 'ralph:write',
      hints: { ...additive, openWorldHint: true },
      input: z.strictObject({
        message: z.string().min(1).max(200_000),
        conversation_id: anyId.optional(),
        codebase_id: anyId.optional().describe('default: the active codebase'),
      }),
      output: z.looseObject({ reply: z.string(), conversation_id: z.string(), warnings: z.array(z.string()) }),
      example: { message: 'We need a login page.' },
      untrusted: true,
      run: notYet,
    }),
    tool({
      name: 'prd_list_sessions',
      title: 'List PRD chats',
      description: 'List the chats about PRDs, newest first. Pass next_cursor as cursor for older ones.',
      toolset: 'prd',
      keywords: 'product requirements document conversations history',
      permission: 'ralph:read',
      hints: readOnly,
      input: z.strictObject({ codebase_id: anyId.optional(), ...listArguments }),
      output: z.looseObject({
        sessions: z.array(z.looseObject({ conversation_id: z.string(), title: z.string() })),
        next_cursor: nextCursor,
      }),
      example: {},
      untrusted: true,
      run: notYet,
    }),
  ];
}

function notYet(): Promise<never> {
  const message = 'The PRD chat is not available yet on this server. Use the prompt plan_prd to write one.';
  return Promise.reject(new DomainError('conflict', 'not_available_yet', message));
}
