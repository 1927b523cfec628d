// What a tool call answers: the result as a value and as text, cut to what a model can take, marked where others wrote it.
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

/** Characters that a result may have as JSON: about 75,000 tokens, far beyond what is useful in one answer. */
const mostCharacters = 262_144;
/** Characters that each text of a result keeps when the whole is too long: the first that makes it fit. */
const textSteps = [32_768, 8_192, 2_048, 512, 128];

/** @param value what the tool's verb answered, in the tool's wire form */
export function toolResult(tool: Tool, value: unknown): ToolResult {
  if (!isObject(value)) throw new Error(`the tool ${tool.name} answered no object`);
  const { fitted, text, cut } = fit(tool, value);
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

function fit(tool: Tool, told: Record<string, unknown>): Fitted {
  const whole = JSON.stringify(told);
  const isPlain = tool.untrusted !== true || isPlainJson(whole);
  const value = isPlain ? told : asObject(plainValue(told));
  const text = isPlain ? whole : JSON.stringify(value);
  if (text.length <= mostCharacters) return { fitted: value, text, cut: false };
  const shorter = shortened(value, text);
  return { fitted: asObject(shorter.fitted), text: shorter.text, cut: true };
}

/** A value as JSON of a size that a model takes, its texts cut as far as that needs. */
export function shortened(value: unknown, whole = JSON.stringify(value)): { fitted: unknown; text: string } {
  let [fitted, text] = [value, whole];
  for (const most of textSteps) {
    if (text.length <= mostCharacters) break;
    fitted = cutTexts(value, most);
    text = JSON.stringify(fitted);
  }
  return { fitted, text };
}

function cutTexts(value: unknown, most: number): unknown {
  if (typeof value === 'string') {
    return value.length <= most ? value : `${cutText(value, most)}… [${value.length - most} characters more]`;
  }
  if (Array.isArray(value)) return value.map((item) => cutTexts(item, most));
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, cutTexts(member, most)]));
}

function asObject(value: unknown): Record<string, unknown> {
  return isObject(value) ? value : {};
}
