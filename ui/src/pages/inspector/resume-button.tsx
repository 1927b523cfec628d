// Goes on with a stream of A2A after the last frame that arrived.
import { useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { RawAnswer } from '../../api/raw-call.ts';
import { Button } from '../../parts/controls/button.tsx';
import { inspectorWords as words } from '../../words/service/en-inspector.ts';
import { a2aCalls } from './calls/a2a-calls.ts';
import { parseJson, printJson, textOrEmpty, valueAt, withValueAt } from './calls/json.ts';
import { reopen } from './history.ts';
import type { InspectorPart, InspectorSearch } from './inspector-search.ts';

export interface ResumeButtonProps {
  readonly part: InspectorPart;
  readonly search: InspectorSearch;
  readonly answer: RawAnswer;
}

export function ResumeButton({ part, search, answer }: ResumeButtonProps): ReactNode {
  const navigate = useNavigate();
  const lastId = answer.frames.findLast(({ id }) => id !== undefined)?.id;
  const taskId = answer.frames.map(({ data }) => taskIdOf(data)).find((id) => id !== '');
  if (part !== 'a2a' || lastId === undefined || taskId === undefined) return null;
  const version = search.version ?? '1.0';
  const call = a2aCalls(version, 'jsonrpc', undefined).find(({ label }) =>
    /^SubscribeToTask$|resubscribe$/.test(label),
  );
  if (call === undefined) return null;
  const resume = (): void => {
    const body = printJson(withValueAt(parseJson(call.draft.body)?.value, ['params', 'id'], taskId));
    const draft = { ...call.draft, body, headers: `${call.draft.headers}\nLast-Event-ID: ${lastId}` };
    reopen({ part, call: call.id, draft, answer: undefined });
    void navigate({
      to: '/v1/monitor/inspector/$part',
      params: { part },
      search: { ...search, binding: undefined, call: call.id },
    });
  };
  return (
    <div className="mt-3">
      <Button onClick={resume}>{words.resume}</Button>
    </div>
  );
}

/** The task of a frame, in either version; empty when the frame has none. */
function taskIdOf(data: string): string {
  const result = valueAt(parseJson(data)?.value, ['result']);
  const places = [['task', 'id'], ['statusUpdate', 'taskId'], ['artifactUpdate', 'taskId'], ['taskId'], ['id']];
  return places.map((place) => textOrEmpty(valueAt(result, place))).find((id) => id !== '') ?? '';
}
