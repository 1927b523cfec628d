// An item that asks nothing: a dead delivery, a failed run, a lost worker, a budget; with its action and Dismiss.
import { Link, useNavigate } from '@tanstack/react-router';
import { useState, type ReactNode } from 'react';
import { dismissItem, retryFailedRun, sendItemAgain } from '../../data/attention.ts';
import type { AttentionItem } from '../../live/attention-count.ts';
import { Button, buttonClass } from '../../parts/controls/button.tsx';
import { StateMark } from '../../parts/marks/state-mark.tsx';
import { Ago } from '../../parts/marks/time.tsx';
import { notify, notifyError } from '../../parts/states/notices.tsx';
import { useLack } from '../../session/use-me.ts';
import { cleanText } from '../../text/clean.ts';
import { questionWords as words } from '../../words/en-questions.ts';

/** @param onNext called when the item is gone by an action of this page */
export function AttentionItemView({
  item,
  onNext,
}: {
  readonly item: AttentionItem;
  readonly onNext: () => void;
}): ReactNode {
  return (
    <div className="grid gap-4">
      <p className="flex flex-wrap items-center gap-x-3 text-sm text-soft">
        <StateMark state="failed" word={words.kinds[item.kind]} />
        <span>
          {words.since} <Ago at={item.asked_at} />
        </span>
      </p>
      <p dir="auto" className="max-w-[72ch] border-s-4 border-bad bg-paper px-3 py-2 break-words whitespace-pre-wrap">
        {cleanText(item.text)}
      </p>
      <AttentionItemActions item={item} onDone={onNext} />
    </div>
  );
}

const dismissPermissions: Readonly<Partial<Record<AttentionItem['kind'], string>>> = {
  dead_delivery: 'automation:write',
  run_failed: 'ralph:write',
  worker_gone: 'workers:write',
};

/** The action that ends the wait, the page where more can be done, and Dismiss. */
export function AttentionItemActions({
  item,
  onDone,
}: {
  readonly item: AttentionItem;
  readonly onDone: () => void;
}): ReactNode {
  const navigate = useNavigate();
  const lack = useLack(dismissPermissions[item.kind] ?? 'monitor:write');
  const [isBusy, setBusy] = useState(false);
  const [key] = useState(() => crypto.randomUUID());
  const act = (action: () => Promise<void>): void => {
    setBusy(true);
    void action().then(onDone, (error: unknown) => {
      setBusy(false);
      notifyError(error);
    });
  };
  return (
    <div className="flex flex-wrap gap-2">
      {item.kind === 'dead_delivery' ? (
        <Button
          kind="primary"
          disabledReason={lack}
          busy={isBusy}
          onClick={() => act(async () => sendItemAgain(item).then(() => notify(words.sentAgain)))}
        >
          {words.sendAgain}
        </Button>
      ) : null}
      {item.kind === 'run_failed' ? (
        <Button
          kind="primary"
          disabledReason={lack}
          busy={isBusy}
          onClick={() =>
            act(async () => {
              const id = await retryFailedRun(item.id, key);
              notify(words.retried);
              await navigate({ to: '/dashboard/ralph/$id', params: { id } });
            })
          }
        >
          {words.retryRun}
        </Button>
      ) : null}
      <OpenThing item={item} />
      <Button
        disabledReason={lack}
        busy={isBusy}
        onClick={() => act(async () => dismissItem(item.id).then(() => notify(words.dismissed)))}
      >
        {words.dismiss}
      </Button>
    </div>
  );
}

function OpenThing({ item }: { readonly item: AttentionItem }): ReactNode {
  const { kind, about } = item;
  if (kind === 'worker_gone') {
    return (
      <Link to="/v1/monitor/fleet/$id" params={{ id: item.id }} className={buttonClass()}>
        {words.openWorker}
      </Link>
    );
  }
  if (about?.kind === 'run') {
    return (
      <Link to="/dashboard/ralph/$id" params={{ id: about.id }} className={buttonClass()}>
        {words.openRun}
      </Link>
    );
  }
  if (about === null) return null;
  return (
    <Link to="/v1/monitor/tasks/$id/$part" params={{ id: about.id, part: 'deliveries' }} className={buttonClass()}>
      {words.openDeliveries}
    </Link>
  );
}
