// Colours as numbers: contrast by WCAG 2.2, the palette of 256.

/** Red, green and blue, each 0 to 255. */
export type Rgb = readonly [red: number, green: number, blue: number];

/** The contrast of two colours, 1 to 21. */
export function contrastOf(a: Rgb, b: Rgb): number {
  const [high = 0, low = 0] = [luminanceOf(a), luminanceOf(b)].toSorted((x, y) => y - x);
  return (high + 0.05) / (low + 0.05);
}

/** The colour of an index of the palette from 16 on: a cube of 6, then 24 greys. */
export function paletteColour(index: number): Rgb {
  if (index >= 232) {
    const grey = 8 + (index - 232) * 10;
    return [grey, grey, grey];
  }
  const cube = index - 16;
  return [level(Math.floor(cube / 36)), level(Math.floor(cube / 6) % 6), level(cube % 6)];
}

function level(step: number): number {
  return step === 0 ? 0 : 55 + step * 40;
}

function luminanceOf([red, green, blue]: Rgb): number {
  const [r = 0, g = 0, b = 0] = [red, green, blue].map((value) => {
    const part = value / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}
