// Renders a tool's result as structured content and as text: shortened to the size limit, and marked as untrusted when
// it contains text that others wrote.
import { cutText } from '../../../lib/text/cut-text.ts';
import { isPlainJson, plainValue } from '../../../lib/text/plain-text.ts';
import { isObject } from '../../wire/rpc-envelope.ts';
import type { Tool, ToolLink } from './tool.ts';

export type ContentBlock =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'resource_link'; readonly uri: string; readonly name: string; readonly mimeType: string };

export interface ToolResult {
  readonly content: ContentBlock[];
  readonly structuredContent?: Record<string, unknown>;
  readonly isError?: true;
  readonly _meta?: Record<string, unknown>;
  readonly [key: string]: unknown;
}

/** The limit of a result as JSON, in characters: about 75,000 tokens, far more than is useful in one answer. */
const maxCharacters = 262_144;
/**
 * The lengths to which the texts of an oversized result are cut, in characters: the first one that makes it fit is
 * used.
 */
const textSteps = [32_768, 8_192, 2_048, 512, 128];

/** @param value the result of the tool's verb, in wire form */
export function toToolResult(tool: Tool, value: unknown): ToolResult {
  if (!isObject(value)) throw new Error(`the result of the tool ${tool.name} is not an object`);
  const { fitted, text, cut } = fitToLimit(tool, value);
  const links = tool.links?.(value) ?? [];
  const meta = { ...(tool.untrusted === true ? { untrusted: true } : {}), ...(cut ? { truncated: true } : {}) };
  return {
    content: [{ type: 'text', text }, ...links.map(linkBlock)],
    structuredContent: fitted,
    ...(Object.keys(meta).length === 0 ? {} : { _meta: meta }),
  };
}

function linkBlock({ uri, name, mimeType = 'application/json' }: ToolLink): ContentBlock {
  return { type: 'resource_link', uri, name, mimeType };
}

interface Fitted {
  readonly fitted: Record<string, unknown>;
  readonly text: string;
  readonly cut: boolean;
}

function fitToLimit(tool: Tool, output: Record<string, unknown>): Fitted {
  const json = JSON.stringify(output);
  const isPlain = tool.untrusted !== true || isPlainJson(json);
  const value = isPlain ? output : asObject(plainValue(output));
  const text = isPlain ? json : JSON.stringify(value);
  if (text.length <= maxCharacters) return { fitted: value, text, cut: false };
  const shorter = shortenTexts(value, text);
  return { fitted: asObject(shorter.fitted), text: shorter.text, cut: true };
}

/** A value as JSON within the size limit; its texts are cut as far as needed. */
export function shortenTexts(value: unknown, json = JSON.stringify(value)): { fitted: unknown; text: string } {
  let [fitted, text] = [value, json];
  for (const maxLength of textSteps) {
    if (text.length <= maxCharacters) break;
    fitted = cutTexts(value, maxLength);
    text = JSON.stringify(fitted);
  }
  return { fitted, text };
}

function cutTexts(value: unknown, maxLength: number): unknown {
  if (typeof value === 'string') {
    return value.length <= maxLength
      ? value
      : `${cutText(value, maxLength)}… [${value.length - maxLength} characters more]`;
  }
  if (Array.isArray(value)) return value.map((item) => cutTexts(item, maxLength));
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, cutTexts(member, maxLength)]));
}

function asObject(value: unknown): Record<string, unknown> {
  return isObject(value) ? value : {};
}
