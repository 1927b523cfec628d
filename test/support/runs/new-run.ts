// A codebase with a worker that serves steps, and runs on it, created over the API.
import type { ApiReply, CallOptions, ManualWorker, TestService, TestUser } from '../service.ts';
import { stepCapabilityLabel } from '../../../src/contracts/step.ts';

/** A story with one criterion that a command checks. */
export function storyDocument(id: string, given: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    id,
    title: `Story ${id}`,
    description: `As a user I have ${id}.`,
    acceptanceCriteria: [`\`npm test -- ${id}\` passes`],
    ...given,
  };
}

/** A document of three stories; a test names the members that it is about. */
export function prdDocument(given: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    project: 'shop',
    branchName: 'login',
    description: 'Login for the shop.',
    userStories: ['US-001', 'US-002', 'US-003'].map((id) => storyDocument(id)),
    ...given,
  };
}

export interface RunSite {
  readonly worker: ManualWorker;
  readonly codebaseId: string;
}

/** Registers a worker with a codebase of its own that can serve steps. */
export async function openRunSite(service: TestService, name = 'site', as: TestUser = 'operator'): Promise<RunSite> {
  const codebases = [{ name, path: `/${name}` }];
  const capabilities = [stepCapabilityLabel];
  const worker = await service.worker({ name, codebases, capabilities, agents: ['claude'] }, as);
  return { worker, codebaseId: worker.registered.codebases[0]?.codebase_id ?? '' };
}

export function postRun(
  service: TestService,
  body: Record<string, unknown>,
  options: CallOptions = {},
): Promise<ApiReply> {
  return service.call('POST', '/v1/ralph/runs', { as: 'editor', ...options, body: { prd: prdDocument(), ...body } });
}

/** The id of a new run. @throws when it was refused */
export async function newRunId(
  service: TestService,
  body: Record<string, unknown>,
  as: TestUser = 'editor',
): Promise<string> {
  const { status, body: answer } = await postRun(service, body, { as });
  if (status !== 201) throw new Error(`no run: ${JSON.stringify(answer)}`);
  return answer.run_id;
}
