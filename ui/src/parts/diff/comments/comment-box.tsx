// A comment under its line: written in a box with Save and Drop, then shown with Edit and Drop.
import type { ReactNode } from 'react';
import { cleanText, markControls } from '../../../text/clean.ts';
import { Button } from '../../controls/button.tsx';
import type { ReviewComment } from '../changed-file.ts';
import type { ChangesWords } from '../changes-words.ts';

export interface CommentActions {
  readonly onDraft: (draft: ReviewComment | undefined) => void;
  readonly onSave: (comment: ReviewComment) => void;
  readonly onDrop: (id: string) => void;
}

interface CommentBoxProps extends CommentActions {
  readonly draft: ReviewComment;
  readonly words: ChangesWords;
}

/** The name of the box: what the comment is on. */
export function commentName({ path, side, line, endLine }: ReviewComment, words: ChangesWords): string {
  if (path === undefined) return words.commentAll;
  if (side === undefined || line === undefined) return words.commentFile(markControls(path));
  return endLine === undefined || endLine === line
    ? words.commentLine(side, line)
    : words.commentRange(side, line, endLine);
}

export function CommentBox({ draft, words, onDraft, onSave, onDrop }: CommentBoxProps): ReactNode {
  const save = (): void => {
    if (draft.text.trim() !== '') onSave(draft);
  };
  return (
    <div className="max-w-[80ch] border-s-2 border-accent bg-paper p-2 font-sans text-base">
      <p className="pb-1 text-xs text-soft">{commentName(draft, words)}</p>
      <textarea
        aria-label={commentName(draft, words)}
        value={draft.text}
        rows={3}
        dir="auto"
        autoFocus
        className="field-sizing-content max-h-80 min-h-16 w-full rounded-sm border border-edge bg-ground px-2 py-1"
        onChange={(event) => {
          onDraft({ ...draft, text: event.target.value });
        }}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || !(event.metaKey || event.ctrlKey)) return;
          event.preventDefault();
          save();
        }}
      />
      <div className="flex gap-2 pt-1">
        <Button kind="primary" onClick={save}>
          {words.save}
        </Button>
        <Button
          onClick={() => {
            onDrop(draft.id);
          }}
        >
          {words.drop}
        </Button>
      </div>
    </div>
  );
}

interface SavedCommentProps extends CommentActions {
  readonly comment: ReviewComment;
  /** The place of the comment now if its text has moved, or that it is outdated. */
  readonly note?: string | undefined;
  readonly words: ChangesWords;
}

export function SavedComment({ comment, note, words, onDraft, onDrop }: SavedCommentProps): ReactNode {
  return (
    <article
      aria-label={commentName(comment, words)}
      className="max-w-[80ch] border-s-2 border-edge bg-paper p-2 font-sans text-base"
    >
      <p className="pb-1 text-xs text-soft">
        {commentName(comment, words)}
        {note === undefined ? '' : `: ${note}`}
      </p>
      {note === undefined || comment.quote === undefined ? null : (
        <pre className="mb-1 border-s border-line ps-2 font-mono text-mono whitespace-pre-wrap text-soft">
          {markQuote(comment.quote)}
        </pre>
      )}
      <p dir="auto" className="whitespace-pre-wrap">
        {cleanText(comment.text)}
      </p>
      <div className="flex gap-2 pt-1">
        <Button
          kind="quiet"
          onClick={() => {
            onDraft(comment);
          }}
        >
          {words.edit}
        </Button>
        <Button
          kind="quiet"
          onClick={() => {
            onDrop(comment.id);
          }}
        >
          {words.drop}
        </Button>
      </div>
    </article>
  );
}

function markQuote(quote: string): string {
  return quote.split('\n').map(markControls).join('\n');
}
