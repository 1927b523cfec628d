// Every part in all its states, one section each, for the eyes and for the tests that photograph them.
import type { ReactNode } from 'react';
import { Section } from '../parts/section.tsx';
import { NoticeArea } from '../parts/states/notices.tsx';
import { Buttons, Codes, Fields, Menus, TabLinks } from './control-samples.tsx';
import { Logs, MarkSamples, Texts, Tracks } from './mark-samples.tsx';
import { samples } from './samples.ts';
import { Dialogs, Failures, Tables, WaitingSamples } from './state-samples.tsx';

const sections: Readonly<Record<string, () => ReactNode>> = {
  Button: Buttons,
  Field: Fields,
  'Code line, QR': Codes,
  Menu: Menus,
  Tabs: TabLinks,
  Marks: MarkSamples,
  Track: Tracks,
  Text: Texts,
  Output: Logs,
  'Error, empty, notice': Failures,
  Skeleton: WaitingSamples,
  Table: Tables,
  Dialog: Dialogs,
};

export function PartsPage(): ReactNode {
  return (
    <main className="pb-8">
      <h1 className="px-(--page) pt-4 text-xl font-bold">{samples.title}</h1>
      {Object.entries(sections).map(([name, Samples]) => (
        <Section key={name} title={name}>
          <Samples />
        </Section>
      ))}
      <NoticeArea />
    </main>
  );
}
