// The catalogue of models: eleven come with the program, an operator may bring others.
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { readModelCatalogue } from '../../../../src/server/config/catalogues/model-catalogue.ts';
import { temporaryFolder } from '../../../support/process/program.ts';

describe('the catalogue of models', () => {
  it('has eleven entries of the form provider:model [choices-3.122]', async () => {
    const models = await readModelCatalogue(undefined);
    expect(models).toHaveLength(11);
    expect(new Set(models).size).toBe(11);
    for (const model of models) expect(model).toMatch(/^[a-z]+:[\w.-]+$/);
  });

  it('is replaced by an operator’s file, which must be such a list [choices-3.122]', async () => {
    await using folder = await temporaryFolder();
    const file = path.join(folder.path, 'models.json');
    await writeFile(file, '["local:small", "local:org/large@4"]');
    expect(await readModelCatalogue(file)).toEqual(['local:small', 'local:org/large@4']);
    for (const text of ['[]', '{}', '["no-provider"]', '["a:b", "a:b"]', '["a:b", 1]', '["-x:y"]', 'a:b']) {
      await writeFile(file, text);
      await expect(readModelCatalogue(file), text).rejects.toThrow(/MODEL_CATALOGUE_FILE/);
    }
    await expect(readModelCatalogue(path.join(folder.path, 'none'))).rejects.toThrow(/cannot be read/);
  });
});
