// The field that searches the messages of all conversations.
import { useNavigate } from '@tanstack/react-router';
import { useState, type ReactNode } from 'react';
import { Button } from '../../parts/controls/button.tsx';
import { TextField } from '../../parts/controls/field.tsx';
import { conversationWords as words } from '../../words/en-conversations.ts';

export function MessageSearch({ q }: { readonly q: string }): ReactNode {
  const navigate = useNavigate();
  const [text, setText] = useState(q);
  return (
    <form
      role="search"
      data-search
      className="flex max-w-[56ch] gap-2"
      onSubmit={(event) => {
        event.preventDefault();
        void navigate({ to: '/v1/monitor/conversations', search: { q: text.trim() || undefined } });
      }}
    >
      <TextField
        className="flex-1"
        label={words.search}
        hideLabel
        type="search"
        value={text}
        placeholder={words.searchPlaceholder}
        onChange={setText}
      />
      <Button type="submit">{words.searchDo}</Button>
    </form>
  );
}
