// The button that asks the browser for notifications: never asked for without it.
import { useState, type ReactNode } from 'react';
import { Button } from '../../parts/controls/button.tsx';
import { notify, notifyError } from '../../parts/states/notices.tsx';
import { questionWords as words } from '../../words/en-questions.ts';

export function NotifyButton(): ReactNode {
  const [permission, setPermission] = useState(() =>
    'Notification' in globalThis ? Notification.permission : 'denied',
  );
  if (permission !== 'default') return null;
  const ask = async (): Promise<void> => {
    const answer = await Notification.requestPermission();
    setPermission(answer);
    if (answer === 'granted') notify(words.notifying);
    else notifyError(words.notifyRefused);
  };
  return <Button onClick={() => void ask().catch(notifyError)}>{words.notifyMe}</Button>;
}
