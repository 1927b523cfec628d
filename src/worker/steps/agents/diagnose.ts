// The step `diagnose`: an agent reads why a story is stuck and advises a different way.
import { cutText } from '../../../lib/text/cut-text.ts';
import { openStepTree } from '../open-step-tree.ts';
import { plainLines } from '../plain-lines.ts';
import { fetchStepCommits } from '../commits/step-commits.ts';
import type { StepContext } from '../step-context.ts';
import { stoppedEnding, type StepEnding } from '../commits/step-ending.ts';
import { chooseStepAgent, reviewersOf, runStepAgent, type StepAgents } from './run-step-agent.ts';
import { scrub } from './scrub.ts';

const maxAdviceChars = 8_000;

/** @throws StepError `agent_missing`; BundleError; WorkspaceError; AgentError */
export async function runDiagnose(context: StepContext, agents: StepAgents): Promise<StepEnding> {
  const { secrets, signal, step, task } = context;
  const reviewers = reviewersOf(agents.agents);
  if (reviewers.length === 0) return { result: { kind: 'diagnose', advice: '' } };
  const agent = await chooseStepAgent(task, { ...agents, agents: reviewers });
  const commit = step.candidate ?? step.base;
  await fetchStepCommits(context, [commit]);
  await using tree = await openStepTree(context, { commit });
  const turn = await runStepAgent(context, { agent, tree, agents });
  if (signal.aborted) return stoppedEnding(signal);
  const { usage } = turn;
  const verdict = turn.judge(false);
  if (verdict.status === 'failed') return { release: { ...verdict, usage } };
  const advice = plainLines(scrub(verdict.result ?? '', secrets))
    .join('\n')
    .trim();
  return { result: { kind: 'diagnose', advice: cutText(advice, maxAdviceChars) }, usage };
}
