// Finds the JSON object in an agent's answer: the whole text, a fenced block, or what stands between the outer braces.
import type { z } from 'zod';
import { tryParseJson } from '../../../lib/json/json-text.ts';

/** The last one that fits the schema; undefined: none does. */
export function lastJson<T>(answer: string, schema: z.ZodType<T>): T | undefined {
  const blocks = [...answer.matchAll(/^`{3,}[^\n`]*\n([\s\S]*?)^`{3,}\s*$/gm)].map(([, block = '']) => block);
  const braces = answer.slice(Math.max(0, answer.indexOf('{')), answer.lastIndexOf('}') + 1);
  for (const text of [answer, ...blocks.toReversed(), braces]) {
    const parsed = schema.safeParse(tryParseJson(text));
    if (parsed.success) return parsed.data;
  }
  return undefined;
}
