// The criteria of a story, each with what shows it: who, which command, how it ended, before and after, the last lines.
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { Criterion, Evidence, Story } from '../../data/runs/runs.ts';
import { FreeText } from '../../parts/marks/free-text.tsx';
import { Ago } from '../../parts/marks/time.tsx';
import { CriterionMark } from '../../parts/run/run-mark.tsx';
import { cleanText } from '../../text/clean.ts';
import { runWords as words } from '../../words/runs/en-runs.ts';

/** @param isOpen all evidence is unfolded */
export function CriteriaList({ story, isOpen }: { readonly story: Story; readonly isOpen: boolean }): ReactNode {
  return (
    <section aria-labelledby="story-criteria" className="mt-5">
      <h3 id="story-criteria" className="mb-1 font-semibold">
        {words.criteria}
      </h3>
      <ol className="border-t border-line">
        {story.criteria.map((criterion) => (
          <li key={criterion.index} className="border-b border-line py-2">
            <CriterionRow criterion={criterion} />
            <EvidenceFold
              key={String(isOpen)}
              evidence={story.evidence.filter(({ criterion: index }) => index === criterion.index)}
              isOpen={isOpen}
            />
          </li>
        ))}
      </ol>
    </section>
  );
}

function CriterionRow({ criterion }: { readonly criterion: Criterion }): ReactNode {
  const { status, by, command } = criterion;
  return (
    <div className="flex items-start gap-2">
      <span className="mt-1">
        <CriterionMark status={status} />
      </span>
      <div className="min-w-0 flex-1">
        <p dir="auto" className="font-semibold">
          <FreeText text={`${criterion.index + 1}. ${criterion.text}`} />
        </p>
        <p className="text-sm text-soft">
          {by === null
            ? words.criterionStates[status]
            : [`${words.criterionStates[status]} ${words.by[by]}`, ...outcomeFacts(criterion)].join(' · ')}
        </p>
        {command === undefined ? null : (
          <code className="mt-0.5 block font-mono text-mono break-all whitespace-pre-wrap">{cleanText(command)}</code>
        )}
      </div>
    </div>
  );
}

type Outcome = Pick<
  Criterion,
  'exit_code' | 'seconds' | 'before' | 'counts' | 'vacuous' | 'flaky' | 'commit' | 'status'
>;

/** Exit code, what it was before, tests, time, commit: as far as they are known. */
function outcomeFacts(outcome: Outcome): readonly string[] {
  const { exit_code: exitCode, seconds, before, counts, vacuous, flaky, commit, status } = outcome;
  const after = status === 'passed' ? words.outcome.passed : words.outcome.failed;
  return [
    exitCode === undefined ? '' : words.exitCode(exitCode),
    before === undefined || before === 'unknown' ? '' : words.before(words.outcome[before], after),
    counts === undefined ? '' : words.counts(counts.passed, counts.failed, counts.skipped),
    seconds === undefined ? '' : words.secondsOf(seconds),
    vacuous === true ? words.vacuous : '',
    flaky === true ? words.flaky : '',
    commit === undefined ? '' : words.commit(commit.slice(0, 7)),
  ].filter(Boolean);
}

function EvidenceFold({
  evidence,
  isOpen,
}: {
  readonly evidence: readonly Evidence[];
  readonly isOpen: boolean;
}): ReactNode {
  if (evidence.length === 0) return null;
  return (
    <details open={isOpen} className="ms-6 mt-1">
      <summary className="min-h-6 cursor-pointer text-sm text-soft">{words.evidence(evidence.length)}</summary>
      <ul className="mt-1 grid gap-3">
        {evidence.toReversed().map((one) => (
          <li key={`${one.n} ${one.by} ${one.gate_id ?? ''} ${one.command ?? ''} ${one.at}`}>
            <EvidenceEntry evidence={one} />
          </li>
        ))}
      </ul>
    </details>
  );
}

function EvidenceEntry({ evidence }: { readonly evidence: Evidence }): ReactNode {
  const { n, status, by, command, reason, quotes, tail, task_id: task, subject, same_agent: isSame } = evidence;
  const facts = [
    words.evidenceOf(n),
    words.criterionStates[status],
    subject === undefined ? words.by[by] : words.bySubject(subject),
    ...(evidence.gate_id === undefined ? [] : [evidence.gate_id]),
    ...(isSame === true ? [words.sameAgent] : []),
    ...outcomeFacts({ ...evidence, commit: evidence.commit ?? undefined }),
  ];
  return (
    <div className="text-sm">
      <p className="flex flex-wrap items-center gap-x-2 text-soft">
        <CriterionMark status={status} />
        <FreeText text={facts.join(' · ')} />
        <Ago at={evidence.at} />
        {task === null ? null : (
          <Link to="/v1/monitor/tasks/$id" params={{ id: task }} className="text-accent underline">
            {words.showTask}
          </Link>
        )}
      </p>
      {command === undefined ? null : (
        <code className="mt-1 block font-mono text-mono break-all whitespace-pre-wrap">{cleanText(command)}</code>
      )}
      {reason === undefined ? null : (
        <p dir="auto" className="mt-1 max-w-[72ch] whitespace-pre-wrap">
          {cleanText(reason)}
        </p>
      )}
      {quotes === undefined || quotes.length === 0 ? null : (
        <ul aria-label={words.quotes} className="mt-1 grid gap-1">
          {quotes.map(({ path, line, text }) => (
            <li key={`${path} ${line}`} className="border-s-2 border-line ps-2">
              <span className="text-xs text-soft">
                <FreeText text={`${path}:${line}`} />
              </span>
              <code className="block font-mono text-mono break-all whitespace-pre-wrap">{cleanText(text)}</code>
            </li>
          ))}
        </ul>
      )}
      {tail.trim() === '' ? null : (
        <pre
          tabIndex={0}
          aria-label={words.lastLines}
          role="region"
          className="mt-1 max-h-80 overflow-auto bg-sunk p-2 font-mono text-mono whitespace-pre-wrap max-md:max-h-none"
        >
          {cleanText(tail)}
        </pre>
      )}
    </div>
  );
}
