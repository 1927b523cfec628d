// Imports `prd.json` of ralph-tui: ralph's, with `name` for the project, dependencies and labels. runs-13.
import { mapRalphDocument } from './from-ralph.ts';
import { ImportLog, notImportable, type ImportedPrd, type ImportFile } from './import-log.ts';
import { readSource } from './read-source.ts';
import { SourceObject } from './source-object.ts';

/**
 * Some writers wrap the document in `prd`; ralph-tui itself warns of that form.
 * @throws DomainError invalid `invalid_prd` when a member has the wrong form
 */
export function importRalphTui(file: ImportFile): ImportedPrd {
  const log = new ImportLog();
  const outer = SourceObject.of(readSource(file));
  if (outer === undefined) throw notImportable(`${file.name} is not a prd.json: it holds no object.`);
  const wrapped = SourceObject.of(outer.peek('prd'), 'prd');
  if (wrapped === undefined) return log.complete(mapRalphDocument(outer, log));
  outer.take('prd');
  const document = mapRalphDocument(wrapped, log);
  outer.dropRest(log);
  return log.complete(document);
}
