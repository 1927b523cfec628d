// The elements of the pages and the attributes that each of them has. A test finds every other one: it came out of a text.

/** On any element of ours. */
const common =
  /^(class|id|role|dir|tabindex|title|hidden|aria-(atomic|busy|controls|current|describedby|disabled|expanded|haspopup|hidden|invalid|keyshortcuts|label|labelledby|live|modal|pressed|rowcount|rowindex|selected|sort)|data-(board|change-key|filter|index|part|row|run-row|search|status|story|tr))$/;

/** Beside the common ones; `style` where a number or a position is set by script. */
const attributesOf: Readonly<Record<string, string>> = {
  a: 'href rel target',
  abbr: '',
  article: '',
  aside: '',
  bdi: '',
  blockquote: '',
  body: '',
  br: '',
  button: 'disabled style type',
  canvas: 'height width',
  caption: '',
  circle: 'cx cy fill r stroke stroke-width',
  code: '',
  col: '',
  colgroup: '',
  datalist: '',
  dd: '',
  del: '',
  details: 'open',
  div: 'style',
  dl: '',
  dt: '',
  em: '',
  fieldset: '',
  figcaption: '',
  figure: '',
  form: 'novalidate',
  g: '',
  h1: '',
  h2: '',
  h3: '',
  h4: '',
  h5: '',
  h6: '',
  head: '',
  header: '',
  hr: '',
  html: 'data-density data-theme lang',
  input: 'autocomplete checked disabled list max min placeholder required spellcheck type value',
  kbd: '',
  label: 'for',
  legend: '',
  li: 'data-line style',
  line: 'stroke stroke-width x1 x2 y1 y2',
  link: 'as crossorigin href rel type',
  main: '',
  meta: 'charset content name',
  nav: '',
  ol: 'start',
  optgroup: 'label',
  option: 'value',
  p: 'style',
  path: 'd fill fill-rule stroke stroke-dasharray stroke-linecap stroke-linejoin stroke-width',
  pre: '',
  rect: 'fill height rx ry stroke width x y',
  script: 'crossorigin src type',
  section: 'style',
  select: '',
  span: 'data-bar style',
  strong: '',
  summary: '',
  svg: 'fill height stroke stroke-linecap stroke-linejoin stroke-width viewBox width xmlns',
  table: '',
  tbody: '',
  td: '',
  textarea: 'placeholder rows spellcheck',
  tfoot: '',
  th: 'scope',
  thead: '',
  time: 'datetime',
  title: '',
  tr: '',
  ul: 'style',
};

/** Where an address of an element may lead. Only a link of a text leads to another host, and it says so. */
const addresses: Readonly<Record<string, RegExp>> = {
  a: /^(\/(?!\/)|#|\?|https?:\/\/)/,
  link: /^\/v1\/monitor\/[\w./-]+$/,
  script: /^\/v1\/monitor\/assets\/[\w.-]+\.js$/,
};

export interface SeenAttribute {
  readonly tag: string;
  /** Empty for the element itself. */
  readonly name: string;
  readonly value: string;
}

/** @returns what is not ours; undefined where it is */
export function strangeAttribute({ tag, name, value }: SeenAttribute): string | undefined {
  const own = attributesOf[tag];
  if (own === undefined) return `the element ${tag}`;
  if (name === '') return undefined;
  if (!common.test(name) && !own.split(' ').includes(name)) return `the attribute ${name} of ${tag}`;
  const isAddress = name === 'href' || name === 'src';
  return isAddress && addresses[tag]?.test(value) !== true ? `the address ${value} of ${tag}` : undefined;
}
