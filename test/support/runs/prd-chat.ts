// PRD chats over the API, with a worker that a test plays itself as the assistant.
import { prdCapabilityLabel } from '../../../src/contracts/step.ts';
import type { AssignmentWire } from '../../../src/contracts/worker.ts';
import type { ApiReply, CallOptions, ManualWorker, TestService, TestUser } from '../service.ts';
import { until } from '../until.ts';

export const sessionsPath = '/v1/ralph/prd/sessions';

/** The id of a new session. @throws when it was refused */
export async function newPrdSession(
  service: TestService,
  body: Record<string, unknown> = {},
  as: TestUser = 'editor',
): Promise<string> {
  const reply = await service.call('POST', sessionsPath, { as, body });
  if (reply.status !== 201) throw new Error(`no session: ${JSON.stringify(reply.body)}`);
  return reply.body.session.id;
}

export function sendPrd(
  service: TestService,
  id: string,
  message: string,
  options: CallOptions = {},
): Promise<ApiReply> {
  return service.call('POST', `${sessionsPath}/${id}/messages`, { as: 'editor', body: { message }, ...options });
}

/** Registers a worker that can answer turns. */
export function assistantWorker(service: TestService, as: TestUser = 'agent'): Promise<ManualWorker> {
  return service.worker({ name: 'assistant', capabilities: [prdCapabilityLabel, 'plan'], agents: ['model'] }, as);
}

/** Claims the next turn. */
export function claimTurn(worker: ManualWorker): Promise<AssignmentWire> {
  return until('a turn to answer', async () => (await worker.claim(1))[0]);
}

/** The text of an assistant's answer. */
export function answerText(answer: Record<string, unknown>): string {
  return `\`\`\`json\n${JSON.stringify({ reply: 'Done.', questions: [], ops: [], ...answer })}\n\`\`\``;
}

/** Answers the next turn. @returns its assignment */
export async function answerTurn(
  worker: ManualWorker,
  answer: Record<string, unknown> | string,
): Promise<AssignmentWire> {
  const turn = await claimTurn(worker);
  const result = typeof answer === 'string' ? answer : answerText(answer);
  await worker.release(turn, { status: 'completed', result });
  return turn;
}

/** Operations that write a draft of these stories. */
export function draftOps(...ids: string[]): Record<string, unknown>[] {
  return [
    { op: 'set', field: 'project', value: 'shop' },
    { op: 'set', field: 'branchName', value: 'login' },
    { op: 'set', field: 'description', value: 'Login for the shop.' },
    { op: 'set', field: 'gates', value: [{ id: 'test', command: 'npm test' }] },
    ...ids.map((id) => ({ op: 'upsert_story', story: chatStory(id) })),
  ];
}

export function chatStory(id: string, given: Record<string, unknown> = {}): Record<string, unknown> {
  const description = `As a user I have ${id}.`;
  return { id, title: `Story ${id}`, description, acceptanceCriteria: ['`npm test` passes'], ...given };
}
