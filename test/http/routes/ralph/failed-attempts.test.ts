// The facts that failed attempts leave to later ones, in the database and in the next prompt. runs-9.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { StepDescriptorWire } from '../../../../src/contracts/step.ts';
import { newRunId, openRunSite, prdDocument, storyDocument, type RunSite } from '../../../support/runs/new-run.ts';
import { rejected, scriptStepWorker, succeed } from '../../../support/runs/scripted-step-worker.ts';
import { openService, type TestService } from '../../../support/service.ts';

let service: TestService;
let site: RunSite;
beforeAll(async () => {
  service = await openService();
  site = await openRunSite(service);
});
afterAll(() => service[Symbol.asyncDispose]());

/** A check whose gate fails with this output. */
function failWith(step: StepDescriptorWire, tail: string): ReturnType<typeof rejected> {
  const result = rejected(step, 'gate_failed', () => false);
  return { ...result, results: result.results.map((each) => ({ ...each, tail })) };
}

describe('a story whose third attempt fails as the first did', () => {
  const outputs = ['Error: alpha is missing', 'Error: beta is missing', 'Error: alpha is missing'];
  let runId: string;
  let prompt: string;
  beforeAll(async () => {
    const worker = scriptStepWorker(service, site, (step) => {
      const output = outputs[step.n - 1];
      return step.kind === 'check' && output !== undefined ? { result: failWith(step, output) } : undefined;
    });
    const prd = prdDocument({ userStories: [storyDocument('US-001')] });
    runId = await newRunId(service, { codebase_id: site.codebaseId, prd });
    for (let n = 1; n < 4; n += 1) {
      const { assignment, step } = await worker.claimStep('implement');
      await worker.release(assignment, { result: succeed(step) });
    }
    ({ prompt } = (await worker.claimStep('implement')).assignment.task);
    await service.call('POST', `/v1/ralph/runs/${runId}/cancel`, { as: 'admin', body: {} });
  });

  it('has three failures, and progress.txt has all of them [runs-9.8]', async () => {
    const { body } = await service.call('GET', `/v1/ralph/runs/${runId}/learnings?kind=failure`);
    const numbers = body.learnings.map(({ attempt_n }: { attempt_n: number }) => attempt_n);
    expect(numbers).toEqual([3, 2, 1]);
    const progress = await service.call('GET', `/v1/ralph/runs/${runId}/progress.txt`);
    for (const n of [1, 2, 3]) expect(progress.body).toContain(`US-001, iteration ${n}: failed`);
  });

  it('shows the third to the fourth as its last attempt, with the files that its diff touched [runs-9.8]', () => {
    const [, last = ''] = /# The last attempt \(iteration 3\)([\s\S]*?)## Attempts before it/.exec(prompt) ?? [];
    expect(last).toContain('alpha is missing');
    expect(last).not.toContain('beta');
    expect(last).toContain('its diff touched src/login.ts (+3 -1)');
    expect(prompt).toMatch(/- Iteration 2: .*\n {2}.*beta is missing/);
  });
});
