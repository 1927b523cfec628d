// Reads an agent's JSON events, one per line, from text that arrives in any pieces.

/** A longer line is dropped: no event that decides anything is that long. */
const maxLineChars = 8_000_000;

export interface LineSplitter {
  /** The lines that `text` completes, without their line ends. */
  push(text: string): string[];
  /** The last line, if it had no line end. */
  rest(): string[];
}

export function createLineSplitter(): LineSplitter {
  let parts: string[] = [];
  let size = 0;

  function finish(): string[] {
    const line = size > maxLineChars ? '' : parts.join('');
    parts = [];
    size = 0;
    return line === '' ? [] : [line];
  }

  function keep(text: string): void {
    size += text.length;
    if (size > maxLineChars) parts = [];
    else parts.push(text);
  }

  return {
    push(text) {
      const pieces = text.split('\n');
      return pieces.flatMap((piece, at) => {
        keep(piece);
        return at < pieces.length - 1 ? finish() : [];
      });
    },
    rest: finish,
  };
}

/** @returns undefined for anything but a JSON object: it is plain output */
export function parseObject(line: string): object | undefined {
  if (!line.startsWith('{')) return undefined;
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === 'object' && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}
