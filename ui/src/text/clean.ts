// Cleaners: hostile text becomes text that shows everything it holds and controls nothing.

/** Longest run of combining marks that is drawn; a longer one is counted. */
const maxCombining = 8;

/** Escape sequences, complete and within one line: control strings, CSI, character sets and two-character escapes. */
const sequence =
  /\u001B(?:[\]PX^_][^\u0007\u001B\u009C\n]*(?:\u0007|\u001B\\|\u009C)|\[([0-?]*)([ -/]*)([@-~])|[ -/]+[0-~]|[0-OQ-WYZ\\`-~])/g;

/** Characters that are drawn as marks: C0 (tab, line feed and carriage return aside), C1, bidi, zero-width, tags, fillers, lone surrogates. */
const hidden =
  /[\u0000-\u0008\u000B\u000C\u000E-\u001A\u001C-\u001F\u007F-\u009F\u00AD\u061C\u115F\u1160\u17B4\u17B5\u180B-\u180F\u200B-\u200F\u2028-\u202E\u2060-\u206F\u3164\uFEFF\uFFA0\uFFF0-\uFFFB\u{1D173}-\u{1D17A}\u{E0000}-\u{E0FFF}\p{Cs}]|\u034F|[\uFE00-\uFE0D]|(?<=[\uFE0E\uFE0F])[\uFE0E\uFE0F]/gu;

const combining = new RegExp(String.raw`(\p{M}{${String(maxCombining)}})(\p{M}+)`, 'gu');
const plain = /^[\t\n -~]*$/;
const sgrMark = /\u001B\[([\d;]*)m/g;

/**
 * Output of an agent, of one or many lines. SGR sequences stay, with parameters of digits and semicolons; every other escape
 * sequence is dropped. A carriage return keeps the last text that was written over the line. Total and idempotent.
 */
export function cleanOutput(text: string): string {
  return plain.test(text) ? text : clean(text, keptSgr);
}

/** Free text of many lines without colours, for prompts, messages and questions. Total and idempotent. */
export function cleanText(text: string): string {
  return plain.test(text) ? text : clean(text, () => '');
}

/** A title or name: one line without colours; line feeds and tabs are marks. Total and idempotent. */
export function cleanTitle(text: string): string {
  return cleanText(text.replaceAll(/[\r\n\t]/g, toMark));
}

/** A path or a line of code: nothing is dropped, every control is a mark, so that two texts never look alike. */
export function markControls(text: string): string {
  return plain.test(text) && !text.includes('\n') ? text : markHidden(text.replaceAll(/[\r\n\u001B]/g, toMark));
}

/**
 * Replaces every character that a person would not see as it is, line feeds and tabs aside.
 * @param toText what stands for a character
 */
export function replaceHidden(text: string, toText: (character: string) => string): string {
  return plain.test(text) ? text : text.replaceAll(/[\r\u001B]/g, toText).replaceAll(hidden, toText);
}

/** Cleaned output without its colours. */
export function plainOf(cleaned: string): string {
  return cleaned.includes('\u001B') ? cleaned.replaceAll(sgrMark, '') : cleaned;
}

/** Sequences go or are kept first, marks come last: what was apart only by a dropped sequence is judged as it is shown. */
function clean(text: string, keep: (match: RegExpExecArray) => string): string {
  const parts: string[] = [];
  let from = 0;
  for (const match of text.matchAll(sequence)) {
    parts.push(text.slice(from, match.index).replaceAll('\u001B', toMark), keep(match));
    from = match.index + match[0].length;
  }
  parts.push(text.slice(from).replaceAll('\u001B', toMark));
  const joined = parts.join('');
  return markHidden(joined.includes('\r') ? joined.split('\n').map(lastOverwrite).join('\n') : joined);
}

function markHidden(text: string): string {
  const marked = text.replaceAll(hidden, toMark);
  return marked.replaceAll(
    combining,
    (_, kept: string, rest: string) => `${kept}⟨+${String(Array.from(rest).length)}⟩`,
  );
}

/** `⟨202E⟩` for a character. */
function toMark(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  return `⟨${code.toString(16).toUpperCase().padStart(4, '0')}⟩`;
}

/** The SGR sequence of a match in the one form that is kept, or nothing. */
function keptSgr([, parameters = '', intermediates = '', final]: RegExpExecArray): string {
  if (final !== 'm' || intermediates !== '' || parameters.length > 64 || !/^[\d;:]*$/.test(parameters)) return '';
  const codes = parameters.split(';').map((code) => {
    // `38:2::1:2:3` is the same colour as `38;2;1;2;3`; other parts behind a colon refine a style and are left out.
    const [first = '', mode, ...rest] = code.split(':');
    if ((first !== '38' && first !== '48') || mode === undefined) return first;
    return [first, mode, ...(mode === '2' && rest.length > 3 ? rest.slice(1, 4) : rest)].join(';');
  });
  return `\u001B[${codes.join(';')}m`;
}

/** The visible text of a line with carriage returns. Colours of the parts that were overwritten stay in force. */
function lastOverwrite(line: string): string {
  if (!line.includes('\r')) return line;
  const parts = line.split('\r');
  const last = Math.max(
    parts.findLastIndex((part) => plainOf(part) !== ''),
    0,
  );
  return parts.map((part, index) => (index === last ? part : (part.match(sgrMark) ?? []).join(''))).join('');
}
