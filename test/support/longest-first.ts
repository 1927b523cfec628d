// The order of the test files. Those that start many programs come first: to start one takes the longer, the more memory the
// starting process has, and it grows with each file. Then the long ones, so that no worker is left alone with one at the end.
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { longFiles } from './long-files.ts';

const startPrograms = /\/test\/(worker|cli|chaos|walks|end-to-end\/(runs|worker))\//;

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
    const group = ({ moduleId }: TestSpecification): number => (startPrograms.test(moduleId) ? 0 : 1);
    return rest.toSorted((a, b) => group(a) - group(b) || rank(a) - rank(b));
  }
}
