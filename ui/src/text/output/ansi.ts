// Colours of output: SGR becomes runs of text with class names of the page's tokens.
import Anser from 'anser';
import { contrastOf, paletteColour, type Rgb } from '../contrast.ts';
import { sgrAfter } from './sgr.ts';

export interface TextRun {
  readonly text: string;
  readonly className: string;
  /** A colour of both schemes made of numbers and tokens, where a class is not enough. */
  readonly color?: string;
}

type Name = 'black' | 'red' | 'green' | 'yellow' | 'blue' | 'magenta' | 'cyan' | 'white';

const inks: Readonly<Record<Name, string>> = {
  black: 'text-soft',
  red: 'text-bad',
  green: 'text-ok',
  yellow: 'text-ask',
  blue: 'text-running',
  magenta: 'text-accent',
  cyan: 'text-accent',
  white: 'text-ink',
};
const grounds: Readonly<Record<Name, string>> = {
  black: 'bg-paper',
  red: 'bg-del',
  green: 'bg-add',
  yellow: 'bg-ask-ground',
  blue: 'bg-paper',
  magenta: 'bg-paper',
  cyan: 'bg-paper',
  white: 'bg-paper',
};
const decorations: Readonly<Record<string, string>> = {
  bold: 'font-semibold',
  italic: 'italic',
  underline: 'underline',
  strikethrough: 'line-through',
};
/** The ground of the output in the light and the dark scheme: the token `sunk`. */
const sunk = { light: [235, 237, 232], dark: [11, 14, 13] } as const satisfies Record<string, Rgb>;
const least = 4.5;

/**
 * Runs of a cleaned text that begins in the colours `start` (an SGR sequence or nothing). Hidden and blinking text is drawn as
 * text. A colour by numbers is drawn where its contrast is at least 4.5:1, else its nearest token (ui-5.1.3).
 */
export function textRuns(cleaned: string, start = ''): TextRun[] {
  if (start === '' && !cleaned.includes('\u001B')) return cleaned === '' ? [] : [{ text: cleaned, className: '' }];
  const runs: TextRun[] = [];
  let state = start;
  for (const [, sgr = '', text = ''] of cleaned.matchAll(/((?:\u001B\[[\d;]*m)*)([^\u001B]*)/g)) {
    state = sgrAfter(state, sgr);
    // One state at a time: anser ends a style that was begun twice only half.
    if (text !== '') runs.push(...Anser.ansiToJson(state + text, { use_classes: true, remove_empty: true }).map(runOf));
  }
  return runs;
}

function runOf(entry: Anser.AnserJsonEntry): TextRun {
  const decorated = new Set<string>(entry.decorations);
  const names = [...decorated].flatMap((name) => decorations[name] ?? []);
  if ('isInverted' in entry && entry.isInverted === true)
    return { text: entry.content, className: [...names, 'bg-ink', 'text-ground'].join(' ') };
  const ground = groundOf(entry);
  if (ground !== undefined) names.push(ground);
  const rgb = colourOf(entry.fg, entry.fg_truecolor);
  if (rgb !== undefined && ground === undefined) {
    return { text: entry.content, className: names.join(' '), color: readable(rgb) };
  }
  const ink = rgb === undefined ? inkOf(entry.fg, decorated.has('dim')) : inks[nearestName(rgb)];
  return { text: entry.content, className: [...names, ...(ink === undefined ? [] : [ink])].join(' ') };
}

function inkOf(fg: string | null, isDim: boolean): string | undefined {
  const name = nameOf(fg);
  if (name !== undefined) return inks[name];
  return isDim ? 'text-soft' : undefined;
}

function groundOf(entry: Anser.AnserJsonEntry): string | undefined {
  const name = nameOf(entry.bg);
  if (name !== undefined) return grounds[name];
  const rgb = colourOf(entry.bg, entry.bg_truecolor);
  return rgb === undefined ? undefined : grounds[nearestName(rgb)];
}

/** The name in `ansi-red` and `ansi-bright-red`. */
function nameOf(className: string | null): Name | undefined {
  const name = className?.replace(/^ansi-(bright-)?/, '');
  return name !== undefined && isName(name) ? name : undefined;
}

function isName(name: string): name is Name {
  return Object.hasOwn(inks, name);
}

function colourOf(className: string | null, truecolor: string | null): Rgb | undefined {
  if (className === 'ansi-truecolor' && truecolor !== null) {
    const [red = 0, green = 0, blue = 0] = truecolor.split(', ').map(Number);
    return [red, green, blue];
  }
  const index = /^ansi-palette-(\d+)$/.exec(className ?? '')?.[1];
  return index === undefined ? undefined : paletteColour(Number(index));
}

/** The colour in each scheme in which it can be read, else the token that is next to it. */
function readable(rgb: Rgb): string {
  const token = `var(--${inks[nearestName(rgb)].slice('text-'.length)})`;
  const own = `rgb(${rgb.join(' ')})`;
  const inScheme = (ground: Rgb): string => (contrastOf(rgb, ground) >= least ? own : token);
  return `light-dark(${inScheme(sunk.light)}, ${inScheme(sunk.dark)})`;
}

/** The named colour of a hue; white and black for greys. */
function nearestName([red, green, blue]: Rgb): Name {
  const high = Math.max(red, green, blue);
  const low = Math.min(red, green, blue);
  if (high - low < 32) return high < 128 ? 'black' : 'white';
  const middle = (high + low) / 2;
  const bits = (red > middle ? 1 : 0) + (green > middle ? 2 : 0) + (blue > middle ? 4 : 0);
  return (['black', 'red', 'green', 'yellow', 'blue', 'magenta', 'cyan', 'white'] as const)[bits] ?? 'white';
}
