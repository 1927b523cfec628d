// The order of the test files: the long ones begin first, so that no worker is left alone with one at the end.
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { longFiles } from './long-files.ts';

export class LongestFirst extends BaseSequencer {
  /** Files that are not in the table keep the order of vitest: by their last duration, else by size. */
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    // The sequencer's own method, which changes no array.
    // oxlint-disable-next-line unicorn/no-array-sort
    const rest = await super.sort(files);
    const rank = ({ moduleId }: TestSpecification): number => {
      const place = longFiles.findIndex((name) => moduleId.endsWith(`/test/${name}`));
      return place === -1 ? longFiles.length : place;
    };
    return rest.toSorted((a, b) => rank(a) - rank(b));
  }
}
