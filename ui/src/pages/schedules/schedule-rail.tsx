// Beside a schedule: its facts, and what its tasks do.
import type { ReactNode } from 'react';
import { useCodebaseName } from '../../data/fleet/fleet.ts';
import { Facts, type Fact } from '../../parts/facts.tsx';
import { FreeText } from '../../parts/marks/free-text.tsx';
import { durationText } from '../../parts/marks/duration.ts';
import { Ago, ExactTime } from '../../parts/marks/time.tsx';
import { Section } from '../../parts/section.tsx';
import { cleanText } from '../../text/clean.ts';
import { commonWords } from '../../words/en-common.ts';
import { scheduleWords as words } from '../../words/en-schedules.ts';
import type { Schedule } from './schedule-data.ts';

const names = words.fact;

export function ScheduleRail({ schedule }: { readonly schedule: Schedule }): ReactNode {
  return (
    <div className="min-w-0 lg:border-s lg:border-line">
      <Section title={words.facts}>
        <Facts facts={factsOf(schedule)} />
      </Section>
      <TaskSection schedule={schedule} />
    </div>
  );
}

function factsOf(schedule: Schedule): readonly Fact[] {
  const { description, starts_at, ends_at } = schedule;
  return [
    ...(description === null ? [] : [{ name: names.about, value: <FreeText text={description} /> }]),
    { name: names.expression, value: <FreeText text={schedule.cron} className="font-mono" /> },
    { name: names.zone, value: <FreeText text={schedule.timezone} /> },
    { name: names.overlap, value: words.overlaps[schedule.overlap] },
    { name: names.catchUp, value: words.catchUps[schedule.catch_up] },
    { name: names.window, value: durationText(schedule.catch_up_window_seconds * 1_000, commonWords) },
    ...(starts_at === null ? [] : [{ name: names.starts, value: <ExactTime at={starts_at} /> }]),
    ...(ends_at === null ? [] : [{ name: names.ends, value: <ExactTime at={ends_at} /> }]),
    { name: names.runs, value: words.number(schedule.run_count) },
    { name: names.failed, value: words.number(schedule.failure_count) },
    { name: names.owner, value: <FreeText text={schedule.owner} /> },
    { name: names.created, value: <Ago at={schedule.created_at} /> },
    { name: names.changed, value: <Ago at={schedule.updated_at} /> },
    { name: names.id, value: <span className="font-mono text-xs break-all">{schedule.cronjob_id}</span> },
  ];
}

function TaskSection({ schedule: { task_template: template } }: { readonly schedule: Schedule }): ReactNode {
  const codebaseName = useCodebaseName();
  const { prompt, codebase_id: codebase, agent_type: agent } = template;
  return (
    <Section title={words.taskTitle}>
      <Facts
        facts={[
          {
            name: names.codebase,
            value: codebase === undefined ? words.anyCodebase : <FreeText text={codebaseName(codebase)} />,
          },
          ...(agent === undefined ? [] : [{ name: names.agent, value: <FreeText text={agent} /> }]),
        ]}
      />
      <p
        dir="auto"
        tabIndex={0}
        aria-label={words.fields.prompt}
        role="group"
        className="mt-2 max-h-60 overflow-y-auto rounded-sm border border-line bg-sunk p-2 whitespace-pre-wrap"
      >
        {cleanText(prompt)}
      </p>
    </Section>
  );
}
