// Which page is seen by whom in which layout: each two values of two factors meet somewhere, which five visits of a page do.

export const pageFactors = {
  role: ['admin', 'operator', 'editor', 'viewer', 'agent'],
  width: [390, 900, 1280],
  theme: ['light', 'dark'],
  words: ['en', 'pseudo'],
  direction: ['ltr', 'rtl'],
} as const;

export interface PageVisit {
  readonly page: number;
  readonly role: (typeof pageFactors.role)[number];
  readonly width: (typeof pageFactors.width)[number];
  readonly theme: (typeof pageFactors.theme)[number];
  readonly words: (typeof pageFactors.words)[number];
  readonly direction: (typeof pageFactors.direction)[number];
}

type Layout = Omit<PageVisit, 'page' | 'role'>;

/** Of the five visits of a page; the first two have the long words on either device, theme and direction. By turns, so that each two meet. */
const layouts: readonly (readonly [Layout, Layout])[] = [
  bothThemes({ width: 390, theme: 'light', words: 'pseudo', direction: 'ltr' }),
  bothThemes({ width: 1280, theme: 'dark', words: 'pseudo', direction: 'rtl' }),
  [
    { width: 900, theme: 'light', words: 'pseudo', direction: 'rtl' },
    { width: 900, theme: 'dark', words: 'en', direction: 'ltr' },
  ],
  bothThemes({ width: 390, theme: 'dark', words: 'en', direction: 'rtl' }),
  bothThemes({ width: 1280, theme: 'light', words: 'en', direction: 'ltr' }),
];

function bothThemes(layout: Layout): readonly [Layout, Layout] {
  return [layout, { ...layout, theme: layout.theme === 'light' ? 'dark' : 'light' }];
}

/** Each page for each role, in a layout that is another for the next page; the first two layouts of all pages first. */
export function planVisits(pages: number): PageVisit[] {
  return layouts.flatMap((turns, i) =>
    Array.from({ length: pages }, (_, page): PageVisit => {
      const role = pageFactors.role[(page + i) % layouts.length] ?? pageFactors.role[0];
      return { page, role, ...turns[Math.floor(page / layouts.length) % 2 === 0 ? 0 : 1] };
    }),
  );
}

/** The whole product. */
export function planAllVisits(pages: number): PageVisit[] {
  const { role: roles, width: widths, theme: themes, words: languages, direction: directions } = pageFactors;
  return Array.from({ length: pages }, (_, page) =>
    roles.flatMap((role) =>
      widths.flatMap((width) =>
        themes.flatMap((theme) =>
          languages.flatMap((words) =>
            directions.map((direction): PageVisit => ({ page, role, width, theme, words, direction })),
          ),
        ),
      ),
    ),
  ).flat();
}

/** The pairs of two values of two factors that no visit has. */
export function missingPairs(visits: readonly PageVisit[], pages: number): string[] {
  const values: readonly (readonly string[])[] = Object.entries({
    page: Array.from({ length: pages }, (_, page) => page),
    ...pageFactors,
  }).map(([factor, all]) => all.map((value) => `${factor}=${value}`));
  const met = new Set(
    visits.flatMap((visit) => {
      const own = Object.entries(visit).map(([factor, value]) => `${factor}=${String(value)}`);
      return own.flatMap((one) => own.map((other) => `${one} ${other}`));
    }),
  );
  return values.flatMap((ones, i) =>
    values
      .slice(i + 1)
      .flatMap((others) => ones.flatMap((one) => others.map((other) => `${one} ${other}`)))
      .filter((pair) => !met.has(pair)),
  );
}
