// Tables as CSV.
import { expect, it } from 'vitest';
import { csvOf } from '../../../ui/src/text/csv.ts';

it('keeps separators, quotes and line ends inside their fields [ui-4.11.4]', () => {
  expect(csvOf(['name', 'cost'], [['a,b "c"\nd', 0.5]])).toBe('name,cost\r\n"a,b ""c""\nd",0.5\r\n');
});

it('leaves an unknown value empty, and writes a 0 as 0 [ui-4.11.2]', () => {
  expect(csvOf(['a', 'b'], [[null, 0]])).toBe('a,b\r\n,0\r\n');
});

it.each(['=1+1', '+1', '-1', '@SUM(A1)', '\tx'])('makes no formula of %j [ui-4.11.4]', (text) => {
  expect(csvOf(['a'], [[text]])).toMatch(/^a\r\n"?'/);
});
