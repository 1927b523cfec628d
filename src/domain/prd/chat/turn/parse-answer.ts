// Reads the structured answer of an assistant: reply, questions, operations. Anything unreadable is an error for its repair.
import { findJsonViolation } from '../../../../lib/json/json-violation.ts';
import type { PrdOperation, PrdQuestion } from '../../../model/prd/prd-session.ts';
import { maxDocumentDepth } from '../../document/read-text.ts';
import { maxQuestions, maxReplyChars } from './chat-limits.ts';

export interface AssistantAnswer {
  readonly reply: string;
  readonly questions: readonly PrdQuestion[];
  readonly operations: readonly PrdOperation[];
}

export type ParsedAnswer = AssistantAnswer | { readonly errors: readonly string[]; readonly reply: string };

type Json = Readonly<Record<string, unknown>>;

/** @returns errors together with the reply as far as it can be read: it is shown although the edit is rejected */
export function parseAnswer(text: string): ParsedAnswer {
  const json = findObject(text);
  if (json === undefined) {
    return { errors: ['the answer has no JSON object {reply, questions, ops}'], reply: plainReply(text) };
  }
  const reply = typeof json['reply'] === 'string' ? storable(json['reply'].slice(0, maxReplyChars)) : '';
  const violation = findJsonViolation(json, maxDocumentDepth);
  if (violation !== undefined) return { errors: [`${violation.path}: ${violation.message}`], reply };
  const errors: string[] = [];
  if (reply.trim() === '') errors.push('reply: has to be a text');
  const questions = listOf(json['questions'], 'questions', errors).flatMap((each, index) =>
    question(each, `questions.${index}`, errors),
  );
  if (questions.length > maxQuestions) errors.push(`questions: at most ${maxQuestions}`);
  const operations = listOf(json['ops'], 'ops', errors).flatMap((each, index) =>
    operation(each, `ops.${index}`, errors),
  );
  return errors.length > 0 ? { errors, reply } : { reply, questions, operations };
}

/** The last fenced block that is a JSON object, else the text between its first and last brace. */
function findObject(text: string): Json | undefined {
  const fenced = fencedBlocks(text).toReversed();
  const bare = text.slice(text.indexOf('{'), text.lastIndexOf('}') + 1);
  for (const candidate of [text, ...fenced, bare]) {
    const parsed = parseJson(candidate);
    if (isJson(parsed)) return parsed;
  }
  return undefined;
}

/** Line by line: an expression over the whole text would take quadratic time for some texts. */
function fencedBlocks(text: string): string[] {
  const blocks: string[] = [];
  let open: string[] | undefined;
  for (const line of text.split('\n')) {
    if (!line.trimStart().startsWith('```')) open?.push(line);
    else if (open === undefined) open = [];
    else {
      blocks.push(open.join('\n'));
      open = undefined;
    }
  }
  return blocks;
}

/** The text without what the database cannot hold. */
function storable(text: string): string {
  return text.replaceAll('\0', '').toWellFormed();
}

function parseJson(text: string): unknown {
  try {
    const parsed: unknown = JSON.parse(text);
    return parsed;
  } catch {
    return undefined;
  }
}

function isJson(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function plainReply(text: string): string {
  return storable(text.trim().slice(0, maxReplyChars));
}

function listOf(value: unknown, name: string, errors: string[]): readonly unknown[] {
  if (value === undefined || value === null) return [];
  if (Array.isArray(value)) return value;
  errors.push(`${name}: has to be a list`);
  return [];
}

function question(value: unknown, name: string, errors: string[]): PrdQuestion[] {
  if (!isJson(value) || typeof value['id'] !== 'string' || typeof value['text'] !== 'string') {
    errors.push(`${name}: has to have id and text`);
    return [];
  }
  const given = Array.isArray(value['options']) ? value['options'] : [];
  const options = given.flatMap((each: unknown, index) => {
    if (typeof each === 'string') return [{ key: String.fromCharCode(65 + index), text: each }];
    if (!isJson(each) || typeof each['text'] !== 'string') return [];
    return [
      { key: typeof each['key'] === 'string' ? each['key'] : String.fromCharCode(65 + index), text: each['text'] },
    ];
  });
  if (options.length < 2 || options.length > 5) errors.push(`${name}.options: has to have 2 to 5 options`);
  return [{ id: value['id'], text: value['text'], options }];
}

function operation(value: unknown, name: string, errors: string[]): PrdOperation[] {
  if (isJson(value)) {
    const { op, field, story, id, ids } = value;
    if (op === 'set' && typeof field === 'string' && 'value' in value) return [{ op, field, value: value['value'] }];
    if (op === 'upsert_story' && isJson(story)) return [{ op, story }];
    if (op === 'remove_story' && typeof id === 'string') return [{ op, id }];
    if (op === 'order' && isTexts(ids)) return [{ op, ids }];
  }
  errors.push(`${name}: has to be set {field, value}, upsert_story {story}, remove_story {id} or order {ids}`);
  return [];
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((each) => typeof each === 'string');
}
