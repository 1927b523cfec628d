// The commands `ralph lint|import`: check a PRD, and convert the documents of other tools.
import { Option, type Command } from 'commander';
import { importRequest, lintAnswer } from '../../contracts/ralph/create-run.ts';
import { newCommand, type CommandContext } from '../core/command.ts';
import { exitCodes } from '../core/exit-codes.ts';
import { printJson } from '../core/output.ts';
import { replaceFile } from '../core/private-file.ts';
import { openClient, type ClientFlags } from '../core/open-client.ts';
import path from 'node:path';
import { findingLine, importFiles, printImportNotes, readPrd, readTextFile } from './prd-file.ts';

const formats = importRequest.shape.format.unwrap().options;

export function lintCommand(run: CommandContext): Command {
  const { io, end } = run;
  return newCommand('lint', 'check a PRD; exit code 1 if no run can take it')
    .argument('<file>', 'PRD in YAML, JSON or Markdown; - for standard input')
    .action(async (file: string, flags: ClientFlags) => {
      const client = await openClient(run, flags);
      const prd = await readPrd(client, io, file);
      const answer = await client.read(client.api.POST('/v1/ralph/lint', { body: { prd } }), lintAnswer);
      if (flags.json) printJson(io, answer);
      else {
        for (const finding of answer.errors) io.out(`${findingLine('error', finding)}\n`);
        for (const finding of answer.warnings) io.out(`${findingLine('warning', finding)}\n`);
        io.out(answer.valid ? 'valid\n' : 'not valid: a run cannot take it\n');
      }
      end(answer.valid ? exitCodes.ok : exitCodes.failed);
    });
}

interface ImportFlags extends ClientFlags {
  readonly from: (typeof formats)[number];
  readonly output?: string;
}

export function importCommand(run: CommandContext): Command {
  const { io, end } = run;
  return newCommand('import', 'convert the documents of another tool to a PRD')
    .argument('<file...>', 'its files, e.g. prd.json, or tasks.md and spec.md; - for standard input')
    .addOption(new Option('--from <format>', 'format of the files').choices(formats).default('auto'))
    .option('-o, --output <file>', 'write the PRD to this file instead of standard output')
    .action(async (names: string[], flags: ImportFlags) => {
      const client = await openClient(run, flags);
      const files = await Promise.all(names.map((name) => readTextFile(io, name)));
      const imported = await importFiles(client, flags.from, files);
      const text = `${JSON.stringify(imported.prd, undefined, 2)}\n`;
      if (flags.output !== undefined) await replaceFile(path.resolve(io.cwd, flags.output), text, 0o644);
      if (flags.json) printJson(io, imported);
      else {
        printImportNotes(io, imported);
        if (flags.output === undefined) io.out(text);
      }
      end(exitCodes.ok);
    });
}
