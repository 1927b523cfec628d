// The REPL runs blocks whose variables live on, gives code nothing but its globals, and survives hostile code.
import { describe, expect, it } from 'vitest';
import { Repl, type ReplOptions } from '../../../../../../src/worker/agents/model/rlm/repl/repl.ts';

function open(options: Partial<ReplOptions> = {}): Repl {
  return new Repl({
    memoryMb: 64,
    blockMs: 10_000,
    maxOutputChars: 10_000,
    answerCall: (name, args) => Promise.resolve({ value: `${name} ${JSON.stringify(args)}` }),
    signal: new AbortController().signal,
    ...options,
  });
}

async function outputOf(repl: Repl, code: string): Promise<string> {
  return (await repl.run(code)).output.trimEnd();
}

describe('a block of code', () => {
  it('shows what it prints and its value, and its variables live on', async () => {
    await using repl = open();
    expect(await outputOf(repl, 'let n = 1; const list = [1, 2]; print("n is", n); n + 1')).toBe('n is 1\n2');
    expect(await outputOf(repl, 'n += list.length; ({ n })')).toBe('{"n":3}');
    expect(await outputOf(repl, 'function twice(x) { return 2 * x } twice(n)')).toBe('6');
    expect(await outputOf(repl, 'vars()')).toBe(
      JSON.stringify([
        { name: 'n', type: 'number' },
        { name: 'list', type: 'array', size: 2 },
        { name: 'twice', type: 'function' },
      ]),
    );
  });

  it('tells its error, and what was before it stays', async () => {
    await using repl = open();
    await repl.run('let a = 5');
    expect(await repl.run('a = 6; missing()')).toMatchObject({ ok: false, killed: false });
    expect(await outputOf(repl, 'missing()')).toContain('ReferenceError');
    expect(await outputOf(repl, 'let a = 7')).toContain("redeclaration of 'a'");
    expect(await outputOf(repl, 'await llm("x")')).toContain('no await');
    expect(await outputOf(repl, 'a')).toBe('6');
  });

  it('keeps the beginning of a long output and says what was left out', async () => {
    await using repl = open({ maxOutputChars: 50 });
    const output = await outputOf(repl, 'print("x".repeat(1000))');
    expect(output).toContain(`${'x'.repeat(50)}\n… 951 characters left out`);
  });

  it('reads parts by slice, lines and search', async () => {
    await using repl = open();
    repl.addPart({ name: 'log', text: 'zero\none needle\ntwo\n\u{1F600} needle needle' });
    await repl.run('const [log] = context');
    expect(await outputOf(repl, '[log.name, log.length, context.length]')).toBe('["log",36,1]');
    expect(await outputOf(repl, 'log.slice(5, 8)')).toBe('one');
    expect(await outputOf(repl, 'log.lines(1, 3)')).toBe('["one needle","two"]');
    expect(await outputOf(repl, 'log.lines().length')).toBe('4');
    expect(await outputOf(repl, 'log.search("needle")')).toBe(
      JSON.stringify([
        { line: 1, text: 'one needle' },
        { line: 3, text: '\u{1F600} needle needle' },
      ]),
    );
    expect(await outputOf(repl, 'log.search("")')).toContain('wrong arguments');
  });

  it('gets texts whole: NUL, halves of characters, megabytes', async () => {
    await using repl = open();
    const text = `a\0b\ud800c${'é'.repeat(1_000_000)}`;
    repl.addPart({ name: 'odd', text });
    const code = 'const t = context[0].slice(); [t.length, t.charCodeAt(1), t.charCodeAt(3), t.at(-1)]';
    expect(await outputOf(repl, code)).toBe(JSON.stringify([text.length, 0, 0xd800, 'é']));
  });

  it('calls the worker as an ordinary function, and catches what the call throws', async () => {
    await using repl = open({
      answerCall: (name, args) =>
        Promise.resolve(
          name === 'llm'
            ? { error: { message: 'too many', limit: 'L', left: 2 } }
            : { value: `${name} ${args.length}` },
        ),
    });
    expect(await outputOf(repl, 'const list = files.list(); list')).toBe('files.list 1');
    const code = 'try { llm("x") } catch (e) { [e instanceof LimitError, e.limit, e.left, e.message] }';
    expect(await outputOf(repl, code)).toBe('[true,"L",2,"too many"]');
    expect(await outputOf(repl, 'llm("x")')).toContain('LimitError: too many');
  });
});

describe('code in the REPL cannot', () => {
  it.each([
    'typeof process',
    'typeof require',
    'typeof fetch',
    'typeof setTimeout',
    'typeof performance',
    'typeof WebAssembly',
    'typeof std',
    'typeof Atomics',
    'typeof (function(){}).constructor("return this")().process',
    'typeof print.constructor("return typeof process !== \'undefined\' ? process : undefined")()',
    'typeof context.constructor.constructor("return this")().require',
    'typeof ({}).__proto__.constructor.constructor("return globalThis")().fetch',
  ])('reach the machine by %s', async (code) => {
    await using repl = open();
    expect(await outputOf(repl, code)).toBe('undefined');
  });

  it('import a module [runs-14.3]', async () => {
    await using repl = open();
    expect(await outputOf(repl, 'import fs from "fs"')).toContain('SyntaxError');
    await repl.run('var told = "nothing"; import("fs").then(() => { told = "loaded" }, (e) => { told = String(e) })');
    expect(await outputOf(repl, 'told')).toMatch(/could not load module|Error/);
    await repl.run('import("data:text/javascript,1").then(() => { told = "loaded" }, () => { told = "refused" })');
    expect(await outputOf(repl, 'told')).toBe('refused');
  });

  it('change the objects of the worker through a prototype [runs-14.3]', async () => {
    const taken: unknown[] = [];
    await using repl = open({
      answerCall: (name, args) => {
        taken.push([name, args]);
        return Promise.resolve({ value: null });
      },
    });
    await repl.run('Object.prototype.polluted = 1; Array.prototype.toJSON = () => "x"; ({}).__proto__.evil = 2');
    await repl.run('llm("{\\"__proto__\\": {\\"bad\\": 1}}"); JSON.parse = null; llm("y")');
    expect(Object.hasOwn(Object.prototype, 'polluted') || 'evil' in {} || 'bad' in {}).toBe(false);
    expect(taken.length).toBeLessThanOrEqual(2);
    expect(await outputOf(repl, 'context.length')).toBe('0');
  });

  it('read a clock or take random numbers', async () => {
    await using one = open();
    await using other = open();
    expect(await outputOf(one, 'new Date()')).toContain('There is no clock');
    expect(await outputOf(one, 'Date.now')).toBe('');
    expect(await outputOf(one, 'new (new Date(0).constructor)()')).toContain('There is no clock');
    expect(await outputOf(one, 'new Date("2026-01-02T00:00:00Z").toISOString()')).toBe('2026-01-02T00:00:00.000Z');
    expect(await outputOf(one, 'Math.random()')).toBe(await outputOf(other, 'Math.random()'));
  });
});

describe('the worker survives', () => {
  it.each([
    ['an endless loop', 'while (true) {}'],
    ['a bad expression', '/(a+)+$/.test("a".repeat(40) + "b")'],
    ['an endless loop in its error', 'throw { toJSON() { while (true) {} } }'],
    ['endless jobs', 'const again = () => Promise.resolve().then(again); again(); 0'],
  ])('%s: the block is cut and the state stays', async (_, code) => {
    await using repl = open({ blockMs: 2_000 });
    await repl.run('let kept = 42');
    expect(await repl.run(code)).toMatchObject({ killed: false });
    expect(await outputOf(repl, 'kept')).toBe('42');
  });

  it.each([
    ['recursion', 'const f = () => f() + 1; f()'],
    ['deep text', 'JSON.parse("[".repeat(100000))'],
    ['an expression in itself', 'eval("(".repeat(100000))'],
  ])('%s', async (_, code) => {
    await using repl = open();
    expect(await repl.run(code)).toMatchObject({ ok: false });
    expect(await outputOf(repl, '1 + 1')).toBe('2');
  });

  it('a memory bomb: the block fails or its thread is ended [runs-14.3]', async () => {
    await using repl = open({ memoryMb: 16, blockMs: 1_000 });
    repl.addPart({ name: 'p', text: 'text' });
    await repl.run('let before = 1');
    expect(await repl.run('const xs = []; while (true) xs.push("x".repeat(100000) + xs.length)')).toMatchObject({
      ok: false,
    });
    const next = await repl.run('context[0].slice()');
    if (next.output !== 'text\n') expect(await outputOf(repl, 'context[0].slice()')).toBe('text');
  });

  it('a block that cannot be interrupted: its thread is ended, the next one has the context and no variables [runs-14.3]', async () => {
    await using repl = open({ blockMs: 500 });
    repl.addPart({ name: 'p', text: 'text' });
    await repl.run('let before = 1');
    // One call of the engine that takes minutes, and asks for no interrupt in them.
    const hang = await repl.run('"a".repeat(2e6).indexOf("a".repeat(1e6) + "b")');
    expect(hang).toMatchObject({ ok: false, killed: true });
    expect(hang.output).toContain('all variables are gone');
    expect(await outputOf(repl, 'typeof before')).toBe('undefined');
    expect(await outputOf(repl, 'context[0].slice()')).toBe('text');
  });

  it('an abort while a block waits for the worker', async () => {
    const stop = new AbortController();
    const answerCall = (): Promise<never> => {
      stop.abort(new Error('cancelled'));
      return new Promise(() => undefined);
    };
    await using repl = open({ signal: stop.signal, answerCall });
    await expect(repl.run('llm("q")')).rejects.toThrow('cancelled');
  });

  it('an abort while a block computes', async () => {
    const stop = new AbortController();
    await using repl = open({ signal: stop.signal });
    const running = repl.run('while (true) {}');
    stop.abort(new Error('cancelled'));
    await expect(running).rejects.toThrow('cancelled');
  });
});
