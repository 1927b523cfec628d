// Whether a page is accessible, by axe-core with the rules of WCAG 2.0 to 2.2, levels A and AA.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';

const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];
const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

interface AxeViolation {
  readonly id: string;
  readonly help: string;
  readonly nodes: readonly { readonly target: readonly unknown[]; readonly failureSummary?: string }[];
}

/** One line for each violation: rule, what it asks for, and where. @param place a selector; default the whole page */
export async function violationsOf(page: Page, place?: string): Promise<string[]> {
  const has: unknown = await page.evaluate('typeof globalThis.axe');
  if (has === 'undefined') await page.evaluate(source);
  const run = `globalThis.axe.run(${place === undefined ? 'document' : JSON.stringify(place)}, { runOnly: ${JSON.stringify(tags)}, resultTypes: ['violations'] })`;
  const { violations } = await page.evaluate<{ violations: AxeViolation[] }>(run);
  return violations.map(({ id, help, nodes }) => {
    const places = nodes.map(({ target, failureSummary = '' }) => `${target.join(' ')}: ${failureSummary}`);
    return `${id}: ${help}\n  ${places.slice(0, 5).join('\n  ')}`;
  });
}

/** Fails with the violations that axe-core finds on the page as it stands. */
export async function expectAccessible(page: Page): Promise<void> {
  expect(await violationsOf(page)).toEqual([]);
}
