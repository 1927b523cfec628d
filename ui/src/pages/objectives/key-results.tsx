// The key results of an objective: how far each is, and what can be done with it.
import { useState, type ReactNode } from 'react';
import { AskFirst } from '../../parts/controls/ask-first.tsx';
import { Button } from '../../parts/controls/button.tsx';
import { Menu } from '../../parts/controls/menu.tsx';
import { FreeText } from '../../parts/marks/free-text.tsx';
import { Section } from '../../parts/section.tsx';
import { useLack } from '../../session/use-me.ts';
import { cleanText, cleanTitle } from '../../text/clean.ts';
import { commonWords } from '../../words/en-common.ts';
import { objectiveWords as words } from '../../words/en-objectives.ts';
import { KeyResultForm, ReportForm } from './key-result-dialogs.tsx';
import type { KeyResult, Objective } from './objective-data.ts';
import { changeKeyResult, removeKeyResult } from './objective-actions.ts';
import { keyResultChange, keyResultDraftOf } from './objective-draft.ts';
import { KeyResultMark, ProgressBar } from './objective-marks.tsx';
import { resultsOf } from './objective-table.tsx';

interface OpenDialog {
  readonly kind: 'report' | 'change' | 'remove';
  readonly keyResult: KeyResult;
}

export function KeyResults({ okr, onAdd }: { readonly okr: Objective; readonly onAdd: () => void }): ReactNode {
  const lack = useLack('okr:write');
  const [dialog, setDialog] = useState<OpenDialog>();
  const isPlanOpen = okr.status === 'draft' || okr.status === 'approved';
  const isOver = okr.status === 'completed' || okr.status === 'denied';
  return (
    <Section
      title={words.keyResults}
      aside={
        <>
          <span className="text-sm text-soft">{resultsOf(okr)}</span>
          {isPlanOpen ? (
            <Button className="ms-auto" disabledReason={lack} onClick={onAdd}>
              {words.addKeyResult}
            </Button>
          ) : null}
        </>
      }
    >
      {okr.key_results.length === 0 ? <p className="text-soft">{words.noKeyResults}</p> : null}
      <ul>
        {okr.key_results.map((keyResult) => (
          <li
            key={keyResult.key_result_id}
            className="grid gap-1 border-b border-line py-3 md:grid-cols-[minmax(0,1fr)_auto_auto] md:items-center md:gap-4"
          >
            <KeyResultText keyResult={keyResult} />
            <ProgressBar progress={keyResult.progress} />
            {isOver ? null : (
              <span className="flex gap-2">
                <Button
                  label={words.reportTitle(cleanTitle(keyResult.title))}
                  disabledReason={lack}
                  onClick={() => setDialog({ kind: 'report', keyResult })}
                >
                  {words.report}
                </Button>
                {isPlanOpen ? (
                  <Menu
                    label={words.actionsOf(cleanTitle(keyResult.title))}
                    kind="quiet"
                    entries={[
                      {
                        id: 'change',
                        label: words.changeKeyResult,
                        onSelect: () => setDialog({ kind: 'change', keyResult }),
                        disabledReason: lack,
                      },
                      {
                        id: 'remove',
                        label: words.removeKeyResult,
                        onSelect: () => setDialog({ kind: 'remove', keyResult }),
                        disabledReason: lack,
                        danger: true,
                      },
                    ]}
                  >
                    {commonWords.more}
                  </Menu>
                ) : null}
              </span>
            )}
          </li>
        ))}
      </ul>
      {dialog === undefined ? null : <KeyResultDialog dialog={dialog} onClose={() => setDialog(undefined)} />}
    </Section>
  );
}

function KeyResultText({ keyResult }: { readonly keyResult: KeyResult }): ReactNode {
  const { title, status, status_reason: reason, weight } = keyResult;
  return (
    <div className="min-w-0">
      <p className="font-semibold">
        <FreeText text={title} />
      </p>
      <p className="flex flex-wrap items-center gap-x-3 text-sm text-soft">
        <KeyResultMark status={status} />
        <span>{measureText(keyResult)}</span>
        {weight === 1 ? null : <span>{words.weight(weight)}</span>}
      </p>
      {reason === null ? null : (
        <p dir="auto" className="line-clamp-3 text-sm whitespace-pre-wrap text-soft">
          {cleanText(reason)}
        </p>
      )}
    </div>
  );
}

function measureText({ measure, current }: KeyResult): string {
  if (measure.kind !== 'number') return words.measures[measure.kind];
  const { start, target, unit = '' } = measure;
  const now = current === null ? words.notMeasured : words.now(current, unit);
  return `${words.numberWay(start, target, unit)}, ${now}`;
}

function KeyResultDialog({
  dialog,
  onClose,
}: {
  readonly dialog: OpenDialog;
  readonly onClose: () => void;
}): ReactNode {
  const { keyResult, kind } = dialog;
  const { okr_id: okrId, key_result_id: id, title } = keyResult;
  if (kind === 'report') return <ReportForm keyResult={keyResult} onClose={onClose} />;
  if (kind === 'remove') {
    return (
      <AskFirst
        title={words.removeKeyResultTitle(cleanTitle(title))}
        text={words.removeKeyResultText}
        keep={words.keepIt}
        action={words.removeKeyResult}
        onClose={onClose}
        onDo={() => removeKeyResult(okrId, id)}
      />
    );
  }
  return (
    <KeyResultForm
      title={words.changeTitle(cleanTitle(title))}
      initial={keyResultDraftOf(keyResult)}
      submit={words.save}
      onClose={onClose}
      onSave={async (draft) => {
        await changeKeyResult(okrId, id, keyResultChange(draft, keyResult), words.changed);
        onClose();
      }}
    />
  );
}
