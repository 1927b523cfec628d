// Conversions of stories, attempts, evidence, learnings and events of runs to their wire shapes. They hold no rules.
import type { RunEventWire } from '../../../contracts/ralph/run-changes.ts';
import type {
  AttemptWire,
  EvidenceWire,
  LearningWire,
  RunStepWire,
  StoryWire,
} from '../../../contracts/ralph/story.ts';
import type { CriterionEvidence, RunEvent, RunLearning, RunStep } from '../../../domain/model/run/run.ts';
import type { AttemptDetails, StoryDetails } from '../../../domain/runs/read/read-stories.ts';
import { criterionToWire, storyResultToWire } from './run-wire.ts';

export function storyToWire(details: StoryDetails): StoryWire {
  const { story, criteria, evidence, steps } = details;
  return {
    ...storyResultToWire(details),
    criteria: criteria.map((criterion) => ({ ...criterionToWire(criterion), tail: criterion.evidence?.tail })),
    description: story.description,
    depends_on: story.dependsOn === null ? null : [...story.dependsOn],
    priority: story.priority,
    checks: story.checks.map(({ criterion, command }) => ({ criterion, command })),
    allow_test_changes:
      typeof story.allowTestChanges === 'boolean' ? story.allowTestChanges : [...story.allowTestChanges],
    agent: story.agent,
    model: story.model,
    passed_at: story.passedAt,
    carried_from: story.carriedFrom,
    evidence: evidence.map(evidenceToWire),
    steps: steps.map(stepToWire),
  };
}

export function attemptToWire({ attempt, evidence, steps, usage }: AttemptDetails): AttemptWire {
  return {
    n: attempt.n,
    try: attempt.try,
    status: attempt.status,
    failure_code: attempt.failureCode,
    agent: attempt.agent,
    base_commit: attempt.baseCommit,
    candidate_commit: attempt.candidateCommit,
    commit: attempt.storyCommit,
    summary: attempt.summary,
    usage,
    evidence: evidence.map(evidenceToWire),
    steps: steps.map(stepToWire),
    started_at: attempt.startedAt,
    ended_at: attempt.endedAt,
  };
}

function evidenceToWire(evidence: CriterionEvidence): EvidenceWire {
  return {
    criterion: evidence.criterion,
    n: evidence.n,
    status: evidence.status,
    by: evidence.by,
    gate_id: evidence.gateId ?? undefined,
    command: evidence.command ?? undefined,
    exit_code: evidence.command === null ? undefined : evidence.exitCode,
    seconds: evidence.seconds ?? undefined,
    commit: evidence.commit,
    before: evidence.before,
    vacuous: evidence.vacuous || undefined,
    flaky: evidence.flaky || undefined,
    counts: evidence.counts ?? undefined,
    tail: evidence.tail,
    task_id: evidence.taskId,
    artifact_id: evidence.artifactId,
    quotes: evidence.quotes.length === 0 ? undefined : evidence.quotes.map((quote) => ({ ...quote })),
    reason: evidence.reason ?? undefined,
    subject: evidence.subject ?? undefined,
    same_agent: evidence.sameAgent || undefined,
    at: evidence.at,
  };
}

function stepToWire(step: RunStep): RunStepWire {
  return {
    kind: step.kind,
    task_id: step.taskId,
    status: step.status,
    n: step.n,
    try: step.try,
    code: step.code ?? undefined,
  };
}

export function learningToWire({ id, storyId, n, kind, author, text, at }: RunLearning): LearningWire {
  return { id, story_id: storyId, attempt_n: n, kind, author, text, at };
}

/** Event data already has its wire names. */
export function runEventToWire({ seq, type, at, data }: RunEvent): RunEventWire {
  return { seq, type, at, data: { ...data } };
}
