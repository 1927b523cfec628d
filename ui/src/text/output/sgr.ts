// The colours in force after a text, so that the next line begins in them.

interface SgrState {
  readonly styles: Set<number>;
  ink: string;
  ground: string;
}

/** The SGR sequence that is in force after `cleaned`, which began in `start`; empty where nothing is. */
export function sgrAfter(start: string, cleaned: string): string {
  if (!cleaned.includes('\u001B')) return start;
  const state: SgrState = { styles: new Set(), ink: '', ground: '' };
  for (const [, parameters = ''] of (start + cleaned).matchAll(/\u001B\[([\d;]*)m/g)) {
    const codes = parameters.split(';').map(Number);
    while (codes.length > 0) apply(state, codes.shift() ?? 0, codes);
  }
  const codes = [...[...state.styles].toSorted((a, b) => a - b).map(String), state.ink, state.ground];
  const set = codes.filter((code) => code !== '');
  return set.length === 0 ? '' : `\u001B[${set.join(';')}m`;
}

function apply(state: SgrState, code: number, rest: number[]): void {
  if (code === 0) {
    state.styles.clear();
    state.ink = state.ground = '';
  } else if (code < 10) state.styles.add(code);
  else if (code === 21) state.styles.delete(1);
  else if (code > 21 && code < 30) {
    state.styles.delete(code - 20);
    if (code === 22) state.styles.delete(1);
  } else if (code === 38 || code === 48) {
    const colour = extendedColour(code, rest);
    if (code === 38) state.ink = colour ?? state.ink;
    else state.ground = colour ?? state.ground;
  } else if (code === 39) state.ink = '';
  else if (code === 49) state.ground = '';
  else if ((code >= 30 && code < 38) || (code >= 90 && code < 98)) state.ink = String(code);
  else if ((code >= 40 && code < 48) || (code >= 100 && code < 108)) state.ground = String(code);
}

/** `38;5;n` or `38;2;r;g;b`, taken from the codes behind its first; nothing where they are no colour. */
function extendedColour(code: number, rest: number[]): string | undefined {
  const mode = rest.shift();
  const length = mode === 5 ? 1 : mode === 2 ? 3 : 0;
  if (length === 0 || rest.length < length) return undefined;
  const values = rest.splice(0, length);
  return values.every((value) => value <= 255) ? [code, mode, ...values].join(';') : undefined;
}
