// Draws the eye to open questions while the page is not looked at: the icon of the window, and a notification where the person
// has allowed it.
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { useMe } from '../session/use-me.ts';
import icon from '../style/icon.svg?no-inline';
import askingIcon from '../style/icon-asks.svg?no-inline';
import { cleanTitle } from '../text/clean.ts';
import { frameWords as words } from '../words/en-frame.ts';
import { attentionQuery, type AttentionItem } from './attention-count.ts';

/** For the frame, once. */
export function useAnnouncedQuestions(): void {
  const mayRead = useMe()?.permissions.includes('monitor:read') === true;
  const { data: asking } = useQuery({ ...attentionQuery('asking'), enabled: mayRead });
  const isAsking = asking !== undefined && asking.length > 0;
  useEffect(() => {
    document.querySelector('link[rel=icon]')?.setAttribute('href', isAsking ? askingIcon : icon);
  }, [isAsking]);
  const navigate = useNavigate();
  const known = useRef<ReadonlySet<string>>(undefined);
  useEffect(() => {
    if (asking === undefined) return;
    const before = known.current;
    known.current = new Set(asking.map(keyOf));
    // Questions that were open when the page was loaded are no news.
    const fresh = before === undefined ? [] : asking.filter((item) => !before.has(keyOf(item)));
    const [first] = fresh;
    if (first === undefined || !document.hidden) return;
    if (!('Notification' in globalThis) || Notification.permission !== 'granted') return;
    // One tag: a later one takes the place of the earlier, in all tabs. No more than the title leaves the page.
    const title = fresh.length === 1 ? cleanTitle(first.title) : words.openQuestions(asking.length);
    const shown = new Notification(title, { tag: 'switchyard-questions' });
    shown.addEventListener('click', () => {
      window.focus();
      void navigate({ to: '/v1/monitor/questions/$id', params: { id: first.id } });
      shown.close();
    });
  }, [asking, navigate]);
}

/** A task that asks again is news. */
function keyOf({ id, asked_at }: AttentionItem): string {
  return `${id} ${asked_at}`;
}
