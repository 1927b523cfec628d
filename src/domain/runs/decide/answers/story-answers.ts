// The effects of the options of each question about a story. runs-5.
import type { RunAnswer, RunQuestion, RunStory } from '../../../model/run/run.ts';
import { humanEvidence } from '../../outcome/evidence-rows.ts';
import { cleanLearning } from '../../learning-text.ts';
import { describeAgentFailure } from '../../outcome/failure.ts';
import type { RunDraft } from '../draft/run-draft.ts';
import { criterionTies, evidenceCommit, openAttemptOf } from '../draft/story-lookups.ts';
import { beginAttempt, failAttempt, voidAttempt } from '../story/attempts.ts';
import { dropStoryWork, endStory, enterPhase } from '../story/story-moves.ts';

export interface AnsweredQuestion {
  readonly question: RunQuestion;
  readonly answer: RunAnswer;
  /** The person. */
  readonly subject: string;
}

export function answerAboutStory(draft: RunDraft, given: AnsweredQuestion): void {
  const { question, answer } = given;
  if (question.kind === 'agent' && answerOpenTask(draft, given)) return;
  const story = draft.story(question.storyId);
  if (story?.status !== 'running') return;
  switch (answer.choice) {
    case 'other_agent':
      useAgent(draft, story, given);
      goOn(draft, story);
      return;
    case 'allow':
      draft.setStory(story.storyId, { allowTestChanges: true });
      goOn(draft, story);
      return;
    case 'accept':
    case 'reject':
      if (question.kind === 'unverifiable') decideCriteria(draft, story, given);
      else decideTests(draft, story, given);
      return;
    case 'hint':
      guide(draft, story, answer.text);
      draft.setStory(story.storyId, { extraIterations: story.extraIterations + 1, diagnoses: 0 });
      enterPhase(draft, story.storyId, 'implementing', null);
      return;
    case 'remove_story':
      removeStory(draft, story);
      return;
    case 'give_up':
      endStory(draft, story.storyId, 'given_up', `given up by a person after ${story.iteration} iterations`);
      return;
    case 'take':
      takeCommit(draft, story, answer.commit);
      return;
    default:
      if (question.kind === 'unverifiable') {
        decideCriteria(draft, story, given);
        return;
      }
      if (question.kind === 'agent') guide(draft, story, `${question.text}\nAnswer: ${answer.text}`);
      if (question.kind === 'conflict') draft.setStory(story.storyId, { conflicts: 0 });
      goOn(draft, story);
  }
}

/** The phase in which the story asked. */
function goOn(draft: RunDraft, story: RunStory): void {
  enterPhase(draft, story.storyId, story.wait?.phase ?? 'implementing', null);
}

function guide(draft: RunDraft, story: RunStory, text: string): void {
  const { storyId } = story;
  draft.addLearning({ storyId, n: story.iteration, kind: 'guidance', author: 'human', text: cleanLearning(text) });
}

/** @returns whether the task still asks, and got the answer */
function answerOpenTask(draft: RunDraft, { question, answer }: AnsweredQuestion): boolean {
  const open = draft.openSteps.find(({ step }) => step.id === question.data['step_id'] && step.status === 'asking');
  if (open === undefined) return question.data['task_id'] !== null;
  if (open.task?.status === 'needs_input') draft.answerTask(open.step.taskId, answer.text);
  draft.reopenStep(open.step);
  const story = draft.story(question.storyId);
  if (story?.phase === 'asking') goOn(draft, story);
  return true;
}

/** The agent that worked so far is replaced: the implementer of this story, or who judges in this run. */
function useAgent(draft: RunDraft, story: RunStory, { question, answer }: AnsweredQuestion): void {
  if (answer.agent === null) return;
  const isVerifier = question.data['step'] === 'judge' || question.data['step'] === 'diagnose';
  if (!isVerifier) {
    draft.setStory(story.storyId, { agent: answer.agent });
    return;
  }
  const { options } = draft.run;
  draft.setRun({ options: { ...options, verifier: { ...options.verifier, agent: answer.agent } } });
}

/** Criteria that the judge could not verify: a person decides each. A criterion without an answer is not accepted. */
function decideCriteria(draft: RunDraft, story: RunStory, { question, answer, subject }: AnsweredQuestion): void {
  const attempt = openAttemptOf(draft, story);
  if (attempt === undefined) {
    enterPhase(draft, story.storyId, 'implementing', null);
    return;
  }
  const { storyId } = story;
  const commit = evidenceCommit(attempt);
  const context = { storyId, n: attempt.n, commit, taskId: null, artifactId: null };
  const rejected: string[] = [];
  for (const index of askedCriteria(question)) {
    const isAccepted = (answer.choices[String(index)] ?? answer.choice) === 'accept';
    const reason = answer.text === '' ? null : answer.text;
    draft.addEvidence(humanEvidence(context, index, isAccepted ? 'passed' : 'failed', subject, reason));
    if (!isAccepted) rejected.push(`criterion ${index + 1} (${story.criteria[index] ?? ''})`);
  }
  if (rejected.length === 0) {
    goOn(draft, story);
    return;
  }
  guide(draft, story, answer.text);
  const sentence = `a person rejected ${rejected.join(', ')}`;
  failAttempt(draft, story, attempt, { ...describeAgentFailure(sentence, answer.text), code: 'judge_failed' });
}

function askedCriteria(question: RunQuestion): readonly number[] {
  const listed = question.data['criteria'];
  return (Array.isArray(listed) ? listed : []).flatMap((entry: unknown) => {
    const index = typeof entry === 'object' && entry !== null && 'index' in entry ? entry.index : null;
    return typeof index === 'number' ? [index] : [];
  });
}

/** Changed tests: accepted for these files and this attempt, or the attempt fails. */
function decideTests(draft: RunDraft, story: RunStory, { question, answer, subject }: AnsweredQuestion): void {
  const attempt = openAttemptOf(draft, story);
  const { storyId } = story;
  const listed = question.data['paths'];
  const paths = (Array.isArray(listed) ? listed : []).filter((path: unknown) => typeof path === 'string');
  if (attempt === undefined) {
    enterPhase(draft, storyId, 'implementing', null);
    return;
  }
  if (answer.choice === 'accept') {
    const known = Array.isArray(story.allowTestChanges) ? story.allowTestChanges : [];
    if (story.allowTestChanges !== true) draft.setStory(storyId, { allowTestChanges: [...known, ...paths] });
    const context = { storyId, n: attempt.n, commit: attempt.candidateCommit, taskId: null, artifactId: null };
    const reason = `accepted the changed tests ${paths.join(', ')}`;
    // It holds for the candidate as it is; the check that follows decides whether the gates pass with these tests.
    for (const [index, tie] of criterionTies(draft, story).entries()) {
      if (tie.by === 'gate') draft.addEvidence(humanEvidence(context, index, 'passed', subject, reason));
    }
    goOn(draft, story);
    return;
  }
  guide(draft, story, answer.text);
  const sentence = `a person rejected the changed tests ${paths.join(', ')}`;
  failAttempt(draft, story, attempt, { ...describeAgentFailure(sentence, answer.text), code: 'tests_changed' });
}

/** Stories that depend on it depend on it no more. */
function removeStory(draft: RunDraft, story: RunStory): void {
  dropStoryWork(draft, story, 'a person removed the story from the run');
  draft.removeStory(story.storyId);
  for (const { storyId, dependsOn } of draft.stories) {
    if (dependsOn?.includes(story.storyId) === true) {
      draft.setStory(storyId, { dependsOn: dependsOn.filter((id) => id !== story.storyId) });
    }
  }
}

/** A commit that a person made is the candidate of a new try, and is checked like any other. */
function takeCommit(draft: RunDraft, story: RunStory, commit: string | null): void {
  const open = openAttemptOf(draft, story);
  if (open !== undefined) voidAttempt(draft, open, 'conflict');
  draft.setStory(story.storyId, { conflicts: 0 });
  if (commit === null) {
    goOn(draft, story);
    return;
  }
  const attempt = beginAttempt(draft, story);
  draft.setAttempt(attempt, { candidateCommit: commit });
  enterPhase(draft, story.storyId, 'checking', null);
}
