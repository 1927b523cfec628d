// Colours and typefaces of the pages that the service writes itself: the sign-in page and the reference. ui-9.2.

/** Style rules that set the custom properties, for light and dark. The built pages have the same values. */
export const pageTokens = `
:root { color-scheme: light dark;
  --ground: light-dark(#f4f5f2, #101412); --paper: light-dark(#ffffff, #171c1a); --sunk: light-dark(#ebede8, #0b0e0d);
  --line: light-dark(#d3d8d1, #2b3330); --edge: light-dark(#7c8781, #6f7d77);
  --ink: light-dark(#17201c, #e6ebe8); --soft: light-dark(#53605a, #a2afa9);
  --accent: light-dark(#00606b, #5cc8d4); --on-accent: light-dark(#ffffff, #04282d); --bad: light-dark(#b3261e, #ff9a90);
  --words: 'Atkinson Hyperlegible Next', system-ui, sans-serif;
  --code: 'Atkinson Hyperlegible Mono', ui-monospace, monospace; }`;
