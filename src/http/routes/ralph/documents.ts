// Operations on PRD documents without a run: lint and import. runs-6.1, runs-13.
import * as wire from '../../../contracts/ralph/create-run.ts';
import { importPrd } from '../../../domain/prd/import/import-prd.ts';
import { reportOnPrd } from '../../../domain/prd/parse-prd.ts';
import { toPrdDocument } from '../../../domain/prd/render.ts';
import { operation, type Operation } from '../../pipeline/operation.ts';

export function prdDocumentOperations(): Operation[] {
  return [
    operation({
      name: 'ralph.lint',
      method: 'POST',
      path: '/v1/ralph/lint',
      summary: 'Check a PRD for errors and weaknesses.',
      description: 'Answers 200 for any document. The field valid is true if a run can take it.',
      permission: 'ralph:read',
      body: wire.lintRequest,
      acceptsYaml: true,
      largeBody: true,
      answers: { 200: wire.lintAnswer },
      run: (_caller, { body }) => {
        const { valid, errors, warnings } = reportOnPrd(body.prd);
        return Promise.resolve({ status: 200, body: { valid, errors: [...errors], warnings: [...warnings] } });
      },
    }),
    operation({
      name: 'ralph.import',
      method: 'POST',
      path: '/v1/ralph/import',
      summary: 'Convert the documents of another tool to a PRD.',
      description: 'Stores nothing. What has no place in a PRD is in dropped.',
      permission: 'ralph:write',
      body: wire.importRequest,
      largeBody: true,
      answers: { 200: wire.importAnswer },
      run: (_caller, { body }) => {
        const { prd, warnings, dropped } = importPrd(body.format, body.files);
        const answer = { prd: toPrdDocument(prd), warnings: [...warnings], dropped: [...dropped] };
        return Promise.resolve({ status: 200, body: answer });
      },
    }),
  ];
}
