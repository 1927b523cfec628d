// The answer of a call: its head, its body as foldable JSON or text, the frames of a stream as they come.
import { useState, type ReactNode } from 'react';
import type { RawAnswer, RawFrame } from '../../api/raw-call.ts';
import { Button } from '../../parts/controls/button.tsx';
import { JsonTree } from '../../parts/json-tree.tsx';
import { cleanText, cleanTitle } from '../../text/clean.ts';
import { commonWords } from '../../words/en-common.ts';
import { inspectorWords as words } from '../../words/service/en-inspector.ts';
import { AnswerHead, Headers } from './answer-head.tsx';
import { isJsonObject, objectOf, parseJson, textOrEmpty, type JsonObject } from './calls/json.ts';

export interface AnswerViewProps {
  readonly answer: RawAnswer;
  readonly sentHeaders: readonly (readonly [string, string])[];
  readonly isRunning: boolean;
}

export function AnswerView({ answer, sentHeaders, isRunning }: AnswerViewProps): ReactNode {
  const parsed = parseJson(answer.text);
  return (
    <div className="grid gap-3">
      <AnswerHead answer={answer} isRunning={isRunning} />
      <Headers label={words.sentHeaders} headers={sentHeaders} />
      {parsed === undefined || !isJsonObject(parsed.value) ? null : <SandboxRun body={parsed.value} />}
      {answer.frames.length > 0 ? <Frames frames={answer.frames} /> : null}
      {answer.frames.length > 0 || isRunning ? null : parsed !== undefined ? (
        <JsonTree key={answer.ms} value={parsed.value} openLevels={openLevels} />
      ) : answer.text === '' ? (
        <p className="text-soft">{words.emptyBody}</p>
      ) : (
        <PlainBody text={answer.text} />
      )}
    </div>
  );
}

// JSON-RPC wraps what is of interest.
const openLevels = 3;
const longestPlain = 100_000;

function PlainBody({ text }: { readonly text: string }): ReactNode {
  return (
    <pre
      tabIndex={0}
      dir="auto"
      className="max-h-[70vh] overflow-auto rounded-sm border border-line bg-sunk p-2 font-mono text-mono break-all whitespace-pre-wrap"
    >
      {cleanText(text.slice(0, longestPlain))}
    </pre>
  );
}

const framesAtOnce = 100;

/** Newest last; of many the last ones, with a button for those before. */
function Frames({ frames }: { readonly frames: readonly RawFrame[] }): ReactNode {
  const [shown, setShown] = useState(framesAtOnce);
  const from = Math.max(0, frames.length - shown);
  return (
    <section aria-label={words.frames} className="grid gap-2">
      <h3 className="text-sm font-semibold">{words.frames}</h3>
      {from === 0 ? null : (
        <Button kind="quiet" onClick={() => setShown(shown + framesAtOnce)}>
          {commonWords.of(frames.length - from, frames.length)}
        </Button>
      )}
      <ol className="grid gap-2">
        {frames.slice(from).map((frame, index) => (
          <Frame key={from + index} frame={frame} number={from + index + 1} />
        ))}
      </ol>
    </section>
  );
}

function Frame({ frame, number }: { readonly frame: RawFrame; readonly number: number }): ReactNode {
  const parsed = parseJson(frame.data);
  return (
    <li>
      <p className="flex flex-wrap gap-x-3 text-xs text-soft">
        <span>{words.frameTitle(number, cleanTitle(frame.event ?? 'message'))}</span>
        <span>{words.time(frame.atMs)}</span>
        {frame.id === undefined ? null : <span>{words.frameId(cleanTitle(frame.id))}</span>}
      </p>
      {parsed === undefined ? (
        <PlainBody text={frame.data} />
      ) : (
        <JsonTree value={parsed.value} openLevels={openLevels} />
      )}
    </li>
  );
}

/** The report of the sandbox about a run: exit code, usage, and the reason of its end. */
function SandboxRun({ body }: { readonly body: JsonObject }): ReactNode {
  if (!('exit_code' in body && 'killed_by' in body)) return null;
  const used = objectOf(body['usage']);
  const killedBy = textOrEmpty(body['killed_by']);
  const numberOf = (name: string): number => (typeof used[name] === 'number' ? used[name] : 0);
  return (
    <section aria-label={words.sandboxTitle} className="rounded-sm border border-line p-3">
      <h3 className="text-sm font-semibold">{words.sandboxTitle}</h3>
      <p>{words.exitCode(typeof body['exit_code'] === 'number' ? String(body['exit_code']) : commonWords.none)}</p>
      <p className={killedBy === '' ? 'text-soft' : 'font-semibold text-bad'}>
        {killedBy === '' ? words.notKilled : words.killedBy(killedBy)}
      </p>
      <p className="text-soft">{words.usage(numberOf('wall_ms'), numberOf('cpu_ms'), numberOf('max_memory_bytes'))}</p>
    </section>
  );
}
