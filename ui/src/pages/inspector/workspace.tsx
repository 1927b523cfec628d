// One call: its request, the buttons that send and stop it, and its answer.
import { useQuery } from '@tanstack/react-query';
import { useEffect, useMemo, useRef, useState, type ReactNode } from 'react';
import { api, dataOf } from '../../api/api.ts';
import { rawCall, type RawAnswer, type RawRequest } from '../../api/raw-call.ts';
import { useActions } from '../../keys/actions.ts';
import { Button } from '../../parts/controls/button.tsx';
import { CopyButton } from '../../parts/controls/code-line.tsx';
import { curlOf } from '../../parts/controls/copy-menu.tsx';
import { failureText } from '../../parts/states/failure.tsx';
import { useActingTenant } from '../../session/tenant.ts';
import { cleanText } from '../../text/clean.ts';
import { commonWords } from '../../words/en-common.ts';
import { inspectorWords as words } from '../../words/service/en-inspector.ts';
import { AnswerView } from './answer-view.tsx';
import type { Callable } from './calls/callable.ts';
import { headersOf, missingOf, type CallDraft } from './calls/call-draft.ts';
import { errorsOf } from './calls/answer-errors.ts';
import { objectOf, parseJson, textOrEmpty } from './calls/json.ts';
import { rememberCall, type Reopened } from './history.ts';
import type { InspectorPart, InspectorSearch } from './inspector-search.ts';
import { RequestForm } from './request-form.tsx';
import { ResumeButton } from './resume-button.tsx';

export interface WorkspaceProps {
  readonly part: InspectorPart;
  readonly call: Callable;
  readonly search: InspectorSearch;
  readonly reopened: Reopened | undefined;
}

interface Run {
  readonly request: RawRequest;
  readonly isRunning: boolean;
  readonly answer: RawAnswer | undefined;
  readonly error: unknown;
}

export function Workspace({ part, call, search, reopened }: WorkspaceProps): ReactNode {
  const [draft, setDraft] = useState(reopened?.draft ?? call.draft);
  const keptAnswer = reopened?.answer;
  const [run, setRun] = useState<Run | undefined>(
    keptAnswer && { request: requestOf(draft), isRunning: false, answer: keptAnswer, error: undefined },
  );
  const [refusal, setRefusal] = useState<string>();
  const stop = useRef<AbortController>(undefined);
  const answerArea = useRef<HTMLElement>(null);
  useEffect(() => () => stop.current?.abort(), []);
  const send = async (): Promise<void> => {
    const wrong = refusalOf(draft);
    setRefusal(wrong);
    if (wrong !== undefined || run?.isRunning === true) return;
    const request = requestOf(draft);
    const controller = new AbortController();
    stop.current = controller;
    setRun({ request, isRunning: true, answer: undefined, error: undefined });
    // Below the request, where there is one column, the answer would be out of sight.
    if (matchMedia('(max-width: 1100px)').matches) answerArea.current?.scrollIntoView();
    try {
      const onProgress = (answer: RawAnswer): void => setRun({ request, isRunning: true, answer, error: undefined });
      const answer = await rawCall(request, { signal: controller.signal, onProgress });
      setRun({ request, isRunning: false, answer, error: undefined });
      const { status, ms } = answer;
      rememberCall({ part, search: { ...search, call: call.id }, label: call.label, draft, status, ms, answer });
    } catch (error) {
      setRun({ request, isRunning: false, answer: undefined, error: controller.signal.aborted ? undefined : error });
    }
  };
  const form = useRef<HTMLFormElement>(null);
  useActions(
    useMemo(
      () => [
        {
          id: 'send',
          label: words.send,
          keys: 'mod+Enter',
          group: 'page' as const,
          run: () => form.current?.requestSubmit(),
        },
      ],
      [],
    ),
  );
  const answer = run?.answer;
  const isRunning = run?.isRunning === true;
  return (
    <>
      <section aria-label={words.requestTitle} className="min-w-0 border-line p-(--page) max-lg:border-t lg:border-e">
        <h2 className="mb-2 font-semibold">{words.requestTitle}</h2>
        <Cost call={call} />
        <form
          ref={form}
          noValidate
          className="grid gap-4"
          onSubmit={(event) => {
            event.preventDefault();
            void send();
          }}
        >
          <RequestForm
            call={call}
            draft={draft}
            onChange={setDraft}
            errors={errorsOf(answer)}
            buttons={
              <div>
                <div className="flex flex-wrap gap-2">
                  <Button type="submit" kind="primary" keys="Control+Enter" busy={isRunning}>
                    {words.send}
                  </Button>
                  {isRunning ? <Button onClick={() => stop.current?.abort()}>{words.stop}</Button> : null}
                  <Button onClick={() => setDraft(call.draft)}>{words.reset}</Button>
                  <CopyCurl draft={draft} />
                </div>
                {refusal === undefined ? null : (
                  <p role="alert" className="mt-2 text-bad">
                    {refusal}
                  </p>
                )}
              </div>
            }
          />
        </form>
      </section>
      <section
        ref={answerArea}
        aria-label={words.answerTitle}
        className="min-w-0 p-(--page) max-lg:border-t max-lg:border-line"
      >
        <h2 className="mb-2 font-semibold">{words.answerTitle}</h2>
        <AnswerArea run={run} />
        {answer === undefined || isRunning ? null : <ResumeButton part={part} search={search} answer={answer} />}
      </section>
    </>
  );
}

function AnswerArea({ run }: { readonly run: Run | undefined }): ReactNode {
  const tenant = useActingTenant();
  if (run === undefined) return <p className="text-soft">{words.nothingYet}</p>;
  const { answer, error, isRunning, request } = run;
  if (error !== undefined) {
    return (
      <p role="alert" className="text-bad">
        {failureText(error)}
      </p>
    );
  }
  if (answer === undefined) return <p className="text-soft">{isRunning ? words.sending : words.ends.stopped}</p>;
  const sentHeaders = [
    ...Object.entries(request.headers),
    ['authorization', 'Bearer …'] as const,
    ...(tenant === undefined ? [] : [['x-tenant-id', tenant] as const]),
  ];
  return <AnswerView answer={answer} sentHeaders={sentHeaders} isRunning={isRunning} />;
}

/** Facts about the call before it is made: its permission, and its entry in the audit. */
function Cost({ call }: { readonly call: Callable }): ReactNode {
  const { tool } = call;
  const { data } = useQuery({
    queryKey: ['mcp-tool', tool],
    queryFn: () => dataOf(api().GET('/mcp/tools/schema', { params: { query: { name: tool ?? '' } } })),
    enabled: tool !== undefined,
    staleTime: Infinity,
  });
  const permission = textOrEmpty(objectOf(data)['permission']);
  const facts = [...call.facts, ...(permission === '' ? [] : [words.toolNeeds(permission)])];
  return (
    <div className="mb-4">
      <p className="max-w-[72ch]" dir="auto">
        {cleanText(call.summary)}
      </p>
      {facts.length === 0 ? null : (
        <ul aria-label={words.costTitle} className="mt-1 text-sm text-soft">
          {facts.map((fact) => (
            <li key={fact}>{cleanText(fact)}</li>
          ))}
        </ul>
      )}
    </div>
  );
}

function CopyCurl({ draft }: { readonly draft: CallDraft }): ReactNode {
  const { method, path, body } = draft;
  const parsed = parseJson(body);
  const { 'content-type': _type, ...headers } = headersOf(draft.headers);
  if (!path.startsWith('/') || (hasBody(draft) && parsed === undefined)) return null;
  const call = { method, path, headers, ...(hasBody(draft) && { body: parsed?.value }) };
  return <CopyButton text={curlOf(call)} label={commonWords.copyCurl} copiedLabel={commonWords.copied} />;
}

function hasBody({ method, body }: CallDraft): boolean {
  return body !== '' && method !== 'GET' && method !== 'HEAD';
}

function requestOf(draft: CallDraft): RawRequest {
  const { authorization: _token, ...own } = headersOf(draft.headers);
  const isWithBody = hasBody(draft);
  return {
    method: draft.method,
    path: draft.path,
    headers: isWithBody ? { 'content-type': 'application/json', ...own } : own,
    body: isWithBody ? draft.body : undefined,
  };
}

/** Why the request is not sent; undefined when it is. */
function refusalOf({ path }: CallDraft): string | undefined {
  const missing = missingOf(path);
  if (missing.length > 0) return words.missing(missing.join(', '));
  return path.startsWith('/') && !/^\/[/\\]/.test(path) ? undefined : words.outside;
}
