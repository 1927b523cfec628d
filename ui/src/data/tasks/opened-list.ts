// The list from which a task was opened, for the way to the next and the previous one.

let ids: readonly string[] = [];

export function noteOpenedList(shown: readonly string[]): void {
  ids = shown;
}

export interface ListPlace {
  readonly index: number;
  readonly count: number;
  readonly previous: string | undefined;
  readonly next: string | undefined;
}

/** The place of the task in the list that was shown last; undefined if it is not there. */
export function placeInList(id: string): ListPlace | undefined {
  const index = ids.indexOf(id);
  return index === -1 ? undefined : { index, count: ids.length, previous: ids[index - 1], next: ids[index + 1] };
}
