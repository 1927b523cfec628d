// The code that runs first in the guest: it makes the globals of the REPL from one native function.

/**
 * An expression whose value is `(native) => {addPart, remember, show, describe}`. `native(name, json)` answers the JSON
 * of a `HostReply`.
 */
export const prelude = String.raw`(native) => {
  'use strict';
  const { parse, stringify } = JSON;
  const { freeze, defineProperty, getOwnPropertyNames, keys } = Object;
  const { construct } = Reflect;
  const indirect = eval;
  const Clock = Date;

  class LimitError extends Error {
    constructor(message, limit, left) {
      super(message);
      this.name = 'LimitError';
      this.limit = limit;
      this.left = left;
    }
  }

  const call = (name, ...args) => {
    const { value, error } = parse(native(name, stringify(args)));
    if (error === undefined) return value;
    throw error.limit === undefined ? new Error(error.message) : new LimitError(error.message, error.limit, error.left);
  };

  function PlainDate(...given) {
    if (given.length === 0) throw new Error('There is no clock. elapsed() gives the milliseconds since the REPL began.');
    return construct(Clock, given, new.target ?? PlainDate);
  }
  PlainDate.prototype = Clock.prototype;
  PlainDate.parse = Clock.parse;
  PlainDate.UTC = Clock.UTC;
  Clock.prototype.constructor = PlainDate;
  globalThis.Date = PlainDate;

  // The same numbers every time, so that a record replays.
  let seed = 42;
  Math.random = () => {
    seed = (seed * 1103515245 + 12345) % 2147483648;
    return seed / 2147483648;
  };

  const show = (value) => {
    if (typeof value === 'string') return value;
    if (typeof value === 'function' || typeof value === 'symbol' || typeof value === 'bigint') return String(value);
    return stringify(value) ?? String(value);
  };
  const describe = (error) => {
    if (!(error instanceof Error)) return 'thrown: ' + show(error);
    const hint = error.name === 'SyntaxError' ? ' (calls are synchronous: no await, no import)' : '';
    return error.name + ': ' + error.message + hint + (error.stack ? '\n' + String(error.stack).trimEnd() : '');
  };

  const context = [];
  const joined = (prompt, text) => (text === undefined ? String(prompt) : String(prompt) + '\n\n' + String(text));
  const known = new Set();
  const globals = {
    context,
    files: freeze({
      list: (path = '.') => call('files.list', String(path)),
      read: (path) => call('files.read', String(path)),
      search: (text, path = '.') => call('files.search', String(text), String(path)),
    }),
    llm: (prompt, text) => call('llm', joined(prompt, text)),
    llmBatch: (prompts) =>
      call('llmBatch', Array.from(prompts, (one) =>
        typeof one === 'object' && one !== null ? joined(one.prompt, one.text) : String(one))),
    rlm: (question, text) => call('rlm', String(question), String(text)),
    print: (...values) => void call('print', values.map(show).join(' ')),
    answer: (text) => void call('answer', show(text)),
    elapsed: () => call('elapsed'),
    vars: () =>
      [...new Set([...known, ...keys(globalThis)])].flatMap((name) => {
        try {
          const value = indirect(name);
          const size = typeof value === 'string' || Array.isArray(value) ? value.length : undefined;
          return [{ name, type: Array.isArray(value) ? 'array' : typeof value, ...(size !== undefined && { size }) }];
        } catch {
          return [];
        }
      }),
    LimitError,
  };
  for (const name of getOwnPropertyNames(globals)) {
    defineProperty(globalThis, name, { value: globals[name], writable: false, configurable: false, enumerable: false });
  }

  return {
    addPart(name, length) {
      const index = context.length;
      context.push(freeze({
        name,
        length,
        slice: (from, to) => call('slice', index, from, to),
        lines: (from, to) => call('lines', index, from, to),
        search: (text) => call('search', index, String(text)),
      }));
    },
    remember(name) {
      if (!(name in globals)) known.add(name);
    },
    show,
    describe,
  };
}`;
