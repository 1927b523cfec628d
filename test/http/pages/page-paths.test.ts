// The addresses of pages: none is the address of an operation, today's or a later page's.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { pagePaths, reservedPagePaths } from '../../../src/http/pages/page-paths.ts';
import { openService, type TestService } from '../../support/service.ts';

let service: TestService;
beforeAll(async () => {
  service = await openService();
});
afterAll(() => service[Symbol.asyncDispose]());

/** Whether some address fits both patterns. */
function overlaps(one: string, other: string): boolean {
  const [left, right] = [one.split('/'), other.split('/')];
  if (left.length !== right.length) return false;
  return left.every((part, i) => part === right[i] || part.startsWith(':') || right[i]?.startsWith(':') === true);
}

describe('the paths of pages', () => {
  it('are no paths of operations, nor are those of later pages [ui-11.1, ui-16.2]', () => {
    const paths = service.instance.operations.map(({ path }) => path);
    expect(paths.length).toBeGreaterThan(40);
    const pages = [...pagePaths, ...reservedPagePaths];
    expect(pages.flatMap((page) => paths.filter((path) => overlaps(page, path)).map((path) => [page, path]))).toEqual(
      [],
    );
    // The comparison finds conflicts.
    expect(overlaps('/v1/monitor/stats', '/v1/monitor/stats')).toBe(true);
    expect(overlaps('/v1/monitor/questions/:id', '/v1/monitor/questions/:question')).toBe(true);
    expect(overlaps('/v1/monitor/:page', '/v1/monitor/agents')).toBe(true);
  });

  it('are listed once each, and a later page is not served yet', () => {
    const all = [...pagePaths, ...reservedPagePaths];
    expect(new Set(all).size).toBe(all.length);
  });
});
