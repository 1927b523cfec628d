// The comments of a review, read back from the prompt of the follow-up that the service wrote from them.

export interface SentComment {
  /** Undefined: on the whole change. */
  readonly path: string | undefined;
  readonly side: 'old' | 'new' | undefined;
  readonly line: number | undefined;
  readonly endLine: number | undefined;
  readonly quote: string | undefined;
  readonly text: string;
}

const whole = 'The whole change';

/** The comments in their order; none in a prompt of another form. Sections are known by their running numbers. */
export function readReviewPrompt(prompt: string): readonly SentComment[] {
  const lines = prompt.split('\n');
  const sections: { readonly place: string; readonly lines: string[] }[] = [];
  for (const line of lines) {
    const heading = `## ${String(sections.length + 1)}. `;
    if (line.startsWith(heading)) sections.push({ place: line.slice(heading.length), lines: [] });
    else sections.at(-1)?.lines.push(line);
  }
  return sections.map(({ place, lines: body }) => ({ ...placeOf(place), ...bodyOf(body) }));
}

function placeOf(place: string): Pick<SentComment, 'path' | 'side' | 'line' | 'endLine'> {
  if (place === whole) return { path: undefined, side: undefined, line: undefined, endLine: undefined };
  const found = /^(.+), (new|old) lines? (\d{1,10})(?: to (\d{1,10}))?$/.exec(place);
  if (found === null) return { path: place, side: undefined, line: undefined, endLine: undefined };
  const [, path, side, line, endLine] = found;
  return {
    path,
    side: side === 'old' ? 'old' : 'new',
    line: Number(line),
    endLine: endLine === undefined ? undefined : Number(endLine),
  };
}

/** The quote is fenced in a block quote: its end is the fence of its beginning. */
function bodyOf(lines: readonly string[]): Pick<SentComment, 'quote' | 'text'> {
  const fence = /^> (`{3,})$/.exec(lines[0] ?? '')?.[0];
  const end = fence === undefined ? -1 : lines.indexOf(fence, 1);
  if (end < 0) return { quote: undefined, text: lines.join('\n').trim() };
  const quote = lines.slice(1, end).map((line) => line.replace(/^> ?/, ''));
  return {
    quote: quote.join('\n'),
    text: lines
      .slice(end + 1)
      .join('\n')
      .trim(),
  };
}
