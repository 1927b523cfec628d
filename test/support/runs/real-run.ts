// A run by the real service and a real worker with the agent `command`, on a small node project.
import { openService, type TestService, type TestServiceOptions } from '../service.ts';
import { until } from '../until.ts';
import { sumProject } from '../worker/gated-story.ts';
import { localWorker, type LocalWorker, type WorkerFlags } from '../worker/local-worker.ts';
import { openRunFixture, shellPrompt, type RunFixture } from '../worker/run-fixture.ts';

export interface RealRunSite extends AsyncDisposable {
  readonly service: TestService;
  readonly worker: LocalWorker;
  readonly fixture: RunFixture;
  readonly codebaseId: string;
  /** Starts a run of one story whose agent runs these shell lines. @returns its id */
  start(lines: string, given?: RealRunFields): Promise<string>;
  /** Resolves when the run has one of these statuses. @returns the run as REST answers it */
  // oxlint-disable-next-line typescript/no-explicit-any
  reaches(runId: string, ...statuses: string[]): Promise<any>;
}

export interface RealRunFields {
  readonly story?: Record<string, unknown>;
  readonly prd?: Record<string, unknown>;
  readonly run?: Record<string, unknown>;
}

/**
 * @param files of the project's first commit
 * @param flags of its worker, from the folder in which a test may keep files of its own
 */
export async function openRealRunSite(
  files: Readonly<Record<string, string>> = sumProject,
  options: TestServiceOptions = {},
  flags: (folder: string) => Promise<WorkerFlags> = () => Promise.resolve({}),
): Promise<RealRunSite> {
  const fixture = await openRunFixture();
  for (const [path, content] of Object.entries(files)) await fixture.write(path, content);
  await fixture.git('add', '.');
  await fixture.git('commit', '--quiet', '-m', 'first');
  const service = await openService(options);
  const worker = await localWorker(service, {
    codebases: [{ path: fixture.repo, name: 'sum' }],
    ...(await flags(fixture.root)),
  });
  const { body } = await service.call('GET', '/v1/agent/codebases');
  const isOurs = ({ name }: { name: string }): boolean => name === 'sum';
  const codebaseId: string = body.codebases.find(isOurs).codebase_id;
  return {
    service,
    worker,
    fixture,
    codebaseId,
    async start(lines, { story = {}, prd = {}, run = {} } = {}) {
      const userStory = {
        id: 'US-001',
        title: 'Difference',
        description: shellPrompt(lines),
        acceptanceCriteria: ['Tests pass'],
        ...story,
      };
      const document = { project: 'sum', branchName: 'work', description: 'Sums.', userStories: [userStory], ...prd };
      const body_ = { codebase_id: codebaseId, prd: document, max_iterations: 1, ...run };
      const reply = await service.call('POST', '/v1/ralph/runs', { as: 'editor', body: body_ });
      if (reply.status !== 201) throw new Error(`no run: ${JSON.stringify(reply.body)}`);
      return reply.body.run_id;
    },
    reaches: (runId, ...statuses) =>
      until(
        `run ${runId} is ${statuses.join(' or ')}`,
        async () => {
          const reply = await service.call('GET', `/v1/ralph/runs/${runId}`);
          return statuses.includes(reply.body.run.status) ? reply.body.run : undefined;
        },
        60_000,
      ),
    async [Symbol.asyncDispose]() {
      await worker[Symbol.asyncDispose]();
      await service[Symbol.asyncDispose]();
      await fixture[Symbol.asyncDispose]();
    },
  };
}
