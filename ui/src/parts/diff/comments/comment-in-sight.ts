// Finds the line that the key for a comment means: the focused one, else the first changed line in sight.

/** The height of the header that sticks to the top of the list, in pixels. */
export const headerHeight = 40;

/** Presses the button of that line. False where no line is in sight. */
export function commentInSight(scroller: HTMLElement | null): boolean {
  if (scroller === null) return false;
  const buttons = [...scroller.querySelectorAll<HTMLButtonElement>('.diff-comment')];
  const focused = buttons.find((button) => button === document.activeElement);
  const { top, bottom } = scroller.getBoundingClientRect();
  const seen = buttons.filter((button) => {
    const place = button.getBoundingClientRect();
    return place.top >= top + headerHeight && place.bottom <= Math.min(bottom, innerHeight);
  });
  const button =
    focused ?? seen.find((one) => one.closest('.diff-gutter-insert, .diff-gutter-delete') !== null) ?? seen[0];
  button?.click();
  return button !== undefined;
}
