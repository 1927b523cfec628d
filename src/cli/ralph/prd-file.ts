// Reads a PRD for the commands that take one: YAML and JSON as they are, Markdown by the service's import.
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { importAnswer } from '../../contracts/ralph/create-run.ts';
import { CliError } from '../core/cli-error.ts';
import { exitCodes } from '../core/exit-codes.ts';
import type { CliIo } from '../core/io.ts';
import { shorten, singleLine } from '../core/output.ts';
import type { CliServiceClient } from '../core/service-client.ts';

export interface NamedText {
  readonly name: string;
  readonly content: string;
}

/** @param file a path, or - for standard input @throws CliError when it cannot be read */
export async function readTextFile(io: CliIo, file: string): Promise<NamedText> {
  if (file === '-') return { name: 'stdin', content: await io.readStdin() };
  try {
    return { name: path.basename(file), content: await readFile(path.resolve(io.cwd, file), 'utf8') };
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new CliError(exitCodes.usage, 'prd_file', `The PRD cannot be read: ${why}`, '', { cause });
  }
}

/**
 * The document as a run takes it. Omissions of an import are listed on stderr.
 * @throws CliError when the file cannot be read, or Markdown holds no stories
 */
export async function readPrd(
  client: CliServiceClient,
  io: CliIo,
  file: string,
): Promise<string | Record<string, unknown>> {
  const text = await readTextFile(io, file);
  if (!/\.(?:md|markdown)$/i.test(file)) return text.content;
  const imported = await importFiles(client, 'markdown', [text]);
  printImportNotes(io, imported);
  return imported.prd;
}

type ImportFormat = 'auto' | 'ralph' | 'ralph-tui' | 'speckit' | 'taskmaster' | 'kiro' | 'markdown';
type ImportedPrd = (typeof importAnswer)['_output'];

export async function importFiles(
  client: CliServiceClient,
  format: ImportFormat,
  files: readonly NamedText[],
): Promise<ImportedPrd> {
  const call = client.api.POST('/v1/ralph/import', { body: { format, files: [...files] } });
  return client.read(call, importAnswer);
}

/** Prints the warnings and the omissions of an import, one line each. */
export function printImportNotes(io: CliIo, { warnings, dropped }: Pick<ImportedPrd, 'warnings' | 'dropped'>): void {
  for (const { code, path: place, message } of warnings)
    io.err(`${findingLine('warning', { code, path: place, message })}\n`);
  for (const { path: place, value } of dropped) {
    io.err(`dropped  ${singleLine(place)}: ${shorten(JSON.stringify(value) ?? '', 100)}\n`);
  }
}

export function findingLine(
  kind: 'error' | 'warning',
  {
    code,
    path: place = '',
    message,
  }: { readonly code: string; readonly path?: string | undefined; readonly message: string },
): string {
  return singleLine(`${kind.padEnd(7)}  ${code}${place === '' ? '' : ` at ${place}`}: ${message}`);
}
