// The palette: pages, actions of the page, the latest tasks, and where a pasted id leads.
import { Autocomplete } from '@base-ui/react/autocomplete';
import { Dialog } from '@base-ui/react/dialog';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState, type ReactNode } from 'react';
import { api, dataOf } from '../api/api.ts';
import { useAllActions } from '../keys/actions.ts';
import { useMe } from '../session/use-me.ts';
import { frameWords as words } from '../words/en-frame.ts';
import { printedKeys } from './printed-keys.ts';

interface Entry {
  readonly value: string;
  readonly label: string;
  readonly keys?: string | undefined;
  readonly run: () => void;
}

interface Group {
  readonly value: string;
  readonly items: readonly Entry[];
}

const latestTasks = 20;

export function Palette({ onClose }: { readonly onClose: () => void }): ReactNode {
  const [text, setText] = useState('');
  const groups = useGroups(text.trim());
  return (
    <Dialog.Root open onOpenChange={(next) => (next ? undefined : onClose())}>
      <Dialog.Portal>
        <Dialog.Backdrop className="fixed inset-0 z-40 bg-ink/30" />
        <Dialog.Popup
          aria-label={words.palette}
          className="fixed inset-x-2 top-[8vh] z-50 mx-auto flex max-h-[80dvh] max-w-xl flex-col rounded-sm border border-edge bg-paper shadow-xl outline-none"
        >
          <Autocomplete.Root
            open
            inline
            items={groups}
            autoHighlight="always"
            keepHighlight
            value={text}
            onValueChange={setText}
            itemToStringValue={(entry: Entry) => entry.label}
          >
            <Autocomplete.Input
              aria-label={words.paletteSearch}
              placeholder={words.paletteSearch}
              className="h-12 w-full border-b border-line bg-transparent px-4 -outline-offset-2"
            />
            <div className="min-h-0 overflow-y-auto py-1">
              <Autocomplete.Empty className="empty:hidden">
                <p className="px-4 py-3 text-soft">{words.paletteEmpty}</p>
              </Autocomplete.Empty>
              <Autocomplete.List>
                {(group: Group) => (
                  <Autocomplete.Group key={group.value} items={group.items}>
                    <Autocomplete.GroupLabel className="px-4 pt-2 pb-1 text-xs text-soft">
                      {group.value}
                    </Autocomplete.GroupLabel>
                    <Autocomplete.Collection>
                      {(entry: Entry) => (
                        <Autocomplete.Item
                          key={entry.value}
                          value={entry}
                          onClick={() => {
                            onClose();
                            entry.run();
                          }}
                          className="flex min-h-(--row) items-center justify-between gap-3 px-4 outline-none data-highlighted:bg-sunk"
                        >
                          <bdi className="min-w-0 truncate">{entry.label}</bdi>
                          {entry.keys === undefined ? null : (
                            <kbd className="font-mono text-xs text-soft">{entry.keys}</kbd>
                          )}
                        </Autocomplete.Item>
                      )}
                    </Autocomplete.Collection>
                  </Autocomplete.Group>
                )}
              </Autocomplete.List>
            </div>
          </Autocomplete.Root>
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

function useGroups(text: string): Group[] {
  const navigate = useNavigate();
  const actions = useAllActions();
  const mayReadTasks = useMe()?.permissions.includes('tasks:read') === true;
  const { data } = useQuery({
    queryKey: ['tasks', 'latest', latestTasks],
    queryFn: () => dataOf(api().GET('/v1/agent/tasks', { params: { query: { limit: latestTasks } } })),
    enabled: mayReadTasks,
  });
  const offered = actions.filter(({ id, disabledReason }) => id !== 'palette' && disabledReason === undefined);
  const ofActions = (['page', 'go', 'everywhere'] as const).map((group) => ({
    value: words.paletteGroups[group],
    items: offered
      .filter((action) => action.group === group)
      .map(({ id, label, keys, run }) => ({
        value: `action:${id}`,
        label,
        keys: keys === undefined ? undefined : printedKeys(keys),
        run,
      })),
  }));
  const tasks = (data?.tasks ?? []).map(({ id, title }) => ({
    value: `task:${id}`,
    label: title,
    run: () => void navigate({ to: '/v1/monitor/tasks/$id', params: { id } }),
  }));
  const groups = [
    { value: words.paletteGroups.ids, items: idEntries(text, (path) => void navigate({ to: path })) },
    ...ofActions,
    { value: words.paletteGroups.tasks, items: tasks },
  ];
  return groups.filter(({ items }) => items.length > 0);
}

/** The pages that an id may lead to: it does not name the kind of its thing. */
function idEntries(text: string, go: (path: string) => void): Entry[] {
  if (!/^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i.test(text)) return [];
  const entry = (label: string, path: string): Entry => ({ value: `id:${path}`, label, run: () => go(path) });
  return [
    entry(words.idAsTask(text), `/v1/monitor/tasks/${text}`),
    entry(words.idAsRun(text), `/dashboard/ralph/${text}`),
    entry(words.idAsWorker(text), `/v1/monitor/fleet/${text}`),
    entry(words.idAsConversation(text), `/v1/monitor/conversations/${text}`),
    entry(words.idAsRequest(text), `/v1/monitor/audit?request=${text}`),
  ];
}
