// Errors with a remedy carry code, message, remedy and cause under the name of their class.
import { expect, it } from 'vitest';
import { AuditFileError } from '../../src/adapters/audit-file/error.ts';
import { EmbeddedPostgresError } from '../../src/adapters/postgres/embedded/process/error.ts';
import { SetupError } from '../../src/adapters/postgres/setup/setup-error.ts';
import { RemedyError } from '../../src/lib/remedy-error.ts';
import { StartError } from '../../src/server/config/errors/start-error.ts';

it.each([
  ['AuditFileError', AuditFileError],
  ['EmbeddedPostgresError', EmbeddedPostgresError],
  ['SetupError', SetupError],
  ['StartError', StartError],
])('%s keeps what an operator needs', (name, ErrorClass) => {
  const cause = new Error('EACCES');
  const error = new ErrorClass('disk_full', 'The disk is full.', 'Free some space.', { cause });
  expect(error).toBeInstanceOf(RemedyError);
  expect(error).toMatchObject({
    name,
    code: 'disk_full',
    message: 'The disk is full.',
    remedy: 'Free some space.',
    cause,
  });
  expect(String(error)).toBe(`${name}: The disk is full.`);
});
